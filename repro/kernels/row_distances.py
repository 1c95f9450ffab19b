"""The compiled loop over chosen pairs of rows of data."""

import numpy as np
from numba import njit, prange

from repro.kernels.elementary import SUMS


@njit(parallel=True, **SUMS)
def _squared_distances(A, X, others, out):
    for i in prange(len(A)):
        for t in range(others.shape[1]):
            total = 0.0
            for c in range(A.shape[1]):
                u = A[i, c] - X[others[i, t], c]
                total += u * u
            out[i, t] = total


def squared_distances(A, X, others):
    """Squared distances of each row of A to the rows of X that ``others`` (q, r) names, (q, r)."""
    out = np.empty(others.shape)
    _squared_distances(A, X, others, out)
    return out
