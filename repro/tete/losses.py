"""The losses of triplets: t-ETE, and what it is compared with, GNMDS, CKL, STE and t-STE.

With ℓ = κ(far) / κ(near) and the kernel κ(x) = (1 + c x)^(-s/c), which is e^(-s x) for c = 0, the
loss of a triplet is log_t(1 + ℓ): one family, of which t-ETE, t-STE, STE and CKL are members; see
`TripletLoss`. GNMDS has a hinge instead.
"""

from typing import NamedTuple

import numpy as np

from repro.core.backend import choose_backend
from repro.core.checks import check_not_negative, check_outcome, check_points, check_positive
from repro.tete.deformed import check_temperature, log_t_of_exp
from repro.tete.triplets import as_triplet_set, near_and_far


class TripletLoss(NamedTuple):
    """Which loss of the family: the kernel's c and s and the temperature t, or ``hinge``."""

    c: float = 0.0
    s: float = 1.0
    t: float = 1.0
    hinge: bool = False

    @classmethod
    def tete(cls, t, t_prime=None):
        """t-ETE: log_t(1 + ℓ) with κ = exp_t'(-x). t-ETE Eqs. (7), (8)."""
        t = check_temperature(t, "t")
        t_prime = t if t_prime is None else check_temperature(t_prime, "t_prime")
        return cls(c=t_prime - 1, s=1.0, t=t)

    @classmethod
    def tste(cls, alpha):
        """t-STE: log(1 + ℓ) with Student's κ = (1 + x/α)^(-(α + 1)/2)."""
        alpha = check_positive(alpha, "alpha")
        return cls(c=1 / alpha, s=(alpha + 1) / 2 / alpha)

    @classmethod
    def ste(cls):
        """STE: log(1 + ℓ) with κ = e^-x."""
        return cls(c=0.0, s=1.0)

    @classmethod
    def ckl(cls, mu):
        """CKL: log(1 + ℓ) with κ = 1 / (1 + x/μ)."""
        mu = check_positive(mu, "mu")
        return cls(c=1 / mu, s=1 / mu)

    @classmethod
    def gnmds(cls):
        """GNMDS: max(0, 1 + near - far)."""
        return cls(hinge=True)


def losses_and_slopes(near, far, loss):
    """Loss of each triplet, and its slopes by near and by far. t-ETE Eqs. (7)–(9).

    near and far, |y_i - y_j|² and |y_i - y_k|², are arrays of one shape, as all that is returned.
    """
    c, s, t, hinge = loss
    if hinge:
        slack = np.maximum(0.0, 1 + near - far)
        on = (slack > 0).astype(float)
        return slack, on, -on
    log_ratio = log_ratios(near, far, loss)
    r = np.logaddexp(0.0, log_ratio)  # log(1 + ℓ), without overflow
    slope = s * np.exp(log_ratio - t * r)  # s ℓ (1 + ℓ)^-t
    return log_t_of_exp(r, t), slope / (1 + c * near), -slope / (1 + c * far)


def log_ratios(near, far, loss):
    """Log ℓ of each triplet. t-ETE Eq. (7)."""
    c, s = loss.c, loss.s
    return s * (near - far) if c == 0 else s * (np.log1p(c * near) - np.log1p(c * far)) / c


def sum_over_triplets(Y, triplets, weights, loss, backend=None):
    """Sum a loss over triplets, and its gradient, with checks."""
    Y = check_points(Y, "Y", min_points=3)
    triplets = as_triplet_set(triplets, weights, len(Y))
    backend = choose_backend(backend, Y.shape[1])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return check_outcome(triplets_value_and_gradient(Y, triplets, loss, backend), "Y")


def triplets_value_and_gradient(Y, triplets, loss, backend):
    """`sum_over_triplets` without its checks: what an optimiser calls."""
    if backend == "numba":
        from repro.kernels.triplets import triplet_sums

        return triplet_sums(Y, *triplets.columns, loss)
    return triplets_numpy(Y, triplets, loss)


def triplets_numpy(Y, triplets, loss):
    """Sum a loss over triplets as written: by rows, and the forces added point by point."""
    i, j, k = triplets.triplets.T
    to_near, to_far = Y[i] - Y[j], Y[i] - Y[k]
    near, far = (to_near**2).sum(axis=1), (to_far**2).sum(axis=1)
    losses, by_near, by_far = losses_and_slopes(near, far, loss)
    if triplets.weights is not None:
        losses, by_near, by_far = (triplets.weights * x for x in (losses, by_near, by_far))
    pull, push = 2 * by_near[:, None] * to_near, 2 * by_far[:, None] * to_far
    gradient = np.zeros_like(Y)
    for items, force in ((i, pull + push), (j, -pull), (k, -push)):
        np.add.at(gradient, items, force)
    return float(losses.sum()), gradient


