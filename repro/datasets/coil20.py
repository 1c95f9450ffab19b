"""The COIL-20 images: twenty objects on a turntable."""

from functools import partial

import numpy as np

from . import registry, store
from .arguments import choice
from .base import Dataset
from .layouts import File, Layout, image_files, known_image, read_each, read_zip
from .standins import coil20_standin, standin_origin, standin_wanted

OBJECTS = range(1, 21)
VIEWS = range(72)
DEGREES_PER_VIEW = 5.0
_SHAPE = (128, 128)
_ARCHIVE = "coil-20-proc.zip"


def fetch_coil20(objects=None, views=None):
    """Fetch images of COIL-20: objects on a turntable, seen every 5 degrees of a full turn.

    The objects are numbered as filed; the toy cars are 3, 6 and 19, the duck is 1, the wood
    block 2, the cat 4 and the ANACIN box 5.

    Parameters
    ----------
    objects : None, int or iterable of int
        Object numbers, 1 to 20; None is all of them.
    views : None, int or iterable of int
        View numbers, 0 to 71; view k is the object turned by 5k degrees. None is all of them.

    Returns
    -------
    Dataset
        With n = (number of objects)·(number of views) rows in object-major order as asked:
        ``images`` (n, 128, 128) uint8, 0–255, black background; ``X`` (n, 16384) float64, the
        same values; ``labels`` (n,) int64, the object number; ``factors`` (n, 1) float64, the
        angle in degrees, named ``("angle",)``; ``names``, such as ``"obj3__0"``.

    Raises
    ------
    TypeError
        If `objects` or `views` is a string or holds anything but whole numbers.
    ValueError
        If one is empty, holds a number twice, or a number that does not exist.
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: the "processed" images of the Columbia Object Image Library, PNG files of one object
    each, cut to the object and scaled to 128 × 128 by its authors. A part of the set is fetched
    as single files, the whole of it as the official archive. Every image is compared with the
    known sha256 of its pixels, the whole set also with that of all pixels. No preparation is
    done. With ``REPRO_STANDIN=1`` the images are rendered instead (see `coil20_standin`).

    Licence: research use, cite CUCS-005-96 (S. A. Nene, S. K. Nayar and H. Murase, 1996).
    """
    objects = choice(objects, OBJECTS, "objects")
    views = choice(views, VIEWS, "views")
    entry = registry.ENTRIES["coil20"]
    if standin_wanted("coil20"):
        images, origin = coil20_standin(objects, views), standin_origin("coil20")
    else:
        images = store.load(entry, layouts(objects, views))["images"]
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    angles = DEGREES_PER_VIEW * np.tile(np.array(views, dtype=np.float64), len(objects))
    return Dataset(
        name="coil20",
        images=images,
        labels=np.repeat(np.array(objects, dtype=np.int64), len(views)),
        factors=angles[:, None],
        factor_names=("angle",),
        names=tuple(name.removesuffix(".png") for name in _names(objects, views)),
        **origin,
    )


def layouts(objects=None, views=None):
    """Return the forms in which the asked images may lie in a folder, the preferred one first."""
    entry, known = registry.ENTRIES["coil20"], registry.rows("coil20")
    whole = tuple(objects or OBJECTS) == tuple(OBJECTS) and tuple(views or VIEWS) == tuple(VIEWS)
    names = _names(objects or OBJECTS, views or VIEWS)
    arrays = entry.arrays if whole else {}
    pngs = image_files(names, entry.mirrors, known, _image)
    single = Layout(pngs, partial(_read_pngs, names=names), arrays)
    # Of the archive the content is known but not the bytes: it is judged by its images alone.
    zipped = File(_ARCHIVE, entry.archives, check=partial(_read_archive, names=names))
    archive = Layout((zipped,), lambda folder: _read_archive(folder / _ARCHIVE, names), arrays)
    return (archive, single) if whole else (single, archive)


def _names(objects, views):
    return tuple(f"obj{number}__{view}.png" for number in objects for view in views)


def _read_pngs(folder, names):
    return {"images": np.stack(read_each(folder, names, _image))}


def _read_archive(path, names):
    members = [f"coil-20-proc/{name}" for name in names]
    return {"images": np.stack(read_zip(path, members, _image))}


def _image(data, name):
    return known_image(data, name, registry.rows("coil20"), _SHAPE, "COIL-20")
