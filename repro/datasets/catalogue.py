"""The real data sets by name: fetch them all beforehand, check what is there and every address."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from . import store
from .base import DatasetUnavailable
from .characters import fetch_letters, fetch_mnist, fetch_usps
from .coil20 import fetch_coil20
from .faces import fetch_brendan, fetch_isomap_faces, fetch_umist
from .registry import ENTRIES, known_name
from .scenes import fetch_scenes
from .triplets import fetch_food, fetch_music

FETCHERS = {
    "brendan": fetch_brendan,
    "coil20": fetch_coil20,
    "food": fetch_food,
    "isomap_faces": fetch_isomap_faces,
    "letters": fetch_letters,
    "mnist": fetch_mnist,
    "music": fetch_music,
    "scenes": fetch_scenes,
    "umist": fetch_umist,
    "usps": fetch_usps,
}


class Check(NamedTuple):
    """The state of files in a folder or at an address."""

    dataset: str
    item: str
    status: str

    @property
    def ok(self):
        """Whether the content is right."""
        return self.status.startswith("ok")


def prefetch(name, **asked):
    """Fetch a data set into the cache, so that later runs need no network.

    ``name`` is one of `FETCHERS`, ``asked`` are the arguments of the fetcher. Returns None, or the
    exception that says why the set could not be had. A set that ``REPRO_STANDIN`` replaces is not
    fetched, and counts as had. A ValueError says that there is none of that name.
    """
    fetch = FETCHERS[known_name(name, FETCHERS, "prefetch")]
    if store.standin_wanted(name):
        return None
    try:
        if fetch(**asked).is_standin:  # which Jupyter has shown
            return DatasetUnavailable(f"{name} could not be had")
    except (DatasetUnavailable, ModuleNotFoundError) as error:
        return error
    return None


def verify():
    """Check by content everything found in the data folder and in the cache.

    Damaged files in the cache are deleted, to be fetched again when next needed; nothing is ever
    changed in ``REPRO_DATA_DIR``. Returns a list of `Check`: the item is the path of a damaged
    file, or the folder of a set; the status starts with "ok" or with "damaged".
    """
    checks = []
    for name, entry in ENTRIES.items():
        for folder in store.places(entry):
            there = [file for file in entry.hashes if (folder / file).exists()]
            bad = [file for file in there if store.is_damaged(entry, folder, file)]
            ours = folder.parent != store.data_dir()
            fate = "deleted, to be fetched again" if ours else "left as it is, and not used"
            for file in bad:
                checks.append(Check(name, str(folder / file), f"damaged: {fate}"))
                if ours:
                    (folder / file).unlink()
            if good := len(there) - len(bad):
                checks.append(Check(name, str(folder), f"ok: {good} files"))
    return checks


def check_addresses():
    """Fetch each data set whole from each of its addresses, and yield a `Check` of what comes.

    It is judged as in any fetch and thrown away: neither the data folder nor the cache is read or
    written. The status starts with "ok" or with "failed".
    """
    for name, entry in ENTRIES.items():
        in_common = [file for file in entry.hashes if file not in entry.addresses]
        tries = [(url, in_common, replace(entry, mirrors=[url])) for url in entry.mirrors]
        for file, urls in entry.addresses.items():
            tries += [(url, [file], replace(entry, addresses={file: [url]})) for url in urls]
        for url, files, only in tries:
            yield Check(name, url, _try(only, files))


def _try(entry, files):
    """Return the status of the one address that an entry has of files."""
    with tempfile.TemporaryDirectory(prefix="repro-addresses-") as folder:
        try:
            store.download(entry, files, Path(folder))
        except store.Unusable as error:
            return f"failed: {error}"
        return f"ok: {len(files)} files"
