"""Triplets (i, j, k), "i is more similar to j than to k": check, reverse, split, count."""

from functools import cached_property

import numpy as np
from sklearn.utils import gen_batches

from repro.core.checks import (
    as_array,
    check_count,
    check_finite,
    check_generator,
    check_points,
    check_real,
)


class TripletSet:
    """Triplets with their weights, checked once and sorted by their first item for the loops.

    Parameters
    ----------
    triplets : (T, 3) integer array
        Rows (i, j, k) of three different items, counted from 0.
    weights : (T,) array, optional
        Not negative; all 1 if not given.
    n_items : int, optional
        Default: one more than the largest item.
    """

    def __init__(self, triplets, weights=None, n_items=None):
        self.triplets = check_triplets(triplets, n_items)
        self.n_items = int(self.triplets.max()) + 1 if n_items is None else int(n_items)
        self.weights = None if weights is None else check_weights(weights, len(self.triplets))

    def __len__(self):
        return len(self.triplets)

    @property
    def total_weight(self):
        """Σ ω: the number of triplets where there are no weights."""
        return float(len(self) if self.weights is None else self.weights.sum())

    @cached_property
    def columns(self):
        """What the loops read: items as uint32 and weights (empty for ones), sorted by i."""
        first = self.triplets[:, 0]
        weights = np.empty(0) if self.weights is None else self.weights
        is_sorted = (first[1:] >= first[:-1]).all()
        order = slice(None) if is_sorted else np.argsort(first, kind="stable")
        columns = (_as_uint32(c[order]) for c in self.triplets.T)
        return *columns, weights[order] if len(weights) else weights


def _as_uint32(items):
    """Items, none of them negative, for the loops: int32 in one piece is not copied."""
    items = np.ascontiguousarray(items)
    return items.view(np.uint32) if items.dtype == np.int32 else items.astype(np.uint32)


def as_triplet_set(triplets, weights=None, n_items=None):
    """Wrap an array; leave what is wrapped already."""
    if not isinstance(triplets, TripletSet):
        return TripletSet(triplets, weights, n_items)
    if weights is not None:
        raise ValueError("weights must be given to the TripletSet, not beside it")
    if n_items is not None and triplets.n_items > n_items:
        raise ValueError(f"triplets name {triplets.n_items} items, but there are {n_items}")
    return triplets


def check_triplets(triplets, n_items=None):
    """Return triplets as an integer array (T, 3) of rows of three different items."""
    triplets = as_array(getattr(triplets, "triplets", triplets), "triplets")
    if triplets.ndim != 2 or triplets.shape[1] != 3 or not len(triplets):
        raise ValueError(f"triplets must be rows of three items, got shape {triplets.shape}")
    if triplets.dtype.kind not in "iu":
        raise TypeError(
            f"triplets must be integers, got dtype {triplets.dtype}; number items from 0"
        )
    most = np.iinfo(np.int32).max if n_items is None else check_count(n_items, "n_items", 3) - 1
    low, high = int(triplets.min()), int(triplets.max())
    if low < 0 or high > most:
        wrong = low if low < 0 else high
        row = int(np.flatnonzero((triplets == wrong).any(axis=1))[0])
        raise ValueError(f"triplets must name items 0 to {most}, but row {row} names {wrong}")
    bad = np.flatnonzero(degenerate(triplets))
    if len(bad):
        raise ValueError(
            f"triplets must name three different items, but {len(bad)} do not "
            f"(the first is row {bad[0]}, {tuple(triplets[bad[0]].tolist())})"
        )
    return triplets


def degenerate(triplets):
    """Which triplets name an item twice: a (T,) bool array."""
    i, j, k = np.asarray(triplets).T
    return (i == j) | (i == k) | (j == k)


def check_weights(weights, n):
    """Return weights as a (T,) float64 array, none negative, not all zero."""
    weights = np.asarray(check_finite(weights, "weights"), dtype=float)
    if weights.shape != (n,):
        raise ValueError(f"weights must have one entry per triplet, ({n},), got {weights.shape}")
    if (weights < 0).any() or not weights.any():
        raise ValueError("weights must not be negative, nor all zero")
    return weights


def reverse_triplets(triplets, fraction, rng):
    """Turn (i, j, k) into (i, k, j) for a random fraction of the triplets: noise. t-ETE Sec. 7.2.

    Of triplets, (T, 3), it returns a copy in the same order, in which the nearest whole number to
    ``fraction``, in [0, 1], of them is reversed.
    """
    triplets, rng = np.array(check_triplets(triplets)), check_generator(rng)
    if not 0 <= check_real(fraction, "fraction") <= 1:
        raise ValueError(f"fraction must be between 0 and 1, got {fraction!r}")
    rows = rng.permutation(len(triplets))[: round(fraction * len(triplets))]
    triplets[rows] = triplets[rows][:, [0, 2, 1]]
    return triplets


def split_folds(triplets, n_folds, rng):
    """Split triplets, (T, 3), at random into 2 to T folds that differ in size by at most one.

    Returns a list of (train, test), arrays of triplets in their given order.
    """
    from sklearn.model_selection import KFold

    triplets, rng = check_triplets(triplets), check_generator(rng)
    if check_count(n_folds, "n_folds", 2) > len(triplets):
        raise ValueError(
            f"n_folds = {n_folds} splits need as many triplets, but there are {len(triplets)}"
        )
    seed = int(rng.integers(2**31))
    folds = KFold(n_folds, shuffle=True, random_state=seed)
    return [(triplets[train], triplets[test]) for train, test in folds.split(triplets)]


def fraction_satisfied(Y, triplets, weights=None):
    """Share of the triplets with |y_i - y_j| < |y_i - y_k|. t-ETE Eq. (1).

    Y is (n, d), the triplets (T, 3), and weights, if given, (T,). 0.5 is chance. Ties are not
    satisfied.
    """
    near, far = near_and_far(Y, triplets)
    if weights is not None:
        weights = check_weights(weights, len(near))
    return float(np.average(near < far, weights=weights))


def contradictions(triplets):
    """Which triplets (i, j, k) have their reverse (i, k, j) in the set too: a (T,) bool array."""
    triplets = check_triplets(triplets).astype(np.int64)
    n = int(triplets.max()) + 1
    i, j, k = triplets.T
    # Pairs are numbered anew: a number made of all three items would overflow.
    _, pairs = np.unique(np.concatenate([i * n + j, i * n + k]), return_inverse=True)
    of_j, of_k = np.split(pairs, 2)
    return np.isin(of_j * n + k, of_k * n + j)


def near_and_far(Y, triplets, name="Y"):
    """Squared distances |y_i - y_j|² and |y_i - y_k|² of each triplet, two (T,) float64 arrays."""
    Y = check_points(Y, name, min_points=3)
    triplets = check_triplets(triplets, len(Y))
    near, far = np.empty((2, len(triplets)))
    block = max(1, 2**22 // Y.shape[1])  # rows whose differences are held at a time
    for rows in gen_batches(len(triplets), block):
        i, j, k = triplets[rows].T
        near[rows], far[rows] = (((Y[i] - Y[other]) ** 2).sum(axis=1) for other in (j, k))
    return near, far
