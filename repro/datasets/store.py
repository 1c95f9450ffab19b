"""Find data in the data folder, the cache, or at its addresses; else use a stand-in."""

import html
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import numpy as np

from repro.core.errors import UserError
from repro.core.files import give_usual_mode
from repro.core.folders import folder_from
from repro.core.switches import OFF, ON, is_on

from .base import DatasetUnavailable
from .registry import ENTRIES, known_name

# Parallel downloads, timeout in seconds, retries after every address has failed.
WORKERS, TIMEOUT, RETRIES = 8, 20, 2


class Form(NamedTuple):
    """Files from which the arrays can be read; a set may have several such forms.

    ``files`` are relative to the set's folder; ``read(*paths)`` returns a dict of arrays. Hashes
    are verified before it is called.
    """

    files: tuple
    read: object


class Unusable(Exception):  # noqa: N818 - it describes the state of files, not an error
    """Files are missing, or are not those of the data set; the message says which."""


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
    words for 1 and 0 are in `repro.core.switches`. Raises ValueError for an unknown name, so that a
    misspelt one does not pass for real data.
    """
    asked = os.environ.get("REPRO_STANDIN", "").strip()
    if asked.lower() in OFF + ON:
        return is_on("REPRO_STANDIN")
    listed = asked.replace(",", " ").split()
    return name in [known_name(item, ENTRIES, "REPRO_STANDIN") for item in listed]


def load(name, *forms, standin):
    """Return the arrays of a data set, and the `Dataset` fields that describe their origin.

    Real data come from the first place that holds one of the forms complete and intact. The arrays
    that ``standin()`` returns replace them if ``REPRO_STANDIN`` asks for it; in Jupyter also if
    they cannot be obtained and the variable is not set.
    """
    entry = ENTRIES[name]
    origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    if not standin_wanted(name):
        try:
            return _real(entry, forms), {"name": name, **origin}
        except DatasetUnavailable as error:
            if not _show_in_jupyter(entry, error):
                raise
    origin = dict.fromkeys(origin, f"none: generated in place of {entry.title}")
    return standin(), {"name": name, **origin, "is_standin": True}


def _real(entry, forms):
    """Return the arrays from the first place that has them."""
    tried, cache = [], cache_dir() / entry.folder
    for root in filter(None, (data_dir(), cache_dir())):
        for form in forms:
            try:
                return read(entry, form, root / entry.folder)
            except (Unusable, OSError) as why:
                tried.append(f"{root / entry.folder}: {why}")
    offline = is_on("REPRO_OFFLINE")
    if offline:
        tried.append("REPRO_OFFLINE is set, so no address was tried")
    for form in () if offline else forms:
        try:
            download(entry, form.files, cache)
            return read(entry, form, cache)
        except (Unusable, OSError) as why:
            tried.append(str(why))
    files = [" … ".join(dict.fromkeys([form.files[0], form.files[-1]])) for form in forms]
    tried = "\n".join(f"  - {line}" for line in dict.fromkeys(tried))
    raise DatasetUnavailable(
        f"{entry.title} could not be obtained. Tried:\n{tried}\n"
        f"Put {', or '.join(files)} into {cache}, from addresses such as\n"
        f"{entry.urls(forms[0].files[0])[0]} ({entry.licence});\n"
        "or set REPRO_STANDIN=1 to run on generated stand-in data."
    )


def read(entry, form, folder):
    """Read a form from a folder; raise `Unusable` if a file is missing or has a wrong hash."""
    files = [folder / file for file in form.files]
    if missing := [file.name for file in files if not file.exists()]:
        raise Unusable(f"{len(missing)} of {len(files)} files are missing, first {missing[0]}")
    if bad := [file for file in form.files if is_damaged(entry, folder, file)]:
        raise Unusable(f"{len(bad)} of {len(files)} files damaged (wrong hash), first {bad[0]}")
    return form.read(*files)


def gray_images(*files):
    """Read image files of one size as grey ``images``, (n, h, w) uint8, with Pillow."""
    from PIL import Image  # here, to keep the import of the package fast

    return {"images": np.stack([np.asarray(Image.open(file).convert("L")) for file in files])}


def is_damaged(entry, folder, file):
    """Return whether a file has none of its known hashes."""
    import pooch

    return not any(pooch.hashes.hash_matches(folder / file, k) for k in entry.hashes[file])


def download(entry, files, folder):
    """Download the files of a set that a folder lacks, several in parallel.

    Each file is written complete and intact or not at all; after Ctrl-C complete files stay. If one
    cannot be obtained, the others are cancelled, and `Unusable` gives the reason per address.
    """
    import pooch
    from tqdm.auto import tqdm

    pooch.get_logger().setLevel("WARNING")  # our messages say what matters
    files = [f for f in files if not (folder / f).exists() or is_damaged(entry, folder, f)]
    pool, one = ThreadPoolExecutor(WORKERS), len(files) == 1
    try:
        for file in files:  # pooch's threads would conflict
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
        done = as_completed([pool.submit(_fetch, entry, file, folder, one) for file in files])
        for job in tqdm(done, desc=entry.title, total=len(files), leave=False, disable=one):
            job.result()
    except OSError as error:
        why = f"the download into {folder} failed: {error}"
        raise Unusable(f"{why}; REPRO_CACHE_DIR may name another folder") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _fetch(entry, file, folder, with_bar):
    """Download a file from the first address that has it; raise `Unusable` if none does."""
    import pooch
    import requests

    known, download = entry.hashes[file][0], pooch.HTTPDownloader(with_bar, timeout=TIMEOUT)

    def get(address, temporary, pooch):
        download(address, temporary, pooch)
        give_usual_mode(Path(temporary))  # else only its owner may read it

    for attempt in range(1 + RETRIES):
        time.sleep(attempt)
        reasons = []
        for address in entry.urls(file):
            try:
                return pooch.retrieve(address, known, file, folder, downloader=get)
            except requests.RequestException as error:
                answer = error.response
                said = type(error).__name__ if answer is None else answer.status_code
                reasons.append(f"{address}: {said}")
            except ValueError:
                reasons.append(f"{address}: another file, its hash is not {known}")
    raise Unusable("; ".join(reasons))


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
