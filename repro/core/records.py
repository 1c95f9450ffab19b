"""Reads records in JSON; and the error of what a user gave."""

import json
from pathlib import Path


class UserError(ValueError):
    """A file, a variable or an option cannot be used as it is; the message names it and says why.

    The command line reports it in one line.
    """


def read_json(path, **fields):
    """Read a file of JSON, or say that it is damaged: it holds an object.

    ``fields`` are those that it must have, and of what type each is.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}") from None
    if lacks := lacking(content, fields):
        raise UserError(f"{path} is damaged: it lacks {lacks}")
    return content


def lacking(content, fields):
    """Say which of some fields, types by their names, an object of JSON lacks; "" if none."""
    if not isinstance(content, dict):
        return "an object"
    missing = [name for name, kind in fields.items() if not isinstance(content.get(name), kind)]
    return ", ".join(missing)
