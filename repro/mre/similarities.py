"""Similarities of the data and of the embedding. MRE Eqs. (1) and (2)."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import entr, logsumexp

from repro.core.checks import (
    check_finite,
    check_flag,
    check_outcome,
    check_points,
    check_positive,
    classes_of,
)
from repro.core.distances import given_distances
from repro.core.kernel_matrices import warn_of_bandwidth
from repro.core.memory import check_memory, row_blocks
from repro.core.warn import warn_user

# A bandwidth e^40 times smaller than this is still a normal number.
SMALLEST_SCALE = 1e-285
# Largest error of a row's entropy, in nats, and largest number of bisections to find it.
TOLERANCE, BISECTIONS = 1e-5, 64


@np.errstate(under="ignore")
def gaussian_rows(Y=None, sigma2=1.0, *, D2=None, include_self=False):
    """Compute Gaussian similarities, normalised over each row. MRE Eq. (1).

    Parameters
    ----------
    Y : (n, D) array, optional
        One data point per row.
    sigma2 : float or (n,) array
        The bandwidth σ², in squared units of Y; one for all rows, or one per row.
        There is no factor 2: P_ij ∝ exp(-|y_i - y_j|² / σ²).
    D2 : (n, n) array, optional
        Squared distances, instead of Y.
    include_self : bool
        Whether the sum over k includes the point itself, as in MRE's blocks of 1/30; standard
        stochastic neighbor embedding excludes it.

    Returns
    -------
    P : (n, n) float64 array
        Rows sum to 1; zero on the diagonal unless ``include_self``.
    """
    check_flag(include_self, "include_self")
    D2 = given_distances(Y, D2, min_points=2)
    sigma2 = check_finite(sigma2, "sigma2").astype(float)
    if sigma2.ndim > 1 or (sigma2.ndim == 1 and len(sigma2) != len(D2)):
        raise ValueError(
            f"sigma2 must be a number or have one entry per row, got shape {sigma2.shape}"
        )
    if not (sigma2 > 0).all():
        raise ValueError(f"sigma2 must be positive, its smallest entry is {sigma2.min():.3g}")
    warn_of_bandwidth(D2, sigma2, "sigma2")
    P = _normalised(D2 / -sigma2.reshape(-1, 1), include_self)
    if np.isnan(P[:, 0]).any():
        raise ValueError("sigma2 is too small: all squared distances over it overflow")
    return P


def embedding_similarities(X, include_self=False):
    """Compute the similarities Q of an embedding, normalised over each row. MRE Eq. (2).

    X is the embedding, (n, d), one point per row (the paper uses columns), and Q is (n, n) float64.
    ``include_self`` sets whether the sum over k includes the point itself.
    """
    X = check_points(X, "X", min_points=2)
    check_flag(include_self, "include_self")
    check_memory(len(X), 5)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        (Q,) = check_outcome([np.exp(log_similarities(X, include_self))], "X")
    return Q


def log_similarities(X, include_self):
    """Compute log Q, with -inf on the diagonal unless ``include_self``. MRE Eq. (2)."""
    log_Q = -cdist(X, X, "sqeuclidean")
    if not include_self:
        np.fill_diagonal(log_Q, -np.inf)
    return log_Q - logsumexp(log_Q, axis=1, keepdims=True)


def class_blocks(labels, include_self=True):
    """Turn classes into similarities: equal within a class, zero between classes. MRE Sec. 2.

    Parameters
    ----------
    labels : (n,) array
        The class of each point, of any type, none missing; -1 is a class like any other.
    include_self : bool
        Whether the point itself counts, as the paper's homogeneous blocks of 1/30 imply. If not,
        a class of one point is refused.

    Returns
    -------
    P : (n, n) float64 array
        Rows sum to 1.
    """
    check_flag(include_self, "include_self")
    kinds, classes = classes_of(labels)
    check_memory(len(classes), 1.2, instead="relations of fewer points, named by index, need less")
    same = classes[:, None] == classes
    if not include_self:
        np.fill_diagonal(same, False)
    sizes = same.sum(axis=1, keepdims=True)
    if (sizes == 0).any():
        alone = kinds[classes[sizes.argmin()]]
        raise ValueError(f"labels must name each class twice without self, but has one {alone!r}")
    return same / sizes


@np.errstate(under="ignore")
def perplexity_rows(Y=None, perplexity=30.0, *, D2=None):
    """Compute Gaussian similarities with one bandwidth per row, found from a perplexity.

    Stochastic neighbor embedding as published (Hinton & Roweis 2002, Sec. 2) requires rows of
    entropy log(perplexity), with a perplexity, the effective number of neighbours, between 1 and
    n - 1; MRE sets σ² by hand instead. Y, D2 and P are as in `gaussian_rows`. Entropies are
    accurate to 1e-5 nats, unless a warning reports points with more copies, or more nearest points
    at one distance, than ``perplexity``.
    """
    D2 = given_distances(Y, D2, min_points=2)
    n = len(D2)
    perplexity = check_positive(perplexity, "perplexity")
    if not 1 <= perplexity <= n - 1:
        raise ValueError(f"perplexity must lie between 1 and n - 1 = {n - 1}, got {perplexity}")
    entropy, means = np.log(perplexity), D2.sum(axis=1) / (n - 1)
    P, excess = _rows_of_entropy(D2, np.arange(n), means, entropy)
    # If some other points are very far away, the mean distance is a poor start of the search.
    lost = np.flatnonzero(excess > TOLERANCE)
    if len(lost):
        others = D2[lost]
        others[range(len(lost)), lost] = np.inf
        k = min(int(np.ceil(perplexity)), n - 1) - 1
        kth = np.partition(others, k, axis=1)[:, k]
        P[lost], excess = _rows_of_entropy(others, lost, kth, entropy)
        copies = others.min(axis=1) == 0
        for are, what in ((copies, "copies"), (~copies, "nearest points at one distance")):
            n_points = np.count_nonzero((excess > TOLERANCE) & are)
            if n_points:
                warn_user(
                    f"{n_points} points have more {what} than the perplexity, {perplexity:g}, and "
                    "see these alone"
                )
    return P


def _rows_of_entropy(D2, own, scales, entropy):
    """Bisect the logarithms of the bandwidths around ``scales``, leaving column ``own`` out.

    Return P and the excess of the entropies of its rows over ``entropy``.
    """
    P, excess = np.empty(D2.shape), np.empty(len(D2))
    centre = np.log(np.maximum(scales, SMALLEST_SCALE))
    low, high = centre - 40.0, centre + 40.0
    for _ in range(BISECTIONS):
        log_sigma2 = (low + high) / 2
        minus_sigma2 = -np.exp(log_sigma2)[:, None]
        for rows in row_blocks(D2):  # a large matrix is not copied as a whole
            with np.errstate(over="ignore"):  # overflow here means a weight of 0
                weights = D2[rows] / minus_sigma2[rows]
            weights[range(len(weights)), own[rows]] = -np.inf
            P[rows] = _normalised(weights, include_self=True)
            excess[rows] = entr(P[rows]).sum(axis=1) - entropy
        if np.abs(excess).max() <= TOLERANCE:
            break
        high = np.where(excess > 0, log_sigma2, high)
        low = np.where(excess > 0, low, log_sigma2)
    return P, excess


def _normalised(log_weights, include_self):
    """Exponentiate and normalise each row, with its largest weight scaled to 1."""
    if not include_self:
        np.fill_diagonal(log_weights, -np.inf)
    log_weights -= log_weights.max(axis=1, keepdims=True)
    P = np.exp(log_weights, out=log_weights)
    P /= P.sum(axis=1, keepdims=True)
    return P
