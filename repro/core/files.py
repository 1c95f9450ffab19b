"""Folders that variables and users name, and files that are written whole or not at all."""

import os
import uuid
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import NamedTemporaryFile

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


@contextmanager
def replacing(path):
    """Yield a temporary file beside a path; it replaces the path when the block succeeds.

    A reader sees the old content or the new, never a part; of two writers, the last one wins. After
    an error, such as a full disk, the path keeps its old content. Only a writer that is killed
    leaves its temporary file, ``.NAME….part``, which git ignores.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())  # otherwise a power cut may leave an empty file
        os.replace(part, path)
    except OSError as error:
        error.filename = error.filename or str(path)  # a full disk names no file
        raise
    finally:
        part.unlink(missing_ok=True)


def write_bytes(path, content):
    """Write bytes in one step; see `replacing` for arguments and errors."""
    with replacing(path) as part:
        part.write_bytes(content)


def write_text(path, text):
    """Write text in UTF-8 in one step, line ends unchanged: the same file on every system."""
    write_bytes(path, text.encode())


def set_aside(path):
    """Rename a file to the first free of NAME_1, NAME_2 …; return its new path."""
    names = (path.with_stem(f"{path.stem}_{k}") for k in count(1))
    return path.rename(next(kept for kept in names if not kept.exists()))


def check_writable(folder):
    """Create a folder if it is missing; raise a UserError if no file can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=".", suffix=".part"):
            pass
    except OSError as error:
        raise UserError(f"nothing can be written to {folder}: {error.strerror}") from None
