"""Weighted t-ETE: dimensionality reduction from triplets of data. t-ETE Sec. 6, Algorithm 1."""

from dataclasses import KW_ONLY
from functools import partial

import numpy as np
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from repro.core import optimize
from repro.core.checks import check_choice, check_count, check_not_negative
from repro.core.distances import row_squared_distances
from repro.core.estimator import (
    DescentEstimator,
    EmbeddingTransformer,
    all_or_nothing,
    as_estimator,
)
from repro.core.memory import check_memory
from repro.core.scaled_conjugate import ScaledConjugateSearch
from repro.tete.groups import NeighborTriplets, neighbors_loss
from repro.tete.losses import TripletLoss, authors_steps, losses_and_slopes
from repro.tete.sampling import outliers_of_each
from repro.tete.weights import near_items, neighbors_of_new

# New points: number placed at a time, and number of steps.
BLOCK, STEPS_OF_NEW_POINTS = 256, 40
# Number of points whose triplet weights are computed at a time.
ROWS = 4096


@as_estimator
class NeighborTETE(EmbeddingTransformer, DescentEstimator):
    """Base class of t-ETE for data; it also places new points, through its method ``_placed``.

    Parameters
    ----------
    n_neighbors : int
        m, the number of nearest neighbours used as near items of a point; at most half of the
        other points are used.
    neighbors : {"auto", "exact", "approximate"}
        Search method, see `repro.core.neighbors.k_nearest`.

    Attributes
    ----------
    scales_ : (n,) float64 array
        The scale σ of each point, for Eq. (13).
    """

    _: KW_ONLY
    neighbors: str = "auto"
    backend: str | None = None

    _dtype = float  # dtype of the data

    @np.errstate(under="ignore")
    def transform(self, X):
        """Place new points, (q, D), by their triplets with the points of the fit, which stay fixed.

        Return places, (q, d), where the loss of each point's triplets is low, found by scaled
        conjugate gradients from the mean of its three nearest neighbours. The outliers are drawn
        with a fixed seed, so each call returns the same.
        """
        check_is_fitted(self)
        X = self._checked(X, dtype=self._dtype, reset=False)
        return np.concatenate([self._placed(X[at]) for at in gen_batches(len(X), BLOCK)])


