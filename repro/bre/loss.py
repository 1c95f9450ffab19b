"""Bernoulli Relational Embedding, Eqs. (1), (2).

Each pair has its own Bernoulli variable: whether one point is related to the other. Its probability
in the embedding is fitted to that in the data.
"""

from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from repro.core.backend import choose_backend
from repro.core.checks import (
    as_prepared,
    check_finite,
    check_outcome,
    check_points,
    check_positive,
    check_relation,
    copied_if_shared,
    within_bounds,
)
from repro.kernels.tiles import pack

# Squared distance at which coincident points count, as in the compiled loops.
TINY = 1e-300
# A relation that stores less than this fraction of all entries is processed by rows, not by tiles.
SPARSE_BELOW = 0.4


def bernoulli_kl(r, s):
    """Compute the divergence of Bernoulli variables with probabilities r and s. BRE Eq. (1).

    r log(r/s) + (1 - r) log((1 - r)/(1 - s)), in nats, for arrays in [0, 1] that broadcast, with
    0 log 0 = 0; infinite where s is 0 or 1 and r is not.
    """
    r, s = (within_bounds(check_finite(v, k).astype(float), k, 1) for k, v in (("r", r), ("s", s)))
    with np.errstate(divide="ignore", under="ignore"):
        return xlogy(r, r) + xlogy(1 - r, 1 - r) - xlogy(r, s) - xlogy(1 - r, 1 - s)


class BernoulliRelation:
    """Affinities R in [0, 1], (n, n), with what a fit reuses precomputed.

    r_ij is from point i to point j. Dense: every pair counts. Sparse: only the stored entries
    count, including explicit zeros. The diagonal is ignored. ``name`` is that of R in error
    messages. Unless ``copy`` is False, later changes of R have no effect.
    """

    def __init__(self, R, name="R", copy=True):
        self.R = check_relation(R, name)
        self.name = name
        self.is_sparse = sparse.issparse(R)
        if not self.is_sparse:
            self.R = copied_if_shared(self.R, R, copy)
        if self.n_pairs == 0:
            raise ValueError(f"{name} must relate at least one pair of points")

    @property
    def n_pairs(self):
        """Number of ordered pairs that count."""
        return self.R.nnz if self.is_sparse else len(self) * (len(self) - 1)

    def __len__(self):
        return self.R.shape[0]

    @property
    def n_related(self):
        """Number of points in pairs that count."""
        return len(np.union1d(self.R.row, self.R.col)) if self.is_sparse else len(self)

    @cached_property
    def tiles(self):
        """R + Rᵀ and how many orders of each pair count; None if the loop over rows is faster."""
        n = len(self)
        if not self.is_sparse:
            R, stored = self.R, np.ones((n, n), np.int8)
        elif 2 * self.R.nnz < SPARSE_BELOW * n**2:
            return None
        else:
            R, stored = self.R.toarray(), np.zeros((n, n), np.int8)
            stored[self.R.row, self.R.col] = 1
        sums, counts = R + R.T, stored + stored.T
        del R, stored
        if np.count_nonzero(counts) < SPARSE_BELOW * n**2:
            return None
        np.fill_diagonal(sums, np.diagonal(counts))
        return pack(sums), pack(counts)

    @cached_property
    def rows(self):
        """Compressed sparse rows: index pointers, indices, R + Rᵀ, number of orders that count."""
        n = len(self)
        if self.is_sparse:
            i, j, r = (*self.R.coords, self.R.data)
        else:
            i, j = np.nonzero(~np.eye(n, dtype=bool))
            r = self.R[i, j]
        both = np.concatenate([i, j]), np.concatenate([j, i])
        # Entries stored in both orders are summed; explicit zeros stay.
        sums, counts = (
            sparse.coo_array((np.tile(v, 2), both), shape=(n, n)).tocsr()
            for v in (r, np.ones(len(r)))
        )
        return sums.indptr, sums.indices, sums.data, counts.data

    @cached_property
    def constant(self):
        """Σ r log r + (1 - r) log(1 - r) over the ordered pairs that count."""
        r = self.R.data.copy() if self.is_sparse else self.R[~np.eye(len(self), dtype=bool)]
        terms = xlogy(r, r)
        np.subtract(1, r, out=r)
        terms += xlogy(r, r, out=r)
        return float(terms.sum())


