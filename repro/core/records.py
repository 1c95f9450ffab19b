"""Read and validate records: JSON files of a given form; and the error of what a user gave."""

import json
import re
from pathlib import Path


class UserError(ValueError):
    """A file, a variable or an option cannot be used as it is; the message names it and says why.

    The command line reports it in one line.
    """


def read_json(path, form):
    """Read a JSON file that must have a form, see `first_mismatch`; or say that it is damaged."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}") from None
    wrong = first_mismatch(content, form)
    if wrong:
        raise UserError(f"{path} is damaged: {wrong} is missing, or is not what it should be")
    return content


def first_mismatch(value, form, name="content"):
    """Name what in a value read from JSON has not the form it should have; "" if all has.

    A form is a type; of a text also a pattern; of a list its items' form, or that of each if there
    are several; of a dict the forms of the keys that must be there, or by the key `str` that of
    every value.
    """
    if isinstance(form, re.Pattern):
        return "" if isinstance(value, str) and form.fullmatch(value) else name
    if not isinstance(form, list | dict):
        return "" if isinstance(value, form) else name
    if not isinstance(value, type(form)):
        return name
    if isinstance(form, dict):
        forms = dict.fromkeys(value, form[str]) if str in form else form
        parts = [(value.get(key, ...), of, f"{name}.{key}") for key, of in forms.items()]
    else:
        forms = form * len(value) if len(form) == 1 else form
        if len(forms) != len(value):
            return name
        parts = [(value[k], of, f"{name}[{k}]") for k, of in enumerate(forms)]
    return next((wrong for part in parts if (wrong := first_mismatch(*part))), "")
