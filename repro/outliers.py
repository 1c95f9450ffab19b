"""Triplets for dimensionality reduction: a neighbour, and an outlier farther away. t-ETE Sec. 6."""

import numpy as np

from repro._check import check_count, check_generator, check_points
from repro.neighbors import k_nearest

# Rows whose draws are held at a time.
BLOCK = 2**16


def sample_triplets(X, n_neighbors=20, n_outliers=None, *, rng, neighbors=None):
    """Draw triplets (i, j, k): j each of the nearest neighbours of i, k farther away than j.

    t-ETE Sec. 6 takes as many outliers for each neighbour as there are neighbours, n m² triplets;
    Algorithm 1 as printed takes one, n m triplets.

    Parameters
    ----------
    X : (n, D) array
    n_neighbors : int
        m, less than n - 1.
    n_outliers : int, optional
        For each neighbour. Default: m.
    rng : numpy.random.Generator
    neighbors : (n, m) int array, optional
        The neighbours, the nearest first, if they are known.

    Returns
    -------
    triplets : (n · m · n_outliers, 3) int32 array
        Sorted by i, then by the rank of j. An outlier is drawn evenly from all points but i, j and
        those nearer to i than j.

    Raises
    ------
    ValueError
        If X is not finite, or there are too few points.
    """
    X, rng = check_points(X, "X", min_points=3), check_generator(rng)
    m = check_count(n_neighbors, "n_neighbors")
    if m >= len(X) - 1:
        raise ValueError(f"n_neighbors must be less than n - 1 = {len(X) - 1}, got {m}")
    n_outliers = m if n_outliers is None else check_count(n_outliers, "n_outliers")
    neighbors = k_nearest(X, m)[0] if neighbors is None else neighbors[:, :m]
    return with_outliers(neighbors, len(X), n_outliers, rng, np.arange(len(X)))


def with_outliers(neighbors, n, n_outliers, rng, own=None):
    """Triplets of all rows of neighbours, each with outliers from n points.

    Parameters
    ----------
    neighbors : (q, m) int array
        The nearest first.
    n : int
    n_outliers : int
    rng : numpy.random.Generator
    own : (q,) int array, optional
        Which of the n points each row belongs to. Default: none of them, but new points, numbered
        from n; then all rows share their draws, so that no point depends on the others asked for.

    Returns
    -------
    triplets : (q · m · n_outliers, 3) int32 array
    """
    q, m = neighbors.shape
    columns = np.empty((3, q, m, n_outliers), np.int32)  # one after the other, as loops read them
    columns[0] = (np.arange(n, n + q) if own is None else own)[:, None, None]
    columns[1] = neighbors[:, :, None]
    for rank in range(m):
        columns[2, :, rank] = draw_outliers(neighbors[:, : rank + 1], n, n_outliers, rng, own)
    return columns.reshape(3, -1).T


def draw_outliers(neighbors, n, n_outliers, rng, own=None):
    """Draw from n points evenly, with repetition, all but the neighbours and the point itself.

    Parameters
    ----------
    neighbors, n, n_outliers, rng, own
        See `with_outliers`.

    Returns
    -------
    outliers : (q, n_outliers) int32 array
    """
    out = np.empty((len(neighbors), n_outliers), np.int32)
    shared = rng.integers(0, n - neighbors.shape[1], (1, n_outliers)) if own is None else None
    for first in range(0, len(neighbors), BLOCK):
        rows = slice(first, first + BLOCK)
        taken = neighbors[rows]
        if own is None:
            k = np.repeat(shared, len(taken), axis=0)
        else:
            taken = np.column_stack([own[rows], taken])
            k = rng.integers(0, n - taken.shape[1], (len(taken), n_outliers))
        for one in np.sort(taken, axis=1).T:  # in ascending order: step over each
            k += k >= one[:, None]
        out[rows] = k
    return out


def local_scales(X, D2, rank=10):
    """Distance σ_i of each point to its so-many-th neighbour. t-ETE Sec. 6.

    Parameters
    ----------
    X : (n, D) array
    D2 : (n, k) array
        Squared distances to the k nearest, k at least ``rank``.
    rank : int

    Returns
    -------
    sigma : (n,) float64 array
        Where that distance is 0, the one to the nearest point that is not in the same place.

    Raises
    ------
    ValueError
        If all points are in one place.
    """
    sigma2 = D2[:, rank - 1].copy()
    for i in np.flatnonzero(sigma2 == 0):
        others = ((X - X[i]) ** 2).sum(axis=1)
        if not others.any():
            raise ValueError("X must not be one and the same point n times")
        sigma2[i] = others[others > 0].min()
    return np.sqrt(sigma2)
