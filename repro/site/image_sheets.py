"""The pictures under the points of a map: which may be shown, and how they are embedded."""

import base64
import io
import math
import os
from dataclasses import dataclass, field
from typing import NamedTuple
from unittest import mock

import numpy as np
from PIL import Image, features

from repro import datasets

SIDE = 48  # pixels, at most
MOST = 1_500_000  # characters; browsers drop a CSS variable above two million


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


@dataclass(frozen=True)
class Sheet:
    """Thumbnails of all points in one picture, or why there are none.

    Attributes
    ----------
    note : str
        What the page says of them.
    uri : str
        The picture as a data URI; empty if there is none.
    size : tuple of int
        Height and width of a thumbnail in pixels.
    columns, rows : int
        Of the sheet; a point's thumbnail stands at (k // columns, k % columns).
    """

    note: str
    uri: str = ""
    size: tuple = (0, 0)
    columns: int = 0
    rows: int = field(default=0)


def sheet(points, own_copy=False):
    """Make the thumbnails of a notebook's points, from data at hand; nothing is fetched.

    Parameters
    ----------
    points : Points
    own_copy : bool
        Also pictures that may not be passed on.

    Returns
    -------
    sheet : Sheet

    Raises
    ------
    ValueError
        If the rows are not rows of the set's images.
    """
    if points.set is None:
        return Sheet("")
    name = points.set["name"]
    shown, why = RULES.get(name, Rule(False, "no rule was written down for this set"))
    if why == _NO_PICTURES or not (shown or own_copy):
        return Sheet(f"No pictures are shown: {why}.")
    images = at_hand(name, points.set.get("arguments") or {})
    if images is None:
        return Sheet(
            "Pictures are left out, as this site was built without the data: run "
            f"`repro fetch {name}`, then `repro site`."
        )
    rows = np.arange(len(images)) if points.rows is None else np.array(points.rows, dtype=int)
    if len(rows) != len(points.labels) or not np.isin(rows, np.arange(len(images))).all():
        raise ValueError(f"{points.notebook}: rows must be of the {len(images)} images of {name}")
    note = f"Pictures are shown: {why}."
    if not shown:
        note = f"**Not to be passed on**: this copy was built with pictures, but {why}."
    return _packed(images[rows], note)


def at_hand(name, arguments):
    """Return the images of a data set if they are in REPRO_DATA_DIR or the cache, else None.

    Parameters
    ----------
    name : str
        A key of `repro.datasets.FETCHERS`.
    arguments : dict
        What of the set, for its fetcher.

    Returns
    -------
    images : (n, h, w) or (n, h, w, 3) array, or None
        None for generated stand-ins, too.

    Raises
    ------
    ValueError
        If the set has no such part.
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


def _packed(images, note):
    """Pack thumbnails into a sheet, the sharpest of those that are not too large."""
    for side, quality in ((SIDE, 80), (SIDE, 50), (32, 50), (24, 40), (16, 40)):
        small = reduced_images(images, side)
        n, h, w = small.shape[:3]
        columns = math.ceil(math.sqrt(n * h / w)) if n else 1
        rows = math.ceil(n / columns)
        uri = _data_uri(_tiled(small, columns, rows), quality)
        if len(uri) <= MOST:
            return Sheet(note, uri, (h, w), columns, rows)
    return Sheet(f"No pictures are shown: {len(images)} would make this page too heavy.")


def reduced_images(images, side=SIDE):
    """Reduce images to at most ``side`` pixels; smaller ones stay as they are.

    Parameters
    ----------
    images : (n, h, w) or (n, h, w, 3) array
        Whole numbers up to 255, or floats from 0 to 1.
    side : int

    Returns
    -------
    small : (n, h', w') or (n, h', w', 3) uint8 array
    """
    images = np.asarray(images)
    if images.dtype.kind == "f":
        images = np.round(255 * images.clip(0, 1))
    images = images.astype(np.uint8)
    height, width = images.shape[1:3]
    scale = min(1, side / max(height, width))
    size = max(1, round(scale * width)), max(1, round(scale * height))
    return np.stack([np.asarray(Image.fromarray(image).resize(size)) for image in images])


def _tiled(small, columns, rows):
    """Lay n pictures side by side, in rows from the upper left."""
    n, h, w, *colours = small.shape
    sheet = np.zeros((rows * columns, h, w, *colours), dtype=np.uint8)
    sheet[:n] = small
    sheet = sheet.reshape(rows, columns, h, w, *colours).swapaxes(1, 2)
    return sheet.reshape(rows * h, columns * w, *colours)


def _data_uri(picture, quality):
    """Encode a picture as WebP, or as PNG where Pillow was built without it."""
    kind = "webp" if features.check("webp") else "png"
    file = io.BytesIO()
    Image.fromarray(picture).save(file, kind, quality=quality)
    return f"data:image/{kind};base64,{base64.b64encode(file.getvalue()).decode()}"
