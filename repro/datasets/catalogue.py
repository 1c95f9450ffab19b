"""The real data sets by name: fetch them all beforehand, check all that is there."""

from typing import NamedTuple

from . import (
    brendan,
    coil20,
    food,
    isomap_faces,
    letters,
    mnist,
    music,
    scenes,
    store,
    umist,
    usps,
)
from .arguments import known_name
from .base import DatasetUnavailable
from .layouts import DamagedData
from .standins import standin_wanted

FETCHERS = {
    "brendan": brendan.fetch_brendan,
    "coil20": coil20.fetch_coil20,
    "food": food.fetch_food,
    "isomap_faces": isomap_faces.fetch_isomap_faces,
    "letters": letters.fetch_letters,
    "mnist": mnist.fetch_mnist,
    "music": music.fetch_music,
    "scenes": scenes.fetch_scenes,
    "umist": umist.fetch_umist,
    "usps": usps.fetch_usps,
}
LAYOUTS = {
    "brendan": brendan.layouts,
    "coil20": coil20.layouts,
    "food": food.layouts,
    "isomap_faces": isomap_faces.layouts,
    "letters": letters.layouts,
    "mnist": mnist.layouts,
    "music": music.layouts,
    "scenes": scenes.layouts,
    "umist": umist.layouts,
    "usps": usps.layouts,
}


class Check(NamedTuple):
    """The state of a file, or of the files of a layout, that `verify` found."""

    dataset: str
    item: str
    status: str

    @property
    def ok(self):
        """Whether the content is right."""
        return self.status.startswith("ok")


def prefetch(names=None, **asked):
    """Fetch data sets into the cache, so that later runs need no network.

    Parameters
    ----------
    names : None, str or iterable of str
        Which sets, by the keys of `FETCHERS`; None is all, or those of `asked` if there are any.
    **asked : dict
        What of a set to fetch, as the arguments of its fetcher, such as
        ``coil20={"objects": [3, 6, 19], "views": range(30)}``; the whole set otherwise.

    Returns
    -------
    dict of str to (None or DatasetUnavailable)
        For each set None, or why it could not be had. Sets that ``REPRO_STANDIN`` replaces are
        not fetched, and count as had.

    Raises
    ------
    ValueError
        If a name is unknown; the message lists the known ones.
    """
    if names is None:
        names = asked or FETCHERS
    names = [names] if isinstance(names, str) else [*names, *asked]
    outcome = dict.fromkeys(known_name(name, FETCHERS, "prefetch") for name in names)
    for name in outcome:
        if standin_wanted(name):
            continue
        try:
            FETCHERS[name](**asked.get(name, {}))
        except DatasetUnavailable as error:
            outcome[name] = error
    return outcome


def verify():
    """Check by content everything found in the data folder and in the cache.

    Damaged files in the cache are deleted, to be fetched again when next needed; nothing is ever
    changed in ``REPRO_DATA_DIR``.

    Returns
    -------
    list of Check
        Tuples (dataset, item, status): the item is the path of a damaged file, or of a folder
        with the files of one layout; the status starts with "ok" or with "damaged".
    """
    return [
        check
        for name, layouts in LAYOUTS.items()
        for folder, ours in store.places(name)
        for layout in layouts()
        for check in _verify_layout(name, layout, folder, ours)
    ]


def _verify_layout(name, layout, folder, ours):
    """Return the checks of one layout in one folder; none if it has no file there."""
    there = len(layout.files) - len(layout.missing(folder))
    if not there:
        return []
    what = layout.files[0].name if len(layout.files) == 1 else "single files"
    item, damaged = f"{folder} ({what})", {}
    try:
        layout.load(folder)
    except FileNotFoundError:
        pass
    except DamagedData as error:
        damaged = error.reasons
        if ours:
            store.delete(damaged)
    except OSError as error:
        return [Check(name, item, f"damaged: cannot be read, {error.strerror or error}")]
    fate = "deleted, to be fetched again" if ours else "left as it is, and not used"
    bad = [Check(name, str(p), f"damaged: {why} ({fate})") for p, why in damaged.items()]
    good = there - len(damaged)
    return bad + ([Check(name, item, f"ok: {good} of {len(layout.files)} files")] if good else [])
