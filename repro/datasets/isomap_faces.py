"""The Isomap faces: a rendered head under two poses and a moving light."""

import numpy as np

from . import registry, store
from .base import Dataset
from .head import isomap_faces_standin
from .layouts import Layout, decode_matlab, known_file, read_each
from .standins import standin_origin, standin_wanted

FACTORS = ("light", "pan", "tilt")
_FILE = "face_1024.mat"


def fetch_isomap_faces():
    """Fetch the synthetic faces that appeared with Isomap: 698 pictures of one head.

    Returns
    -------
    Dataset
        ``images`` (698, 32, 32) float64 in [0, 1], upright; ``X`` (698, 1024), the same values;
        ``factors`` (698, 3) float64, the direction of the light, the pan (left–right) and the
        tilt (up–down) of the head, each with mean 0 and variance 1 (with n - 1 in its
        denominator), named ``("light", "pan", "tilt")``.

    Raises
    ------
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        address; the message says which file to put where.

    Notes
    -----
    Source: a MATLAB file with every second pixel of the 64 × 64 originals, which are gone from
    their official address; squared distances are therefore about a quarter of the originals'.
    Pixels and factors are compared with their known sha256. Preparation: images are stored by
    columns and are turned upright. With ``REPRO_STANDIN=1`` a head is rendered instead (see
    `repro.datasets.head`).

    Licence: none stated; cite J. B. Tenenbaum, V. de Silva and J. C. Langford (2000).
    """
    entry = registry.ENTRIES["isomap_faces"]
    if standin_wanted("isomap_faces"):
        arrays, origin = isomap_faces_standin(), standin_origin("isomap_faces")
    else:
        arrays = store.load(entry, layouts())
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    return Dataset(name="isomap_faces", factor_names=FACTORS, **arrays, **origin)


def layouts():
    """Return the form in which the set may lie in a folder: one MATLAB file."""
    entry, known = registry.ENTRIES["isomap_faces"], registry.rows("isomap_faces")
    file = known_file(_FILE, entry.mirrors, known, _decode)
    return (Layout((file,), _read, entry.arrays),)


def _read(folder):
    return read_each(folder, [_FILE], _decode)[0]


def _decode(data, _name):
    """Read images and factors; judge their types and shapes (the layout judges their hashes)."""
    known = {"dataY": ("float64", (1024, 698)), "dataT": ("float64", (3, 698))}
    arrays = decode_matlab(data, known)
    images = arrays["dataY"].T.reshape(698, 32, 32).transpose(0, 2, 1)
    factors = np.ascontiguousarray(arrays["dataT"].T)
    return {"images": np.ascontiguousarray(images), "factors": factors}
