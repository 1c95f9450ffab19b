"""Squared Euclidean distances between all pairs, or between chosen ones."""

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

from repro.core.backend import backends
from repro.core.blas import one_blas_thread
from repro.core.checks import (
    ROUNDED_DISTANCE,
    check_choice,
    check_distances,
    check_points,
    check_same_columns,
    check_size,
    check_square,
    check_symmetric,
    within_bounds,
)
from repro.core.memory import check_memory

# Up to this many columns, coordinate differences cost no more than a matrix product.
FEW_COLUMNS = 16
# |x|² + |y|² - 2 x·y has lost digits where it is less than this fraction of |x|² + |y|².
CANCELLED = 1e-3
# The origin is moved if, in a sample of about SAMPLE rows, the median squared distance from a
# central point is less than FAR times the squared distance of that point from the origin.
SAMPLE, FAR = 64, 1e-2


class DistancesTo:
    """Squared distances to points X, (n, D) float64, without loss of digits far from the origin."""

    def __init__(self, X):
        self.X = X
        if X.shape[1] > FEW_COLUMNS:
            point = central_point_if_far(X)
            self.origin = None if point is None else X[point]
            self.norms, self.moved = self._products_need(X)

    @np.errstate(over="ignore", under="ignore", invalid="ignore")
    def rows(self, A):
        """Return squared distances, (q, n), from each row of A, (q, D) float64, to the points."""
        if self.X.shape[1] <= FEW_COLUMNS:
            return cdist(A, self.X, "sqeuclidean")
        norms, moved = (self.norms, self.moved) if A is self.X else self._products_need(A)
        with one_blas_thread():
            D2 = moved @ self.moved.T
        _add_norms(D2, norms, self.norms, A, self.X)
        # Rounding can make the two triangles differ in the last bit.
        return np.maximum(D2, D2.T) if A is self.X else D2

    @np.errstate(over="ignore", under="ignore", invalid="ignore")
    def _products_need(self, A):
        moved = A if self.origin is None else A - self.origin
        return np.einsum("ij,ij->i", moved, moved), moved


def _add_norms(D2, of_rows, of_columns, A, X):
    """Turn products into squared distances in place; use differences where digits are lost."""
    if backends()[0] == "numba":
        from repro.kernels.row_pairs import add_norms

        add_norms(D2, of_rows, of_columns, A, X, CANCELLED)
        return
    for i, a in enumerate(A):
        norms = of_rows[i] + of_columns
        D2[i] = -2 * D2[i] + of_rows[i] + of_columns
        lost = ~(D2[i] > CANCELLED * norms)
        D2[i, lost] = ((a - X[lost]) ** 2).sum(axis=1)


def squared_distances(Y, centers=None, name="Y"):
    """Compute squared Euclidean distances between all rows, or from all rows to other points.

    Parameters
    ----------
    Y : (n, D) array
        One point per row.
    centers : (m, D) array, optional
        Other points. Default: Y itself.
    name : str
        Name of Y in error messages.

    Returns
    -------
    D2 : (n, n) or (n, m) float64 array
        In squared units of Y; symmetric without ``centers``, zero between copies of a point, exact
        for integer pixels. No digits are lost where points lie far from the origin.
    """
    check_same_columns(Y, centers, "centers")
    Y = check_points(Y, name)
    if centers is not None:
        centers = check_points(centers, "centers")
        if centers.shape[1] != Y.shape[1]:
            raise ValueError(f"{name} must have {centers.shape[1]} columns, got shape {Y.shape}")
    check_memory(len(Y), 2, columns=None if centers is None else len(centers))
    return check_not_too_large(DistancesTo(Y if centers is None else centers).rows(Y), name)


def distances_within(X, name):
    """Compute `squared_distances` of all pairs of X for a caller that has checked the memory."""
    X = check_points(X, name)
    return check_not_too_large(DistancesTo(X).rows(X), name)


