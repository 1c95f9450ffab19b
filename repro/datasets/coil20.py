"""The COIL-20 images: twenty objects on a turntable."""

import zipfile

import numpy as np

from . import standins
from .base import Dataset, check_selection
from .store import Form, gray_images, load

OBJECTS = range(1, 21)
VIEWS = range(72)


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
        With n = (number of objects)·(number of views) rows in object-major order as requested:
        ``images`` (n, 128, 128) uint8, 0–255, black background; ``X`` (n, 16384) float64, the
        same values; ``labels`` (n,) int64, the object number; ``factors`` (n, 1) float64, the
        angle in degrees, named ``("angle",)``; ``names``, such as ``"obj3__0"``.

    Notes
    -----
    Source: the "processed" images of the Columbia Object Image Library, one PNG file each, cropped
    to the object and scaled to 128 × 128 by its authors. They come as single files, or as the
    official archive. No preprocessing.

    Licence: research use, cite CUCS-005-96 (S. A. Nene, S. K. Nayar and H. Murase, 1996).
    """
    objects = check_selection(objects, OBJECTS, "objects")
    views = check_selection(views, VIEWS, "views")
    files = tuple(f"obj{number}__{view}.png" for number in objects for view in views)

    def read_archive(path):
        with zipfile.ZipFile(path) as archive:
            return gray_images(*(archive.open(f"coil-20-proc/{file}") for file in files))

    forms = Form(files, gray_images), Form(("coil-20-proc.zip",), read_archive)
    arrays, origin = load(
        "coil20",
        *(forms if len(files) < 720 else forms[::-1]),  # the archive is faster for many
        standin=lambda: {"images": standins.turning_objects(objects, views)},
    )
    return Dataset(
        **arrays,
        labels=np.repeat(np.array(objects, dtype=np.int64), len(views)),
        factors=5.0 * np.tile(views, len(objects))[:, None],
        factor_names=("angle",),
        names=tuple(file.removesuffix(".png") for file in files),
        **origin,
    )
