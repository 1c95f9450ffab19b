"""Nearest neighbours: exact, with ties broken by index, or approximate."""

import numpy as np
from sklearn.utils import gen_batches
from threadpoolctl import threadpool_limits

from repro.core.checks import check_choice, check_count, check_points
from repro.core.distances import DistancesTo, center_of, check_not_too_large, row_squared_distances
from repro.core.extras import is_there, needs
from repro.core.warn import warn_user
from repro.kernels.threads import in_ranges

# Number of rows of distances held at a time.
BLOCK = 256
# Most points for which "auto" searches exactly.
MOST_EXACT = 5_000
# Most points for which faiss searches among all points; beyond that, number of cells it searches.
MOST_FLAT, CELLS_LOOKED_AT = 20_000, 12
# Smallest squared distance, relative to the point's squared norm, that faiss resolves in float32:
# from products in a search among all points, and from differences in a search of cells.
RESOLUTION = 1e-5, 1e-10
SLOW = "in time that grows as n²"
METHODS = ("auto", "exact", "approximate")


def distances_to_others(X):
    """Yield what `distance_blocks` does for X and X; points are infinitely far from themselves."""
    X = check_points(X, "X", min_points=2)
    for rows, D2 in distance_blocks(X, X):
        np.fill_diagonal(D2[:, rows], np.inf)
        yield rows, D2


def distance_blocks(A, X):
    """Yield slices of rows of A, (q, D), and their squared distances to X, (n, D), as (b, n)."""
    to_points = DistancesTo(X)
    for rows in gen_batches(len(A), BLOCK):
        D2 = to_points.rows(A[rows])
        yield rows, check_not_too_large(D2, "X")


def smallest(d2, k, threshold):
    """Return which k entries of a row, (n,), are smallest: (n,) bool; ties are broken by index.

    ``threshold`` is the k-th smallest entry.
    """
    among = d2 < threshold
    ties = np.flatnonzero(d2 == threshold)
    among[ties[: k - np.count_nonzero(among)]] = True
    return among


def k_nearest(X, k, method="auto", rng=None):
    """Find the k < n nearest neighbours of each point of X, (n, D), the nearest first.

    The method "exact" computes all distances; ties go to the smaller index, unless rounding of
    products parts them. "approximate" needs faiss, seeded by the generator ``rng``: it rounds to
    float32 and, with more than 20,000 points, searches only the 12 nearest of 2 √n cells, in time
    that grows as n^1.5. "auto" is exact up to 5,000 points, and if faiss is missing, with a warning
    above 20,000 points. Return the neighbours, (n, k) int64, and the squared distances to them, (n,
    k) float64.
    """
    X = check_points(X, "X", min_points=2)
    n, k = len(X), check_count(k, "k")
    if k >= n:
        raise ValueError(f"k must be less than the number of points, {n}, got {k}")
    check_choice(method, "method", METHODS)
    if method == "auto":
        method = "approximate" if n > MOST_EXACT and is_there("faiss") else "exact"
        if method == "exact" and n > MOST_FLAT:
            warn_user(
                f"faiss is missing: the neighbours of {n} points are found exactly, {SLOW}; "
                "python -m pip install faiss-cpu"
            )
    if method == "approximate":
        return _approximate(X, k, np.random.default_rng(rng))
    neighbors = np.concatenate([smallest_of_rows(D2, k) for _, D2 in distances_to_others(X)])
    return neighbors, row_squared_distances(X, X, neighbors)


def nearest_among(A, X, k):
    """Find the k points of X, (n, D), nearest to each row of A, (q, D), and squared distances.

    Both are (q, k), the nearest first; ties go to the smaller index.
    """
    A, X = check_points(A, "A"), check_points(X, "X")
    neighbors = np.concatenate([smallest_of_rows(D2, k) for _, D2 in distance_blocks(A, X)])
    return neighbors, row_squared_distances(A, X, neighbors)


def smallest_of_rows(D2, k):
    """Return the columns, (q, k), of the k smallest entries of each row of D2, (q, n).

    Entries are in ascending order; ties go to the smaller index.
    """
    edges = np.partition(D2, k - 1, axis=1)[:, k - 1 : k]
    among = edges >= D2
    for r in np.flatnonzero(among.sum(axis=1) > k):  # ties at the edge
        among[r] = smallest(D2[r], k, edges[r, 0])
    near = np.nonzero(among)[1].reshape(-1, k)
    order = np.argsort(np.take_along_axis(D2, near, axis=1), axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1)


