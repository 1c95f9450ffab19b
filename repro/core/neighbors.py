"""Nearest neighbours: exact, with ties broken by index, or approximate."""

from contextlib import contextmanager

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import gen_batches

from repro.core.checks import check_choice, check_count, check_finite, check_points
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
    """Find the k nearest neighbours of each point, the nearest first.

    Parameters
    ----------
    X : (n, D) array
    k : int
        Less than n.
    method : {"auto", "exact", "approximate"}
        "exact" computes all distances; ties go to the smaller index. "approximate" needs faiss: it
        rounds to float32 and, with more than 20,000 points, searches only the 12 nearest of 2 √n
        cells, in time that grows as n^1.5. "auto" is exact up to 5,000 points, and if faiss is
        missing, with a warning above 20,000 points.
    rng : numpy.random.Generator, optional
        Generator that seeds the approximate search.

    Returns
    -------
    neighbors : (n, k) int64 array
    D2 : (n, k) float64 array
        Squared distances to them.
    """
    X = check_points(X, "X", min_points=2)
    n, k = len(X), check_count(k, "k")
    if k >= n:
        raise ValueError(f"k must be less than the number of points, {n}, got {k}")
    check_choice(method, "method", METHODS)
    if method == "approximate" or (method == "auto" and n > MOST_EXACT and _has_faiss(n)):
        return _approximate(X, k, np.random.default_rng(rng))
    neighbors = np.concatenate([smallest_of_rows(D2, k) for _, D2 in distances_to_others(X)])
    return neighbors, row_squared_distances(X, X, neighbors)


def given_neighbors(given, X, k):
    """Select the k nearest neighbours of each point from precomputed neighbours.

    Parameters
    ----------
    given : pair of (n, K) arrays, or (n, n) sparse array
        Indices and distances of the neighbours of each of the n points; or the distances as a
        graph, such as `sklearn.neighbors.kneighbors_graph` returns with ``mode="distance"``. A
        point is no neighbour of its own.
    X : (n, D) array
        The points.
    k : int

    Returns
    -------
    neighbors, D2 : (n, k) arrays
        As in `k_nearest`. The given distances select the k nearest; D2 is computed from X.
    """
    X = check_points(X, "X")
    rows, columns, distances = _as_graph(given, len(X))
    others = rows != columns
    rows, columns, distances = rows[others], columns[others], distances[others]
    order = np.lexsort((columns, distances, rows))
    counts = np.bincount(rows, minlength=len(X))
    if counts.min() < k:
        raise ValueError(
            f"neighbors must name at least {k} others of each point, and has {counts.min()} of "
            f"point {counts.argmin()}"
        )
    first = np.cumsum(counts) - counts
    nearest = columns[order][first[:, None] + np.arange(k)]
    repeated = (np.diff(np.sort(nearest, axis=1), axis=1) == 0).any(axis=1)
    if repeated.any():
        raise ValueError(f"neighbors lists a neighbour twice for point {repeated.argmax()}")
    neighbors, D2 = _by_distance(X, nearest)
    if counts.max() > k and (distances == 1).all() and not np.allclose(D2, 1):
        raise ValueError(
            "neighbors holds a 1 for each neighbour, not distances, which tell who is near: "
            'kneighbors_graph needs mode="distance"'
        )
    return neighbors, D2


def _as_graph(given, n):
    """Return the rows, columns and values of given neighbours, see `given_neighbors`."""
    if issparse(given):
        if given.shape != (n, n):
            raise ValueError(f"neighbors must have shape {(n, n)}, got {given.shape}")
        graph = given.tocoo()
        rows, columns, distances = graph.row, graph.col, graph.data
    else:
        if not (isinstance(given, tuple | list) and len(given) == 2):
            raise ValueError(
                'neighbors must be "auto", "exact", "approximate", a pair of indices and '
                f"distances, or a sparse array of distances, got {type(given).__name__}"
            )
        columns, distances = (np.asarray(part) for part in given)
        if columns.ndim != 2 or len(columns) != n or columns.shape != distances.shape:
            raise ValueError(
                f"neighbors must be two arrays of one shape, ({n}, K), "
                f"got {columns.shape} and {distances.shape}"
            )
        if columns.dtype.kind not in "iu" or columns.min() < 0 or columns.max() >= n:
            raise ValueError(f"indices of neighbors must be integers from 0 to {n - 1}")
        rows = np.repeat(np.arange(n), columns.shape[1])
    distances = check_finite(distances, "distances of neighbors")
    if distances.size and distances.min() < 0:
        raise ValueError(f"distances of neighbors must not be negative, got {distances.min():.3g}")
    return rows.astype(np.int64), columns.ravel().astype(np.int64), distances.ravel()


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


def _has_faiss(n):
    """Return whether faiss is installed; if not, warn that many points take long."""
    has_faiss = is_there("faiss")
    if not has_faiss and n > MOST_FLAT:
        warn_user(
            f"faiss is missing: the neighbours of {n} points are found exactly, {SLOW}; "
            "python -m pip install faiss-cpu"
        )
    return has_faiss


def _approximate(X, k, rng):
    needs("faiss", extra="notebooks", instead='neighbors="exact"')
    place, first = distinct_rows(X)
    # Search once per group of copies: in one cell, each copy would be compared with all others.
    near = _near_places(X[first], min(k, len(first) - 1), rng)
    if len(first) < len(X):
        near = np.column_stack([np.arange(len(first)), near])
        near = _without(_points_at(near, place, k + 1)[place], np.arange(len(X)))
    return _by_distance(X, near)  # rounding may have changed the order


def _by_distance(X, neighbors):
    """Order the neighbours of each point by squared distance; return both."""
    D2 = row_squared_distances(X, X, neighbors)
    order = np.argsort(D2, axis=1, kind="stable")
    return np.take_along_axis(neighbors, order, axis=1), np.take_along_axis(D2, order, axis=1)


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
    """Find approximately the k nearest others, (n, k), of distinct points, by faiss in float32."""
    if k == 0:
        return np.empty((len(X), 0), np.int64)
    own = np.arange(len(X))
    centred = X - center_of(X)
    points = np.ascontiguousarray(centred / np.abs(centred).max(), dtype=np.float32)
    index = _index(points, rng)
    neighbors = np.empty((len(X), k + 1), np.int64)

    def search(start, stop):
        with _one_thread():
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
    with _one_thread():
        if len(points) > MOST_FLAT:
            index = faiss.IndexIVFFlat(flat, points.shape[1], int(2 * np.sqrt(len(points))))
            index.cp.seed, index.nprobe = int(rng.integers(2**31)), CELLS_LOOKED_AT
            index.train(points)
        index.add(points)
    return index


@contextmanager
def _one_thread():
    """Let faiss use one thread in the block; results would depend on their number, forks hang."""
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def _without(neighbors, own):
    """Drop from each row, (q, k + 1), the point itself, or the last entry if it is not there."""
    dropped = neighbors == own[:, None]
    dropped[~dropped.any(axis=1), -1] = True
    return neighbors[~dropped].reshape(len(neighbors), -1)


def nearest_neighbors(X):
    """Return the nearest other point of each of X, (n, D), as (n,); ties: the smaller index."""
    return np.concatenate([D2.argmin(axis=1) for _, D2 in distances_to_others(X)])
