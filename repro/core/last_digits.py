"""Random changes of last digits, to measure the effect of rounding, as on another processor."""

from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

_source = ContextVar("generator of the moves", default=None)


@contextmanager
def moving_last_digits(seed):
    """Within the block, move data and the starts of descents by one unit in the last place.

    Each number moves up, moves down or stays, at random; zero stays zero.
    """
    before = _source.set(np.random.default_rng(seed))
    try:
        yield
    finally:
        _source.reset(before)


def moved_if_asked(A):
    """Return an array, with its last digits moved if it is float64 and a block requests it."""
    rng = _source.get()
    if rng is None or A.dtype != np.float64:
        return A
    direction = rng.integers(-1, 2, A.shape, dtype=np.int8)
    moved = np.nextafter(A, np.where(direction > 0, np.inf, -np.inf))
    return np.where((direction == 0) | (A == 0), A, moved)
