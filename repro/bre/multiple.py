"""BRE with several relations, which the paper proposes in its last sentence and never shows.

As in `repro.mre`: one map serves all relations, and each sees it through a metric of its own, the
diagonal of a matrix R^c. What differs is the divergence, BRE's instead of SNE's.
"""

from dataclasses import dataclass

import numpy as np

from repro.bre.loss import BernoulliRelation, bre_value_and_gradient
from repro.core.backend import choose_backend
from repro.core.checks import check_outcome, check_points, check_positive
from repro.core.estimator import DescentEstimator
from repro.mre.relations import Relation, check_relations, count_points, with_fixed_metrics


@dataclass(frozen=True, eq=False)
class AffinityRelation(Relation):
    """One relation given by affinities in [0, 1], over all points or some of them.

    As `repro.Relation`, but P holds Bernoulli affinities, dense or sparse, see `repro.bre_loss`.
    """

    def prepared(self, what):
        """Check P, called ``what`` in messages; return the attributes to set."""
        coins = BernoulliRelation(self.P, what)
        n = len(coins)
        n_pairs = coins.R.nnz if coins.is_sparse else n * (n - 1)
        if n_pairs == 0:
            raise ValueError(f"{what} must relate at least one pair")
        return {"coins": coins, "n_pairs": n_pairs, "P": coins.R}


def multiple_bre_value_and_gradients(Y, M, relations, gamma, backend):
    """`multiple_bre_loss` without its checks: what an optimiser calls."""
    E, dY, dM = 0.0, np.zeros_like(Y), np.zeros_like(M)
    for c, relation in enumerate(relations):
        m = M[c] if relation.learned else np.ones(Y.shape[1])
        own, share = relation.select(Y), relation.weight / relation.n_pairs
        value, gradient = bre_value_and_gradient(own * m, relation.coins, gamma, backend)
        E += share * value
        relation.add_to(dY, share * gradient * m)
        if relation.learned:
            dM[c] = share * (gradient * own).sum(axis=0)
    return E, dY, dM


def multiple_bre_loss(Y, M, relations, gamma=1.0, backend=None):
    """Sum of BRE's losses of several relations, each a mean over its ordered pairs. BRE Sec. 5.

    Parameters
    ----------
    Y : (n, d) array
        The map.
    M : (C, d) array
        The diagonals of the metrics, one row a relation; that of a relation with
        ``metric="identity"`` is not read.
    relations : sequence of C AffinityRelation
    gamma : float
        The width γ, in squared units of Y.
    backend : {"numba", "numpy"}, optional
        See `repro.bre_loss`.

    Returns
    -------
    E : float
        In nats.
    dY : (n, d) float64 array
    dM : (C, d) float64 array

    Raises
    ------
    ValueError, TypeError
        If shapes do not agree, entries are not finite, or a relation refers to a missing point.
    """
    Y, M = check_points(Y, "Y", min_points=2), check_points(M, "M")
    relations = check_relations(relations, AffinityRelation)
    if M.shape != (len(relations), Y.shape[1]):
        raise ValueError(f"M must have shape {(len(relations), Y.shape[1])}, got {M.shape}")
    needed = count_points(relations)
    if needed > len(Y):
        raise ValueError(f"a relation refers to point {needed - 1}, but Y has {len(Y)} rows")
    gamma = check_positive(gamma, "gamma")
    backend = choose_backend(backend, Y.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        return check_outcome(
            multiple_bre_value_and_gradients(Y, M, relations, gamma, backend), "Y or M"
        )


class MultipleBRE(DescentEstimator):
    """Bernoulli Relational Embedding with several relations. BRE Sec. 5.

    Parameters
    ----------
    n_components : int
        Dimensions of the map.
    gamma : float
        The width γ of the map, in its squared units.
    optimizer : {"scg", "cg", "l-bfgs", "gd"}
        See `repro.core.optimize`.
    optimizer_options : dict, optional
        Further options of the optimiser.
    max_iter : int
        Most iterations.
    init_scale : float
        Standard deviation of the normal start of the map; metrics start at 1 plus as much noise.
    n_init : int
        Number of starts; the one with the lowest loss is kept.
    backend : {"numba", "numpy"}, optional
        See `repro.bre_loss`.
    progress : bool
        Show a progress bar.
    random_state : int, numpy.random.Generator or None
        Source of the start.

    Attributes
    ----------
    embedding_ : (n, d) float64 array
    metrics_ : (C, d) float64 array
    loss_ : float
    loss_history_ : (n_iter_ + 1,) float64 array
    n_iter_ : int
    result_ : repro.core.optimize.Result
    """

    def __init__(
        self,
        n_components=2,
        *,
        gamma=1.0,
        optimizer="scg",
        optimizer_options=None,
        max_iter=500,
        init_scale=0.1,
        n_init=1,
        backend=None,
        progress=False,
        random_state=None,
    ):
        self.n_components = n_components
        self.gamma = gamma
        self.optimizer = optimizer
        self.optimizer_options = optimizer_options
        self.max_iter = max_iter
        self.init_scale = init_scale
        self.n_init = n_init
        self.backend = backend
        self.progress = progress
        self.random_state = random_state

    def fit(self, relations, y=None, n_points=None):
        """Learn the map and the metrics.

        Parameters
        ----------
        relations : sequence of AffinityRelation
        y : ignored
        n_points : int, optional
            Number of points. Default: the largest that a relation names.

        Raises
        ------
        ValueError, TypeError
            If a relation or a parameter is out of range.
        """
        relations = check_relations(relations, AffinityRelation)
        n = count_points(relations, n_points)
        gamma, backend = check_positive(self.gamma, "gamma"), self.choose_backend()

        def objective(stacked):
            Y, M = stacked[:n], 1.0 + stacked[n:]
            E, dY, dM = multiple_bre_value_and_gradients(Y, M, relations, gamma, backend)
            return E, np.concatenate([dY, dM])

        self.descend([objective], n + len(relations))
        self.embedding_ = self.result_.x[:n].copy()
        self.metrics_ = with_fixed_metrics(1.0 + self.result_.x[n:], relations)
        return self

    def fit_transform(self, relations, y=None, n_points=None):
        """Learn the map and return it, (n, d)."""
        return self.fit(relations, n_points=n_points).embedding_
