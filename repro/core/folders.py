"""Folders that environment variables and users name."""

import os
from pathlib import Path

from repro.core.errors import UserError


def folder_from(variable):
    """Return the folder that an environment variable names, see `folder_at`; None if not set."""
    value = os.environ.get(variable, "").strip()
    return folder_at(value, variable) if value else None


def folder_at(value, what):
    """Return a folder that a user names as an absolute Path; ``what`` says where it is named.

    Raise a UserError if it begins with "~" and an unknown user name.
    """
    try:
        return Path(value).expanduser().absolute()
    except RuntimeError as error:
        raise UserError(f"{what} is {str(value)!r}: {error}") from None
