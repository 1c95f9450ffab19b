"""Sampling of triplets from data: a near item, and an outlier farther away. t-ETE Secs. 6 and 7."""

import numpy as np
from sklearn.utils import gen_batches

from repro.core.checks import check_choice, check_count, check_generator, check_points
from repro.core.neighbors import distances_to_others, k_nearest, smallest

FAR_RULES = ("farther half", "farther", "clamped")
# Number of rows of outliers drawn at a time.
BLOCK = 2**16


def sample_per_point(X, n_per_point=100, n_neighbors=20, far="farther half", *, rng):
    """Draw triplets whose near item is a near neighbour and whose far item is "far away".

    The t-ETE paper draws the triplets of Figs. 1 and 3 in this way, but does not define "far away".

    Parameters
    ----------
    X : (n, D) array
    n_per_point : int
        Number of triplets per point.
    n_neighbors : int
        Number of nearest neighbours from which the near item is drawn.
    far : {"farther half", "farther", "clamped"}
        The far item is drawn uniformly from the farther half of the ranking; from all points
        farther away than the near item; or, as in the authors' code, at a rank between n/2 and
        3n/2 that is clamped to the last, so that half of all far items are the farthest point.
    rng : numpy.random.Generator

    Returns
    -------
    triplets : (n · n_per_point, 3) int64 array
        Sorted by their first item; some may occur twice. Equal distances are ranked by index.
    """
    X, rng = check_points(X, "X", min_points=3), check_generator(rng)
    check_choice(far, "far", FAR_RULES)
    m, n = check_count(n_per_point, "n_per_point"), len(X)
    n_neighbors = check_count(n_neighbors, "n_neighbors")
    if n_neighbors > n // 2 - 1:
        raise ValueError(
            f"n_neighbors must be at most {n // 2 - 1} for {n} points, got {n_neighbors}"
        )
    triplets = np.empty((n, m, 3), dtype=np.int64)
    for rows, D2 in distances_to_others(X):
        kth = [n_neighbors - 1, n // 2 - 1]
        thresholds = np.partition(D2, kth, axis=1)[:, kth]
        for i, d2, (near_edge, half_edge) in zip(range(n)[rows], D2, thresholds, strict=True):
            is_near = smallest(d2, n_neighbors, near_edge)
            nearest = np.flatnonzero(is_near)
            nearest = nearest[np.argsort(d2[nearest], kind="stable")]
            rank = rng.integers(0, n_neighbors, m)
            is_far = ~(is_near if far == "farther" else smallest(d2, n // 2, half_edge))
            is_far[i] = False
            triplets[i] = np.column_stack(
                [np.full(m, i), nearest[rank], _draw_far(far, d2, rank, nearest, is_far, rng)]
            )
    return triplets.reshape(-1, 3)


def _draw_far(far, d2, rank, nearest, is_far, rng):
    """Draw a far item for each rank of a near item."""
    others = np.flatnonzero(is_far)
    if far == "farther":  # neighbours in order, then the rest: draw beyond the near item
        others = np.append(nearest, others)
        return others[rng.integers(rank + 1, len(others))]
    if far == "farther half":
        return others[rng.integers(0, len(others), len(rank))]
    farthest = others[d2[others].argmax()]
    place = rng.integers(0, len(d2), len(rank))
    return np.where(place < len(others), others[place % len(others)], farthest)


def sample_triplets(X, n_neighbors=20, n_outliers=None, *, rng):
    """Draw triplets (i, j, k) for each of the nearest neighbours j of i, with k ranked after j.

    X is (n, D). For each neighbour, ``n_outliers`` points k are drawn uniformly from all points
    except i, j and those ranked nearer to i than j (ties by index): by default as many as there are
    neighbours, m, as in t-ETE Sec. 6; Algorithm 1 as printed draws one. Return (n · m · n_outliers,
    3) int32, sorted by i, then by the rank of j.
    """
    X, rng = check_points(X, "X", min_points=3), check_generator(rng)
    m = check_count(n_neighbors, "n_neighbors")
    if m >= len(X) - 1:
        raise ValueError(f"n_neighbors must be less than n - 1 = {len(X) - 1}, got {m}")
    n_outliers = m if n_outliers is None else check_count(n_outliers, "n_outliers")
    own, near = np.arange(len(X)), k_nearest(X, m, rng=rng)[0]
    far = outliers_of_each(near, len(X), n_outliers, rng, own)
    return one_by_one(own, near, far.transpose(0, 2, 1))


def one_by_one(own, near, far):
    """List all triplets (i, j, k) of points, near items (q, m) and outliers (q, m, r) as rows."""
    columns = np.broadcast_arrays(own[:, None, None], near[:, :, None], far)
    # Columns are contiguous in memory, as the loops read them.
    return np.stack(columns, dtype=np.int32, casting="same_kind").reshape(3, -1).T


def outliers_of_each(neighbors, n, n_outliers, rng, own=None):
    """Draw outliers farther away than each neighbour, the nearest first: (q, n_outliers, m)."""
    q, m = neighbors.shape
    far = np.empty((q, n_outliers, m), np.int32)
    for rank in range(m):
        far[:, :, rank] = draw_outliers(neighbors[:, : rank + 1], n, n_outliers, rng, own)
    return far


def draw_outliers(neighbors, n, n_outliers, rng, own=None):
    """Draw (q, n_outliers) of n points uniformly, except the point itself and its neighbours.

    ``neighbors`` is (q, m), and ``own``, (q,), the point of each row; None for new points, which
    share their draws, so that a result does not depend on the batch. Points may repeat.
    """
    out = np.empty((len(neighbors), n_outliers), np.int32)
    shared = rng.integers(0, n - neighbors.shape[1], (1, n_outliers)) if own is None else None
    for rows in gen_batches(len(neighbors), BLOCK):
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
