"""The compiled loop over chosen pairs of rows of data."""

import numpy as np
from numba import njit

from repro.kernels.elementary import SUMS
from repro.kernels.threads import in_ranges

# Fewer numbers than this take less time than waking a second thread.
SERIAL_BELOW = 100_000


@njit(**SUMS)
def _squared_distances(start, stop, A, X, others, out):
    for i in range(start, stop):
        for t in range(others.shape[1]):
            total = 0.0
            for c in range(A.shape[1]):
                u = A[i, c] - X[others[i, t], c]
                total += u * u
            out[i, t] = total


def squared_distances_of_pairs(A, X, others):
    """Squared distances of each row of A to the rows of X that ``others`` (q, r) names, (q, r)."""
    out = np.empty(others.shape)
    alone = others.size * A.shape[1] < SERIAL_BELOW
    in_ranges(lambda i, j: _squared_distances(i, j, A, X, others, out), len(A), alone)
    return out
