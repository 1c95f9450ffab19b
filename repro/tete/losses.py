"""Triplet losses: t-ETE, and the methods it is compared with, GNMDS, CKL, STE and t-STE.

With ℓ = κ(far) / κ(near) and the kernel κ(x) = (1 + c x)^(-s/c), which is e^(-s x) for c = 0, the
loss of a triplet is log_t(1 + ℓ). The family contains t-ETE, t-STE, STE and CKL; see `TripletLoss`.
GNMDS uses a hinge instead.
"""

from typing import NamedTuple

import numpy as np

from repro.core.backend import choose_backend
from repro.core.checks import check_not_negative, check_outcome, check_points, check_positive
from repro.tete.deformed import check_temperature, log_t_of_exp
from repro.tete.triplets import as_triplet_set, near_and_far


class TripletLoss(NamedTuple):
    """A loss of the family, given by c and s of the kernel and the temperature t, or ``hinge``."""

    c: float = 0.0
    s: float = 1.0
    t: float = 1.0
    hinge: bool = False

    @classmethod
    def tete(cls, t, t_prime=None):
        """Return t-ETE: log_t(1 + ℓ) with κ = exp_t'(-x). t-ETE Eqs. (7), (8)."""
        t = check_temperature(t, "t")
        t_prime = t if t_prime is None else check_temperature(t_prime, "t_prime")
        return cls(c=t_prime - 1, s=1.0, t=t)

    @classmethod
    def tste(cls, alpha):
        """Return t-STE: log(1 + ℓ) with Student's κ = (1 + x/α)^(-(α + 1)/2)."""
        alpha = check_positive(alpha, "alpha")
        return cls(c=1 / alpha, s=(alpha + 1) / 2 / alpha)

    @classmethod
    def ste(cls):
        """Return STE: log(1 + ℓ) with κ = e^-x."""
        return cls(c=0.0, s=1.0)

    @classmethod
    def ckl(cls, mu):
        """Return CKL: log(1 + ℓ) with κ = 1 / (1 + x/μ)."""
        mu = check_positive(mu, "mu")
        return cls(c=1 / mu, s=1 / mu)

    @classmethod
    def gnmds(cls):
        """Return GNMDS: max(0, 1 + near - far)."""
        return cls(hinge=True)


def losses_and_slopes(near, far, loss):
    """Compute the loss of each triplet and its derivatives in near and far. t-ETE Eqs. (7)–(9).

    ``near`` and ``far`` are |y_i - y_j|² and |y_i - y_k|², arrays of one shape, as are the results.
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
    """Compute log ℓ of each triplet. t-ETE Eq. (7)."""
    c, s = loss.c, loss.s
    return s * (near - far) if c == 0 else s * (np.log1p(c * near) - np.log1p(c * far)) / c


def sum_over_triplets(Y, triplets, weights, loss, backend=None):
    """Sum a loss and its gradient over triplets, with checks."""
    Y = check_points(Y, "Y", min_points=3)
    triplets = as_triplet_set(triplets, weights, len(Y))
    backend = choose_backend(backend, Y.shape[1])
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        return check_outcome(triplets_value_and_gradient(Y, triplets, loss, backend), "Y")


def triplets_value_and_gradient(Y, triplets, loss, backend):
    """Compute `sum_over_triplets` without checks, for optimisers."""
    if backend == "numba":
        from repro.kernels.triplets import triplet_sums

        return triplet_sums(Y, *triplets.columns, loss)
    return triplets_numpy(Y, triplets, loss)


def triplets_numpy(Y, triplets, loss):
    """Sum a loss over triplets in a few lines of NumPy."""
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
    """Return options of gradient descent as in the t-ETE authors' code; {} for other optimisers."""
    if str(optimizer) != "gd":
        return {}
    step = 2 * n_items / triplets.total_weight
    return {"step": step, "grow": 1.01, "shrink": 0.5, "keep_rises": True}