def bre_loss(Y, R, gamma=1.0, backend=None):
    """Sum the Bernoulli divergences of an embedding from the data; with gradient. BRE Eq. (2).

    Parameters
    ----------
    Y : (n, d) array
        The embedding.
    R : (n, n) array, scipy.sparse or BernoulliRelation
        Affinities r_ij of the data. Dense: all pairs count, with Eq. (4). Sparse: only the stored
        entries count, including explicit zeros, as in Eqs. (6) and (7). For repeated calls, wrap
        R once in `BernoulliRelation`.
    gamma : float
        The width γ of Eq. (4), in squared units of Y.
    backend : {"numba", "numpy"}, optional
        See `repro.sne_loss`.

    Returns
    -------
    loss : float
        ¼ Σ KL over ordered pairs i ≠ j, in nats. Coincident points with r less than 1 have an
        infinite divergence; they count as 1e-150 √γ apart.
    gradient : (n, d) float64 array
        (1/γ) Σ_j (r_ij - s_ij)/(1 - s_ij) (y_i - y_j) with the mean of r_ij and r_ji as r_ij; of a
        sparse pair that is stored one way, half of the term. The paper prints r_ij itself, correct
        only if the two are equal, which Sec. 3 does not require.
    """
    Y = check_points(Y, "Y", min_points=2)
    relation = as_prepared(R, BernoulliRelation, Y, "Y")
    gamma, backend = check_positive(gamma, "gamma"), choose_backend(backend, Y.shape[1])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return check_outcome(bre_value_and_gradient(Y, relation, gamma, backend), "Y")


def bre_value_and_gradient(Y, relation, gamma, backend):
    """Compute `bre_loss` without checks, for optimisers."""
    width = np.sqrt(gamma)
    if backend == "numba" and relation.tiles:
        from repro.kernels.bre_pairs import dense_forces

        data, force = dense_forces(Y / width, *relation.tiles)
    else:
        values, force = rows_of(backend)(Y / width, Y / width, *relation.rows)
        data = values.sum() / 2
    return (relation.constant + data) / 4, force / (2 * width)


def step_weights(Y, R, rate, gamma=1.0):
    """Compute the weights a_ij of a gradient step y_i ← Σ_j a_ij y_j. BRE Sec. 3.

    For Y, R and gamma see `bre_loss`; ``rate`` is α, the step length, positive. The rows of the
    (n, n) scipy.sparse.csr_array sum to 1; weights of related points that are too close are
    negative.
    """
    Y = check_points(Y, "Y", min_points=2)
    relation = as_prepared(R, BernoulliRelation, Y, "Y")
    rate, gamma = check_positive(rate, "rate"), check_positive(gamma, "gamma")
    starts, j, sums, counts = relation.rows
    i = np.repeat(np.arange(len(Y)), np.diff(starts))
    with np.errstate(over="ignore", under="ignore"):  # overflow here means no repulsion
        x = np.maximum(((Y[i] - Y[j]) ** 2).sum(axis=1) / gamma, TINY)
    pulls = rate / (2 * gamma) * (counts + (counts - sums) / np.expm1(-x))
    W = sparse.csr_array((pulls, (i, j)), shape=(len(Y), len(Y)))
    return sparse.diags_array(1 - W.sum(axis=1)) + W


def conditional_values_and_gradients(T, Y, relation, gamma, backend):
    """Compute `bre_loss` as a function of each point alone, at T, the others at Y. BRE Sec. 3.

    Return values, (n,), without the terms that depend only on R, and their gradients, (n, d).
    """
    width = np.sqrt(gamma)
    values, forces = rows_of(backend)(T / width, Y / width, *relation.rows)
    return values / 4, forces / (2 * width)


def rows_of(backend):
    """Return the loop over rows of related pairs: compiled, or `rows_numpy`."""
    if backend == "numpy":
        return rows_numpy
    from repro.kernels.bre_pairs import sparse_forces

    return sparse_forces


def rows_numpy(T, Y, starts, columns, R, counts):
    """Compute the cost of each pair and the force between its points as in the paper, for γ = 1."""
    i = np.repeat(np.arange(len(Y)), np.diff(starts))
    u = T[i] - Y[columns]
    x = np.maximum((u**2).sum(axis=1), TINY)
    apart = -np.expm1(-x)  # 1 - s
    costs = R * x - (counts - R) * np.log(apart)
    pulls = (counts - (counts - R) / apart)[:, None] * u
    values = np.bincount(i, costs, len(Y))
    forces = [np.bincount(i, pull, len(Y)) for pull in pulls.T]
    return values, np.stack(forces, axis=1)
