"""The data: real sets with their store, manifolds, and generated stand-ins."""

from .base import Dataset, DatasetUnavailable, standins_in_use
from .catalogue import FETCHERS, prefetch, verify
from .coil20 import fetch_coil20
from .isomap_faces import fetch_isomap_faces
from .standins import standin_wanted
from .store import cache_dir, data_dir
from .synthetic import make_s_curve, make_sphere, make_swiss_roll, make_twin_peaks
from .umist import fetch_umist

__all__ = [
    "FETCHERS",
    "Dataset",
    "DatasetUnavailable",
    "cache_dir",
    "data_dir",
    "fetch_coil20",
    "fetch_isomap_faces",
    "fetch_umist",
    "make_s_curve",
    "make_sphere",
    "make_swiss_roll",
    "make_twin_peaks",
    "prefetch",
    "standin_wanted",
    "standins_in_use",
    "verify",
]
