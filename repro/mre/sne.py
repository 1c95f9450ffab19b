"""Stochastic neighbor embedding: the case C = 1, R = I of Multiple Relational Embedding."""

from dataclasses import KW_ONLY
from functools import cached_property, partial

import numpy as np
from scipy.special import xlogy

from repro.core.backend import choose_backend
from repro.core.checks import (
    as_prepared,
    check_flag,
    check_outcome,
    check_points,
    check_positive,
    check_probabilities,
    copied_if_shared,
)
from repro.core.distances import near_origin, squared_distances_by
from repro.core.estimator import (
    DistanceEstimator,
    EmbeddingTransformer,
    all_or_nothing,
    as_estimator,
)
from repro.core.memory import check_memory
from repro.core.warn import warn_user
from repro.kernels.tiles import pack, to_tiles
from repro.mre.similarities import gaussian_rows, log_similarities, perplexity_rows

# Kernel sums below this have lost digits to underflow.
UNDERFLOW = 1e-290


class NeighborProbabilities:
    """Neighbour probabilities P, (n, n), with what a fit reuses precomputed.

    P is not negative, and its rows sum to 1; ``name`` is its name in error messages. Unless
    ``copy`` is False, later changes of P have no effect.
    """

    def __init__(self, P, name="P", copy=True):
        self.P = copied_if_shared(check_probabilities(P, name), P, copy)
        self.name = name
        if np.count_nonzero(self.P) == np.count_nonzero(self.P.diagonal()):
            raise ValueError(f"{name} must relate at least one pair of points")
        if self.P.diagonal().mean() > 1 - 1e-6:
            warn_user(f"{name} relates nearly every point to itself alone, and tells nothing")
        self.row_sums = self.P.sum(axis=1)

    def __len__(self):
        return len(self.P)

    @cached_property
    def has_self(self):
        """Whether a point is its own neighbour."""
        return bool(self.P.diagonal().any())

    @cached_property
    def negative_entropy(self):
        """Σ P log P."""
        return float(xlogy(self.P, self.P).sum())

    @cached_property
    def packed(self):
        """P + Pᵀ in tiles, for the compiled loops."""
        return pack(self.P + self.P.T)


def sne_loss(X, P, include_self=False, backend=None):
    """Compute the mean Kullback–Leibler divergence KL(P ‖ Q) of rows. MRE Eq. (4), C = 1, R = I.

    Parameters
    ----------
    X : (n, d) array
        The embedding.
    P : (n, n) array or NeighborProbabilities
        Neighbour probabilities in data space. For repeated calls, wrap an array once in
        `NeighborProbabilities`, since preparing it costs more than a call.
    include_self : bool
        Whether a point is among its own neighbours in Q. If not, the diagonal of P must be zero.
    backend : {"numba", "numpy"}, optional
        Code that computes the loss: compiled loops, the default, or a few lines of NumPy, which
        more than 16 dimensions always use.

    Returns
    -------
    loss : float
        (1/n) Σ_ij P_ij log(P_ij / Q_ij), in nats.
    gradient : (n, d) float64 array
    """
    X = check_points(X, "X", min_points=2)
    P = as_prepared(P, NeighborProbabilities, X, "X")
    check_self(P, include_self)
    backend = choose_backend(backend, X.shape[1])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return check_outcome(SNE_LOSSES[backend](X, P, include_self), "X")


def check_self(P, include_self):
    """Raise an error if a point is its own neighbour in P, but not in Q."""
    check_flag(include_self, "include_self")
    if P.has_self and not include_self:
        raise ValueError(
            f"{P.name} has entries on its diagonal: pass include_self=True, or set them to zero "
            "and normalise the rows again"
        )


