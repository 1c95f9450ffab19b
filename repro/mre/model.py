"""Multiple Relational Embedding, Eqs. (3)–(7).

Several similarity relations share one embedding X; each transforms it by its own diagonal matrix
R^c, that is, measures distances in its own metric.
"""

from dataclasses import KW_ONLY
from functools import partial

import numpy as np
from scipy import sparse

from repro.core.backend import choose_backend
from repro.core.checks import check_count, check_outcome, check_points
from repro.core.estimator import ARRAYS, DescentEstimator, all_or_nothing, as_estimator
from repro.core.memory import check_memory
from repro.core.warn import warn_of_gaps
from repro.mre.relations import Relation, check_relations
from repro.mre.sne import SNE_LOSSES, check_self


def loss_of_relations(x, n_points, relations, loss, origin=0.0):
    """Sum the losses of relations, each a function of X in its metric. MRE Eqs. (3)–(7).

    The loss of a relation is a function of Z = X R^c, so Eqs. (5) and (6) are the chain rule.
    ``x``, (n + C, d), holds the n points X, then the diagonals R less ``origin``, which is 0 for
    MRE and 1 for BRE. ``loss`` maps Z, (m, d), and the similarities of a relation of m points to
    E^c and its gradient. Return Σ_c λ^c E^c and its gradient in x.
    """
    E, gradient = 0.0, np.zeros(x.shape)
    X, R = x[:n_points], origin + x[n_points:]
    dX, dR = gradient[:n_points], gradient[n_points:]
    for c, relation in enumerate(relations):
        rows, share = relation.rows, relation.share
        own = X[rows]
        value, dZ = loss(own * R[c] if relation.learned else own, relation.similarities)
        E += share * value
        if relation.learned:
            dR[c] = share * (dZ * own).sum(axis=0)
        dZ *= share
        if relation.learned:
            dZ *= R[c]
        dX[rows] += dZ
    return E, gradient


def loss_in_parts(X, R, relations, loss):
    """Return the loss of `loss_of_relations` and its gradients in X, (n, d), and in R, (C, d)."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        E, gradient = loss_of_relations(np.concatenate([X, R]), len(X), relations, loss)
    return E, gradient[: len(X)], gradient[len(X) :]


def mre_loss(X, R, relations, include_self=True, backend=None):
    """Compute the loss of Multiple Relational Embedding and its gradients. MRE Eqs. (3)–(7).

    Parameters
    ----------
    X : (n, d) array
        The embedding, one point per row (the paper writes them as columns).
    R : (C, d) array
        The diagonals of the R^c. A row whose relation has ``metric="identity"`` has no
        effect.
    relations : sequence of C Relation
        Each contributes λ^c E^c, with E^c the mean over its own N^c points (Eq. 7).
    include_self, backend
        See `repro.sne_loss`; MRE's P^Class has points among their own neighbours.

    Returns
    -------
    E : float
        In nats.
    dX, dR : (n, d) and (C, d) float64 arrays
        Zero for points that no relation names, and for relations with a fixed metric.
    """
    relations = check_relations(relations)
    X, R = check_space(X, R, relations)
    for relation in relations:
        check_self(relation.similarities, include_self)
    backend = choose_backend(backend, X.shape[1])
    loss = partial(SNE_LOSSES[backend], include_self=include_self)
    return check_outcome(loss_in_parts(X, R, relations, loss), "X or R")


def check_space(X, R, relations, names=("X", "R")):
    """Check points and metrics against the relations."""
    X, R = check_points(X, names[0], min_points=2), check_points(R, names[1])
    if R.shape != (len(relations), X.shape[1]):
        raise ValueError(
            f"{names[1]} must have one row per relation and one column per dimension, "
            f"shape {(len(relations), X.shape[1])}, got {R.shape}"
        )
    for relation in relations:
        if relation.n_points > len(X):
            raise ValueError(
                f"relation {relation.name!r} refers to point {relation.n_points - 1}, "
                f"but {names[0]} has {len(X)} rows"
            )
    return X, R


@as_estimator
class RelationalEstimator(DescentEstimator):
    """Base class that learns an embedding and metrics from a sum of losses of relations.

    ``_relation_loss(relations)`` returns the loss of each, a function of Z and the similarities.

    Attributes
    ----------
    metrics_ : (C, d) float64 array
        The diagonals of the R^c; ones where the metric is fixed.
    relations_ : tuple of Relation
    result_ : repro.core.optimize.Result
        In its ``x``, the rows of the embedding come before those of the diagonals (of
        `repro.MultipleBRE` the diagonals minus 1).
    """

    _: KW_ONLY
    n_init: int = 1
    backend: str | None = None

    _cause = "all similarities may be nearly equal"
    _kind, _origin = Relation, 0.0  # class of the relations; value near which the diagonals start
    _peak, _peak_per_relation = (2, 6.2), (1, 0)

    @all_or_nothing
    def fit(self, relations, y=None, n_points=None):
        """Learn the embedding and the metrics from a sequence of relations.

        By default, ``n_points`` is the largest index in any relation plus one, or the number of
        rows of a table that relations were made from.
        """
        if y is not None:
            raise ValueError("n_points must be given by name: fit(relations, n_points=…)")
        relations = check_relations(relations, self._kind)
        loss, origin = self._relation_loss(relations), self._origin
        needed = max(relation.n_points for relation in relations)
        n = needed if n_points is None else check_count(n_points, "n_points", needed)
        d = check_count(self.n_components, "n_components")
        check_memory(n, ARRAYS, "points that no relation names need not be counted", columns=d)
        if n_points is None:
            named = np.concatenate([np.r_[relation.rows] for relation in relations])
            warn_of_gaps(named, "relations name points", "n_points", needed)
        sizes = [len(r.similarities) for r in relations if not sparse.issparse(r.P)]
        if sizes:
            in_all, of_each = map(self._n_matrices, (self._peak, self._peak_per_relation))
            matrices = in_all + of_each * sum((size / max(sizes)) ** 2 for size in sizes)
            instead = "relations of fewer points, named by index, need less"
            check_memory(max(sizes), matrices, instead)

        objective = partial(
            loss_of_relations, n_points=n, relations=relations, loss=loss, origin=origin
        )
        unit = float(np.mean([relation.weight for relation in relations]))
        results = self._descend([objective], n + len(relations), n_points=n, unit=unit)
        learned = np.array([relation.learned for relation in relations])
        self.relations_ = relations
        self.metrics_ = np.where(learned[:, None], origin + results[-1].x[n:], 1.0)
        return self._set_results(results, n)


@as_estimator
class MRE(RelationalEstimator):
    """Multiple Relational Embedding. MRE Sec. 2.

    Parameters
    ----------
    include_self : bool
        Whether a point counts among its own neighbours in Q, as it does in P for MRE's P^Class.
    init_scale : float
        Standard deviation of the normal start of X and of every diagonal ("small" in the paper).

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

    def _relation_loss(self, relations):
        for relation in relations:
            check_self(relation.similarities, self.include_self)
        return partial(SNE_LOSSES[self._choose_backend()], include_self=self.include_self)
