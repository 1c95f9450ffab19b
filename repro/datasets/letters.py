"""The Letter Recognition data: sixteen numbers that describe a printed capital letter."""

import numpy as np

from . import registry, store
from .base import Dataset
from .layouts import Layout, known_file, read_each
from .planted import letters_standin
from .standins import standin_origin, standin_wanted

_FILE = "letter-recognition.data"
N_LETTERS = 20_000
_LARGEST = 2**22  # bytes; the file has 0.7 MB


def fetch_letters():
    """Fetch Letter Recognition: 20,000 distorted capital letters of twenty fonts, as features.

    Returns
    -------
    Dataset
        ``X`` (20000, 16) float64, whole numbers from 0 to 15: box, ink, moments and edges of the
        letter's picture, scaled by the donors; ``labels`` (20000,) text, "A" to "Z".

    Raises
    ------
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: one text file of the UCI repository; its numbers and letters are compared with
    their known sha256.
    No preparation is done. With ``REPRO_STANDIN=1`` points around 26 planted centres are drawn
    instead (see `repro.datasets.planted`).

    Licence: CC BY 4.0; cite P. W. Frey and D. J. Slate (1991).
    """
    entry = registry.ENTRIES["letters"]
    if standin_wanted("letters"):
        arrays, origin = letters_standin(N_LETTERS), standin_origin("letters")
    else:
        arrays = store.load(entry, layouts())
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    features = arrays["features"].astype(np.float64)
    return Dataset(name="letters", X=features, labels=arrays["labels"], **origin)


def layouts():
    """Return the form in which the set may lie in a folder: one text file."""
    entry, known = registry.ENTRIES["letters"], registry.rows("letters")
    file = known_file(_FILE, entry.mirrors, known, _decode)
    return (Layout((file,), _read, entry.arrays),)


def _read(folder):
    return read_each(folder, [_FILE], _decode)[0]


def _decode(data, _name):
    """Read a letter and sixteen numbers from every line (the layout judges both)."""
    if len(data) > _LARGEST:
        raise ValueError("it is too large")
    try:
        rows = [line.split(",") for line in data.decode("ascii").split()]
        # bytes refuses a number outside 0 to 255, where an array might take it modulo 256.
        features = np.array([list(bytes(map(int, row[1:]))) for row in rows], dtype=np.uint8)
    except ValueError as error:
        raise ValueError(f"not lines of a letter and sixteen numbers ({error})") from error
    if features.shape != (N_LETTERS, 16):
        raise ValueError(f"of shape {features.shape}, not {(N_LETTERS, 16)}")
    return {"features": features, "labels": np.array([row[0] for row in rows])}
