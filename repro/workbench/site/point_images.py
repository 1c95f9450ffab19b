"""The pictures of the points of a map: which may be shown, and their form in a page."""

import base64
import io
import os
from unittest import mock

import numpy as np
from PIL import Image

from repro import datasets
from repro.core.errors import UserError
from repro.datasets.registry import ENTRIES

SIDE = 48  # pixels, at most


def pictures_of(points):
    """Make the pictures of a notebook's points from local data; nothing is fetched.

    ``points`` are what `repro.workbench.lessons.save_embeddings` wrote. Returns a data URI per
    point, or None if there are no pictures or they may not be published, and a note on the
    pictures. Raises UserError if rows of ``points`` are not rows of the set's images.
    """
    if points["set"] is None:
        return None, ""
    name = points["set"]["name"]
    if name not in ENTRIES:
        raise UserError(f"{points['notebook']}: unknown data set {name!r}")
    terms = ENTRIES[name].pictures
    if terms is None:
        return None, "No pictures are shown: the set has no pictures."
    if not terms["shown"]:
        return None, f"No pictures are shown: {terms['why']}."
    images = at_hand(name, points["set"]["arguments"])
    if images is None:
        return None, (
            "Pictures are left out, as this site was built without the data: run "
            f"`repro fetch {name}`, then `repro site`."
        )
    rows = np.arange(len(images)) if points["rows"] is None else np.array(points["rows"])
    if len(rows) != len(points["labels"]) or not np.isin(rows, np.arange(len(images))).all():
        message = f"rows must be of the {len(images)} images of {name}"
        raise UserError(f"{points['notebook']}: {message}")
    return [data_uri(image) for image in images[rows]], f"Pictures are shown: {terms['why']}."


def at_hand(name, arguments):
    """Return the images of a data set if they are in REPRO_DATA_DIR or the cache, else None.

    ``arguments`` are those of its fetcher. Stand-ins are not shown.
    """
    if datasets.standin_wanted(name):
        return None
    with mock.patch.dict(os.environ, {"REPRO_OFFLINE": "1"}):
        try:
            return datasets.FETCHERS[name](**arguments).images
        except datasets.DatasetUnavailable:
            return None
        except (TypeError, ValueError) as error:
            raise UserError(f"figures/points asks for what is not in {name}: {error}") from None


def data_uri(image):
    """Reduce an image to at most 48 pixels, and return it as a data URI.

    The image is (h, w) or (h, w, 3), of integers from 0 to 255 or of floats from 0 to 1.
    """
    if image.dtype.kind == "f":
        image = np.round(255 * image.clip(0, 1))
    picture = Image.fromarray(image.astype(np.uint8))
    picture.thumbnail((SIDE, SIDE))
    file = io.BytesIO()
    picture.save(file, "webp", quality=80)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"
