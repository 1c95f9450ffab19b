"""Triplets (i, j, k), "i is more similar to j than to k": check, reverse, split, count."""

from functools import cached_property

import numpy as np
from sklearn.utils import gen_batches

from repro.core.checks import (
    LARGEST,
    as_array,
    check_choice,
    check_count,
    check_finite,
    check_generator,
    check_points,
    check_real,
    check_size,
    classes_of,
    own,
)


class TripletSet:
    """Triplets with their weights, checked once and sorted by their first item for the loops.

    What takes an array of triplets takes a set as well: losses, fits and shares use its weights,
    and what returns triplets returns sets.

    Parameters
    ----------
    triplets : (T, 3) integer array or TripletSet
        Rows (i, j, k) of three different items, counted from 0.
    weights : (T,) array, optional
        Not negative. Default: those of the set, or all 1.
    n_items : int, optional
        Default: that of the set, or one more than the largest item.
    copy : bool
        Whether later changes of the arrays given are to change nothing here.
    """

    def __init__(self, triplets, weights=None, n_items=None, copy=True):
        if isinstance(triplets, TripletSet):
            weights = triplets.weights if weights is None else weights
            n_items = triplets.n_items if n_items is None else n_items
            triplets = triplets.triplets
        self.triplets = own(check_triplets(triplets, n_items), triplets, copy)
        self.n_items = int(self.triplets.max()) + 1 if n_items is None else int(n_items)
        self.weights = None
        if weights is not None:
            self.weights = own(check_weights(weights, len(self.triplets)), weights, copy)

    def __len__(self):
        return len(self.triplets)

    def take(self, rows):
        """Return the set of some of the triplets, with their weights, of the same items."""
        weights = None if self.weights is None else self.weights[rows]
        return TripletSet(self.triplets[rows], weights, self.n_items, copy=False)

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
        return TripletSet(triplets, weights, n_items, copy=False)
    if weights is not None:
        raise ValueError("weights must be given to the TripletSet, not beside it")
    if n_items is not None and triplets.n_items > check_count(n_items, "n_items", 3):
        raise ValueError(f"triplets name {triplets.n_items} items, but there are {n_items}")
    return triplets


def check_triplets(triplets, n_items=None):
    """Return triplets as an integer array (T, 3) of rows of three different items."""
    triplets = as_array(getattr(triplets, "triplets", triplets), "triplets")
    if triplets.ndim != 2 or triplets.shape[1] != 3 or not len(triplets):
        raise ValueError(f"triplets must be rows of three items, got shape {triplets.shape}")
    if triplets.dtype.kind not in "iu":
        if triplets.dtype.kind == "f":
            check_finite(triplets, "triplets")
        raise TypeError(
            f"triplets must be integers, got dtype {triplets.dtype}; number items from 0"
        )
    most = np.iinfo(np.int32).max if n_items is None else check_count(n_items, "n_items", 3) - 1
    low, high = int(triplets.min()), int(triplets.max())
    if low < 0 or high > most:
        wrong = low if low < 0 else high
        row = int(np.flatnonzero((triplets == wrong).any(axis=1))[0])
        hint = ", which is pandas' code of a missing value" if wrong == -1 else ""
        raise ValueError(f"triplets must name items 0 to {most}, but row {row} names {wrong}{hint}")
    bad = np.flatnonzero(degenerate(triplets))
    if len(bad):
        raise ValueError(
            f"triplets must name three different items, but {len(bad)} do not "
            f"(the first is row {bad[0]}, {tuple(triplets[bad[0]].tolist())})"
        )
    return triplets


def degenerate(triplets):
    """Which triplets name an item twice: a (T,) bool array."""
    i, j, k = np.asarray(getattr(triplets, "triplets", triplets)).T
    return (i == j) | (i == k) | (j == k)


