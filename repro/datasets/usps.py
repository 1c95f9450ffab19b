"""The USPS digits, in the two sets that go by this name."""

import io
from functools import partial

import numpy as np

from repro.core.checks import check_choice
from repro.core.extras import needs

from . import registry, store
from .arguments import choice
from .base import Dataset
from .layouts import Layout, array_sha256, decode_matlab, known_file, read_each, read_numbers
from .planted import usps_standin
from .standins import standin_origin, standin_wanted

# The file of each set, named by how many digits it holds.
FILES = {"11000": "usps_all.mat", "9298": "usps.h5"}
# How many of each digit, from 0 to 9, are in the set of 9298.
COUNTS = (1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821)
_PARTS_9298 = {"train": 7291, "test": 2007}
# The sha256 of their labels, int64.
_LABELS_9298 = "fa8db5b29cb00257466bd31ef08fb4b4b104b74b490598b12b9681b766253c80"


def fetch_usps(digits=None, variant="11000"):
    """Fetch the USPS digits: handwritten, cut from envelopes, in 16 × 16 pixels.

    Parameters
    ----------
    digits : int or iterable of int, optional
        Which digits, 0 to 9; all by default.
    variant : {"11000", "9298"}
        The set of 1100 images of each digit that the papers of 2002 to 2005 use, or the set of
        9298 (7291 for training, then 2007 for tests) that is common today. They are two
        selections, normalised differently; neither holds the other.

    Returns
    -------
    Dataset
        ``images`` (n, 16, 16), upright, ink bright: uint8, 0–255, digit by digit; or in the set
        of 9298 float32 in [0, 1], in the order of the file. ``X`` (n, 256) float64, the same
        values; ``labels`` (n,) int64, the digit.

    Raises
    ------
    TypeError, ValueError
        If there is no such digit or variant.
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: a MATLAB file with 1100 columns a digit, or an HDF5 file; pixels are compared with
    their known sha256. Preparation: images are stored by columns in the first, and are turned
    upright; digit 0, filed after 9, comes first. With ``REPRO_STANDIN=1`` scikit-learn's digits
    are enlarged and moved about instead (see `repro.datasets.planted`).

    Licence: none stated; cite J. J. Hull (1994).
    """
    digits = choice(digits, range(10), "digits")
    check_choice(variant, "variant", tuple(FILES))
    entry = registry.ENTRIES["usps"]
    if standin_wanted("usps"):
        arrays, origin = _standin(variant), standin_origin("usps")
    else:
        arrays = store.load(entry, layouts([variant]))
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    wanted = np.concatenate([np.flatnonzero(arrays["labels"] == digit) for digit in digits])
    if variant == "9298":
        wanted.sort()
    return Dataset(name="usps", **{k: v[wanted] for k, v in arrays.items()}, **origin)


def _standin(variant):
    if variant == "11000":
        return usps_standin((1100,) * 10)
    arrays = usps_standin(COUNTS)
    return arrays | {"images": (arrays["images"] / 255).astype(np.float32)}


def layouts(variants=tuple(FILES)):
    """Return the forms in which the two sets may lie in a folder: one file each."""
    return tuple(_layout(variant) for variant in variants)


def _layout(variant):
    entry, known = registry.ENTRIES["usps"], registry.rows("usps")
    # The first address has the one file, the second the other.
    mirrors, decode, arrays = {
        "11000": (entry.mirrors[:1], _decode_11000, entry.arrays),
        "9298": (entry.mirrors[1:], _decode_9298, {}),
    }[variant]
    file = known_file(FILES[variant], mirrors, known, decode)
    return Layout((file,), partial(_read, name=file.name, decode=decode), arrays)


def _read(folder, name, decode):
    return read_each(folder, [name], decode)[0]


def _decode_11000(data, _name):
    """Read the digits, planes 1 to 9 and then 0, images by columns (the layout judges them)."""
    planes = decode_matlab(data, {"data": ("uint8", (256, 1100, 10))})["data"]
    images = np.roll(planes.transpose(2, 1, 0), 1, axis=0).reshape(-1, 16, 16).transpose(0, 2, 1)
    labels = np.repeat(np.arange(10), 1100)
    return {"images": np.ascontiguousarray(images), "labels": labels}


def _decode_9298(data, name):
    """Read training and test digits; ValueError unless they are those known."""
    needs("h5py", extra="notebooks")
    import h5py

    try:
        with h5py.File(io.BytesIO(data)) as content:
            parts = [(content[part], n) for part, n in _PARTS_9298.items()]
            images = [read_numbers(part["data"], "float32", (n, 256)) for part, n in parts]
            labels = [read_numbers(part["target"], "int32", (n,)) for part, n in parts]
    # h5py raises errors of many kinds on broken bytes; each means the same to us.
    except Exception as error:
        kind = error.__class__.__name__
        raise ValueError(f"not a readable HDF5 file with train and test ({kind})") from error
    images = np.concatenate(images).reshape(-1, 16, 16)
    labels = np.concatenate(labels).astype(np.int64)
    known = registry.rows("usps")[name].array_sha256
    if array_sha256(images) != known or array_sha256(labels) != _LABELS_9298:
        raise ValueError("its content is not that of the USPS digits")
    return {"images": images, "labels": labels}
