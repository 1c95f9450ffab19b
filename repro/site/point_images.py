"""The pictures of the points of a map: which may be shown, and how a page holds them."""

import base64
import io
import os
from typing import NamedTuple
from unittest import mock

import numpy as np
from PIL import Image

from repro import datasets

SIDE = 48  # pixels, at most


class Rule(NamedTuple):
    """Whether a built site may be passed on with pictures of a set, and why."""

    shown: bool
    why: str


_RESEARCH = (
    "the set is given for research use with citation, and these are reduced copies beside the "
    "results of research"
)
_NONE_STATED = "its source states no terms, so nothing permits to pass copies on"
_NO_PICTURES = "the set has no pictures"
# The terms as stated at the source, see `repro.datasets.registry`. "None stated" permits nothing:
# a picture of at most 48 pixels is, for most of these sets, the whole original.
RULES = {
    "coil20": Rule(True, _RESEARCH),
    "umist": Rule(True, _RESEARCH),
    "mnist": Rule(True, "CC BY-SA 3.0: copies may be passed on, with their source, alike"),
    "usps": Rule(False, _NONE_STATED),
    "isomap_faces": Rule(False, _NONE_STATED),
    "brendan": Rule(False, _NONE_STATED + "; they show a person's face"),
    "scenes": Rule(False, _NONE_STATED),
    "food": Rule(True, "its terms are educational fair use, and these are small copies to teach"),
    "music": Rule(False, _NO_PICTURES),
    "letters": Rule(False, _NO_PICTURES),
}


def pictures_of(points, own_copy=False):
    """Make the pictures of a notebook's points, from data at hand; nothing is fetched.

    Parameters
    ----------
    points : SavedEmbeddings
    own_copy : bool
        Also pictures that may not be passed on.

    Returns
    -------
    pictures : list of str, or None
        One data URI per point.
    note : str
        What the page says of them, or why there are none.

    Raises
    ------
    ValueError
        If the rows are not rows of the set's images.
    """
    if points.set is None:
        return None, ""
    name = points.set["name"]
    shown, why = RULES.get(name, Rule(False, "no rule was written down for this set"))
    if why == _NO_PICTURES or not (shown or own_copy):
        return None, f"No pictures are shown: {why}."
    images = at_hand(name, points.set.get("arguments") or {})
    if images is None:
        return None, (
            "Pictures are left out, as this site was built without the data: run "
            f"`repro fetch {name}`, then `repro site`."
        )
    rows = np.arange(len(images)) if points.rows is None else np.array(points.rows, dtype=int)
    if len(rows) != len(points.labels) or not np.isin(rows, np.arange(len(images))).all():
        raise ValueError(f"{points.notebook}: rows must be of the {len(images)} images of {name}")
    note = f"Pictures are shown: {why}."
    if not shown:
        note = f"**Not to be passed on**: this copy was built with pictures, but {why}."
    return [data_uri(image) for image in images[rows]], note


def at_hand(name, arguments):
    """Return the images of a data set if they are in REPRO_DATA_DIR or the cache, else None.

    ``arguments`` say what of the set, for its fetcher. Stand-ins are not shown.
    """
    if name not in datasets.FETCHERS or datasets.standin_wanted(name):
        return None
    with mock.patch.dict(os.environ, {"REPRO_OFFLINE": "1"}):
        try:
            return datasets.FETCHERS[name](**arguments).images
        except datasets.DatasetUnavailable:
            return None
        except (TypeError, ValueError) as error:
            raise ValueError(f"figures/points asks for what is not in {name}: {error}") from None


def data_uri(image):
    """Reduce an image to 48 pixels at most, and write it as a data URI.

    Parameters
    ----------
    image : (h, w) or (h, w, 3) array
        Whole numbers up to 255, or floats from 0 to 1.
    """
    if image.dtype.kind == "f":
        image = np.round(255 * image.clip(0, 1))
    picture = Image.fromarray(image.astype(np.uint8))
    picture.thumbnail((SIDE, SIDE))
    file = io.BytesIO()
    picture.save(file, "webp", quality=80)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"
