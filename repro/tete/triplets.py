"""Triplets (i, j, k), "i is more similar to j than to k": check, reverse, split, count."""

from functools import cached_property
from numbers import Integral

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
    copied_if_shared,
    within_bounds,
)


class TripletSet:
    """Triplets with their weights, checked once and sorted by their first item for the loops.

    Functions that take an array of triplets also take a set. Losses, fits and fractions use its
    weights; functions that return triplets return a set. scikit-learn's splitters and searches take
    a set as well, and split its weights with it.

    Parameters
    ----------
    triplets : (T, 3) integer array or TripletSet
        Rows (i, j, k) of three different items, counted from 0.
    weights : (T,) array, optional
        Not negative. Default: those of the set, or all 1.
    n_items : int, optional
        Number of items. Default: that of the set, or the largest index plus one.
    copy : bool
        Unless False, later changes of the arrays have no effect.
    """

    def __init__(self, triplets, weights=None, n_items=None, copy=True):
        if isinstance(triplets, TripletSet):
            weights = triplets.weights if weights is None else weights
            n_items = triplets.n_items if n_items is None else n_items
            triplets = triplets.triplets
        self.triplets = copied_if_shared(check_triplets(triplets, n_items), triplets, copy)
        self.n_items = int(self.triplets.max()) + 1 if n_items is None else int(n_items)
        self.weights = None
        if weights is not None:
            checked = check_weights(weights, len(self.triplets))
            self.weights = copied_if_shared(checked, weights, copy)

    def __len__(self):
        return len(self.triplets)

    @property
    def shape(self):
        """(T, 3), which scikit-learn asks for to split a set."""
        return self.triplets.shape

    def __array__(self, dtype=None, copy=None):
        return np.array(self.triplets, dtype, copy=copy)

    def __getitem__(self, rows):
        if isinstance(rows, Integral):
            return self.triplets[rows]
        return self.take(rows[0] if isinstance(rows, tuple) else rows)

    def take(self, rows):
        """Return a set of the selected triplets with their weights and the same ``n_items``."""
        weights = None if self.weights is None else self.weights[rows]
        return TripletSet(self.triplets[rows], weights, self.n_items, copy=False)

    @property
    def total_weight(self):
        """Σ ω, or the number of triplets without weights."""
        return float(len(self) if self.weights is None else self.weights.sum())

    @cached_property
    def columns(self):
        """Items as uint32 and weights (empty if all are 1), sorted by i, for the loops."""
        first = self.triplets[:, 0]
        weights = np.empty(0) if self.weights is None else self.weights
        is_sorted = (first[1:] >= first[:-1]).all()
        order = slice(None) if is_sorted else np.argsort(first, kind="stable")
        columns = (_as_uint32(c[order]) for c in self.triplets.T)
        return *columns, weights[order] if len(weights) else weights


def _as_uint32(items):
    """Return non-negative items as uint32, for the loops; contiguous int32 is not copied."""
    items = np.ascontiguousarray(items)
    return items.view(np.uint32) if items.dtype == np.int32 else items.astype(np.uint32)


def as_triplet_set(triplets, weights=None, n_items=None):
    """Wrap an array as a `TripletSet`; return a set unchanged."""
    if not isinstance(triplets, TripletSet):
        return TripletSet(triplets, weights, n_items, copy=False)
    if weights is not None:
        raise ValueError("weights must be given to the TripletSet, not beside it")
    if n_items is not None and triplets.n_items > check_count(n_items, "n_items", 3):
        raise ValueError(f"triplets name {triplets.n_items} items, but there are {n_items}")
    return triplets


def check_triplets(triplets, n_items=None):
    """Return triplets as a (T, 3) integer array with three different items per row."""
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
    """Return which triplets contain an item twice, as a (T,) bool array."""
    i, j, k = np.asarray(getattr(triplets, "triplets", triplets)).T
    return (i == j) | (i == k) | (j == k)


