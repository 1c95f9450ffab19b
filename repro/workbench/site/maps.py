"""The pages of maps: what their script draws, and the pictures of points that may be shown."""

import base64
import io
import os
from contextlib import suppress
from unittest import mock

import numpy as np
from matplotlib.colors import to_hex
from PIL import Image

from repro import datasets
from repro.datasets.registry import ENTRIES
from repro.experiments.claims import sources
from repro.plots.scatter import class_colors

SIDE = 48  # pixels, at most


def map_of(points):
    """Return the contents of the page of a notebook's maps, by their names in ``_map.md``.

    ``points`` are what `repro.workbench.lessons.save_embeddings` wrote.
    """
    pictures, note = pictures_of(points)
    colours = group_colours(points["groups"])
    drawn = {name: points[name] for name in ("labels", "groups", "maps")}
    return {
        "points": points,
        "colours": colours,
        "drawn": drawn | {"colours": colours, "pictures": pictures},
        "note": note,
        "entry": ENTRIES[points["set"]["name"]] if points["set"] else None,
    }


def named_embeddings(entry, points):
    """Return the names and the groups of the points of an experiment's embeddings.

    ``points`` are those of its maps, or None. Names are given only if the data are always the same,
    and for settings that do not change them.
    """
    named = {"labels": [], "groups": []}
    kept = []
    if points and entry.unit == "start":
        named = {name: points[name] for name in named}
        kept = [
            setting.words
            for setting in entry.runs
            if not any(sources(setting.choices)[name].other_data for name in setting.changed)
        ]
    return named | {"settings": kept, "colours": group_colours(named["groups"])}


def group_colours(groups):
    """Assign a colour to each group, in numerical order, or else in order of appearance."""
    names = list(dict.fromkeys(groups))
    with suppress(ValueError):
        names.sort(key=float)
    colours = class_colors(len(names))
    return {name: to_hex(colour) for name, colour in zip(names, colours, strict=False)}


def pictures_of(points):
    """Make the pictures of a notebook's points from local data; nothing is fetched.

    Returns a data URI per point, or None if there are no pictures or they may not be published, and
    a note on the pictures.
    """
    terms = points["set"] and ENTRIES[points["set"]["name"]].pictures
    if not terms:
        return None, ""
    if not terms["shown"]:
        return None, f"No pictures are shown: {terms['why']}."
    images = local_images(**points["set"])
    if images is None:
        return None, (
            "Pictures are left out, as this site was built without the data: run "
            f"`repro fetch {points['set']['name']}`, then `repro site`."
        )
    rows = range(len(images)) if points["rows"] is None else points["rows"]
    return [data_uri(images[row]) for row in rows], f"Pictures are shown: {terms['why']}."


def local_images(name, arguments):
    """Return the images of a data set if they are in REPRO_DATA_DIR or the cache, else None.

    ``arguments`` are those of its fetcher. Stand-ins are not shown.
    """
    if datasets.standin_wanted(name):
        return None
    offline = mock.patch.dict(os.environ, {"REPRO_OFFLINE": "1"})
    with offline, suppress(datasets.DatasetUnavailable):
        return datasets.FETCHERS[name](**arguments).images
    return None


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
