"""Reading of JSON records."""

import json

from repro.core.errors import UserError


def read_json(path, **fields):
    """Read a JSON file that holds an object; raise a UserError if it is damaged.

    ``fields`` maps the fields that it must have to their types.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}") from None
    if lacks := lacking(content, fields):
        raise UserError(f"{path} is damaged: missing {lacks}")
    return content


def lacking(content, fields):
    """List the fields, given as name to type, that a JSON object lacks; "" if none."""
    if not isinstance(content, dict):
        return "an object"
    missing = [name for name, kind in fields.items() if not isinstance(content.get(name), kind)]
    return ", ".join(missing)
