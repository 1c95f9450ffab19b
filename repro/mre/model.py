"""Multiple Relational Embedding (Memisevic & Hinton, NIPS 17, 2004), Eqs. (1)–(7).

One latent space X serves several similarity relations; each sees it through a diagonal matrix R^c
of its own, that is, through a metric of its own. Eq. (1) is `repro.gaussian_rows`, Eq. (2) is
`repro.latent_similarities`.
"""

import numpy as np

from repro.core.backend import choose_backend
from repro.core.checks import check_outcome, check_points
from repro.core.estimator import DescentEstimator
from repro.mre.relations import Relation, check_relations, count_points, with_fixed_metrics
from repro.mre.sne import check_problem, sne_value_and_gradient

__all__ = ["MRE", "Relation", "mre_loss"]


def relation_value_and_gradients(X, r, relation, include_self, backend):
    """Loss of one relation and its gradients for its own points and its diagonal. MRE Eqs. (4)–(7).

    With Z = X R^c the loss is that of SNE on Z, so Eqs. (5) and (6) are the chain rule.
    """
    Z = X * r
    value, dZ = sne_value_and_gradient(Z, relation.probabilities, include_self, backend)
    dX = dZ * r
    dr = (dZ * X).sum(axis=0) if relation.learned else np.zeros_like(r)
    return value, dX, dr


def mre_value_and_gradients(X, R, relations, include_self, backend):
    """`mre_loss` without its checks: what an optimiser calls."""
    E, dX, dR = 0.0, np.zeros_like(X), np.zeros_like(R)
    ones = np.ones(X.shape[1])
    for c, relation in enumerate(relations):
        r = R[c] if relation.learned else ones
        value, dx, dr = relation_value_and_gradients(
            relation.select(X), r, relation, include_self, backend
        )
        E += relation.weight * value
        relation.add_to(dX, relation.weight * dx)
        dR[c] = relation.weight * dr
    return E, dX, dR


def mre_loss(X, R, relations, include_self=True, backend=None):
    """Loss of Multiple Relational Embedding and its gradients. MRE Eqs. (3)–(7).

    Parameters
    ----------
    X : (n, d) array
        Latent points, one per row (the paper writes them as columns).
    R : (C, d) array
        The diagonals of the R^c. A row whose relation has ``metric="identity"`` is not read.
    relations : sequence of C Relation
        Each contributes λ^c E^c, with E^c the mean over its own N^c points (Eq. 7).
    include_self : bool
        Whether a point counts among its own neighbours in Q. MRE's P^Class does so in P.
    backend : {"numba", "numpy"}, optional
        See `repro.mre.sne.sne_loss`.

    Returns
    -------
    E : float
        In nats.
    dX : (n, d) float64 array
        Rows of points that no relation names are zero.
    dR : (C, d) float64 array
        Rows of relations with a fixed metric are zero.

    Raises
    ------
    ValueError, TypeError
        If shapes do not agree, entries are not finite, or a relation refers to a missing point.
    """
    X = check_points(X, "X", min_points=2)
    R = check_points(R, "R")
    relations = check_relations(relations)
    if R.shape != (len(relations), X.shape[1]):
        raise ValueError(
            f"R must have one row per relation and one column per dimension, "
            f"shape {(len(relations), X.shape[1])}, got {R.shape}"
        )
    for relation in relations:
        if relation.n_points > len(X):
            raise ValueError(
                f"relation {relation.name!r} refers to point {relation.n_points - 1}, "
                f"but X has {len(X)} rows"
            )
        check_problem(relation.select(X), relation.probabilities, include_self)
    backend = choose_backend(backend, X.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        return check_outcome(
            mre_value_and_gradients(X, R, relations, include_self, backend), "X or R"
        )


class MRE(DescentEstimator):
    """Multiple Relational Embedding. MRE Sec. 2.

    Parameters
    ----------
    n_components : int
        Latent dimensions d.
    include_self : bool
        See `mre_loss`.
    optimizer : {"cg", "scg", "l-bfgs", "gd"}
        Conjugate gradients (as in the paper), scaled ones, L-BFGS, or gradient descent with an
        adaptive step.
    optimizer_options : dict, optional
        Further options of the optimiser, see `repro.core.optimize`.
    max_iter : int
        Most iterations.
    init_scale : float
        Standard deviation of the normal start of X and of every diagonal ("small" in the paper).
    n_init : int
        Number of starts; the one with the lowest loss is kept.
    backend : {"numba", "numpy"}, optional
        See `repro.mre.sne.sne_loss`.
    progress : bool
        Show a progress bar.
    random_state : int, numpy.random.Generator or None
        Source of the start.

    Attributes
    ----------
    embedding_ : (n, d) float64 array
    metrics_ : (C, d) float64 array
        The diagonals of the R^c; ones where the metric is fixed.
    relations_ : tuple of Relation
    loss_ : float
    loss_history_ : (n_iter_ + 1,) float64 array
    n_iter_ : int
    result_ : repro.core.optimize.Result
        Its ``x`` is the embedding stacked on the diagonals.

    Examples
    --------
    >>> import numpy as np
    >>> from repro import MRE, Relation, class_blocks, gaussian_rows
    >>> Y = np.random.default_rng(0).normal(size=(40, 5))
    >>> labels = np.repeat([0, 1], 20)
    >>> similar = Relation(gaussian_rows(Y, sigma2=2.0, include_self=True), name="Eucl")
    >>> same = Relation(class_blocks(labels), name="Class")
    >>> model = MRE(n_components=2, random_state=0).fit([similar, same])
    >>> model.embedding_.shape, model.metrics_.shape
    ((40, 2), (2, 2))
    """

    def __init__(
        self,
        n_components=2,
        *,
        include_self=True,
        optimizer="cg",
        optimizer_options=None,
        max_iter=200,
        init_scale=0.1,
        n_init=1,
        backend=None,
        progress=False,
        random_state=None,
    ):
        self.n_components = n_components
        self.include_self = include_self
        self.optimizer = optimizer
        self.optimizer_options = optimizer_options
        self.max_iter = max_iter
        self.init_scale = init_scale
        self.n_init = n_init
        self.backend = backend
        self.progress = progress
        self.random_state = random_state

    def fit(self, relations, y=None, n_points=None):
        """Learn the embedding and the metrics.

        Parameters
        ----------
        relations : sequence of Relation
        y : ignored
        n_points : int, optional
            Number of points. Default: the largest that a relation names.

        Raises
        ------
        ValueError, TypeError
            If a relation or a parameter is out of range.
        """
        relations = check_relations(relations)
        n = count_points(relations, n_points)
        for relation in relations:
            check_problem(relation.P, relation.probabilities, self.include_self)
        backend = self.choose_backend()

        def objective(points_and_metrics):
            X, R = points_and_metrics[:n], points_and_metrics[n:]
            E, dX, dR = mre_value_and_gradients(X, R, relations, self.include_self, backend)
            return E, np.concatenate([dX, dR])

        self.descend([objective], n + len(relations))
        self.relations_ = relations
        self.embedding_ = self.result_.x[:n].copy()
        self.metrics_ = with_fixed_metrics(self.result_.x[n:], relations)
        return self

    def fit_transform(self, relations, y=None, n_points=None):
        """Learn the embedding and return it, (n, d)."""
        return self.fit(relations, n_points=n_points).embedding_
