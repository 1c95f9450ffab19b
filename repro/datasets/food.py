"""The Food-100 triplets: which of two dishes tastes more like a third."""

import io
import json
from functools import partial

import numpy as np

from . import registry, store
from .base import Dataset
from .layouts import DamagedData, File, Layout, known_bytes, known_file, read_each, read_zip
from .planted import food_standin
from .standins import standin_origin, standin_wanted

TASTES = ("Salty", "Savory", "Sour", "Bitter", "Sweet", "Spicy")
THUMBNAIL = 96
_INGREDIENTS = "ingredients.json"
_ARCHIVE = "food100-dataset.zip"
_ARCHIVE_TRIPLETS = "food100-dataset/all-triplets.csv"


def fetch_food():
    """Fetch the Food-100 triplets: people's answers to which dish tastes more like another.

    Returns
    -------
    Dataset
        ``triplets`` (190376, 3) int64, rows (i, j, k): dish i tastes more like j than like k,
        counted from 0 in the order of the image files' names; each once, sorted; 9,349 pairs of
        them contradict each other. ``images`` (100, 96, 96, 3) uint8, 0–255, the photographs cut
        to a square and reduced; ``X`` (100, 27648) float64, the same values; ``names``, the
        names of the dishes ("" for seven); ``keywords``, their ingredients; ``factors``
        (100, 6) float64, percent of six tastes, NaN where there are none, named by `TASTES`.

    Raises
    ------
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: the raw answers of Wilber, Kwak and Belongie (JSON files), images and ingredients. On a
    screen with a probe, everybody marks the images that taste more like it than the others do:
    each screen that is no catch trial gives a triplet for every marked and every unmarked image.
    The triplets are compared with their known sha256, every image with that of its file. The
    official archive is also accepted, if placed by hand. With ``REPRO_STANDIN=1``, answers are
    simulated over planted groups (see `repro.datasets.planted`).

    Licence: educational fair use; cite M. J. Wilber, I. S. Kwak and S. J. Belongie (2014).
    """
    entry = registry.ENTRIES["food"]
    if standin_wanted("food"):
        return Dataset(name="food", **food_standin(THUMBNAIL, TASTES), **standin_origin("food"))
    arrays = store.load(entry, layouts())
    described = [json.loads(text) or {} for text in arrays["descriptions"].tolist()]
    return Dataset(
        name="food",
        triplets=arrays["triplets"].astype(np.int64),
        images=arrays["images"],
        factors=np.array([_tastes(dish) for dish in described]),
        factor_names=TASTES,
        names=tuple(dish.get("name", "") for dish in described),
        keywords=tuple(
            tuple(part["name"] for part in dish.get("ingredients", [])) for dish in described
        ),
        source=entry.source,
        licence=entry.licence,
        citation=entry.citation,
    )


def layouts():
    """Return the forms in which the set may lie in a folder: single files, or one archive."""
    entry, known = registry.ENTRIES["food"], registry.rows("food")
    files = [known_file(name, entry.mirrors, known) for name in known]
    single = Layout(tuple(files), _read_files, entry.arrays)
    archive = File(_ARCHIVE, (), check=_read_archive)
    zipped = Layout((archive,), lambda folder: _read_archive(folder / _ARCHIVE), entry.arrays)
    return single, zipped


def _known(prefix):
    return sorted(name for name in registry.rows("food") if name.startswith(prefix))


def _read_files(folder):
    read = partial(read_each, folder)
    answers = read(_known("raw-json/"), lambda data, name: json.loads(_checked(data, name)))
    images = _known("images/")
    return {
        "triplets": _triplets_of_screens(answers, images),
        "images": np.stack(read(images, _thumbnail)),
        "descriptions": _descriptions(read([_INGREDIENTS], _checked)[0], images),
    }


def _read_archive(path):
    """Read the official archive as far as its layout is known: a table of triplets, the images."""
    images = _known("images/")
    (table,) = read_zip(path, [_ARCHIVE_TRIPLETS], lambda data, name: data.decode())
    rows = [line.strip().split(";") for line in table.splitlines() if line.strip()]
    place = {name.rpartition("/")[2]: k for k, name in enumerate(images)}
    if any(len(row) < 3 for row in rows):
        raise DamagedData({path: "its table has a row of less than three images"})
    try:
        triplets = [[place[item.strip().rpartition("/")[2]] for item in row[:3]] for row in rows]
    except KeyError as error:
        raise DamagedData({path: f"its table names an unknown image {error}"}) from None
    members = [f"food100-dataset/{name}" for name in images]
    pictures = read_zip(
        path, members, lambda data, member: _thumbnail(data, member.partition("/")[2])
    )
    return {
        "triplets": _unique(triplets),
        "images": np.stack(pictures),
        "descriptions": np.array(["null"] * len(images)),
    }


def _checked(data, name):
    return known_bytes(data, name, registry.rows("food"))


def _triplets_of_screens(answers, images):
    """(probe, near, far) for every marked and every unmarked image of every screen."""
    place = {name: k for k, name in enumerate(images)}
    triplets = []
    for task in (task for file in answers for task in file):
        for screen in task["HIT_screens"]:
            if screen["is_catchtrial"]:
                continue
            near = [place[name] for name in screen["near_answer"]]
            far = [place[name] for name in screen["images"] if place[name] not in near]
            triplets += [(place[screen["probe"]], j, k) for j in near for k in far]
    return _unique(triplets)


def _unique(triplets):
    return np.unique(np.array(triplets), axis=0).astype(np.uint8)


def _thumbnail(data, name):
    """Cut an image to a square and reduce it."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(_checked(data, name))) as image:
        return np.asarray(ImageOps.fit(image.convert("RGB"), (THUMBNAIL, THUMBNAIL)))


def _descriptions(data, images):
    """Name, ingredients and tastes of each dish, as JSON text."""
    known = json.loads(data)
    return np.array([json.dumps(known.get(name.rpartition("/")[2])) for name in images])


def _tastes(dish):
    percent = {taste["name"]: float(taste["percent"]) for taste in dish.get("tastes", [])}
    return [percent.get(taste, np.nan) for taste in TASTES]
