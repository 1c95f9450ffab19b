"""Data: real sets with their store, synthetic manifolds, and generated stand-ins.

A fetcher raises `DatasetUnavailable` if its data cannot be obtained: the message lists what was
tried and which file to put where. With REPRO_STANDIN the fetcher returns stand-ins instead.
"""

from .base import Dataset, DatasetUnavailable, standins_in_use
from .catalogue import FETCHERS, prefetch
from .characters import fetch_letters, fetch_mnist, fetch_usps
from .coil20 import fetch_coil20
from .faces import fetch_brendan, fetch_isomap_faces, fetch_umist
from .labelled import load_labelled
from .scenes import fetch_scenes
from .store import cache_dir, data_dir, standin_wanted
from .surfaces import SURFACES, distances_along, make_surface
from .synthetic import make_s_curve, make_sphere, make_swiss_roll, make_twin_peaks
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
    "make_sphere",
    "make_surface",
    "make_swiss_roll",
    "make_twin_peaks",
    "prefetch",
    "standin_wanted",
    "standins_in_use",
]
