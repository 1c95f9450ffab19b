"""Files written whole or not at all, and read only if they hold what they should; folders."""

import json
import os
import re
import uuid
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

# What of a notebook's record others rely on; see `astray`.
NUMBER = int | float | None
PART = {
    **{"quantity": str, "criterion": re.compile(r"[≥≤<>] (-?inf|-?[\d.]+(e[-+]\d+)?)")},
    **{"median": NUMBER, "range": [NUMBER, NUMBER], "values": [NUMBER]},
    **{"beside": {str: NUMBER}, "met": bool},
}
CLAIM = {
    **{"id": str, "says": str, "verdict": re.compile("holds|partly|fails"), "firmness": str},
    "parts": [PART],
}
RECORD = {
    **{"notebook": str, "paper": str, "item": str, "data": str, "seeds": [int]},
    **{"readings": dict, "claims": [CLAIM], "errata": [str]},
}


class Unusable(ValueError):  # noqa: N818 - the name says the state, not a fault
    """A file, a variable or an option cannot be used as it is; the message names it and says why.

    The command line tells it in a line.
    """


def folder_from(variable):
    """Return the folder that an environment variable names, as an absolute Path; None if not set.

    Raises
    ------
    Unusable
        If it begins with "~" and the name of nobody.
    """
    value = os.environ.get(variable)
    try:
        return Path(value).expanduser().absolute() if value else None
    except RuntimeError as error:
        raise Unusable(f"{variable} is {value!r}: {error}") from None


def read_json(path, form):
    """Read a JSON file that must have a form; see `astray`.

    Raises
    ------
    Unusable
        If it is damaged; the message names it.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise Unusable(f"{path} is damaged: {error}") from None
    wrong = astray(content, form)
    if wrong:
        raise Unusable(f"{path} is damaged: {wrong} is missing, or is not what it should be")
    return content


def read_record(path):
    """Read the claims of a notebook as its ledger wrote them; errors as of `read_json`."""
    return read_json(path, RECORD)


def astray(value, form, name="content"):
    """Name what in a value read from JSON has not the form it should have; "" if all has.

    Parameters
    ----------
    value : object
    form : type, re.Pattern, list or dict
        Of a text a pattern; of a list its items' form, or that of each if there are several; of a
        dict the forms of the keys that must be there, or by the key `str` that of every value.
    name : str
        What to call the value.
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
    return next((wrong for part in parts if (wrong := astray(*part))), "")


@contextmanager
def replacing(path):
    """Give a file to write beside a path; when the block ends well it takes the path's place.

    A reader sees the old content or the new, never a part, whenever the writer is killed. Two
    processes that write the same file do not disturb each other; who ends last wins.

    Parameters
    ----------
    path : Path or str
        Its folder must exist.

    Yields
    ------
    part : Path
        An empty file in the same folder, whose name starts with a dot and ends with ".part".

    Raises
    ------
    OSError
        If the folder is missing or cannot be written to, or the disk is full. As with every other
        exception of the block, what is at the path stays and the new file is removed.
    """
    path = Path(path)
    remove_abandoned(path)
    part, claim = _claimed(path)
    try:
        with claim:
            yield part
            with part.open("rb+") as written:
                os.fsync(written.fileno())  # else a power cut may leave an empty file in place
            if fcntl:
                os.replace(part, path)  # while locked, or else it might be taken for abandoned
        if not fcntl:
            os.replace(part, path)  # once closed, as Windows asks
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def write_text(path, text):
    """Write text (UTF-8, line ends as given) in one step; see `replacing` for arguments and errors.

    Line ends are not translated, so that a file is the same on every system.
    """
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="")


@contextmanager
def alone_in(folder):
    """Wait until no other process is in such a block for a folder: to read a file and change it.

    Where the system has no locks, as on Windows, nothing is waited for.

    Parameters
    ----------
    folder : Path or str
    """
    if not fcntl:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # no locks on this disk
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _claimed(path):
    """Make a part for a path, and lock it as long as its writer lives; return both."""
    while True:
        part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
        claim = part.open("xb")
        _lock(claim)
        # Somebody may have taken it for abandoned between the two lines above.
        if fcntl is None or os.fstat(claim.fileno()).st_nlink:
            return part, claim
        claim.close()


def _lock(file):
    """Return whether a file could be locked by this process: its writer is dead, or is us."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (AttributeError, OSError):  # no locks on this system, or on this disk
        return False
    return True


def remove_abandoned(path):
    """Remove the parts that writers of a path left behind when they were killed.

    A lock tells them from those being written: a file's time would not, as clocks are wrong.

    Parameters
    ----------
    path : Path
    """
    for part in path.parent.glob(f".{escape(path.name)}.*.part"):
        with suppress(OSError), part.open("rb") as file:
            if _lock(file):
                part.unlink()