def squared_distances_by(metric, X, name):
    """Return squared distances of all pairs, (n, n), without a check of the memory.

    X holds points, (n, D); or, if ``metric`` is "precomputed", distances (not squared) of all
    pairs, (n, n): not negative, symmetric, and zero from a point to itself but for rounding.
    """
    if check_choice(metric, "metric", ("euclidean", "precomputed")) == "euclidean":
        return distances_within(X, name)
    X = check_size(within_bounds(check_square(X, name), name), name)
    # √(1 - 1) of correlations is some √eps.
    if X.diagonal().max() > ROUNDED_DISTANCE * X.max():
        raise ValueError(f"{name} must be zero on its diagonal: it holds distances")
    D2 = np.square(check_symmetric(X, name, ROUNDED_DISTANCE))
    np.fill_diagonal(D2, 0.0)
    return D2


def principal_coordinates(D2, n_components):
    """Compute classical scaling of squared distances, (n, n): scores on principal axes, (n, d).

    Axes on which the distances are not Euclidean are zero.
    """
    B = D2 - D2.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    n, kept = len(B), min(n_components, len(B))
    with one_blas_thread():
        values, vectors = eigh(-B / 2, subset_by_index=[n - kept, n - 1])
    scores = vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0.0))
    return upright(scores, n_components)


def upright(scores, n_components):
    """Turn each axis of scores, (n, k), so that its largest one is positive; add zero axes."""
    largest = np.abs(scores).argmax(axis=0)
    scores = scores * np.where(scores[largest, range(scores.shape[1])] < 0, -1.0, 1.0)
    return np.pad(scores, ((0, 0), (0, n_components - scores.shape[1])))


def check_not_too_large(D2, name):
    """Return squared distances, an array of any shape; raise an error if they are not finite."""
    if not np.isfinite(D2.max()):
        raise ValueError(f"{name} is too large: its squared distances overflow")
    return D2


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def central_point_if_far(X):
    """Return the row of a central point of X, (n, D), if products of X would lose digits.

    X then lies far from the origin; otherwise return None. Subtracting a data point keeps integers
    integral, and differences of nearby numbers exact.
    """
    step = 1 + len(X) // SAMPLE
    sample = X[::step]
    central = ((sample - np.median(sample, axis=0)) ** 2).sum(axis=1).argmin()
    spread = np.median(((sample - sample[central]) ** 2).sum(axis=1))
    return central * step if spread < FAR * (sample[central] @ sample[central]) else None


def centred(X):
    """Subtract its mean from each column of X, (n, d); a constant column becomes exactly 0.

    Otherwise what the rounded mean of equal numbers leaves would look like a direction of the data.
    """
    X = np.ascontiguousarray(X)
    return np.where(is_constant(X), 0.0, X - X.mean(axis=0))


@np.errstate(under="ignore")
def is_constant(X):
    """Return which columns of X, (n, d) or (n,), hold one number, but for the rounding of sums."""
    return np.ptp(X, axis=0) <= 8 * np.finfo(float).eps * np.abs(X).max(axis=0)


def center_of(X):
    """Return the mean of points (n, D), or a central one if it lies far from most: (D,)."""
    mean = X.mean(axis=0, dtype=float)
    point = central_point_if_far(X - mean)
    return mean if point is None else X[point]


def near_origin(X):
    """Move points (n, D) that lie far from the origin near it, for functions of differences."""
    point = central_point_if_far(X)
    return X if point is None else X - X[point]


def check_either(Y, D2):
    """Raise an error unless exactly one of points and squared distances is given."""
    if (Y is None) == (D2 is None):
        raise ValueError("give either Y or D2")


def given_distances(Y, D2, min_points=1):
    """Return squared distances of all pairs, (n, n): D2 after a check, or those of Y, (n, D)."""
    check_either(Y, D2)
    if D2 is not None:
        return check_distances(check_square(D2, "D2", min_points))
    Y = check_points(Y, "Y", min_points)
    check_memory(len(Y), 3)  # callers make two more matrices of this size
    return distances_within(Y, "Y")


def row_squared_distances(A, X, others):
    """Compute squared distances, (q, r), of each row of A to rows of X by their index, (q, r)."""
    A, X = (np.ascontiguousarray(Z, np.result_type(Z, np.float32)) for Z in (A, X))
    if backends()[0] == "numba":
        from repro.kernels.row_pairs import squared_distances_of_pairs

        return squared_distances_of_pairs(A, X, np.ascontiguousarray(others))
    rows = [((a - X[near]) ** 2).sum(axis=1) for a, near in zip(A, others, strict=True)]
    return np.array(rows).reshape(np.shape(others))  # A may have no rows
