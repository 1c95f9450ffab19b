"""Brendan's face: the frames of a short film of one man's face."""

import numpy as np

from . import registry, store
from .base import Dataset
from .head import brendan_standin
from .layouts import Layout, decode_matlab, known_file, read_each
from .standins import standin_origin, standin_wanted

_FILE = "frey_rawface.mat"
SHAPE = (28, 20)
N_FRAMES = 1965


def fetch_brendan():
    """Fetch Brendan's face (the Frey faces): 1965 frames of a film, of changing pose and mood.

    Returns
    -------
    Dataset
        ``images`` (1965, 28, 20) uint8, 0–255, upright, in the order of the film; ``X``
        (1965, 560) float64, the same values.

    Raises
    ------
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: one MATLAB file, as prepared by S. Roweis; its pixels are compared with their known
    sha256. No preparation is done. With ``REPRO_STANDIN=1`` a head that turns, nods and pulls
    faces is rendered instead (see `repro.datasets.head`).

    Licence: none stated; cite S. Roweis, L. K. Saul and G. Hinton (2002).
    """
    entry = registry.ENTRIES["brendan"]
    if standin_wanted("brendan"):
        images, origin = brendan_standin(N_FRAMES, SHAPE), standin_origin("brendan")
    else:
        images = store.load(entry, layouts())["images"]
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    return Dataset(name="brendan", images=images, **origin)


def layouts():
    """Return the form in which the set may lie in a folder: one MATLAB file."""
    entry, known = registry.ENTRIES["brendan"], registry.rows("brendan")
    file = known_file(_FILE, entry.mirrors, known, _decode)
    return (Layout((file,), _read, entry.arrays),)


def _read(folder):
    return read_each(folder, [_FILE], _decode)[0]


def _decode(data, _name):
    pixels = decode_matlab(data, {"ff": ("uint8", (SHAPE[0] * SHAPE[1], N_FRAMES))})["ff"]
    return {"images": np.ascontiguousarray(pixels.T.reshape(N_FRAMES, *SHAPE))}
