"""t-Exponential Triplet Embedding: deformed logarithm and exponential, the loss, its weights."""

import numpy as np

from repro._check import check_count, check_points, check_real
from repro.neighbors import k_nearest
from repro.outliers import local_scales
from repro.ranking import Ranking, ranking_loss
from repro.triplets import check_triplets


def log_t(x, t):
    """Deformed logarithm: (x^(1-t) - 1) / (1 - t), and log x for t = 1. t-ETE Eq. (3).

    Parameters
    ----------
    x : array
        Not negative.
    t : float
        The temperature, of any size; the paper takes 0 < t < 2 but uses 2 as well. For t > 1 the
        values stay below 1/(t - 1).

    Returns
    -------
    y : float64 array of the shape of x
        -inf at 0 if t >= 1. Near t = 1 it loses no digits.
    """
    with np.errstate(divide="ignore"):
        log_x = np.log(np.asarray(x, dtype=float))
    if t == 1:
        return log_x
    with np.errstate(over="ignore"):
        return np.expm1((1 - t) * log_x) / (1 - t)


def exp_t(x, t):
    """Deformed exponential, the inverse of log_t: [1 + (1-t) x]_+^(1/(1-t)). t-ETE Eq. (4).

    Parameters
    ----------
    x : array
    t : float
        The temperature. exp_t(-x) falls like x^(-1/(t-1)) for t > 1, slower than e^-x.

    Returns
    -------
    y : float64 array of the shape of x
        0 where t < 1 and x <= -1/(1-t); infinite where t > 1 and x >= 1/(t-1).
    """
    x = np.asarray(x, dtype=float)
    if t == 1:
        return np.exp(x)
    with np.errstate(divide="ignore", over="ignore"):
        return np.exp(np.log1p(np.maximum(-1.0, (1 - t) * x)) / (1 - t))


def robust_transformation(loss, t):
    """ρ_t(ℓ) = log_t(1 + ℓ), capped at 1/(t-1); log(1 + ℓ) for t = 1. t-ETE Eqs. (5), (6).

    Parameters
    ----------
    loss : array
        Not negative.
    t : float

    Returns
    -------
    rho : float64 array of the shape of loss
        Never negative, 0 at 0.
    """
    r = np.log1p(np.asarray(loss, dtype=float))
    return r if t == 1 else np.expm1((1 - t) * r) / (1 - t)


def forgetting_factor(loss, t):
    """(1 + ℓ)^-t: what is left of a triplet's pull when it is far from satisfied. t-ETE Eq. (9)."""
    return (1 + np.asarray(loss, dtype=float)) ** -t


def triplet_ratio(Y, triplets, t_prime=2.0):
    """Return ℓ = exp_t'(-|y_i - y_k|²) / exp_t'(-|y_i - y_j|²) of each triplet. t-ETE Eq. (7).

    Parameters
    ----------
    Y : (n, d) array
    triplets : (T, 3) integer array
    t_prime : float in [1, 2]

    Returns
    -------
    ratio : (T,) float64 array
        Below 1 where the triplet is satisfied.
    """
    near, far = _distances(Y, triplets)
    with np.errstate(over="ignore"):
        return np.exp(_log_ratio(near, far, check_temperature(t_prime, "t_prime")))


def satisfaction_probability(Y, triplets, t_prime=2.0):
    """Return p = 1 / (1 + ℓ), the probability that a triplet is satisfied. t-ETE Eqs. (10), (11).

    The sum of its logarithms, which Eq. (10) maximises, is minus the loss of Eq. (8) with t = 1.

    Parameters
    ----------
    Y, triplets, t_prime
        See `triplet_ratio`.

    Returns
    -------
    p : (T,) float64 array
    """
    return 1 / (1 + triplet_ratio(Y, triplets, t_prime))


def tete_loss(Y, triplets, t=2.0, t_prime=None, weights=None, backend=None):
    """Σ ω log_t(1 + ℓ) over the triplets, and its gradient. t-ETE Eqs. (2), (7)–(9), (12).

    Parameters
    ----------
    Y : (n, d) array
        The points.
    triplets : (T, 3) integer array or TripletSet
        Rows (i, j, k): i is more similar to j than to k. Wrap an array once in `TripletSet` when
        calling more than once.
    t : float in [1, 2]
        Caps the loss of a triplet at 1/(t - 1); t = 1 does not cap it.
    t_prime : float in [1, 2], optional
        Weight of the tails of the kernel exp_t'(-|y_i - y_j|²). Default: t.
    weights : (T,) array, optional
        ω, not negative; all 1 if not given (Eq. (8)).
    backend : {"numba", "numpy"}, optional
        See `repro.baselines.gnmds_loss`.

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array

    Raises
    ------
    ValueError, TypeError
        If an argument is not finite, of a wrong shape or out of range, or a triplet degenerate.
    """
    return ranking_loss(Y, triplets, weights, tete(t, t_prime), backend)


