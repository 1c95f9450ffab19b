"""Squared Euclidean distances: of all pairs, or of chosen ones."""

import numpy as np

from repro.core.backend import backends
from repro.core.blas import one_blas_thread
from repro.core.checks import check_distances, check_points, check_square
from repro.core.memory import check_memory

# The origin is moved if, in a sample of about SAMPLE rows, the variance is less than FAR times the
# squared distance of the mean from the origin.
SAMPLE, FAR = 256, 1e-6


def squared_distances(Y, centers=None, name="Y", matrices=2):
    """Squared Euclidean distances between all rows, or from all rows to others.

    Parameters
    ----------
    Y : (n, D) array
        One point per row.
    centers : (m, D) array, optional
        Other points. Default: Y itself.
    name : str
        What to call Y in an error message.
    matrices : float
        How many as large as D2 the caller holds at most: whether there is memory for them is
        checked first. 0 where that has been done.

    Returns
    -------
    D2 : (n, n) or (n, m) float64 array
        In squared units of Y; symmetric and zero on the diagonal if from Y to itself, and then
        zero between copies of a point too. Computed on one thread, so that the bits do not depend
        on the number of threads; exact for integer pixels.
    """
    from sklearn.metrics import euclidean_distances

    Y = check_points(Y, name)
    if centers is not None:
        centers = check_points(centers, "centers")
        if centers.shape[1] != Y.shape[1]:
            raise ValueError(f"{name} must have {centers.shape[1]} columns, got shape {Y.shape}")
    check_memory(len(Y), matrices, columns=None if centers is None else len(centers))
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        origin = _far_origin(Y if centers is None else centers)
        if origin is not None:
            Y, centers = Y - origin, None if centers is None else centers - origin
        D2 = euclidean_distances(Y, centers, squared=True)
    if not np.isfinite(D2.max()):
        raise ValueError(f"{name} is too large: its squared distances overflow")
    if centers is not None:
        return D2
    places = _places(Y)
    if (places < np.arange(len(Y))).any():
        D2[places[:, None] == places] = 0.0
    # Rounding can leave the two halves apart by a bit.
    return np.maximum(D2, D2.T)


def _far_origin(Y):
    """Return a point amid Y if the origin is so far off that distances would lose their digits.

    It is one of Y: integers stay integers, and differences of near numbers are exact.
    """
    some = Y[:: 1 + len(Y) // SAMPLE]
    origin = some.mean(axis=0)
    if not some.var(axis=0).sum() < FAR * (origin @ origin):
        return None
    return some[((some - origin) ** 2).sum(axis=1).argmin()]


def given_distances(Y, D2):
    """Return squared distances of all pairs: D2, checked, or those of Y; one of them is given."""
    if (Y is None) == (D2 is None):
        raise ValueError("give either Y or D2")
    if D2 is not None:
        return check_distances(check_square(D2, "D2"))
    return squared_distances(Y, matrices=3)


def _places(Y):
    """Return for each row the number of the first row that equals it."""
    first = {}
    rows = (row.tobytes() for row in Y + 0.0)  # without signs of zeros
    return np.array([first.setdefault(row, i) for i, row in enumerate(rows)])


def row_distances(A, X, others):
    """Squared distances, (q, r), of each row of A to the rows of X whose numbers (q, r) are given.

    Exactly 0 between copies of a point.
    """
    A, X = (np.ascontiguousarray(Z, np.result_type(Z, np.float32)) for Z in (A, X))
    if backends()[0] == "numba":
        from repro.kernels.row_pairs import squared_distances_of_pairs

        return squared_distances_of_pairs(A, X, np.ascontiguousarray(others))
    found = [((a - X[of]) ** 2).sum(axis=1) for a, of in zip(A, others, strict=True)]
    return np.array(found).reshape(np.shape(others))  # of no rows, too
