"""Bernoulli Relational Embedding (Wang, Zhao, Zhang & Lochovsky, ICDM 2005), Eqs. (1), (2).

Whether a point is related to another is a Bernoulli variable of its own for every pair. Its chance
in the embedding is to be that in the data. Eqs. (3)–(7) are in `repro.bre.affinities`, the
estimator in `repro.bre.model`.
"""

from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from repro.core.backend import choose_backend
from repro.core.checks import (
    as_prepared,
    check_outcome,
    check_points,
    check_positive,
    check_relation,
    own,
)
from repro.kernels.tiles import pack

# Coincident points count as this far apart, squared, as in the compiled loops.
TINY = 1e-300
# A relation of which less than this share of all entries is stored goes by rows, not by tiles.
SPARSE_BELOW = 0.4


def bernoulli_kl(r, s):
    """Divergence of a Bernoulli variable of chance s from one of chance r. BRE Eq. (1).

    r log(r/s) + (1 - r) log((1 - r)/(1 - s)), in nats, of arrays in [0, 1] that broadcast; 0 log 0
    = 0, and infinite where s is 0 or 1 and r is not.
    """
    r, s = (np.asarray(v, dtype=float) for v in (r, s))
    for name, v in (("r", r), ("s", s)):
        if not ((v >= 0) & (v <= 1)).all():
            raise ValueError(f"{name} must lie in [0, 1]")
    with np.errstate(divide="ignore"):
        return xlogy(r, r) + xlogy(1 - r, 1 - r) - xlogy(r, s) - xlogy(1 - r, 1 - s)


