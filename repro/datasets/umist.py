"""The UMIST faces: twenty persons who turn from profile to front."""

from functools import partial

import numpy as np

from . import registry, store
from .base import Dataset
from .head import umist_standin
from .layouts import Layout, image_files, known_image, read_each
from .standins import standin_origin, standin_wanted

PERSONS = "abcdefghijklmnopqrst"
_SHAPE = (112, 92)
# Filed with person d, these are images 25 and 26 of person e.
_MISFILED = {"d25.pgm": "e25", "d26.pgm": "e26"}


def fetch_umist(person=None):
    """Fetch the cropped UMIST faces: persons who turn the head from profile to front.

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
        ``names``, such as ``"a8"``. All together n is 575.

    Raises
    ------
    TypeError
        If `person` is neither text nor an iterable of text.
    ValueError
        If a person is not a letter from a to t, is named twice, or none is named.
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: the cropped images of the UMIST (now Sheffield) face database, one PGM file each, every
    one compared with the known sha256 of its pixels, the whole set also with that of all pixels
    in the order in which they are filed. Put right here: the files d25 and d26 show person e, and
    are returned as e25 and e26. Left as they are: b26 to b35 repeat earlier images of person b,
    and some persons (b, g, i and n) turn back on the way. With ``REPRO_STANDIN=1`` heads are
    rendered instead (see `repro.datasets.head`).

    Licence: research use, cite D. B. Graham and N. M. Allinson (1998).
    """
    persons = _check_persons(person)
    entry = registry.ENTRIES["umist"]
    files = _files(persons)
    names = [_name(file) for file in files]
    order = sorted(range(len(names)), key=lambda k: (names[k][0], int(names[k][1:])))
    names = tuple(names[k] for k in order)
    if standin_wanted("umist"):
        images, origin = umist_standin(names), standin_origin("umist")
    else:
        images = store.load(entry, layouts(persons))["images"][order]
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    return Dataset(
        name="umist",
        images=images,
        labels=np.array([name[0] for name in names]),
        factors=np.array([[float(name[1:])] for name in names]),
        factor_names=("number",),
        names=names,
        **origin,
    )


def layouts(persons=PERSONS):
    """Return the form in which the images may lie in a folder: one PGM file each.

    The official archive is no second form: how it is laid out could not be looked at.
    """
    entry, known = registry.ENTRIES["umist"], registry.rows("umist")
    files = image_files(_files(persons), entry.mirrors, known, _image)
    arrays = entry.arrays if len(persons) == len(PERSONS) else {}
    return (Layout(files, partial(_read, files=[file.name for file in files]), arrays),)


def _check_persons(person):
    if person is None:
        return PERSONS
    persons = [person] if isinstance(person, str) else person
    try:
        persons = list(persons)
    except TypeError:
        raise TypeError(f"person must be a letter or several, not {person!r}") from None
    if not persons:
        raise ValueError("person is empty: leave it out to have all")
    for letter in persons:
        if not isinstance(letter, str):
            raise TypeError(f"person must be a letter or several, not {letter!r}")
        if len(letter) != 1 or letter not in PERSONS:
            raise ValueError(f"person must be a letter from a to t, not {letter!r}")
    if len(set(persons)) < len(persons):
        raise ValueError("person names someone more than once")
    return "".join(sorted(persons))


def _files(persons):
    """List the files that show the persons, in the order in which they are filed."""
    files = [file for file in registry.rows("umist") if _name(file)[0] in persons]
    return sorted(files, key=lambda file: (file[0], int(file[1:-4])))


def _name(file):
    return _MISFILED.get(file, file.removesuffix(".pgm"))


def _read(folder, files):
    return {"images": np.stack(read_each(folder, files, _image))}


def _image(data, file):
    return known_image(data, file, registry.rows("umist"), _SHAPE, "UMIST")
