"""The real data sets by name, and fetching them in advance."""

from . import store
from .base import DatasetUnavailable
from .characters import fetch_letters, fetch_mnist, fetch_usps
from .coil20 import fetch_coil20
from .faces import fetch_brendan, fetch_isomap_faces, fetch_umist
from .registry import known_name
from .scenes import fetch_scenes
from .triplets import fetch_food, fetch_music

FETCHERS = {
    "brendan": fetch_brendan,
    "coil20": fetch_coil20,
    "food": fetch_food,
    "isomap_faces": fetch_isomap_faces,
    "letters": fetch_letters,
    "mnist": fetch_mnist,
    "music": fetch_music,
    "scenes": fetch_scenes,
    "umist": fetch_umist,
    "usps": fetch_usps,
}


def prefetch(name, **asked):
    """Fetch a data set into the cache, so that later runs need no network.

    ``name`` is one of `FETCHERS`, ``asked`` are the arguments of the fetcher. Returns None, or the
    exception that explains why the set could not be obtained. A set that ``REPRO_STANDIN`` replaces
    is not fetched and counts as obtained. Raises ValueError for an unknown name.
    """
    fetch = FETCHERS[known_name(name, FETCHERS)]
    if store.standin_wanted(name):
        return None
    try:
        if fetch(**asked).is_standin:  # Jupyter has shown why
            return DatasetUnavailable(f"{name} could not be obtained")
    except (DatasetUnavailable, ModuleNotFoundError) as error:
        return error
    return None
