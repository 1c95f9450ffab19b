"""Reads records in JSON; and the error of what a user gave."""

import json
from pathlib import Path


class UserError(ValueError):
    """A file, a variable or an option cannot be used as it is; the message names it and says why.

    The command line reports it in one line.
    """


def read_json(path):
    """Read a JSON file, or say that it is damaged."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}") from None