def authors_steps(optimizer, n_items, triplets):
    """Options of gradient descent as the t-ETE authors' code has them; none of other optimisers."""
    if optimizer != "gd":
        return {}
    step = 2 * n_items / triplets.total_weight
    return {"step": step, "grow": 1.01, "shrink": 0.5, "keep_rises": True}


def tete_loss(Y, triplets, t=2.0, t_prime=None, weights=None, backend=None):
    """Σ ω log_t(1 + ℓ) over the triplets, and its gradient. t-ETE Eqs. (2), (7)–(9), (12).

    Parameters
    ----------
    Y, triplets, backend
        See `gnmds_loss`.
    t : float in [1, 2]
        Caps the loss of a triplet at 1/(t - 1); t = 1 does not cap it.
    t_prime : float in [1, 2], optional
        Weight of the tails of the kernel exp_t'(-|y_i - y_j|²). Default: t.
    weights : (T,) array, optional
        ω, not negative; all 1 if not given (Eq. (8)).

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.tete(t, t_prime), backend)


def gnmds_loss(Y, triplets, weights=None, penalty=0.0, backend=None):
    """Generalised non-metric multidimensional scaling: Σ max(0, 1 + near - far) + λ Σ |y_i|².

    Agarwal et al. (2007) minimise slack and the trace of the Gram matrix, which for centred points
    is Σ |y_i|²; here the points carry the problem instead of the matrix.

    Parameters
    ----------
    Y : (n, d) array
        The points.
    triplets : (T, 3) integer array or TripletSet
        Rows (i, j, k): i is more similar to j than to k. Wrap an array once in `TripletSet` when
        calling more than once: checking and sorting it costs more than a call.
    weights : (T,) array, optional
        Of the triplets, not negative.
    penalty : float
        The trade-off λ, not negative.
    backend : {"numba", "numpy"}, optional
        See `repro.sne_loss`.

    Returns
    -------
    loss : float
        The sum over triplets.
    gradient : (n, d) float64 array
    """
    penalty = check_not_negative(penalty, "penalty")
    loss, gradient = sum_over_triplets(Y, triplets, weights, TripletLoss.gnmds(), backend)
    Y = np.asarray(Y, dtype=float)
    with np.errstate(over="ignore"):
        return check_outcome(
            (loss + penalty * float((Y**2).sum()), gradient + 2 * penalty * Y), "Y"
        )


def ckl_loss(Y, triplets, weights=None, mu=0.05, backend=None):
    """Crowd kernel learning: -Σ log p with p = (μ + far) / (2 μ + near + far).

    Tamuz et al. (2011), in coordinates and without their constraint that all points have unit
    length. It is t-STE with α = 1 for the points Y / √μ: μ, positive and in squared units of Y, is
    nothing but a unit of length, but the size of a start and of the steps is measured in it. For
    the rest see `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.ckl(mu), backend)


def ste_loss(Y, triplets, weights=None, backend=None):
    """Stochastic triplet embedding: -Σ log p with p = e^-near / (e^-near + e^-far).

    van der Maaten and Weinberger (2012). The case t = t' = 1 of t-ETE. For the arguments see
    `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.ste(), backend)


def tste_loss(Y, triplets, weights=None, alpha=1.0, backend=None):
    """t-distributed STE: -Σ log p with p from the kernel (1 + x/α)^(-(α + 1)/2).

    van der Maaten and Weinberger (2012). With α, positive, = 1 it is the case t = 1, t' = 2 of
    t-ETE. Other implementations, and `repro.TripletEmbedding`, default to α = d - 1; the t-ETE
    paper compares with α = 1. For the rest of the arguments see `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.tste(alpha), backend)


def triplet_ratio(Y, triplets, t_prime=2.0):
    """Return ℓ = exp_t'(-|y_i - y_k|²) / exp_t'(-|y_i - y_j|²) of each triplet. t-ETE Eq. (7).

    Y is (n, d), the triplets (T, 3), and t_prime in [1, 2]. ℓ, (T,) float64, is below 1 where the
    triplet is satisfied; weights of a `repro.TripletSet` play no part.
    """
    near, far = near_and_far(Y, triplets)
    with np.errstate(over="ignore"):
        return np.exp(log_ratios(near, far, TripletLoss.tete(1.0, t_prime)))


def satisfaction_probability(Y, triplets, t_prime=2.0):
    """Return p = 1 / (1 + ℓ), the probability that a triplet is satisfied. t-ETE Eqs. (10), (11).

    For the arguments see `triplet_ratio`; p is (T,) float64. The sum of its logarithms, which Eq.
    (10) maximises, is minus the loss of Eq. (8) with t = 1.
    """
    return 1 / (1 + triplet_ratio(Y, triplets, t_prime))