def check_weights(weights, n):
    """Return weights as a (T,) float64 array, none negative, not all zero."""
    weights = check_finite(weights, "weights").astype(float)
    weights = within_bounds(check_size(weights, "weights"), "weights")
    if weights.shape != (n,):
        raise ValueError(f"weights must have one entry per triplet, ({n},), got {weights.shape}")
    if not weights.max() > 1 / LARGEST:
        raise ValueError("weights must not be all zero or next to it")
    return weights


def reverse_triplets(triplets, fraction, rng):
    """Turn (i, j, k) into (i, k, j) for a random fraction of the triplets: noise. t-ETE Sec. 7.2.

    Return a copy of the triplets, (T, 3), in the same order; for a `TripletSet`, a set with the
    same weights. The number of reversed triplets is rounded.
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
    """Split triplets at random into folds, a list of (train, test), arrays or sets like the input.

    Parameters
    ----------
    triplets : (T, 3) integer array or TripletSet
    n_folds : int
        At least 2, and at most as many as there are groups; more raise a ValueError.
    rng : numpy.random.Generator
    groups : "items", (T,) array, or None
        Triplets of one group stay in one fold. "items": triplets of the same three items, since an
        answer "i is the odd one out" gives two such triplets, which are not independent. Array: a
        label per triplet, such as the annotator. None: each triplet is its own group, and folds
        differ in size by at most one.
    """
    from sklearn.model_selection import GroupKFold, KFold

    rows, rng = check_triplets(triplets), check_generator(rng)
    if isinstance(groups, str):
        check_choice(groups, "groups", ("items",))
        groups = np.unique(np.sort(rows, axis=1), axis=0, return_inverse=True)[1].ravel()
    elif groups is not None:
        groups = classes_of(groups, len(rows), "groups")[1]
    options = {"n_splits": check_count(n_folds, "n_folds", 2), "shuffle": True}
    options["random_state"] = int(rng.integers(2**31))
    folds = KFold(**options) if groups is None else GroupKFold(**options)
    take = triplets.take if isinstance(triplets, TripletSet) else rows.__getitem__
    return [(take(train), take(test)) for train, test in folds.split(rows, groups=groups)]


def fraction_satisfied(Y, triplets, weights=None):
    """Return the weighted fraction of triplets with |y_i - y_j| < |y_i - y_k|. t-ETE Eq. (1).

    Y is (n, d), the triplets (T, 3), and weights (T,), by default 1; a `TripletSet` has its
    own, and takes none beside it.
    Chance level is 0.5. Ties count as violated.
    """
    triplets = as_triplet_set(triplets, weights)
    near, far = near_and_far(Y, triplets)
    return float(np.average(near < far, weights=triplets.weights))


def contradictions(triplets):
    """Return which triplets (i, j, k) also occur reversed, as (i, k, j): a (T,) bool array."""
    triplets = check_triplets(triplets).astype(np.int64)
    n = int(triplets.max()) + 1
    i, j, k = triplets.T
    # Renumber the pairs: one number for all three items would overflow.
    _, pairs = np.unique(np.concatenate([i * n + j, i * n + k]), return_inverse=True)
    of_j, of_k = np.split(pairs, 2)
    return np.isin(of_j * n + k, of_k * n + j)


def near_and_far(Y, triplets, name="Y"):
    """Compute |y_i - y_j|² and |y_i - y_k|² of each triplet, two (T,) float64 arrays."""
    Y = check_points(Y, name, min_points=3)
    triplets = check_triplets(triplets, len(Y))
    near, far = np.empty((2, len(triplets)))
    block = max(1, 2**22 // Y.shape[1])  # number of triplets processed at a time
    for rows in gen_batches(len(triplets), block):
        i, j, k = triplets[rows].T
        near[rows], far[rows] = (((Y[i] - Y[other]) ** 2).sum(axis=1) for other in (j, k))
    return near, far
