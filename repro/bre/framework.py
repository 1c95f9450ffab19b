"""The relational framework of the BRE paper, Sec. 2: its three cases, directly from the definition.

The relation of the points is a random latent variable; the affinities determine the probability of
each outcome. An embedding is good if its affinities give the outcomes the same probabilities as
those of the data: it minimises KL(p(l|R) ‖ q(l|S)). Here the sum over all outcomes is computed
explicitly, which is feasible for a few points; `repro.sne_loss`, `repro.bre_loss` and
`repro.twin_kernel_loss` are closed forms of it.
"""

from itertools import product

import numpy as np
from scipy.linalg import eigh
from scipy.special import xlogy


def divergence(p, q):
    """Compute the Kullback–Leibler divergence KL(p ‖ q) of outcome probabilities, (k,), in nats."""
    with np.errstate(divide="ignore"):
        return float((xlogy(p, p) - xlogy(p, q)).sum())


def multinomial_outcomes(A):
    """Compute the probability of each outcome in which every point picks another as its neighbour.

    A, (k, k), holds the probability that i picks j; rows sum to 1 without the diagonal. Picks are
    independent. Return ((k - 1)^k,) float64; the sum is 1.
    """
    others = [[a for j, a in enumerate(row) if j != i] for i, row in enumerate(A.tolist())]
    return np.array([np.prod(picked) for picked in product(*others)])


def bernoulli_outcomes(A):
    """Compute the probability of each outcome of one Bernoulli variable per ordered pair.

    A, (k, k), holds the probability that i is related to j; the diagonal is ignored. Return
    (2^(k (k - 1)),) float64; the sum is 1.
    """
    p = np.ones(1)
    for a in A[~np.eye(len(A), dtype=bool)]:
        p = np.concatenate([p * (1 - a), p * a])
    return p


def gaussian_divergence(S, R):
    """Compute KL(N(0, S) ‖ N(0, R)), in nats; S and R are (k, k), positive definite."""
    # Variances of S in coordinates in which R is the identity and S is diagonal: there the
    # divergence is a sum over one-dimensional normal distributions of variances v and 1.
    v = eigh(S, R, eigvals_only=True)
    return float(0.5 * (v - 1 - np.log(v)).sum())


def triangle_excess(D):
    """Find the largest violation of the triangle inequality, d_ik - d_ij - d_jk; 0 for a metric.

    D, (n, n), holds distances, zero on the diagonal.
    """
    return float(max((D - D[:, [j]] - D[j]).max() for j in range(len(D))))
