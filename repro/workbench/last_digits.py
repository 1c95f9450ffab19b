"""Random changes of last digits, to measure the effect of rounding, as on another processor."""

import sys
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from repro import experiments
from repro.core import optimize
from repro.datasets import Dataset


@contextmanager
def moving_last_digits(seed):
    """Within the block, move data and the starts of descents by one unit in the last place.

    Each number moves up, moves down or stays, at random; zero stays zero. The library knows nothing
    of this: two of its functions are replaced within the block. Experiments load their data anew
    before and after.
    """
    rng = np.random.default_rng(seed)
    make, checked_start = Dataset.__post_init__, optimize.checked_start

    def make_moved(dataset):
        make(dataset)
        if dataset.X is not None:
            X = moved(dataset.X, rng)
            X.setflags(write=False)
            object.__setattr__(dataset, "X", X)

    def moved_start(x0):
        return moved(checked_start(x0), rng)

    _forget_data()
    try:
        with (
            patch.object(Dataset, "__post_init__", make_moved),
            patch.object(optimize, "checked_start", moved_start),
        ):
            yield
    finally:
        _forget_data()


def _forget_data():
    """Clear all caches of the experiments."""
    loaded = [m for name, m in sys.modules.items() if name.startswith(experiments.__name__)]
    for kept in (value for module in loaded for value in vars(module).values()):
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()


def moved(A, rng):
    """Return an array with its last digits moved, if it is float64, else the array itself."""
    if A.dtype != np.float64:
        return A
    direction = rng.integers(-1, 2, A.shape, dtype=np.int8)
    neighbor = np.nextafter(A, np.where(direction > 0, np.inf, -np.inf))
    return np.where((direction == 0) | (A == 0), A, neighbor)
