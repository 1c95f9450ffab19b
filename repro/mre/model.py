"""Multiple Relational Embedding (Memisevic & Hinton, NIPS 17, 2004), Eqs. (1)–(7).

One latent space X serves several similarity relations; each sees it through a diagonal matrix R^c
of its own, that is, through a metric of its own. Eq. (1) is `repro.gaussian_rows`, Eq. (2) is
`repro.embedding_similarities`.
"""

from dataclasses import KW_ONLY

import numpy as np

from repro.core.backend import choose_backend
from repro.core.checks import check_outcome, check_points
from repro.core.estimator import as_estimator
from repro.mre.relations import (
    RelationalEstimator,
    check_relations,
    count_points,
    loss_of_relations,
)
from repro.mre.sne import check_problem, sne_value_and_gradient


def _sne(include_self, backend):
    """Return the loss of one relation, that of SNE."""
    return lambda Z, relation: sne_value_and_gradient(
        Z, relation.probabilities, include_self, backend
    )


def mre_loss(X, R, relations, include_self=True, backend=None):
    """Loss of Multiple Relational Embedding and its gradients. MRE Eqs. (3)–(7).

    Parameters
    ----------
    X : (n, d) array
        The embedding, one point per row (the paper writes them as columns).
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
        outcome = loss_of_relations(X, R, relations, _sne(include_self, backend))
    return check_outcome(outcome, "X or R")


@as_estimator
class MRE(RelationalEstimator):
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
    init_scale : float
        Standard deviation of the normal start of X and of every diagonal ("small" in the paper).
    <shared>

    Attributes
    ----------
    <shared>

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

    n_components: int = 2
    _: KW_ONLY
    include_self: bool = True

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
        return self.descend_with_metrics(
            relations, n, _sne(self.include_self, self.choose_backend())
        )
