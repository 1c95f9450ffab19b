"""Find data in the data folder, the cache, or at its addresses; else use a stand-in."""

import html
import os
import sys
import time
from functools import partial

from repro.core.errors import UserError
from repro.core.files import folder_from

from .base import Dataset, DatasetUnavailable
from .registry import ENTRIES

OFF, ON = ("", "0", "false", "no", "off"), ("1", "true", "yes", "on")
# Parallel downloads, timeout in seconds, retries after every address has failed.
WORKERS, TIMEOUT, RETRIES = 8, 20, 2


def data_dir():
    """Return the read-only data folder, ``REPRO_DATA_DIR``, as a Path; None if it is not set."""
    folder = folder_from("REPRO_DATA_DIR")
    if folder is not None and not folder.is_dir():
        raise UserError(f"REPRO_DATA_DIR is {folder}, which is no folder")
    return folder


def cache_dir():
    """Return the folder of downloaded data, as a Path; it need not exist yet.

    It is ``REPRO_CACHE_DIR`` if set, else the platform's cache folder.
    """
    import pooch

    return folder_from("REPRO_CACHE_DIR") or pooch.os_cache("repro")


def standin_wanted(name):
    """Return whether ``REPRO_STANDIN`` asks for a stand-in of a data set, given by its short name.

    The variable is "1" for every set, "0" for none, or a comma-separated list of names; other
    words for 1 and 0 are in ``ON`` and ``OFF``. Raises ValueError for an unknown name, so that a
    misspelt one does not pass for real data.
    """
    words = os.environ.get("REPRO_STANDIN", "").strip()
    if words.lower() in OFF + ON:
        return words.lower() in ON
    listed = words.replace(",", " ").split()
    for item in listed:
        if item not in ENTRIES:
            known = ", ".join(ENTRIES)
            raise UserError(f"REPRO_STANDIN: unknown data set {item!r}; known: {known}")
    return name in listed


def load(name, *forms, standin, **fields):
    """Return a `Dataset`; ``fields`` are those that need no file.

    A set has one or several forms, each a pair: files, relative to the set's folder, and a function
    of their paths that returns the other fields, a dict. Real data come from the first place that
    holds a form complete and intact. What ``standin()`` returns replaces them if ``REPRO_STANDIN``
    asks for it; in Jupyter also if they cannot be obtained and the variable is not set.
    """
    entry = ENTRIES[name]
    if not standin_wanted(name):
        try:
            fields |= _read(entry, forms)
            return Dataset(name, entry.source, entry.licence, entry.citation, **fields)
        except DatasetUnavailable as error:
            if not _show_in_jupyter(entry, error):
                raise
    origin = f"none: generated in place of {entry.title}"
    return Dataset(name, origin, origin, origin, is_standin=True, **fields, **standin())


def _read(entry, forms):
    """Return what is read from the first place that has a form, or else is downloaded."""
    cache = cache_dir() / entry.folder
    folders = [root / entry.folder for root in (data_dir(), cache_dir()) if root]
    attempts = [(check, folder, form) for folder in folders for form in forms]
    attempts += [(download, cache, form) for form in forms]
    failures = []
    for prepare, folder, (files, read) in attempts:
        try:
            prepare(entry, files, folder)
            return read(*(folder / file for file in files))
        except (DatasetUnavailable, OSError) as error:
            failures.append(f"  - {error}")
    tried = "\n".join(dict.fromkeys(failures))
    ends = [" … ".join(dict.fromkeys([files[0], files[-1]])) for files, _ in forms]
    raise DatasetUnavailable(
        f"{entry.title} could not be obtained. Tried:\n{tried}\n"
        f"Put {', or '.join(ends)} into {cache}, from addresses such as\n"
        f"{entry.urls(forms[0][0][0])[0]} ({entry.licence});\n"
        "or set REPRO_STANDIN=1 to run on generated stand-in data."
    )


def check(entry, files, folder):
    """Raise `DatasetUnavailable` if a file is missing or has a wrong hash."""
    if wrong := [file for file in files if not is_intact(entry, folder, file)]:
        what = f"{len(wrong)} of {len(files)} files are missing or damaged (wrong hash)"
        raise DatasetUnavailable(f"{folder}: {what}, first {wrong[0]}")


def is_intact(entry, folder, file):
    """Return whether a file is there and has one of its known hashes."""
    import pooch

    path = folder / file
    return path.exists() and any(pooch.hashes.hash_matches(path, k) for k in entry.hashes[file])


def download(entry, files, folder):
    """Download the files of a set that a folder lacks, several in parallel.

    Each file is written complete and intact or not at all; after Ctrl-C complete files stay. If one
    cannot be obtained, the others are cancelled; `DatasetUnavailable` gives the reason per address.
    """
    import pooch
    from tqdm.contrib.concurrent import thread_map

    if os.environ.get("REPRO_OFFLINE", "").strip().lower() not in OFF:
        raise DatasetUnavailable("REPRO_OFFLINE is set, so no address was tried")
    pooch.get_logger().setLevel("WARNING")  # our messages say what matters
    files = [file for file in files if not is_intact(entry, folder, file)]
    single = len(files) == 1
    fetch = partial(_fetch, entry, folder, single)
    try:
        thread_map(fetch, files, max_workers=WORKERS, desc=entry.title, leave=False, disable=single)
    except OSError as error:
        why = f"the download into {folder} failed: {error}"
        raise DatasetUnavailable(f"{why}; REPRO_CACHE_DIR may name another folder") from error


def _fetch(entry, folder, with_bar, file):
    """Download a file from the first address that has it."""
    import pooch
    import requests

    (folder / file).parent.mkdir(parents=True, exist_ok=True)  # pooch's threads would conflict

    def keep_packed(response, **_):
        if file.endswith("gz"):  # the file itself is packed, whatever a server says of its way
            response.raw.headers.pop("Content-Encoding", None)

    known = entry.hashes[file][0]
    as_it_is = {"headers": {"Accept-Encoding": "identity"}, "hooks": {"response": keep_packed}}
    download = pooch.HTTPDownloader(with_bar, timeout=TIMEOUT, **as_it_is)

    def download_anew(address, temporary, pooch):
        os.unlink(temporary)  # pooch has made it, but only its owner may read it
        download(address, temporary, pooch)

    for attempt in range(1 + RETRIES):
        time.sleep(attempt)
        reasons = []
        for address in entry.urls(file):
            try:
                return pooch.retrieve(address, known, file, folder, downloader=download_anew)
            except requests.RequestException as error:
                answer = error.response
                reason = type(error).__name__ if answer is None else answer.status_code
                reasons.append(f"{address}: {reason}")
            except ValueError:
                reasons.append(f"{address}: another file, its hash is not {known}")
    raise DatasetUnavailable("; ".join(reasons))


def _show_in_jupyter(entry, error):
    """Show in a notebook that a stand-in is used; return False if not there or not allowed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None or os.environ.get("REPRO_STANDIN", "").strip():
        return False
    from IPython.display import HTML, display

    style = "border: 2px solid #b00; padding: 0.5em; color: #b00; white-space: pre-wrap"
    words = f"{entry.title}: STAND-IN, not the real data. What follows is no evidence.\n\n{error}"
    display(HTML(f'<div style="{style}">{html.escape(words)}</div>'))
    return True
