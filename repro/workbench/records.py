"""Reading of JSON records."""

import json
from contextlib import contextmanager
from pathlib import Path

from repro.core.errors import UserError


@contextmanager
def checking(path):
    """Within the block, let a ValueError say that the file at a path is damaged; a UserError."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}") from None


def read_json(path, **fields):
    """Read a JSON file that holds an object; raise a UserError if it is damaged.

    ``fields`` maps the fields that it must have to their types.
    """
    with checking(path):
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        if lacks := lacking(content, fields):
            raise ValueError(f"missing {lacks}")
    return content


def lacking(content, fields):
    """List the fields, given as name to type, that a JSON object lacks; "" if none."""
    if not isinstance(content, dict):
        return "an object"
    missing = [name for name, kind in fields.items() if not isinstance(content.get(name), kind)]
    return ", ".join(missing)
