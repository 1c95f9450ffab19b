"""Nearest neighbours: exact, with ties broken by index, or approximate."""

import numpy as np
from sklearn.utils import gen_batches

from repro.core.checks import check_choice, check_count, check_points
from repro.core.distances import row_distances, squared_distances
from repro.core.extras import is_there, needs
from repro.core.warn import warn_user

# Rows of distances held at a time.
BLOCK = 256
# With more points than this, neighbours are searched for approximately;
MOST_EXACT = 5_000
# and with more than this, not among all of them, but among those of the nearest cells.
MOST_FLAT, CELLS_LOOKED_AT = 20_000, 12
METHODS = ("auto", "exact", "approximate")


def distance_rows(X):
    """Yield slices of rows, and their squared distances to all points, infinite to themselves."""
    X = check_points(X, "X", min_points=2)
    for rows in gen_batches(len(X), BLOCK):
        D2 = squared_distances(X[rows], X, "X", matrices=0)
        np.fill_diagonal(D2[:, rows], np.inf)
        yield rows, D2


def smallest(d2, k, threshold):
    """Say which k entries of a row are the smallest, ties broken by index, as a bool array.

    ``threshold`` is the k-th smallest, as `numpy.partition` finds it for many rows at once.
    """
    among = d2 < threshold
    ties = np.flatnonzero(d2 == threshold)
    among[ties[: k - np.count_nonzero(among)]] = True
    return among


def k_nearest(X, k, method="auto", rng=None):
    """Find the k nearest other points of each, the nearest first.

    Parameters
    ----------
    X : (n, D) array
    k : int
        Less than n.
    method : {"auto", "exact", "approximate"}
        Exact, all distances block by block: ties go to the smaller index. Approximate, by faiss,
        which has to be installed: rounded to float32, and with more than 20,000 points only among
        those of the 12 nearest of 2 √n cells, in time that grows as n^1.5. "auto" is exact up to
        5,000 points, and where faiss is missing: with a warning above 20,000.
    rng : numpy.random.Generator, optional
        Seeds the approximate search.

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
    if method == "approximate" or (method == "auto" and n > MOST_EXACT and _faiss_for(n)):
        return _approximate(X, k, np.random.default_rng(rng))
    neighbors = np.concatenate([_smallest_of_rows(D2, k) for _, D2 in distance_rows(X)])
    return neighbors, row_distances(X, X, neighbors)


def nearest_among(A, X, k):
    """Find the k points of X that are nearest to each row of A, and their squared distances.

    Both (q, k), the nearest first; ties go to the smaller index.
    """
    A = check_points(A, "A")
    batches = gen_batches(len(A), BLOCK)
    blocks = (squared_distances(A[rows], X, "X", matrices=0) for rows in batches)
    neighbors = np.concatenate([_smallest_of_rows(D2, k) for D2 in blocks])
    return neighbors, row_distances(A, X, neighbors)


def _smallest_of_rows(D2, k):
    """Columns of the k smallest entries of each row, in ascending order of the entries."""
    edges = np.partition(D2, k - 1, axis=1)[:, k - 1 : k]
    among = edges >= D2
    for r in np.flatnonzero(among.sum(axis=1) > k):  # ties at the edge
        among[r] = smallest(D2[r], k, edges[r, 0])
    near = np.nonzero(among)[1].reshape(-1, k)
    order = np.argsort(np.take_along_axis(D2, near, axis=1), axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1)


def _faiss_for(n):
    """Say whether faiss can be had, and warn of the time that many points take without it."""
    found = is_there("faiss")
    if not found and n > MOST_FLAT:
        warn_user(
            f"faiss is missing: the neighbours of {n} points are found exactly, in time that grows "
            "as n²; python -m pip install faiss-cpu"
        )
    return found


def _approximate(X, k, rng):
    needs("faiss", extra="notebooks", instead='neighbors="exact"')
    import faiss

    centred = X - X.mean(axis=0)
    largest = np.abs(centred).max()
    points = np.ascontiguousarray(centred / (largest if largest > 0 else 1.0), dtype=np.float32)
    flat = faiss.IndexFlatL2(points.shape[1])
    index = flat
    if len(points) > MOST_FLAT:
        n_cells = int(2 * np.sqrt(len(points)))
        index = faiss.IndexIVFFlat(flat, points.shape[1], n_cells)
        index.cp.seed, index.nprobe = int(rng.integers(2**31)), CELLS_LOOKED_AT
        index.train(points)
    index.add(points)
    neighbors = index.search(points, k + 1)[1]
    few = np.flatnonzero((neighbors < 0).any(axis=1))
    if len(few):  # the cells looked at hold too few points: look at all
        index.nprobe = n_cells
        neighbors[few] = index.search(points[few], k + 1)[1]
    # Every point finds itself, mostly first; of those that do not, the last is left out.
    own = neighbors == np.arange(len(X))[:, None]
    own[~own.any(axis=1), -1] = True
    neighbors = neighbors[~own].reshape(len(X), k)
    D2 = row_distances(X, X, neighbors)
    order = np.argsort(D2, axis=1, kind="stable")  # rounding may have changed it
    return np.take_along_axis(neighbors, order, axis=1), np.take_along_axis(D2, order, axis=1)


def nearest_neighbors(X):
    """Return the index of the nearest other point of each, of equally near ones the smaller."""
    return np.concatenate([D2.argmin(axis=1) for _, D2 in distance_rows(X)])
