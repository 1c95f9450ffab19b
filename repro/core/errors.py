"""The error for invalid user input."""


class UserError(ValueError):
    """Error for an invalid file, variable or option; the message names it and gives the reason.

    The command line reports it in one line.
    """
