"""Images of objects, of faces and of scenes."""

import zipfile
from functools import partial

import numpy as np

from repro.core.environment import this_environment

from . import standins
from .base import check_selection
from .gist import gist_features
from .registry import ENTRIES
from .store import cache_dir, load


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
    Source: the "processed" images of the Columbia Object Image Library (CUCS-005-96), cropped to
    the object and scaled to 128 × 128 by its authors: single PNG files, or the official archive.
    No preprocessing.
    """
    objects = check_selection(objects, range(1, 21), "objects")
    views = check_selection(views, range(72), "views")
    files = tuple(f"obj{number}__{view}.png" for number in objects for view in views)

    def read_archive(path):
        with zipfile.ZipFile(path) as archive:
            return _gray_images(*(archive.open(f"coil-20-proc/{file}") for file in files))

    forms = (files, _gray_images), (("coil-20-proc.zip",), read_archive)
    return load(
        "coil20",
        *(forms if len(files) < 720 else forms[::-1]),  # the archive is faster for many
        standin=partial(standins.turning_objects, objects, views),
        labels=np.repeat(np.array(objects, dtype=np.int64), len(views)),
        factors=5.0 * np.tile(views, len(objects))[:, None],
        factor_names=("angle",),
        names=tuple(file.removesuffix(".png") for file in files),
    )


def _gray_images(*files):
    """Read image files of one size as grey ``images``, (n, h, w) uint8."""
    from PIL import Image  # here, to keep the import of the package fast

    return {"images": np.stack([np.asarray(Image.open(file).convert("L")) for file in files])}


def fetch_umist(person=None):
    """Fetch the cropped UMIST faces: people turning the head from profile to front.

    Parameters
    ----------
    person : None, str or iterable of str
        Letters "a" to "t"; None is all twenty.

    Returns
    -------
    Dataset
        Persons in alphabetical order, the images of each by number: ``images`` (n, 112, 92)
        uint8, 0–255; ``X`` (n, 10304) float64, the same values; ``labels`` (n,) one-letter text,
        the person; ``factors`` (n, 1) float64, the number of the image, named ``("number",)``;
        ``names``, such as ``"a8"``. In total n is 575.

    Notes
    -----
    Source: the cropped images of the UMIST (now Sheffield) face database (Graham and Allinson,
    1998), one PGM file each. Corrected: the files d25 and d26 show person e, and are returned as
    e25 and e26. Not corrected: b26 to b35 repeat earlier images of person b, and some people (b, g,
    i and n) turn back on the way.
    """
    persons = check_selection(person, "abcdefghijklmnopqrst", "person")
    misfiled = {"d25.pgm": "e25", "d26.pgm": "e26"}
    file_of = {misfiled.get(f, f.removesuffix(".pgm")): f for f in ENTRIES["umist"].hashes}
    names = tuple(
        sorted((k for k in file_of if k[0] in persons), key=lambda name: (name[0], int(name[1:])))
    )
    return load(
        "umist",
        (tuple(file_of[name] for name in names), _gray_images),
        standin=partial(standins.turning_persons, names),
        labels=np.array([name[0] for name in names]),
        factors=np.array([[float(name[1:])] for name in names]),
        factor_names=("number",),
        names=names,
    )


def fetch_isomap_faces():
    """Fetch the synthetic faces of the Isomap paper: 698 images of one head.

    Returns
    -------
    Dataset
        ``images`` (698, 32, 32) float64 in [0, 1], upright; ``X`` (698, 1024), the same values;
        ``factors`` (698, 3) float64, the direction of the light, the pan (left–right) and the
        tilt (up–down) of the head, each with mean 0 and variance 1 (with denominator
        n - 1), named ``("light", "pan", "tilt")``.

    Notes
    -----
    Source: a MATLAB file with every second pixel of the 64 × 64 originals (Tenenbaum, de Silva and
    Langford, 2000), which are gone from their official address; squared distances are therefore
    about a quarter of the originals'. Preprocessing: images, stored by columns, are turned upright.
    """

    def read(path):
        from scipy.io import loadmat

        content = loadmat(path)
        images = content["dataY"].T.reshape(-1, 32, 32).transpose(0, 2, 1)
        return {"images": images, "factors": content["dataT"].T}

    form = ("face_1024.mat",), read
    names = "light", "pan", "tilt"
    return load("isomap_faces", form, standin=standins.lit_head, factor_names=names)


def fetch_brendan():
    """Fetch Brendan's face (the Frey faces): 1965 video frames of varying pose and mood.

    Returns
    -------
    Dataset
        ``images`` (1965, 28, 20) uint8, 0–255, upright, in the order of the video; ``X``
        (1965, 560) float64, the same values.

    Notes
    -----
    Source: one MATLAB file, as prepared by S. Roweis (2002). No preprocessing.
    """

    def read(path):
        from scipy.io import loadmat

        return {"images": loadmat(path)["ff"].T.reshape(-1, 28, 20)}

    return load("brendan", (("frey_rawface.mat",), read), standin=standins.film)


def fetch_scenes():
    """Fetch the MIT Scenes: 800 grey images of outdoor scenes, 100 per category, with features.

    Returns
    -------
    Dataset
        ``images`` (800, 200, 200) uint8, 0–255; ``X`` (800, 512) float64, their GIST features
        (`repro.datasets.gist.gist_features`: 8 orientations, 4 scales, 4 × 4 blocks), computed at
        the first call, in a few seconds, and cached; ``labels`` (800,) text, one of eight
        categories; ``names``, such as "Coast/image_0006".

    Notes
    -----
    Source: grey JPEG copies, 200 × 200 pixels, of a part of the colour images of Oliva and
    Torralba (2001), which have 256 × 256 pixels.
    """
    files = tuple(ENTRIES["scenes"].hashes)
    labels = np.array([file.partition("/")[0] for file in files])

    def with_features(images):
        return images | {"X": cached_features(images["images"])}

    return load(
        "scenes",
        (files, lambda *paths: with_features(_gray_images(*paths))),
        standin=lambda: with_features(standins.scenes(labels)),
        labels=labels,
        names=tuple(file.removesuffix(".jpg") for file in files),
    )


def cached_features(images):
    """Return GIST features, from the cache if they were computed in an environment like this one.

    Another processor, sharing the folder, has other last digits. Without a cache they are computed.
    """
    from joblib import Memory, hash

    folder = cache_dir() / "computed" / hash(this_environment())[:8]
    try:
        return Memory(folder, verbose=0).cache(gist_features)(images)
    except OSError:  # the folder cannot be written
        return gist_features(images)
