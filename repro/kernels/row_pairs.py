"""Compiled loops over chosen pairs of data rows."""

import numpy as np
from numba import njit

from repro.kernels.elementary import EXACT, INNER, SUMS
from repro.kernels.threads import in_ranges

# Below this many numbers, waking a second thread takes longer than the loop.
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
    """Compute squared distances, (q, r), from each row of A to the rows ``others`` (q, r) of X."""
    out = np.empty(others.shape)
    alone = others.size * A.shape[1] < SERIAL_BELOW
    in_ranges(_squared_distances, len(A), A, X, others, out, alone=alone)
    return out


@njit(**INNER)
def _apart(a, x):
    total = 0.0
    for c in range(len(a)):
        u = a[c] - x[c]
        total += u * u
    return total


@njit(**SUMS | {"fastmath": EXACT["fastmath"]})
def _add_norms(start, stop, products, of_rows, of_columns, A, X, cancelled):
    for i in range(start, stop):
        row, own = products[i], of_rows[i]
        for j in range(len(row)):
            row[j] = (-2.0 * row[j] + own) + of_columns[j]
        for j in range(len(row)):
            if not row[j] > cancelled * (own + of_columns[j]):  # also if it is NaN
                row[j] = _apart(A[i], X[j])


def add_norms(products, of_rows, of_columns, A, X, cancelled):
    """Turn products of the rows of A and X, (q, n), into squared distances, in place.

    ``of_rows`` and ``of_columns`` are |a|² and |x|² of the multiplied vectors. A distance below the
    fraction ``cancelled`` of their sum is computed from the difference of the points.
    """
    alone = products.size < SERIAL_BELOW
    read = products, of_rows, of_columns, A, X, cancelled
    in_ranges(_add_norms, len(A), *read, alone=alone)
