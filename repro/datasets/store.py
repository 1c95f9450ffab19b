"""Where data are looked for: the data folder, the cache, then the addresses; else a stand-in."""

import html
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from repro.core.folders import folder_from
from repro.core.records import UserError

from .base import DatasetUnavailable
from .registry import ENTRIES, known_name

NO = ("", "0", "false", "no")  # of a variable of the environment
# Downloads at a time, seconds to wait for an answer, retries where every address failed.
WORKERS, TIMEOUT, RETRIES = 8, 20, 2


class Form(NamedTuple):
    """Files from which the arrays can be read; a set may have several such forms.

    ``files`` are named below the set's folder; ``read(*paths)`` returns a dict of arrays. It may
    trust the files: their hashes have been compared.
    """

    files: tuple
    read: object


class Unusable(Exception):  # noqa: N818 - it says the state of files, not a fault
    """Files cannot be had or are not the data set's; the message says why."""


def data_dir():
    """Return the read-only data folder, ``REPRO_DATA_DIR``, as a Path; None if it is not set."""
    folder = folder_from("REPRO_DATA_DIR")
    if folder is not None and not folder.is_dir():
        raise UserError(f"REPRO_DATA_DIR is {folder}, which is no folder")
    return folder


def cache_dir():
    """Return the folder of what was downloaded, as a Path; it need not exist yet.

    It is ``REPRO_CACHE_DIR``, or else the platform's folder for caches.
    """
    import pooch

    return folder_from("REPRO_CACHE_DIR") or Path(pooch.os_cache("repro")).expanduser().absolute()


def places(entry):
    """List the folders in which a data set is looked for; the last is its folder in the cache."""
    roots = [root for root in (data_dir(), cache_dir()) if root]
    return [root / entry.folder for root in roots]


def offline():
    """Return whether ``REPRO_OFFLINE`` forbids every address."""
    return os.environ.get("REPRO_OFFLINE", "").strip().lower() not in NO


def standin_wanted(name):
    """Return whether ``REPRO_STANDIN`` asks for a stand-in of a data set, by its short name.

    The variable is "1" for every set, a list of names separated by commas, or "0" for none.
    ValueError if it holds an unknown name: a misspelt one must not pass for real data.
    """
    value = os.environ.get("REPRO_STANDIN", "").strip().lower()
    if value in NO:
        return False
    if value in ("1", "true", "yes", "all"):
        return True
    listed = value.replace(",", " ").split()
    return name in [known_name(item, ENTRIES, "REPRO_STANDIN") for item in listed]


def load(name, *forms, standin):
    """Return the arrays of a data set, and the fields of a `Dataset` that say what they are.

    The real data are taken from the first place that has one of the forms whole and right. A
    stand-in, the arrays that ``standin()`` returns, takes their place where ``REPRO_STANDIN`` asks
    for it; in Jupyter also where they cannot be had and the variable is not set.
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
    tried, cache = [], places(entry)[-1]
    for folder in places(entry):
        for form in forms:
            try:
                return read(entry, form, folder)
            except (Unusable, OSError) as why:
                tried.append(f"{folder}: {why}")
    if offline():
        tried.append("REPRO_OFFLINE is set, so no address was tried")
    for form in () if offline() else forms:
        try:
            download(entry, form.files, cache)
            return read(entry, form, cache)
        except (Unusable, OSError) as why:
            tried.append(str(why))
    files = [" … ".join(dict.fromkeys([form.files[0], form.files[-1]])) for form in forms]
    tried = "\n".join(f"  - {line}" for line in dict.fromkeys(tried))
    raise DatasetUnavailable(
        f"{entry.title} could not be had. Tried:\n{tried}\n"
        f"Put {', or '.join(files)} into {cache}, from addresses such as\n"
        f"{entry.urls(forms[0].files[0])[0]} ({entry.licence});\n"
        "or set REPRO_STANDIN=1 to run on generated stand-in data."
    )


def read(entry, form, folder):
    """Read a form from a folder; `Unusable` unless all its files are there and are those known."""
    files = [folder / file for file in form.files]
    if missing := [file.name for file in files if not file.exists()]:
        raise Unusable(f"{len(missing)} of {len(files)} files not there, first {missing[0]}")
    if bad := [file for file in form.files if is_damaged(entry, folder, file)]:
        raise Unusable(f"{len(bad)} of {len(files)} files damaged (wrong hash), first {bad[0]}")
    return form.read(*files)


def gray_images(*files):
    """Read grey images of one size, as Pillow knows them; (n, h, w) uint8."""
    from PIL import Image  # here, so that importing the package stays quick

    return {"images": np.stack([np.asarray(Image.open(file).convert("L")) for file in files])}


def is_damaged(entry, folder, file):
    """Return whether a file has none of the hashes that are known for it."""
    import pooch

    return not any(pooch.hashes.hash_matches(folder / file, k) for k in entry.hashes[file])


def download(entry, files, folder):
    """Fetch those files of a set that a folder lacks, several at a time.

    Each is there either whole and right or not at all; after Ctrl-C those that are complete stay.
    If one cannot be had, the others are given up, and `Unusable` says why, for each address.
    """
    import pooch
    import requests
    from tqdm.auto import tqdm

    pooch.get_logger().setLevel("WARNING")  # what matters is in our messages
    files = [f for f in files if not (folder / f).exists() or is_damaged(entry, folder, f)]
    hashes = {file: entry.hashes[file][0] for file in files}
    source = pooch.create(folder, base_url="", registry=hashes, retry_if_failed=RETRIES)

    def fetch(file):
        source.fetch(file, downloader=partial(_from_mirrors, entry.urls(file), hashes[file], one))

    pool, one = ThreadPoolExecutor(WORKERS), len(files) == 1
    try:
        for file in files:  # pooch's threads would get in each other's way
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
        done = as_completed([pool.submit(fetch, file) for file in files])
        for job in tqdm(done, desc=entry.title, total=len(files), leave=False, disable=one):
            job.result()
    except requests.RequestException as error:
        raise Unusable(str(error)) from error
    except OSError as error:
        why = f"the download into {folder} failed: {error}"
        raise Unusable(f"{why}; REPRO_CACHE_DIR may name another folder") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _from_mirrors(addresses, known, with_bar, _url, path, _pooch):
    """Download a file for pooch, from the first address that gives the right one.

    pooch itself compares the hash only afterwards, when a wrong first mirror hides a right second.
    """
    import pooch
    import requests

    get, reasons = pooch.HTTPDownloader(with_bar, timeout=TIMEOUT), []
    for address in addresses:
        try:
            get(address, path, None)
        except requests.RequestException as error:
            said = type(error).__name__ if error.response is None else error.response.status_code
            reasons.append(f"{address}: {said}")
            continue
        if pooch.hashes.hash_matches(path, known):
            return
        reasons.append(f"{address}: another file, its hash is not {known}")
    raise requests.RequestException("; ".join(reasons))


def _show_in_jupyter(entry, error):
    """Tell in a notebook that a stand-in is taken; return False elsewhere, or where it may not."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None or os.environ.get("REPRO_STANDIN", "").strip():
        return False
    from IPython.display import HTML, display

    style = "border: 2px solid #b00; padding: 0.5em; color: #b00; white-space: pre-wrap"
    words = f"{entry.title}: STAND-IN, not the real data. What follows is no evidence.\n\n{error}"
    display(HTML(f'<div style="{style}">{html.escape(words)}</div>'))
    return True
