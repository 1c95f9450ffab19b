"""Affinities: the probability that a point is related to another. BRE Eqs. (3)–(7)."""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from repro.bre.graphs import adjacency_graph
from repro.core.checks import check_points, check_positive
from repro.core.kernel_matrices import exponential, gaussian_kernel, warn_of_bandwidth
from repro.core.memory import check_memory
from repro.core.warn import warn_user


def bernoulli_gaussian(Y=None, beta=1.0, *, D2=None):
    """Compute affinities of all pairs, r_ij = exp(-|x_i - x_j|²/β). BRE Eq. (3).

    Y, (n, D), holds the data, the paper's X, or D2, (n, n), their squared distances; the width β is
    positive, in squared units of Y. R, (n, n) float64, is in [0, 1], and 1 on the diagonal.
    """
    return gaussian_kernel(Y, beta, D2=D2, name="beta")


def bernoulli_contrast(Y=None, beta=1.0, related=None, *, D2=None):
    """Compute affinities ½ ± ½ exp(-|x_i - x_j|²/β), plus if i and j are related. BRE Eq. (5).

    ``related``, (n, n), as from `repro.bre.graphs`, dense or scipy.sparse, is not zero where i ∼ j.
    R, (n, n), is at least ½ for related pairs, at most ½ for others (the paper has the opposite),
    and 1 on the diagonal. For the other arguments see `bernoulli_gaussian`.
    """
    E = bernoulli_gaussian(Y, beta, D2=D2)
    R = np.where(_check_related(related, E), 0.5 + 0.5 * E, 0.5 - 0.5 * E)
    np.fill_diagonal(R, 1.0)
    return R


def bernoulli_truncated(Y=None, beta=1.0, related=None, *, D2=None):
    """Compute affinities exp(-|x_i - x_j|²/β) of related pairs only. BRE Eq. (6).

    For the arguments see `bernoulli_contrast`. R, a scipy.sparse.csr_array, has an entry for each
    related pair, even if it underflows to zero: `repro.bre_loss` reads the relation from the
    entries. The zero of Eq. (6) for unrelated pairs cancels in the divergence.
    """
    E = bernoulli_gaussian(Y, beta, D2=D2)
    i, j = np.nonzero(_check_related(related, E))
    return sparse.coo_array((E[i, j], (i, j)), shape=E.shape).tocsr()


def _check_related(related, E):
    related = adjacency_graph(related, "related")
    if related.shape != E.shape:
        raise ValueError(f"related must have shape {E.shape}, got {related.shape}")
    if not related.any():
        raise ValueError("related must join some points, but joins none")
    if related.sum() == len(E) * (len(E) - 1):
        warn_user("related joins all points, and tells nothing beyond their distances")
    return related


def embedding_affinities(Y, gamma=1.0, related=None):
    """Compute affinities s = exp(-|y_i - y_j|²/γ) of an embedding. BRE Eqs. (4), (7).

    Y is (n, d), and γ, the width, positive in squared units of Y. ``related`` is as in
    `bernoulli_contrast`; unrelated pairs get 0 (Eq. 7). By default, all are related (Eq. 4). S,
    (n, n) float64, is 1 on the diagonal.
    """
    Y, gamma = check_points(Y, "Y"), check_positive(gamma, "gamma")
    check_memory(len(Y), 3.2)
    D2 = cdist(Y, Y, "sqeuclidean")
    warn_of_bandwidth(D2, gamma, "gamma")
    S = exponential(D2, gamma)
    if related is not None:
        S[~(_check_related(related, S) | np.eye(len(Y), dtype=bool))] = 0.0
    return S