def sne_numpy(X, P, include_self):
    """Compute the loss as in the paper, with the full matrices Q and W = P + Pᵀ - Q - Qᵀ."""
    n = len(X)
    log_Q = log_similarities(X, include_self)
    Q = P.row_sums[:, None] * np.exp(log_Q)  # the sums are 1 up to rounding
    X, W = near_origin(X), P.P + P.P.T - Q - Q.T
    gradient = (2 / n) * (W.sum(axis=1)[:, None] * X - W @ X)
    log_Q[P.P == 0] = 0.0  # 0 · log 0 = 0
    return (P.negative_entropy - (P.P * log_Q).sum()) / n, gradient


def sne_numba(X, P, include_self):
    """Compute -log Q_ij = |x_i - x_j|² + log Z_i in two sweeps: Z, then value and gradient."""
    from repro.kernels import sne_pairs

    n, tiles = len(X), to_tiles(X)
    Z = sne_pairs.kernel_sums(tiles, n)
    if include_self:
        Z += 1.0
    lost = np.flatnonzero(Z < UNDERFLOW) if Z.min() < UNDERFLOW else []
    if len(lost):
        Z[lost] = np.inf  # no repulsion by its own kernels
    value, force = sne_pairs.kernel_forces(tiles, n, P.packed, P.row_sums / Z)
    log_Z = np.log(Z)
    for i in lost:
        log_Z[i] = _add_far_point(X, i, P.row_sums[i], force)
    return (P.negative_entropy + value + P.row_sums @ log_Z) / n, (2 / n) * force


def _add_far_point(X, i, p_i, force):
    """Add the repulsion of a point whose kernels all underflow; return its log Z."""
    u = X[i] - X
    d = (u**2).sum(axis=1)
    d[i] = np.inf
    nearest = d.min()
    q = np.exp(nearest - d)
    total = q.sum()
    pull = (p_i * q / total)[:, None] * u
    force += pull
    force[i] -= pull.sum(axis=0)
    return np.log(total) - nearest


# `sne_loss` without checks, for optimisers.
SNE_LOSSES = {"numba": sne_numba, "numpy": sne_numpy}


@as_estimator
class SNE(EmbeddingTransformer, DistanceEstimator):
    """Stochastic neighbor embedding. MRE Sec. 2; Hinton & Roweis 2002.

    Parameters
    ----------
    sigma2 : float, optional
        The bandwidth of MRE Eq. (1), in squared units of the data. Default: one bandwidth per
        point, found from ``perplexity``.
    perplexity : float
        Effective number of neighbours if ``sigma2`` is None; at most (n - 1) / 3 is used.
    include_self : bool
        Whether a point counts among its own neighbours, in P and in Q.
    """

    n_components: int = 2
    _: KW_ONLY
    sigma2: float | None = None
    perplexity: float = 30.0
    include_self: bool = False
    n_init: int = 1
    backend: str | None = None

    _peak = 3, 7.2
    _cause = "sigma2 may be too large, or all distances may be nearly equal"

    @all_or_nothing
    def fit(self, X, y=None):
        """Embed the rows of X, (n, D), at least three; or distances, (n, n), see ``metric``."""
        X = self._checked(X, dtype=float, ensure_min_samples=3)
        backend = self._choose_backend()
        check_memory(len(X), self._n_matrices(), "FastTETE embeds as many points in far less")
        P = NeighborProbabilities(self._similarities(X), copy=False)
        check_self(P, self.include_self)

        objective = partial(SNE_LOSSES[backend], P=P, include_self=self.include_self)
        return self._set_results(self._descend([objective], len(X)))

    def _similarities(self, X):
        D2 = squared_distances_by(self.metric, X, "X")
        if self.sigma2 is None:
            perplexity = check_positive(self.perplexity, "perplexity")
            return perplexity_rows(D2=D2, perplexity=min(perplexity, max(1.0, (len(X) - 1) / 3)))
        sigma2 = check_positive(self.sigma2, "sigma2")
        return gaussian_rows(D2=D2, sigma2=sigma2, include_self=self.include_self)
