"""What t-ETE is compared with: GNMDS, CKL, STE and t-STE, all in coordinates."""

import numpy as np
from scipy.special import expit

from repro._check import check_outcome, check_positive, check_real
from repro.ranking import Ranking, ranking_loss


def gnmds_loss(Y, triplets, weights=None, penalty=0.0, backend=None):
    """Generalised non-metric multidimensional scaling: Σ max(0, 1 + near - far) + λ Σ |y_i|².

    Agarwal et al. (2007) minimise slack and the trace of the Gram matrix, which for centred points
    is Σ |y_i|²; here the points carry the problem instead of the matrix.

    Parameters
    ----------
    Y : (n, d) array
        The points.
    triplets : (T, 3) integer array or TripletSet
        Rows (i, j, k): i is more similar to j than to k.
    weights : (T,) array, optional
        Of the triplets, not negative.
    penalty : float
        The trade-off λ, not negative.
    backend : {"numba", "numpy"}, optional
        The compiled loop, or the same in a few lines of NumPy. Default: compiled, if numba is
        there. More than 16 dimensions are always left to NumPy.

    Returns
    -------
    loss : float
        The sum over triplets.
    gradient : (n, d) float64 array

    Raises
    ------
    ValueError, TypeError
        If an argument is not finite, of a wrong shape or out of range, or a triplet degenerate.
    """
    penalty = check_penalty(penalty)
    loss, gradient = ranking_loss(Y, triplets, weights, gnmds(), backend)
    Y = np.asarray(Y, dtype=float)
    with np.errstate(over="ignore"):
        return check_outcome(
            (loss + penalty * float((Y**2).sum()), gradient + 2 * penalty * Y), "Y"
        )


def gnmds():
    """Return the hinge of GNMDS for one triplet."""

    def formula(near, far):
        slack = np.maximum(0.0, 1 + near - far)
        on = (slack > 0).astype(float)
        return slack, on, -on

    return Ranking(formula, {"hinge": True})


def check_penalty(penalty):
    """Return a trade-off that is not negative."""
    penalty = check_real(penalty, "penalty")
    if penalty < 0:
        raise ValueError(f"penalty must not be negative, got {penalty}")
    return penalty


def ckl_loss(Y, triplets, weights=None, mu=0.05, backend=None):
    """Crowd kernel learning: -Σ log p with p = (μ + far) / (2 μ + near + far).

    Tamuz et al. (2011), in coordinates and without their constraint that all points have unit
    length. It is t-STE with α = 1 for the points Y / √μ: μ is nothing but a unit of length, but
    the size of a start and of the steps is measured in it.

    Parameters
    ----------
    Y, triplets, weights, backend
        See `gnmds_loss`.
    mu : float
        Positive, in squared units of Y.

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array
    """
    return ranking_loss(Y, triplets, weights, ckl(mu), backend)


def ckl(mu):
    """Return the loss of CKL for one triplet."""
    mu = check_positive(mu, "mu")

    def formula(near, far):
        p = (mu + far) / (2 * mu + near + far)
        return -np.log(p), (1 - p) / (mu + near), -(1 - p) / (mu + far)

    return Ranking(formula, {"c": 1 / mu, "s": 1 / mu})


def ste_loss(Y, triplets, weights=None, backend=None):
    """Stochastic triplet embedding: -Σ log p with p = e^-near / (e^-near + e^-far).

    van der Maaten and Weinberger (2012). The case t = t' = 1 of t-ETE.

    Parameters
    ----------
    Y, triplets, weights, backend
        See `gnmds_loss`.

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array
    """
    return ranking_loss(Y, triplets, weights, ste(), backend)


def ste():
    """Return the loss of STE for one triplet."""

    def formula(near, far):
        q = expit(near - far)  # 1 - p
        return np.logaddexp(0.0, near - far), q, -q

    return Ranking(formula, {"c": 0.0, "s": 1.0})


def tste_loss(Y, triplets, weights=None, alpha=1.0, backend=None):
    """t-distributed STE: -Σ log p with p from the kernel (1 + x/α)^(-(α + 1)/2).

    van der Maaten and Weinberger (2012). With α = 1 it is the case t = 1, t' = 2 of t-ETE.
    Other implementations default to α = d - 1; the t-ETE paper compares with α = 1.

    Parameters
    ----------
    Y, triplets, weights, backend
        See `gnmds_loss`.
    alpha : float
        Degrees of freedom, positive.

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array
    """
    return ranking_loss(Y, triplets, weights, tste(alpha), backend)


def tste(alpha):
    """Return the loss of t-STE for one triplet."""
    alpha = check_positive(alpha, "alpha")
    power = (alpha + 1) / 2

    def formula(near, far):
        log_ratio = power * (np.log1p(near / alpha) - np.log1p(far / alpha))
        q = power * expit(log_ratio)
        return np.logaddexp(0.0, log_ratio), q / (alpha + near), -q / (alpha + far)

    return Ranking(formula, {"c": 1 / alpha, "s": power / alpha})