@as_estimator
class WeightedTETE(NeighborTETE):
    """Weighted t-ETE for dimensionality reduction. t-ETE Sec. 6, Algorithm 1.

    Parameters
    ----------
    n_outliers : int, optional
        Outliers per neighbour. Default: as many as neighbours, n m² triplets, as in Sec. 6;
        Algorithm 1 as printed has 1.
    t, t_prime : float in [1, 2]
        Temperatures; ``t_prime=None`` means t.
    weighting : {"exponential", "none"}
        ω of Eq. (13), with σ_i the distance of i to its tenth nearest neighbour; or no weights.
    bias : float
        γ, added to the weights after division by the largest.
    init_scale : float
        Standard deviation of the start along its widest axis; √(10⁻³) in Algorithm 1.
    optimizer : {"gd", "l-bfgs", "cg", "scg", "momentum"}
        Gradient descent with an adaptive step, as in `repro.TripletEmbedding`; or another. A step
        of L-BFGS takes the same time; on a Swiss roll, COIL-20 and MNIST it needed a fifth of the
        steps to reach the loss of gradient descent after 500.

    Attributes
    ----------
    groups_ : repro.tete.groups.NeighborTriplets
        The triplets and their weights; ``triplets_`` gives them as a `repro.TripletSet`.
    n_neighbors_ : int
        The number of near items used.
    X_fit_ : (n, D) float64 array
    loss_ : float
        The weighted sum over triplets at the embedding.
    """

    _random_scale = 10**-1.5

    n_components: int = 2
    _: KW_ONLY
    n_neighbors: int = 20
    n_outliers: int | None = None
    t: float = 2.0
    t_prime: float | None = None
    weighting: str = "exponential"
    bias: float = 0.01
    init: object = "random"
    init_scale: float | None = 10**-1.5
    optimizer: str = "gd"
    max_iter: int = 500

    @all_or_nothing
    def fit(self, X, y=None):
        """Embed the rows of X, (n, D), at least four, which must not all coincide."""
        # A copy, which is kept for transform.
        X = self._checked(X, dtype=self._dtype, ensure_min_samples=4, copy=True)
        rng, n = optimize.as_generator(self.random_state), len(X)
        *near, self.scales_ = near_items(X, self.n_neighbors, self.neighbors, rng)
        self.X_fit_, self.n_neighbors_ = X, near[0].shape[1]
        of_each = self.n_neighbors_ * self._outliers()
        check_memory(n, 3, "fewer n_neighbors or n_outliers need less", columns=of_each)
        far = outliers_of_each(near[0], n, self._outliers(), rng, np.arange(n))
        self.groups_ = NeighborTriplets(near[0], far, *self._rows_of_weights(X, near, far))
        loss = TripletLoss.tete(self.t, self.t_prime)
        options = self.n_components, self._choose_backend(), loss
        objective = neighbors_loss(self.groups_, *options)
        start = self._start(X)
        # A random start is drawn after the outliers, from the same generator.
        start = self._random_start(n, rng) if start is None else start
        unit = optimize.unit_of(self.groups_.total_weight / far.size)
        steps = authors_steps(self.optimizer, n, self.groups_)
        return self._set_results(self._descend([objective], n, start, unit=unit, **steps))

    @property
    def triplets_(self):
        """The triplets and their weights, made on each access to save memory."""
        return self.groups_.to_triplets()

    def _placed(self, X):
        n, m, rng = len(self.X_fit_), self.n_neighbors_, np.random.default_rng(0)
        neighbors, D2, scales = neighbors_of_new(X, self.X_fit_, self.scales_, m)
        near = neighbors[:, :m]
        far = outliers_of_each(near, n, self._outliers(), rng)
        weights = self._weights(self._log_weights(X, scales, near, D2[:, :m], far))
        j, k = np.tile(near, far.shape[1]), far.reshape(len(X), -1)
        loss = TripletLoss.tete(self.t, self.t_prime)
        return place(self.embedding_, neighbors, j, k, weights.reshape(len(X), -1), loss)

    def _outliers(self):
        if self.n_outliers is None:
            return self.n_neighbors_
        return check_count(self.n_outliers, "n_outliers")

    def _rows_of_weights(self, X, near, far):
        """Compute rows of weights of the fit's triplets, and the row index of each point.

        To save memory, points whose weights all equal the bias, most under Eq. (13), share a row.
        """
        bias, shape = check_not_negative(self.bias, "bias"), far.shape[1:]
        check_choice(self.weighting, "weighting", ("exponential", "none"))
        which, self._log_weight = np.zeros(len(X), np.int32), 0.0
        if self.weighting == "none":
            return np.full((1, *shape), 1 + bias), which
        kept, self._log_weight = [np.full((1, *shape), -np.inf)], -np.inf
        for at in gen_batches(len(X), ROWS):
            log_weights = self._log_weights(
                X[at], self.scales_[at], near[0][at], near[1][at], far[at]
            )
            self._log_weight = max(self._log_weight, log_weights.max())
            differ = self._weights(log_weights.copy()).max(axis=(1, 2)) > bias
            which[at.start + np.flatnonzero(differ)] = 1
            kept.append(log_weights[differ])
        which[which > 0] = np.arange(1, 1 + which.sum())
        return self._weights(np.concatenate(kept)), which

    def _log_weights(self, X, scales, neighbors, D2, far):
        """Return the log of ω of Eq. (13) for the triplets of each row."""
        if self.weighting == "none":
            return np.zeros(far.shape)
        rows = far.reshape(len(X), -1)
        ratios = row_squared_distances(X, self.X_fit_, rows) / (
            scales[:, None] * self.scales_[rows]
        )
        log_weights = ratios.reshape(far.shape)
        log_weights -= (D2 / (scales[:, None] * self.scales_[neighbors]))[:, None, :]
        return log_weights

    def _weights(self, log_weights):
        """Turn log-weights, in place, into weights over the fit's largest one, plus the bias γ."""
        log_weights -= self._log_weight
        np.exp(np.minimum(log_weights, 0.0, out=log_weights), out=log_weights)
        log_weights += check_not_negative(self.bias, "bias")
        return log_weights


def place(embedding, neighbors, near, far, weights, loss):
    """Place new points, (q, d), each by its own triplets: near, far and weights, all (q, T)."""
    mean = weights.mean(axis=1, keepdims=True)
    weights = weights / optimize.unit_of(np.where(mean > 0, mean, 1.0))
    f = partial(_loss_of_each, items=(embedding[near], embedding[far]), weights=weights, loss=loss)
    start = embedding[neighbors[:, :3]].mean(axis=1)
    search = ScaledConjugateSearch(start, *f(start))
    for _ in range(STEPS_OF_NEW_POINTS):
        search.step(f)
    return search.x


def _loss_of_each(Y, items, weights, loss):
    """Compute each new point's loss over its own triplets, (q,), and gradient."""
    to_near, to_far = (Y[:, None] - of_triplets for of_triplets in items)
    near, far = (to_near**2).sum(axis=2), (to_far**2).sum(axis=2)
    losses, by_near, by_far = losses_and_slopes(near, far, loss)
    forces = (weights * by_near)[..., None] * to_near
    forces += (weights * by_far)[..., None] * to_far
    return (weights * losses).sum(axis=1), 2 * forces.sum(axis=1)
