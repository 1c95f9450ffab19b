"""The relational framework of the BRE paper, Sec. 2, by counting; its three cases by definition.

A relation of the points is a random draw of latent variables; how likely each outcome is depends
on the affinities. An embedding is good if the outcomes are as likely under its own affinities as
under the data's: KL(p(l|R) ‖ q(l|S)). Here the sum over all outcomes is done as it stands, which is
possible for a handful of points; `repro.sne_loss`, `repro.bre_loss` and `repro.twin_kernel_loss`
are closed forms of it.
"""

from itertools import product

import numpy as np
from scipy.linalg import eigh
from scipy.special import xlogy

from repro.core.checks import check_square

MOST_OUTCOMES = 2**20


def divergence(p, q):
    """Kullback–Leibler divergence of the probabilities q of some outcomes from p, in nats."""
    with np.errstate(divide="ignore"):
        return float((xlogy(p, p) - xlogy(p, q)).sum())


def multinomial_outcomes(A):
    """Probability of every outcome in which each point picks one other as its neighbour.

    A, (k, k), says how likely i picks j; rows sum to 1 without the diagonal. The picks of the
    points are independent. Of (k - 1)^k outcomes, float64; their sum is 1.
    """
    A = _few_points(A, (len(A) - 1) ** len(A))
    others = [[a for j, a in enumerate(row) if j != i] for i, row in enumerate(A.tolist())]
    return np.array([np.prod(picked) for picked in product(*others)])


def bernoulli_outcomes(A):
    """Probability of every outcome of one Bernoulli variable for each ordered pair of points.

    A, (k, k), says how likely i is related to j; the diagonal is not read. Of 2^(k (k - 1))
    outcomes, float64; their sum is 1.
    """
    A = _few_points(A, 2 ** (len(A) * (len(A) - 1)))
    p = np.ones(1)
    for a in A[~np.eye(len(A), dtype=bool)]:
        p = np.concatenate([p * (1 - a), p * a])
    return p


def gaussian_divergence(S, R):
    """KL(N(0, S) ‖ N(0, R)) from the definition; S and R are (k, k), positive definite.

    It is the mean under S of the difference of the logarithmic densities.
    """
    S, R = check_square(S, "S"), check_square(R, "R")
    # Variances of S in the coordinates in which R is the identity and S is diagonal: there the sum
    # runs over one-dimensional normal distributions of variances v and 1.
    v = eigh(S, R, eigvals_only=True)
    return float(0.5 * (v - 1 - np.log(v)).sum())


def _few_points(A, n_outcomes):
    A = check_square(A, "A")
    if n_outcomes > MOST_OUTCOMES:
        raise ValueError(f"A relates {len(A)} points: {n_outcomes} outcomes are too many to count")
    return A


def triangle_excess(D):
    """Largest violation of the triangle inequality, d_ik - d_ij - d_jk; 0 if D is a metric.

    D, (n, n), holds distances, zero on the diagonal. Beside it the points, (i, j, k).
    """
    D = check_square(D, "D")
    excess, worst = 0.0, (0, 0, 0)
    for j in range(len(D)):
        over = D - D[:, j : j + 1] - D[j]
        i, k = np.unravel_index(over.argmax(), over.shape)
        if over[i, k] > excess:
            excess, worst = float(over[i, k]), (int(i), j, int(k))
    return excess, worst
