"""Answers of people as triplets: the Food-100 dishes and the music artists."""

import html
import json
import zipfile
from functools import partial
from pathlib import Path

import numpy as np

from repro.core.extras import needs

from . import standins
from .registry import ENTRIES
from .store import load

THUMBNAIL = 96  # pixels
GENRES = ("rock", "metal", "pop", "dance", "hiphop", "jazz", "country", "reggae")
# The genre of each of the 58 tags, counted from 1.
_GENRE_OF_TAG = (
    *(5, 1, 1, 1, 1, 1, 1, 1, 5, 3, 3, 3, 3, 2, 1, 1, 4, 4, 4, 1, 4, 7, 7, 4, 1, 2, 2, 1, 5),
    *(6, 6, 6, 8, 1, 3, 4, 4, 1, 3, 1, 2, 2, 1, 7, 7, 1, 1, 1, 1, 1, 4, 5, 2, 3, 6, 2, 2, 5),
)


def fetch_food():
    """Fetch the Food-100 triplets: people's answers to which dish tastes more like another.

    Returns
    -------
    Dataset
        ``triplets`` (190376, 3) int64, rows (i, j, k): dish i tastes more like j than like k,
        counted from 0 in the order of the image file names; unique and sorted; 9,349 pairs of
        them contradict each other. ``images`` (100, 96, 96, 3) uint8, 0–255, the photographs
        cropped to a square and reduced; ``X`` (100, 27648) float64, the same values; ``names``,
        the names of the dishes ("" for seven).

    Notes
    -----
    Source: the raw answers of Wilber, Kwak and Belongie (JSON files), images and names. Each screen
    shows a probe, and people mark the images that taste more like it than the others do. Every pair
    of a marked and an unmarked image gives a triplet; catch trials are excluded. The official
    archive is also accepted; it has no names.
    """
    hashes = ENTRIES["food"].hashes
    answers = sorted(file for file in hashes if file.startswith("raw-json/"))
    images = sorted(file for file in hashes if file.startswith("images/"))
    files = ("ingredients.json", *answers, *images)

    def read_files(dishes, *paths):
        known = json.loads(dishes.read_text(encoding="utf-8"))
        screens = [json.loads(path.read_text(encoding="utf-8")) for path in paths[: len(answers)]]
        return {
            "triplets": triplets_of_screens(screens, images),
            "images": _thumbnails(paths[len(answers) :]),
            "names": tuple((known.get(Path(f).name) or {}).get("name", "") for f in images),
        }

    def read_archive(path):
        with zipfile.ZipFile(path) as archive:
            table = archive.read("food100-dataset/all-triplets.csv").decode().splitlines()
            photographs = _thumbnails(archive.open(f"food100-dataset/{f}") for f in images)
        number = {Path(image).name: k for k, image in enumerate(images)}
        rows = [[number[Path(item.strip()).name] for item in row.split(";")[:3]] for row in table]
        triplets = np.unique(rows, axis=0)
        return {"triplets": triplets, "images": photographs, "names": ("",) * len(images)}

    forms = (files, read_files), (("food100-dataset.zip",), read_archive)
    return load("food", *forms, standin=partial(standins.food, THUMBNAIL))


def triplets_of_screens(files, images):
    """Form a triplet (probe, near, far) per pair of a marked and an unmarked image of a screen.

    Returns unique triplets, (T, 3) int64; items are indices into ``images``, a list of names.
    """
    number = {name: k for k, name in enumerate(images)}
    triplets = []
    screens = [screen for file in files for task in file for screen in task["HIT_screens"]]
    for screen in (screen for screen in screens if not screen["is_catchtrial"]):
        near = [number[name] for name in screen["near_answer"]]
        far = [number[name] for name in screen["images"] if number[name] not in near]
        triplets += [(number[screen["probe"]], j, k) for j in near for k in far]
    return np.unique(triplets, axis=0)


def _thumbnails(files):
    """Crop images to a square and reduce them."""
    from PIL import Image, ImageOps

    size = (THUMBNAIL, THUMBNAIL)
    return np.stack([np.asarray(ImageOps.fit(Image.open(f).convert("RGB"), size)) for f in files])


def fetch_music():
    """Fetch the Music triplets: people's answers to which of two artists is more like a third.

    Returns
    -------
    Dataset
        ``triplets`` (9107, 3) int64, rows (i, j, k): artist i is more like j than like k, counted
        from 0, as published: 17 name an artist twice (`repro.tete.degenerate`), and 400 of the
        412 artists occur. ``names``, such as "zz top"; ``factors`` (412, 58) float64, 1
        where an artist has a tag, named by the tags; ``labels`` (412,) text, the first of eight
        genres (`GENRES`) to which a tag of the artist belongs, else "other".

    Notes
    -----
    Source: triplets and tags as prepared by van der Maaten and Weinberger for t-STE, two MATLAB
    files; names from a third file. Preprocessing: indices start at 0; the name
    "a_new_found_glory" is dropped, since there is no such artist. The genres are ours: no
    published list of labels is known.
    """
    files = "music_triplets.mat", "music_labels.mat", "musician_names.txt"
    return load("music", (files, _read_music), standin=partial(standins.music, GENRES))


def _read_music(triplets, tags, names):
    needs("h5py", extra="notebooks")
    import h5py
    from scipy.io import loadmat

    with h5py.File(tags) as file:  # MATLAB 7.3: text is a cell of character codes
        codes = [file[cell][()].ravel() for cell in file["lablist"][0]]
        has_tag = file["label_matrix"][()].T.astype(np.float64)
    filed = [line.split()[0] for line in names.read_text(encoding="utf-8").splitlines()]
    return {
        "triplets": loadmat(triplets)["triplets"].astype(np.int64) - 1,
        "labels": genres(has_tag),
        "factors": has_tag,
        "factor_names": tuple(html.unescape("".join(map(chr, code))) for code in codes),
        "names": tuple(name.replace("_", " ") for name in filed if name != "a_new_found_glory"),
    }


def genres(tags, order=GENRES):
    """Name the first genre, in an order, that a tag of each artist belongs to, else "other".

    ``tags`` is (n, 58), 1 where an artist has a tag; ``order`` names the eight of `GENRES`.
    """
    numbers = [GENRES.index(genre) + 1 for genre in order]
    has = np.stack([(tags[:, np.equal(_GENRE_OF_TAG, g)] > 0).any(axis=1) for g in numbers], 1)
    return np.array([*order, "other"])[np.where(has.any(axis=1), has.argmax(axis=1), 8)]