def tete(t, t_prime=None):
    """Return the loss of t-ETE for one triplet; its slopes are those of Eq. (9)."""
    t = check_temperature(t, "t")
    t_prime = t if t_prime is None else check_temperature(t_prime, "t_prime")
    c = t_prime - 1

    def formula(near, far):
        log_ratio = _log_ratio(near, far, t_prime)
        r = np.logaddexp(0.0, log_ratio)  # log(1 + ℓ), without overflow
        slope = np.exp(log_ratio - t * r)  # ℓ (1 + ℓ)^-t
        loss = r if t == 1 else np.expm1((1 - t) * r) / (1 - t)
        return loss, slope / (1 + c * near), -slope / (1 + c * far)

    return Ranking(formula, {"c": c, "s": 1.0, "t": t})


def _log_ratio(near, far, t_prime):
    """Log of Eq. (7)."""
    c = t_prime - 1
    if c == 0:
        return near - far
    return (np.log1p(c * near) - np.log1p(c * far)) / c


def _distances(Y, triplets, name="Y"):
    Y = check_points(Y, name, min_points=3)
    triplets = check_triplets(triplets, len(Y))
    near, far = np.empty((2, len(triplets)))
    block = max(1, 2**22 // Y.shape[1])  # rows whose differences are held at a time
    for start in range(0, len(triplets), block):
        rows = slice(start, start + block)
        i, j, k = triplets[rows].T
        with np.errstate(over="ignore"):
            near[rows], far[rows] = (((Y[i] - Y[other]) ** 2).sum(axis=1) for other in (j, k))
    if not (np.isfinite(near).all() and np.isfinite(far).all()):
        raise ValueError(f"{name} is too large: its squared distances overflow")
    return near, far


def check_temperature(t, name):
    """Return a temperature between 1 and 2."""
    t = check_real(t, name)
    if not 1 <= t <= 2:
        raise ValueError(f"{name} must be between 1 and 2, got {t}")
    return t


def authors_temperature(n_components):
    """Return the t = t' of the authors' code, min(1.45 + 1.1/d, 2): 2 in two dimensions.

    The paper says of Fig. 3 that t is smaller in more dimensions, and does not say how.
    """
    return min(1.45 + 1.1 / n_components, 2.0)


def log_triplet_weights(X, triplets, n_neighbors=10):
    """Log of ω = e^(-|x_i - x_j|² / σ_i σ_j) / e^(-|x_i - x_k|² / σ_i σ_k). t-ETE Eq. (13).

    Parameters
    ----------
    X : (n, D) array
    triplets : (T, 3) integer array
    n_neighbors : int
        σ_i is the distance of i to so many-th nearest neighbour; where that is 0, to the nearest
        point that is not in the same place.

    Returns
    -------
    log_weights : (T,) float64 array
        ω itself overflows for ordinary data.

    Raises
    ------
    ValueError
        If there are too few points, or all are in one place.
    """
    near, far = _distances(X, triplets, "X")
    sigma = _neighbor_distances(check_points(X, "X"), check_count(n_neighbors, "n_neighbors"))
    i, j, k = np.asarray(triplets).T
    return far / (sigma[i] * sigma[k]) - near / (sigma[i] * sigma[j])


def triplet_weights(X, triplets, n_neighbors=10, bias=0.01):
    """Weights of triplets: those of Eq. (13) over the largest, plus a bias. t-ETE Sec. 6.

    Parameters
    ----------
    X, triplets, n_neighbors
        See `log_triplet_weights`.
    bias : float
        γ, not negative.

    Returns
    -------
    weights : (T,) float64 array
        Between γ and 1 + γ.
    """
    if check_real(bias, "bias") < 0:
        raise ValueError(f"bias must not be negative, got {bias}")
    log_weights = log_triplet_weights(X, triplets, n_neighbors)
    return np.exp(log_weights - log_weights.max()) + bias


def _neighbor_distances(X, k):
    if k >= len(X):
        raise ValueError(f"n_neighbors must be below the number of points, {len(X)}")
    return local_scales(X, k_nearest(X, k, "exact")[1], k)
