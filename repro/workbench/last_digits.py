"""Random changes of last digits, to measure the effect of rounding, as on another processor."""

from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from repro.core import optimize
from repro.datasets import Dataset


@contextmanager
def moving_last_digits(seed):
    """Within the block, move data and the starts of descents by one unit in the last place.

    Each number moves up, moves down or stays, at random; zero stays zero. The library knows nothing
    of this: two of its functions are replaced within the block.
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

    with (
        patch.object(Dataset, "__post_init__", make_moved),
        patch.object(optimize, "checked_start", moved_start),
    ):
        yield


def moved(A, rng):
    """Return an array with its last digits moved, if it is float64, else the array itself."""
    if A.dtype != np.float64:
        return A
    direction = rng.integers(-1, 2, A.shape, dtype=np.int8)
    neighbor = np.nextafter(A, np.where(direction > 0, np.inf, -np.inf))
    return np.where((direction == 0) | (A == 0), A, neighbor)
