"""Groups of triplets, one per point, whose near items share outliers or have their own.

t-ETE Sec. 6.
"""

from dataclasses import dataclass

import numpy as np

from repro.core.distances import row_squared_distances
from repro.kernels.threads import in_ranges
from repro.tete.losses import TripletLoss, triplets_numpy, triplets_value_and_gradient
from repro.tete.sampling import draw_outliers, one_by_one
from repro.tete.triplets import TripletSet

# Largest weight relative to the first quartile, and number of weights sampled for the quartile.
MOST, SAMPLE = np.float32(1e3), 100_000
# Median weight of the triplets of local outliers, the largest that costs no trustworthiness on
# digits; and number of draws to find one.
LOCAL_WEIGHT, DRAWS = np.float32(0.3), 4


@dataclass(frozen=True)
class TripletGroups:
    """Near items and outliers of each point, all pairs of which form triplets.

    ``near``, (n, m) int32, and ``far``, (n, r) int32, are indices; ``weights``, (n, m, r) float32,
    those of the triplets (i, near, far). Outliers 1 and 2, 3 and 4, …, the nearer one first, form
    triplets too, each of the weight ``outlier_weight``.
    """

    near: np.ndarray
    far: np.ndarray
    weights: np.ndarray
    outlier_weight: float = 0.0

    def to_triplets(self):
        """Return all triplets, one by one, as a `repro.TripletSet`."""
        n, _, r = self.weights.shape
        own = np.arange(n)
        triplets, weights = one_by_one(own, self.near, self.far[:, None, :]), self.weights.ravel()
        if self.outlier_weight:
            nearer, farther = self.far[:, 0 : r - r % 2 : 2], self.far[:, 1::2]
            pairs = one_by_one(own, nearer, farther[:, :, None])
            triplets = np.concatenate([triplets, pairs])
            weights = np.concatenate([weights, np.full(len(pairs), self.outlier_weight)])
        return TripletSet(triplets, weights, n, copy=False)


@dataclass(frozen=True)
class NeighborTriplets:
    """Triplets of each point, its near items, and the outliers of each near item.

    ``near``, (n, m) int32, and ``far``, (n, r, m) int32, r per near item, are indices; ``weights``
    is (u, r, m) float64, of which point i has the row ``which[i]``, (n,) int32.
    """

    near: np.ndarray
    far: np.ndarray
    weights: np.ndarray
    which: np.ndarray

    @property
    def n_items(self):
        """Number of points."""
        return len(self.near)

    @property
    def total_weight(self):
        """Σ ω over all triplets."""
        return float(self.weights.sum(axis=(1, 2))[self.which].sum())

    def to_triplets(self):
        """Return all triplets, one by one, as a `repro.TripletSet`, sorted by i, then by j."""
        own = np.arange(self.n_items)
        triplets = one_by_one(own, self.near, self.far.transpose(0, 2, 1))
        weights = self.weights.transpose(0, 2, 1)[self.which].ravel()
        return TripletSet(triplets, weights, self.n_items, copy=False)


def soft_weights(Z, near, far, scales, n_local=0):
    """Compute weights log(1 + ω) of grouped triplets, divided by their mean. t-ETE Eq. (13).

    ``near`` holds the near items of the points Z and their squared distances, both (n, m); ``far``,
    (n, r), the outliers. Return (n, m, r) float32. Weights are capped at a thousand times their
    first quartile; otherwise a single point far from all others would dominate. Those of the first
    ``n_local`` outliers, which ω makes small, are scaled to the median `LOCAL_WEIGHT` instead.
    """
    neighbors, D2 = near
    W = np.empty((*neighbors.shape, far.shape[1]), np.float32)

    def weigh(start, stop):
        rows = slice(start, stop)
        own = Z[rows], scales[rows], neighbors[rows], D2[rows], far[rows]
        W[rows] = soft_ratios(*own, Z, scales)

    in_ranges(weigh, len(Z))
    local, others = W[:, :, :n_local], W[:, :, n_local:]
    every = 1 + W.size // SAMPLE
    some = others[::every]
    usual = np.quantile(some, 0.25) or np.quantile(some[some > 0], 0.25)  # weights may underflow
    np.minimum(others, MOST * usual, out=others)
    others /= others.mean(dtype=float)
    if n_local:
        local *= LOCAL_WEIGHT / np.median(local[::every])
        np.minimum(local, 5 * LOCAL_WEIGHT, out=local)
    return W