def check_weights(weights, n):
    """Return weights as a (T,) float64 array, none negative, not all zero."""
    weights = check_size(check_finite(weights, "weights").astype(float), "weights")
    if weights.shape != (n,):
        raise ValueError(f"weights must have one entry per triplet, ({n},), got {weights.shape}")
    if (weights < 0).any() or not weights.max() > 1 / LARGEST:
        raise ValueError("weights must not be negative, nor all zero or next to it")
    return weights


def weights_of(triplets, weights, n):
    """Return the weights given beside n triplets, or those of a `TripletSet`; None if all are 1."""
    if isinstance(triplets, TripletSet):
        return as_triplet_set(triplets, weights).weights
    return None if weights is None else check_weights(weights, n)


def reverse_triplets(triplets, fraction, rng):
    """Turn (i, j, k) into (i, k, j) for a random fraction of the triplets: noise. t-ETE Sec. 7.2.

    Of triplets, (T, 3), it returns a copy in the same order, in which the nearest whole number to
    ``fraction``, in [0, 1], of them is reversed; of a `TripletSet` a set with the same weights.
    """
    turned, rng = np.array(check_triplets(triplets)), check_generator(rng)
    if not 0 <= check_real(fraction, "fraction") <= 1:
        raise ValueError(f"fraction must be between 0 and 1, got {fraction!r}")
    rows = rng.permutation(len(turned))[: round(fraction * len(turned))]
    turned[rows] = turned[rows][:, [0, 2, 1]]
    if isinstance(triplets, TripletSet):
        return TripletSet(turned, triplets.weights, triplets.n_items)
    return turned


def split_folds(triplets, n_folds, rng, groups="items"):
    """Split triplets at random into folds, for tests on triplets that a fit has not seen.

    Parameters
    ----------
    triplets : (T, 3) integer array or TripletSet
    n_folds : int
        At least 2, and at most as many as there are groups.
    rng : numpy.random.Generator
    groups : "items", (T,) array, or None
        Triplets of one group are kept in one fold: those about the same three items, since an
        answer "i is the odd one out" is two such triplets, and one of them tells much of the other;
        or those of one label, such as an annotator. None: each triplet stands alone, and folds
        differ in size by at most one.

    Returns
    -------
    folds : list of (train, test)
        Triplets in their given order, arrays or sets, as they came.
    """
    from sklearn.model_selection import GroupKFold, KFold

    rows, rng = check_triplets(triplets), check_generator(rng)
    if isinstance(groups, str):
        check_choice(groups, "groups", ("items",))
        groups = np.unique(np.sort(rows, axis=1), axis=0, return_inverse=True)[1].ravel()
    elif groups is not None:
        groups = classes_of(groups, len(rows), "groups")[1]
    n = len(rows) if groups is None else int(groups.max()) + 1
    if check_count(n_folds, "n_folds", 2) > n:
        kind = "triplets" if groups is None else "groups of them"
        raise ValueError(f"n_folds = {n_folds} splits need as many {kind}, but there are {n}")
    options = {"n_splits": n_folds, "shuffle": True, "random_state": int(rng.integers(2**31))}
    folds = KFold(**options) if groups is None else GroupKFold(**options)
    take = triplets.take if isinstance(triplets, TripletSet) else rows.__getitem__
    return [(take(train), take(test)) for train, test in folds.split(rows, groups=groups)]


def fraction_satisfied(Y, triplets, weights=None):
    """Share of the triplets with |y_i - y_j| < |y_i - y_k|, by weight. t-ETE Eq. (1).

    Y is (n, d), the triplets (T, 3), and weights, if given, (T,); those of a `TripletSet` count.
    0.5 is chance. Ties are not satisfied.
    """
    near, far = near_and_far(Y, triplets)
    return float(np.average(near < far, weights=weights_of(triplets, weights, len(near))))


def contradictions(triplets):
    """Which triplets (i, j, k) have their reverse (i, k, j) in the set too: a (T,) bool array.

    Weights play no part.
    """
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
