"""Data: real sets with their store, surfaces, and generated stand-ins.

A fetcher raises `DatasetUnavailable` if its data cannot be obtained: the message lists what was
tried and which file to put where. With REPRO_STANDIN the fetcher returns stand-ins instead. Each
set states its terms of use (``licence``), and what to cite (``citation``).
"""

from .base import Dataset, DatasetUnavailable, standins_in_use
from .catalogue import FETCHERS, load_labelled, prefetch
from .characters import fetch_letters, fetch_mnist, fetch_usps
from .images import fetch_brendan, fetch_coil20, fetch_isomap_faces, fetch_scenes, fetch_umist
from .store import cache_dir, data_dir, standin_wanted
from .surfaces import SURFACES, distances_along, make_s_curve, make_surface
from .triplets import fetch_food, fetch_music

__all__ = [
    "FETCHERS",
    "SURFACES",
    "Dataset",
    "DatasetUnavailable",
    "cache_dir",
    "data_dir",
    "distances_along",
    "fetch_brendan",
    "fetch_coil20",
    "fetch_food",
    "fetch_isomap_faces",
    "fetch_letters",
    "fetch_mnist",
    "fetch_music",
    "fetch_scenes",
    "fetch_umist",
    "fetch_usps",
    "load_labelled",
    "make_s_curve",
    "make_surface",
    "prefetch",
    "standin_wanted",
    "standins_in_use",
]
