"""Files written whole or not at all: beside their place, and put there in one step."""

import os
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from repro.core.records import UserError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@contextmanager
def replacing(path):
    """Give a file to write beside a path; when the block ends well it takes the path's place.

    A reader sees the old content or the new, never a part, whenever the writer is killed; only then
    the part stays, and git ignores it. Two processes that write the same file do not disturb each
    other; the last writer wins. After an exception in the block, or an OSError, as where the folder
    is missing or the disk is full, what is at the path stays and the new file is removed.

    Yields
    ------
    part : Path
        The file to write, in the same folder; its name starts with a dot and ends with ".part".
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())  # else a power cut may leave an empty file in place
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_bytes(path, content):
    """Write bytes in one step; see `replacing` for arguments and errors."""
    with replacing(path) as part:
        part.write_bytes(content)


def write_text(path, text):
    """Write text in UTF-8, line ends as given, in one step: the same file on every system."""
    write_bytes(path, text.encode())


def check_writable(folder):
    """Make a folder where it is missing; a UserError if no file can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=".", suffix=".part"):
            pass
    except OSError as error:
        raise UserError(f"nothing can be written to {folder}: {error.strerror}") from None


def give_usual_mode(path):
    """Give a file the mode of any new file: temporary ones can be read by their owner alone."""
    usual = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        usual.touch()  # to ask for the umask would set it, for all threads
        with suppress(OSError):  # no modes on this disk
            path.chmod(usual.stat().st_mode)
    finally:
        usual.unlink(missing_ok=True)


@contextmanager
def alone_in(folder):
    """Wait until no other process is in such a block for a folder: to read a file and change it.

    Where the system has no locks, as on Windows, nothing is waited for.
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
