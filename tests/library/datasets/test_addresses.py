"""Every data set from each of its addresses; a normal fetch stops at the first good one.

This loads hundreds of megabytes, and is skipped unless requested::

    REPRO_ADDRESSES=1 pytest tests/library/datasets/test_addresses.py
"""

import os
from dataclasses import replace

import pytest

from repro.datasets import store
from repro.datasets.registry import ENTRIES

pytestmark = pytest.mark.skipif(
    not os.environ.get("REPRO_ADDRESSES"), reason="REPRO_ADDRESSES is not set"
)


def addresses():
    """Yield each set with a single address, and the files available there."""
    for entry in ENTRIES.values():
        in_common = [file for file in entry.hashes if file not in entry.addresses]
        for url in entry.mirrors:
            yield pytest.param(replace(entry, mirrors=[url]), in_common, id=url)
        for file, urls in entry.addresses.items():
            for url in urls:
                yield pytest.param(replace(entry, addresses={file: [url]}), [file], id=url)


@pytest.mark.parametrize(("entry", "files"), list(addresses()))
def test_an_address_gives_the_right_files(entry, files, tmp_path):
    store.download(entry, files, tmp_path)
