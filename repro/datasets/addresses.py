"""Every address of every data set, tried for itself: a fetch stops at the first good one."""

import tempfile
from dataclasses import replace
from pathlib import Path

from . import catalogue, registry
from .arguments import known_name
from .download import NOT_TRIED, download
from .layouts import DamagedData, few


def check_addresses(names=None):
    """Fetch each data set whole from each of its addresses, and check both hashes.

    What comes is judged as in any fetch, by the sha256 of its bytes where that is known and by
    what it decodes to, and is thrown away: neither the data folder nor the cache is read or
    written.

    Parameters
    ----------
    names : None, str or iterable of str
        Which sets, by the keys of `repro.datasets.FETCHERS`; None is all.

    Yields
    ------
    check : Check
        One for each form of a set and each address of it, as (dataset, address, status); the
        status starts with "ok" or with "failed".

    Raises
    ------
    ValueError
        If a name is unknown; the message lists the known ones.
    """
    names = catalogue.LAYOUTS if names is None else [names] if isinstance(names, str) else names
    for name in [known_name(name, catalogue.LAYOUTS, "check_addresses") for name in names]:
        for layout in catalogue.LAYOUTS[name]():
            for address, files in by_address(layout).items():
                yield catalogue.Check(name, address, _try(name, layout, files))


def by_address(layout):
    """Sort the files of a layout by where they are.

    Returns
    -------
    dict of str to list of File
        For each address, without the names of the files, those that it has; each file knows this
        address alone.
    """
    found = {}
    for file in layout.files:
        for url in file.urls:
            there = url if len(layout.files) == 1 else url.removesuffix(file.name)
            found.setdefault(there, []).append(replace(file, urls=(url,)))
    return found


def _try(name, layout, files):
    """Return the status of one address."""
    with tempfile.TemporaryDirectory(prefix="repro-addresses-") as folder:
        failures = download(files, Path(folder), registry.ENTRIES[name].title)
        if failures:
            told = sorted(failures.values(), key=lambda why: why == NOT_TRIED)
            return f"failed: {len(failures)} of {len(files)} files: {few(told, '; ')}"
        if len(files) < len(layout.files):
            return f"ok: {len(files)} of {len(layout.files)} files, the others are elsewhere"
        try:
            layout.load(Path(folder))
        except DamagedData as error:
            return f"failed: {error}"
        return f"ok: {len(files)} files"