def soft_ratios(X, scales, near, D2, far, points, their_scales):
    """Compute log(1 + ω), float32 (q, m, r), for all pairs of near items and outliers of X (q, D).

    D2 holds squared distances to the near items, (q, m); ``near`` and ``far`` index ``points``.
    """
    pull = D2 / (scales[:, None] * their_scales[near])
    push = row_squared_distances(X, points, far) / (scales[:, None] * their_scales[far])
    return np.logaddexp(np.float32(0), (push[:, None, :] - pull[:, :, None]).astype(np.float32))


def outlier_pairs(Z, neighbors, n_outliers, rng, n_local=0):
    """Draw outliers of each point, in pairs of distinct ones with the nearer one first.

    They are drawn uniformly from Z, except the point itself and its neighbours, (n, m). The first
    ``n_local`` are instead neighbours of neighbours, where a few draws find one that is neither the
    point itself nor its neighbour. Return (n, n_outliers) int32.
    """
    (n, m), columns = neighbors.shape, []
    own = np.arange(n)
    for b in range(n_outliers):
        taken = np.column_stack([neighbors, columns[-1]]) if b % 2 else neighbors
        k = draw_outliers(taken, n, 1, rng, own)
        found = np.zeros((n, 1), bool)
        for _ in range(DRAWS if b < n_local else 0):
            via = neighbors[own, rng.integers(0, m, n)]
            around = neighbors[via, rng.integers(0, m, n)][:, None]
            free = (around != own[:, None]) & (around != taken).all(axis=1, keepdims=True)
            k = np.where(free & ~found, around, k)
            found |= free
        columns.append(k)
    far = np.hstack(columns)
    last = n_outliers - n_outliers % 2
    pairs = far[:, :last].reshape(n, -1, 2)
    D2 = row_squared_distances(Z, Z, far[:, :last]).reshape(pairs.shape)
    swap = D2[..., 0] > D2[..., 1]
    pairs[swap] = pairs[swap][:, ::-1]
    far[:, :last] = pairs.reshape(n, last)
    return far


def grouped_loss(groups, n_components, backend, t_prime=2.0):
    """Return the loss of t-ETE with t = 2 over TripletGroups, a function of Y. t-ETE Eq. (12)."""
    if backend == "numpy":
        triplets, loss = groups.to_triplets(), TripletLoss(c=t_prime - 1, s=1.0, t=2.0)
        return lambda Y: triplets_numpy(Y, triplets, loss)
    from repro.kernels import triplet_groups

    parts = np.empty((triplet_groups.CHUNKS, len(groups.near), n_components))
    read = groups.near, groups.far, groups.weights, parts, None, groups.outlier_weight, t_prime - 1
    return lambda Y: triplet_groups.group_sums(np.ascontiguousarray(Y), *read)


def neighbors_loss(groups, n_components, backend, loss):
    """Return a `TripletLoss` over NeighborTriplets; only t = t' = 2 has a loop of its own."""
    if backend == "numpy" or loss != TripletLoss.tete(2.0):
        triplets = groups.to_triplets()
        return lambda Y: triplets_value_and_gradient(Y, triplets, loss, backend)
    from repro.kernels import triplet_groups

    parts = np.empty((triplet_groups.CHUNKS, groups.n_items, n_components))
    far = groups.far.reshape(groups.n_items, -1)
    read = groups.near, far, groups.weights, parts, groups.which
    return lambda Y: triplet_groups.group_sums(np.ascontiguousarray(Y), *read)
