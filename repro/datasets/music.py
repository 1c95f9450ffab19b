"""The Music triplets: which of two artists is more similar to a third."""

import html
import io

import numpy as np

from repro.core.extras import needs

from . import registry, store
from .base import Dataset
from .layouts import Layout, decode_matlab, known_bytes, known_file, read_each, read_numbers
from .planted import music_standin
from .standins import standin_origin, standin_wanted

GENRES = ("rock", "metal", "pop", "dance", "hiphop", "jazz", "country", "reggae")
# The genre, counted from 1, of each of the 58 tags.
_GENRE_OF_TAG = (
    *(5, 1, 1, 1, 1, 1, 1, 1, 5, 3, 3, 3, 3, 2, 1, 1, 4, 4, 4, 1, 4, 7, 7, 4, 1, 2, 2, 1, 5),
    *(6, 6, 6, 8, 1, 3, 4, 4, 1, 3, 1, 2, 2, 1, 7, 7, 1, 1, 1, 1, 1, 4, 5, 2, 3, 6, 2, 2, 5),
)
_NAMES = "musician_names.txt"
# In the list of names, but not among the artists of the triplets.
_NO_ARTIST = "a_new_found_glory"


def fetch_music():
    """Fetch the Music triplets: people's answers to which of two artists is more like a third.

    Returns
    -------
    Dataset
        ``triplets`` (9107, 3) int64, rows (i, j, k): artist i is more like j than like k, counted
        from 0, as filed: 17 of them name an artist twice (`repro.tete.degenerate`), and 400 of the
        412 artists occur. ``names``, such as "zz top"; ``factors`` (412, 58) float64, 1
        where an artist has a tag, named by the tags; ``labels`` (412,) text, the first of eight
        genres (`GENRES`) that one of the tags belongs to, else "other".

    Raises
    ------
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: triplets and tags as prepared by van der Maaten and Weinberger for t-STE, two MATLAB
    files whose arrays (triplets, tags, names of tags) are compared with their known sha256; names
    from a third file. Preparation: counted from 0; of the names, "a_new_found_glory" is dropped,
    since there is no such artist. The genres are ours: no published list of labels is known. With
    ``REPRO_STANDIN=1``, answers are simulated over planted genres (see `repro.datasets.planted`).

    Licence: none stated; cite D. P. W. Ellis and others (2002).
    """
    entry = registry.ENTRIES["music"]
    if standin_wanted("music"):
        return Dataset(name="music", **music_standin(GENRES), **standin_origin("music"))
    arrays = store.load(entry, layouts())
    tags = arrays["tags"].astype(np.float64)
    return Dataset(
        name="music",
        triplets=arrays["triplets"].astype(np.int64) - 1,
        labels=genres(tags),
        factors=tags,
        factor_names=tuple(arrays["tag_names"].tolist()),
        names=tuple(arrays["names"].tolist()),
        source=entry.source,
        licence=entry.licence,
        citation=entry.citation,
    )


def genres(tags):
    """Name the first of the eight genres that a tag of each artist belongs to, else "other".

    Parameters
    ----------
    tags : (n, 58) array

    Returns
    -------
    labels : (n,) array of str
    """
    has = np.stack([(tags[:, np.equal(_GENRE_OF_TAG, g)] > 0).any(axis=1) for g in range(1, 9)], 1)
    return np.array([*GENRES, "other"])[np.where(has.any(axis=1), has.argmax(axis=1), 8)]


def layouts():
    """Return the form in which the set may lie in a folder: two MATLAB files and the names."""
    entry, known = registry.ENTRIES["music"], registry.rows("music")
    files = tuple(known_file(name, entry.mirrors, known, _decode) for name in _DECODERS)
    return (Layout(files, _read, entry.arrays),)


def _read(folder):
    decoded = read_each(folder, _DECODERS, _decode)
    return {name: array for arrays in decoded for name, array in arrays.items()}


def _decode(data, name):
    return _DECODERS[name](data)


def _triplets(data):
    return decode_matlab(data, {"triplets": ("uint16", (None, 3))})


def _tags(data):
    """Read the matrix of tags and their names from a MATLAB 7.3 file, which is HDF5."""
    needs("h5py", extra="notebooks")
    import h5py

    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            tags = read_numbers(file["label_matrix"], "uint8", (len(_GENRE_OF_TAG), None)).T
            cells = read_numbers(file["lablist"], "object", (1, len(_GENRE_OF_TAG)))[0]
            codes = [read_numbers(file[cell], "uint16", (None, 1)).ravel() for cell in cells]
            names = [html.unescape("".join(map(chr, code))) for code in codes]
    except Exception as error:
        why = f"not a readable MATLAB file with tags ({error.__class__.__name__})"
        raise ValueError(why) from error
    return {"tags": np.ascontiguousarray(tags), "tag_names": np.array(names)}


def _names(data):
    known_bytes(data, _NAMES, registry.rows("music"))
    filed = [line.split()[0] for line in data.decode().splitlines()]
    return {"names": np.array([name.replace("_", " ") for name in filed if name != _NO_ARTIST])}


_DECODERS = {"music_triplets.mat": _triplets, "music_labels.mat": _tags, _NAMES: _names}
