"""Images of faces: UMIST, the Isomap faces and Brendan's face."""

import numpy as np

from . import standins
from .base import Dataset, check_selection
from .registry import ENTRIES
from .store import Form, gray_images, load

# Filed under person d, these are images 25 and 26 of person e.
_MISFILED = {"d25.pgm": "e25", "d26.pgm": "e26"}


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
    Source: the cropped images of the UMIST (now Sheffield) face database, one PGM file each.
    Corrected: the files d25 and d26 show person e, and are returned as e25 and e26. Not corrected:
    b26 to b35 repeat earlier images of person b, and some people (b, g, i and n) turn back on the
    way.

    Licence: research use, cite D. B. Graham and N. M. Allinson (1998).
    """
    persons = check_selection(person, "abcdefghijklmnopqrst", "person")
    named = {_MISFILED.get(f, f.removesuffix(".pgm")): f for f in ENTRIES["umist"].hashes}
    names = tuple(sorted(named, key=lambda name: (name[0], int(name[1:]))))
    names = tuple(name for name in names if name[0] in persons)
    files = tuple(named[name] for name in names)
    arrays, origin = load(
        "umist",
        Form(files, gray_images),
        standin=lambda: {"images": standins.turning_persons(names)},
    )
    return Dataset(
        **arrays,
        labels=np.array([name[0] for name in names]),
        factors=np.array([[float(name[1:])] for name in names]),
        factor_names=("number",),
        names=names,
        **origin,
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
    Source: a MATLAB file with every second pixel of the 64 × 64 originals, which are gone from
    their official address; squared distances are therefore about a quarter of the originals'.
    Preprocessing: images, stored by columns, are turned upright.

    Licence: none stated; cite J. B. Tenenbaum, V. de Silva and J. C. Langford (2000).
    """

    def read(path):
        from scipy.io import loadmat

        content = loadmat(path)
        images = content["dataY"].T.reshape(-1, 32, 32).transpose(0, 2, 1)
        return {"images": images.copy(), "factors": content["dataT"].T.copy()}

    arrays, origin = load("isomap_faces", Form(("face_1024.mat",), read), standin=standins.lit_head)
    return Dataset(**arrays, factor_names=("light", "pan", "tilt"), **origin)


def fetch_brendan():
    """Fetch Brendan's face (the Frey faces): 1965 video frames of varying pose and mood.

    Returns
    -------
    Dataset
        ``images`` (1965, 28, 20) uint8, 0–255, upright, in the order of the video; ``X``
        (1965, 560) float64, the same values.

    Notes
    -----
    Source: one MATLAB file, as prepared by S. Roweis. No preprocessing.

    Licence: none stated; cite S. Roweis, L. K. Saul and G. Hinton (2002).
    """

    def read(path):
        from scipy.io import loadmat

        return {"images": loadmat(path)["ff"].T.reshape(-1, 28, 20).copy()}

    arrays, origin = load("brendan", Form(("frey_rawface.mat",), read), standin=standins.film)
    return Dataset(**arrays, **origin)