def _approximate(X, k, rng):
    needs("faiss", extra="notebooks", instead='neighbors="exact"')
    place, first = distinct_rows(X)
    # Search once per group of copies: in one cell, each copy would be compared with all others.
    near = _near_places(X[first], min(k, len(first) - 1), rng)
    if len(first) < len(X):
        near = np.column_stack([np.arange(len(first)), near])
        near = _without(_points_at(near, place, k + 1)[place], np.arange(len(X)))
    D2 = row_squared_distances(X, X, near)
    order = np.argsort(D2, axis=1, kind="stable")  # rounding may have changed it
    return np.take_along_axis(near, order, axis=1), np.take_along_axis(D2, order, axis=1)


def distinct_rows(X):
    """Find the distinct places of points X, (n, D), numbered by first occurrence.

    Return the place of each point, (n,), the same for copies, and the first point at each place.
    """
    numbers = {}
    rows = (row.tobytes() for row in X + 0.0)  # -0.0 becomes 0.0
    place = np.array([numbers.setdefault(row, len(numbers)) for row in rows])
    return place, np.unique(place, return_index=True)[1]


def _points_at(places, place, k):
    """Return the first k points, (u, k), at the near places, (u, m), of each place."""
    ends = np.cumsum(np.bincount(place))
    at_place = np.split(np.argsort(place, kind="stable"), ends[:-1])
    return np.array([np.concatenate([at_place[p][:k] for p in near])[:k] for near in places])


def _near_places(X, k, rng):
    """Find approximately the k nearest others, (n, k), of distinct points, by faiss in float32.

    On one thread: results would depend on their number, and forks hang.
    """
    if k == 0:
        return np.empty((len(X), 0), np.int64)
    own = np.arange(len(X))
    centred = X - center_of(X)
    points = np.ascontiguousarray(centred / np.abs(centred).max(), dtype=np.float32)
    index = _index(points, rng)
    neighbors = np.empty((len(X), k + 1), np.int64)

    def search(start, stop):
        with threadpool_limits(1, user_api="openmp"):
            neighbors[start:stop] = index.search(points[start:stop], k + 1)[1]

    in_ranges(search, len(X))
    others = _without(neighbors, own)
    # Search exactly where the cells hold too few points, or neighbours are too near for float32.
    farthest = row_squared_distances(X, X, np.maximum(others[:, -1:], 0))[:, 0]
    coarse = farthest < RESOLUTION[len(X) > MOST_FLAT] * (centred**2).sum(axis=1)
    again = np.flatnonzero(coarse | (others < 0).any(axis=1))
    if len(again) * len(X) > MOST_FLAT**2:
        warn_user(
            f"{len(again)} of {len(X)} points lie closer to their neighbours than an approximate "
            f"search can tell: these are found exactly, {SLOW}"
        )
    if len(again):
        others[again] = _without(nearest_among(X[again], X, k + 1)[0], own[again])
    return others


def _index(points, rng):
    """Build a faiss index of points: flat, or with cells if there are many points."""
    import faiss

    index = flat = faiss.IndexFlatL2(points.shape[1])
    with threadpool_limits(1, user_api="openmp"):
        if len(points) > MOST_FLAT:
            index = faiss.IndexIVFFlat(flat, points.shape[1], int(2 * np.sqrt(len(points))))
            index.cp.seed, index.nprobe = int(rng.integers(2**31)), CELLS_LOOKED_AT
            index.train(points)
        index.add(points)
    return index


def _without(neighbors, own):
    """Drop from each row, (q, k + 1), the point itself, or the last entry if it is not there."""
    dropped = neighbors == own[:, None]
    dropped[~dropped.any(axis=1), -1] = True
    return neighbors[~dropped].reshape(len(neighbors), -1)


def nearest_neighbors(X):
    """Return the nearest other point of each of X, (n, D), as (n,); ties: the smaller index."""
    return np.concatenate([D2.argmin(axis=1) for _, D2 in distances_to_others(X)])
