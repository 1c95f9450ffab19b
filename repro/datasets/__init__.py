"""The data: real sets with their store, manifolds, and generated stand-ins."""

from .base import Dataset, DatasetUnavailable, standins_in_use
from .brendan import fetch_brendan
from .catalogue import FETCHERS, prefetch, verify
from .coil20 import fetch_coil20
from .food import fetch_food
from .isomap_faces import fetch_isomap_faces
from .letters import fetch_letters
from .mnist import fetch_mnist
from .music import fetch_music
from .scenes import fetch_scenes
from .standins import standin_wanted
from .store import cache_dir, data_dir
from .synthetic import make_s_curve, make_sphere, make_swiss_roll, make_twin_peaks
from .umist import fetch_umist
from .usps import fetch_usps
from .wine import load_wine

__all__ = [
    "FETCHERS",
    "Dataset",
    "DatasetUnavailable",
    "cache_dir",
    "data_dir",
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
    "load_wine",
    "make_s_curve",
    "make_sphere",
    "make_swiss_roll",
    "make_twin_peaks",
    "prefetch",
    "standin_wanted",
    "standins_in_use",
    "verify",
]
