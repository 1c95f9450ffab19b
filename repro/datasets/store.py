"""Where data is looked for: the data folder, the cache, then the addresses."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from repro.core.folders import folder_from

from .base import DatasetUnavailable
from .download import NOT_TRIED, download
from .layouts import DamagedData, few
from .registry import ENTRIES


def data_dir():
    """Return the read-only data folder, ``REPRO_DATA_DIR``, as a Path; None if it is not set."""
    return folder_from("REPRO_DATA_DIR")


def cache_dir():
    """Return the folder of what was downloaded, as a Path; it need not exist yet.

    It is ``REPRO_CACHE_DIR``, or else the platform's folder for caches.
    """
    import pooch

    return folder_from("REPRO_CACHE_DIR") or Path(pooch.os_cache("repro")).expanduser().absolute()


def offline():
    """Return whether ``REPRO_OFFLINE`` forbids every address."""
    return os.environ.get("REPRO_OFFLINE", "").strip().lower() not in ("", "0", "false", "no")


def places(name):
    """List the folders of a data set as (Path, ours): in one that is ours, damage is deleted."""
    folder = ENTRIES[name].folder or name
    folders = [(cache_dir() / folder, True)]
    if data_dir() is not None:
        folders.insert(0, (data_dir() / folder, False))
    return folders


def load(entry, layouts):
    """Return the arrays of a data set from the first place that has them whole and right.

    Parameters
    ----------
    entry : Entry
        What is known of the set.
    layouts : sequence of Layout
        The forms in which what is asked may be had, the preferred one first.

    Returns
    -------
    dict of str to ndarray
        As the layout's `read` gives it.

    Raises
    ------
    DatasetUnavailable
        If no place and no address has it; the message lists what was tried and what to do.
    """
    tried = []
    for folder, ours in places(entry.name):
        for layout in layouts:
            arrays, why = _from_folder(layout, folder, ours)
            if arrays is not None:
                return arrays
            tried.append(f"{folder}: {why}")
    cache = places(entry.name)[-1][0]
    refusal = "REPRO_OFFLINE is set, so no address was tried" if offline() else _unwritable(cache)
    if refusal:
        tried.append(refusal)
    for layout in () if refusal else layouts:
        arrays, why = _from_addresses(layout, cache, entry.title)
        if arrays is not None:
            return arrays
        tried.append(why)
    raise DatasetUnavailable(_advice(entry, layouts, tried, cache))


def _from_folder(layout, folder, ours):
    """Return (arrays, "") from a folder, or (None, why not); delete damaged files of ours."""
    if not ours and not folder.parent.is_dir():
        return None, f"REPRO_DATA_DIR is not a folder ({folder.parent})"
    try:
        return layout.load(folder), ""
    except FileNotFoundError:
        return None, f"{few(file.name for file in layout.missing(folder))} not there"
    except DamagedData as error:
        if ours:
            delete(error.reasons)
        return None, f"{error} ({'deleted' if ours else 'skipped'})"
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"


def _from_addresses(layout, folder, title):
    """Fetch what a layout lacks; return (arrays, "") or (None, why not)."""
    failures = download(layout.missing(folder), folder, title)
    if not failures:
        return _from_folder(layout, folder, ours=True)
    # Files that were really tried come first: their reasons tell more.
    told = sorted(failures, key=lambda name: failures[name] == NOT_TRIED)
    return None, few((failures[name] for name in told), "\n    ")


def delete(paths):
    """Delete files; one that cannot be deleted is left, for it is never used anyway."""
    for path in paths:
        with suppress(OSError):
            path.unlink()


def _unwritable(folder):
    """Return why no file can be put into the cache, or "" if one can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return (
            f"cannot write to the cache {folder}: {error.strerror or error}; "
            "set REPRO_CACHE_DIR to a folder that can be written to"
        )


def _advice(entry, layouts, tried, folder):
    """Compose the message of `DatasetUnavailable`."""
    lines = [f"{entry.title} could not be had. Tried:"]
    lines += [f"  - {line}" for line in dict.fromkeys(tried)]
    wanted = ", or ".join(_wanted(layout) for layout in layouts)
    lines += [
        f"Put {wanted}{',' if len(layouts) > 1 else ''} into {folder}",
        f"from {entry.source}",
        f"({entry.licence}); or set REPRO_STANDIN=1 to run on generated stand-in data.",
    ]
    return "\n".join(lines)


def _wanted(layout):
    names = [file.name for file in layout.files]
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]} ({len(names)} files)"
