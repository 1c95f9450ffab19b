"""Files written whole or not at all: beside their place, and put there in one step."""

import os
import uuid
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@contextmanager
def replacing(path):
    """Give a file to write beside a path; when the block ends well it takes the path's place.

    A reader sees the old content or the new, never a part, whenever the writer is killed. Two
    processes that write the same file do not disturb each other; the last writer wins.

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