def tete_loss(Y, triplets, t=2.0, t_prime=None, weights=None, backend=None):
    """Compute Σ ω log_t(1 + ℓ) over triplets, and its gradient. t-ETE Eqs. (7)–(9), (12).

    Both temperatures are in [1, 2]: t bounds the loss of a triplet by 1/(t - 1), without bound for
    t = 1; t' sets the tails of the kernel exp_t'(-|y_i - y_j|²), and is t by default. Without
    weights ω, this is Eq. (8). For the other arguments see `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.tete(t, t_prime), backend)


def gnmds_loss(Y, triplets, weights=None, penalty=0.0, backend=None):
    """Compute the loss of generalised non-metric multidimensional scaling.

    Σ max(0, 1 + near - far) + λ Σ |y_i|². Agarwal et al. (2007) minimise slack and the trace of the
    Gram matrix, which is Σ |y_i|² for centred points; here the points are the variables instead.

    Parameters
    ----------
    Y : (n, d) array
        The embedding.
    triplets : (T, 3) integer array or TripletSet
        Rows (i, j, k): i is more similar to j than to k. For repeated calls, wrap an array once
        in `TripletSet`.
    weights : (T,) array, optional
        Weights of the triplets, not negative. Default: all 1.
    penalty : float
        The trade-off λ, not negative.
    backend : {"numba", "numpy"}, optional
        See `repro.sne_loss`.

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array
    """
    penalty = check_not_negative(penalty, "penalty")
    loss, gradient = sum_over_triplets(Y, triplets, weights, TripletLoss.gnmds(), backend)
    Y = np.asarray(Y, dtype=float)
    with np.errstate(over="ignore", under="ignore"):
        loss = loss + penalty * float((Y**2).sum())
        return check_outcome((loss, gradient + 2 * penalty * Y), "Y")


def ckl_loss(Y, triplets, weights=None, mu=0.05, backend=None):
    """Compute the loss of crowd kernel learning, -Σ log p, p = (μ + far) / (2 μ + near + far).

    Tamuz et al. (2011), in coordinates and without their constraint that all points have unit
    length. It is t-STE with α = 1 for the points Y / √μ: μ, positive and in squared units of Y, is
    only a squared unit of length, but the start and the steps scale with it. For the other
    arguments see `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.ckl(mu), backend)


def ste_loss(Y, triplets, weights=None, backend=None):
    """Compute the loss of STE, -Σ log p with p = e^-near / (e^-near + e^-far).

    Stochastic triplet embedding, van der Maaten and Weinberger (2012): the case t = t' = 1 of
    t-ETE. For the arguments see `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.ste(), backend)


def tste_loss(Y, triplets, weights=None, alpha=1.0, backend=None):
    """Compute the loss of t-STE, -Σ log p with p from the kernel (1 + x/α)^(-(α + 1)/2).

    van der Maaten and Weinberger (2012). α is positive; α = 1 is the case t = 1, t' = 2 of t-ETE.
    Other implementations default to α = d - 1, and `repro.TripletEmbedding` to max(1, d - 1); here
    as in the t-ETE paper's Sec. 5 it is 1. For the other arguments see `gnmds_loss`.
    """
    return sum_over_triplets(Y, triplets, weights, TripletLoss.tste(alpha), backend)


def triplet_ratio(Y, triplets, t_prime=2.0):
    """Return ℓ of each triplet, the terms of the sum in Eq. (2). t-ETE Eqs. (2), (7).

    ℓ = exp_t'(-|y_i - y_k|²) / exp_t'(-|y_i - y_j|²), (T,) float64, is below 1 for satisfied
    triplets. Weights of a TripletSet are ignored.
    """
    loss = TripletLoss.tete(1.0, check_temperature(t_prime, "t_prime"))
    near, far = near_and_far(Y, triplets)
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(log_ratios(near, far, loss))


def satisfaction_probability(Y, triplets, t_prime=2.0):
    """Return p = 1 / (1 + ℓ), the probability that a triplet is satisfied. t-ETE Eqs. (10), (11).

    Eq. (10) maximises Σ log p, which is minus the loss of Eq. (8) with t = 1. p is (T,) float64.
    """
    return 1 / (1 + triplet_ratio(Y, triplets, t_prime))
