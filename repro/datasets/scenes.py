"""The MIT Scenes: outdoor scenes of eight kinds, and their GIST features."""

from functools import partial

import numpy as np

from . import registry, store
from .base import Dataset
from .gist import gist
from .layouts import Layout, decode_gray, known_bytes, known_file, read_each
from .planted import scenes_standin
from .standins import standin_origin, standin_wanted

KINDS = (
    "Coast",
    "Forest",
    "Highway",
    "Insidecity",
    "Mountain",
    "OpenCountry",
    "Street",
    "TallBuilding",
)
_SHAPE = (200, 200)


def fetch_scenes():
    """Fetch 800 grey images of outdoor scenes, 100 of each of eight kinds, with GIST features.

    Returns
    -------
    Dataset
        ``images`` (800, 200, 200) uint8, 0–255; ``X`` (800, 512) float64, their GIST features
        (`repro.datasets.gist.gist`: 8 orientations, 4 scales, 4 × 4 places), computed at every
        call, which takes some seconds; ``labels`` (800,) text, the kind of scene; ``names``, such
        as "Coast/image_0006".

    Raises
    ------
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: a grey copy, 200 × 200 pixels in JPEG files, of a part of the colour images of Oliva
    and Torralba, which have 256 × 256 pixels; each file is compared with its known sha256. With
    ``REPRO_STANDIN=1``, textures of eight kinds are drawn instead (see `repro.datasets.planted`).

    Licence: none stated; cite A. Oliva and A. Torralba (2001).
    """
    entry, names = registry.ENTRIES["scenes"], tuple(registry.rows("scenes"))
    labels = np.array([name.partition("/")[0] for name in names])
    if standin_wanted("scenes"):
        images, origin = scenes_standin(labels, KINDS, _SHAPE), standin_origin("scenes")
    else:
        images = store.load(entry, layouts())["images"]
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    return Dataset(
        name="scenes",
        images=images,
        X=gist(images),
        labels=labels,
        names=tuple(name.removesuffix(".jpg") for name in names),
        **origin,
    )


def layouts():
    """Return the form in which the images may lie in a folder: JPEG files, a folder a kind."""
    entry, known = registry.ENTRIES["scenes"], registry.rows("scenes")
    files = tuple(known_file(name, entry.mirrors, known) for name in known)
    return (Layout(files, partial(_read, names=list(known))),)


def _read(folder, names):
    known = registry.rows("scenes")

    def pixels(data, name):
        return decode_gray(known_bytes(data, name, known))

    return {"images": np.stack(read_each(folder, names, pixels))}