class BernoulliRelation:
    """A matrix R of affinities in [0, 1], with all of it that a fit needs at every step.

    Parameters
    ----------
    R : (n, n) array or scipy.sparse
        r_ij, from point i to point j. Dense: every pair counts. Sparse: the stored entries are
        the relation (explicit zeros count), no other pair enters. The diagonal is not read.
    name : str
        What to call it in an error message.
    copy : bool
        Whether later changes of R are to change nothing here.

    Raises
    ------
    ValueError
        If R relates no pair, besides what the checks of a matrix refuse.
    """

    def __init__(self, R, name="R", copy=True):
        self.R = check_relation(R, name)
        self.name = name
        self.is_sparse = sparse.issparse(R)
        if not self.is_sparse:
            self.R = own(self.R, R, copy)
        if self.n_pairs == 0:
            raise ValueError(f"{name} must relate at least one pair of points")

    @property
    def n_pairs(self):
        """How many ordered pairs of two points count."""
        return self.R.nnz if self.is_sparse else len(self) * (len(self) - 1)

    def __len__(self):
        return self.R.shape[0]

    @property
    def n_related(self):
        """How many points have a pair that counts."""
        return len(np.union1d(self.R.row, self.R.col)) if self.is_sparse else len(self)

    @cached_property
    def tiles(self):
        """R + Rᵀ and how many orders of a pair count, as the loops over all pairs read them.

        None for a sparse relation of which the loop over rows is done sooner.
        """
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
        """The sums in rows: where each starts, the points it names, R + Rᵀ, how many orders count.

        Of a dense relation too: all pairs are named.
        """
        n = len(self)
        if self.is_sparse:
            i, j, r = (*self.R.coords, self.R.data)
        else:
            i, j = np.nonzero(~np.eye(n, dtype=bool))
            r = self.R[i, j]
        both = np.concatenate([i, j]), np.concatenate([j, i])
        # An entry stored in both orders is summed; explicit zeros stay.
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
    """Sum of Bernoulli divergences of an embedding from the data, and its gradient. BRE Eq. (2).

    Parameters
    ----------
    Y : (n, d) array
        The embedding.
    R : (n, n) array, scipy.sparse or BernoulliRelation
        Affinities r_ij of the data. Dense: all pairs of two points count, with Eq. (4). Sparse:
        the stored entries are the relation (explicit zeros count), no other pair enters, as
        Eqs. (6) and (7) have it. Wrap it once in `BernoulliRelation` when calling more than once:
        checking and preparing it costs more than a call.
    gamma : float
        The width γ of Eq. (4), in squared units of Y.
    backend : {"numba", "numpy"}, optional
        See `repro.sne_loss`.

    Returns
    -------
    loss : float
        ¼ Σ KL over ordered pairs i ≠ j, in nats. Points that coincide though their r is less
        than 1 have an infinite divergence; they count as 1e-150 √γ apart.
    gradient : (n, d) float64 array
        (1/γ) Σ_j (r_ij - s_ij)/(1 - s_ij) (y_i - y_j) with the mean of r_ij and r_ji in place of
        r_ij. The paper prints r_ij, which is right only if the two are equal; Sec. 3 permits that
        they are not.
    """
    Y, relation = check_problem(Y, R)
    gamma, backend = check_positive(gamma, "gamma"), choose_backend(backend, Y.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        return check_outcome(bre_value_and_gradient(Y, relation, gamma, backend), "Y")


def check_problem(Y, R):
    """Return points and a prepared relation, or say why they do not fit each other."""
    Y = check_points(Y, "Y", min_points=2)
    return Y, as_prepared(R, BernoulliRelation, Y, "Y")


def bre_value_and_gradient(Y, relation, gamma, backend):
    """`bre_loss` without its checks: what an optimiser calls."""
    width = np.sqrt(gamma)
    if backend == "numba" and relation.tiles:
        from repro.kernels.bre_pairs import dense_forces

        data, force = dense_forces(Y / width, *relation.tiles)
    else:
        values, force = rows_of(backend)(Y / width, Y / width, *relation.rows)
        data = values.sum() / 2
    return (relation.constant + data) / 4, force / (2 * width)


def step_weights(Y, R, rate, gamma=1.0):
    """Weights a_ij with which a gradient step combines the points, y_i ← Σ_j a_ij y_j. BRE Sec. 3.

    For Y, R and gamma see `bre_loss`; ``rate`` is α, the length of the step. The weights, an (n, n)
    scipy.sparse.csr_array whose rows sum to 1, are a point's own, and those of the points it is
    related to: negative where a pair is nearer than it should be.
    """
    Y, relation = check_problem(Y, R)
    starts, j, sums, counts = relation.rows
    i = np.repeat(np.arange(len(Y)), np.diff(starts))
    with np.errstate(over="ignore"):  # pairs that far off are not pushed
        x = np.maximum(((Y[i] - Y[j]) ** 2).sum(axis=1) / check_positive(gamma, "gamma"), TINY)
    pulls = rate / (2 * gamma) * (counts + (counts - sums) / np.expm1(-x))
    W = sparse.csr_array((pulls, (i, j)), shape=(len(Y), len(Y)))
    return sparse.diags_array(1 - W.sum(axis=1)) + W


def conditional_values_and_gradients(T, Y, relation, gamma, backend):
    """`bre_loss` as a function of each point alone, at its place in T, the others in Y. BRE Sec. 3.

    It returns (n,) values, the part of the loss that depends on the point, without the terms of R
    alone; and their gradients, (n, d).
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
    """Compute as written, for γ = 1: the cost of every pair, and the pull of its points."""
    i = np.repeat(np.arange(len(Y)), np.diff(starts))
    u = T[i] - Y[columns]
    x = np.maximum((u**2).sum(axis=1), TINY)
    apart = -np.expm1(-x)  # 1 - s
    costs = R * x - (counts - R) * np.log(apart)
    pulls = (counts - (counts - R) / apart)[:, None] * u
    values = np.bincount(i, costs, len(Y))
    forces = [np.bincount(i, pull, len(Y)) for pull in pulls.T]
    return values, np.stack(forces, axis=1)
