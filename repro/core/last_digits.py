"""Last digits, moved at random: what rounding alone, as of another processor, does to a result."""

from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

_source = ContextVar("generator of the moves", default=None)


@contextmanager
def moving_last_digits(seed):
    """Within the block, move data and the starts of descents by one unit in the last place.

    Each number goes up, goes down or stays, at random by the seed; zero stays zero.
    """
    before = _source.set(np.random.default_rng(seed))
    try:
        yield
    finally:
        _source.reset(before)


def moved_if_asked(A):
    """Return a float64 array, its last digits moved if that is asked for, or as it is."""
    rng = _source.get()
    if rng is None or A.dtype != np.float64:
        return A
    direction = rng.integers(-1, 2, A.shape, dtype=np.int8)
    moved = np.nextafter(A, np.where(direction > 0, np.inf, -np.inf))
    return np.where((direction == 0) | (A == 0), A, moved)
