"""The estimator of Bernoulli Relational Embedding."""

from dataclasses import KW_ONLY
from functools import partial

import numpy as np
from scipy import sparse

from repro.bre.affinities import bernoulli_contrast, bernoulli_gaussian, bernoulli_truncated
from repro.bre.graphs import class_graph, neighbor_graph, radius_graph
from repro.bre.loss import (
    BernoulliRelation,
    bre_value_and_gradient,
    conditional_values_and_gradients,
)
from repro.core.checks import check_choice, check_count, check_labels, check_positive, check_square
from repro.core.distances import squared_distances_by
from repro.core.estimator import (
    DescentEstimator,
    DistanceEstimator,
    EmbeddingTransformer,
    all_or_nothing,
    as_estimator,
    part_copies,
)
from repro.core.kernel_matrices import copies_within, warn_of_one_value
from repro.core.memory import check_memory
from repro.core.warn import warn_user

AFFINITIES = ("gaussian", "contrast", "truncated", "precomputed")
RELATIONS = ("neighbors", "radius", "class")


@as_estimator
class ScaledEstimator(DescentEstimator):
    """Base class of embeddings in units of √γ.

    Parameters
    ----------
    gamma : float
        The width γ of the embedding, in its squared units.
    """

    _: KW_ONLY
    gamma: float = 1.0
    optimizer: str = "scg"

    @property
    def _length(self):
        return np.sqrt(check_positive(self.gamma, "gamma"))


@as_estimator
class BRE(EmbeddingTransformer, ScaledEstimator, DistanceEstimator):
    """Bernoulli Relational Embedding. BRE Sec. 3.

    Parameters
    ----------
    affinity : {"gaussian", "contrast", "truncated", "precomputed"}
        Eq. (3), (5) or (6); with "precomputed", ``fit`` takes R itself. With Eq. (6), no force
        acts between unrelated points: they may coincide.
    beta : float, optional
        The width β, in squared units of the data. Default: the median squared distance of
        distinct points, our choice.
    related : {"neighbors", "radius", "class"}, (n, n) array or scipy.sparse
        Which points are related, for "contrast" and "truncated": the nearest neighbours, points
        within ``radius2``, points with the same entry of y (-1 is a class like any other), or
        the edges of a graph.
    n_neighbors : int
        K of "neighbors"; at most n - 1 are used.
    symmetric : {None, "or", "and"}
        None: i ∼ j if x_i is among the neighbours of x_j, as in the paper. "or": one is among
        the other's neighbours. "and": each is.
    radius2 : float, optional
        Squared radius of "radius". Default: 2β, as in BRE Sec. 4.
    init_scale : float, optional
        Standard deviation of the start along its widest axis, in units of √γ. Default: principal
        component scores are multiplied by √(γ/β), since affinities in data and embedding agree
        where |y_i - y_j|² / γ = |x_i - x_j|² / β; with a given R or a given start, the start is
        not rescaled; 0.1 for a random start.
    optimizer : {"scg", "conditional-scg", "l-bfgs", "cg", "gd", "momentum"}
        Scaled conjugate gradients for all points jointly; or, as in the paper, for each point
        given the others, all points at once; or L-BFGS, conjugate gradients, or gradient descent.
    max_iter : int
        Maximum number of iterations, or of rounds over all points in the conditional scheme.

    Attributes
    ----------
    relation_ : BernoulliRelation
    beta_ : float or None
        The width used; None if R was given.
    """

    _random_scale, _peak = 0.1, (4, 19)
    _conditional = True
    _cause = "beta may be too large, or all distances or affinities may be nearly equal"

    n_components: int = 2
    _: KW_ONLY
    affinity: str = "gaussian"
    beta: float | None = None
    related: object = "neighbors"
    n_neighbors: int = 30
    symmetric: str | None = None
    radius2: float | None = None
    init: object = "pca"
    init_scale: float | None = None
    n_init: int = 1
    backend: str | None = None

    @all_or_nothing
    def fit(self, X, y=None):
        """Embed the rows of X, (n, D), at least three; or distances, (n, n), see ``metric``.

        If ``affinity`` is "precomputed", X is R, (n, n), dense or sparse. If ``related`` is
        "class", y, (n,), holds the classes.
        """
        given = check_choice(self.affinity, "affinity", AFFINITIES) == "precomputed"
        X = self._checked(X, dtype=float, accept_sparse=given, ensure_min_samples=3)
        length, backend = self._length, self._choose_backend()
        if not sparse.issparse(X):
            peak = self._n_matrices((4, 4) if self.affinity == "truncated" else self._peak)
            check_memory(X.shape[0], peak, "a sparse R needs less")
        self.beta_ = None
        if given and self.metric != "euclidean":
            raise ValueError("affinity='precomputed' takes R: metric has no effect on it")
        if given and not sparse.issparse(X):
            warn_of_one_value(check_square(X, "X"), "X")
        R = X if given else self._affinities(squared_distances_by(self.metric, X, "X"), y)
        self.relation_ = relation = BernoulliRelation(R, "X" if given else "R", copy=given)
        alone = X.shape[0] - relation.n_related
        if alone:
            warn_user(f"{alone} points are related to no other, and stay where they start")

        # In units of √γ.
        shared = {"relation": relation, "gamma": 1.0, "backend": backend}
        objective = partial(bre_value_and_gradient, **shared)
        options = {}
        if str(self.optimizer) == "conditional-scg":
            options["conditional"] = partial(conditional_values_and_gradients, **shared)
        # For a precomputed relation, these are the principal components of its rows.
        is_pca = isinstance(self.init, str) and self.init == "pca"
        if is_pca and sparse.issparse(X):
            check_memory(X.shape[0], 8, 'init="random" needs less')
            X = X.toarray()
        start = self._start(X, distances=self.metric == "precomputed")
        if is_pca and given:
            start = part_copies(start, objective(start / length)[1])
        elif is_pca and not self.init_scale:
            start = start * (length / np.sqrt(self.beta_))
        return self._set_results(self._descend([objective], X.shape[0], start, **options))

    def __sklearn_tags__(self):
        """Declare that a precomputed relation may be sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.affinity == "precomputed"
        return tags

    def _affinities(self, D2, y):
        self.beta_ = _median_apart(D2) if self.beta is None else self.beta
        if self.affinity == "gaussian":
            if not (isinstance(self.related, str) and self.related == "neighbors"):
                raise ValueError("related has no effect unless affinity is contrast or truncated")
            return bernoulli_gaussian(D2=D2, beta=self.beta_)
        function = bernoulli_contrast if self.affinity == "contrast" else bernoulli_truncated
        return function(D2=D2, beta=self.beta_, related=self._related(D2, y))

    def _related(self, D2, y):
        if not isinstance(self.related, str):
            return self.related
        check_choice(self.related, "related", RELATIONS)
        if self.related == "class":
            if y is None:
                raise ValueError("related='class' needs y, the class of each row of X")
            return class_graph(check_labels(y, len(D2), "y"))
        if self.related == "radius":
            radius2 = 2 * self.beta_ if self.radius2 is None else self.radius2
            return radius_graph(D2=D2, radius2=radius2)
        n_neighbors = min(check_count(self.n_neighbors, "n_neighbors"), len(D2) - 1)
        return neighbor_graph(D2=D2, n_neighbors=n_neighbors, symmetric=self.symmetric)


def _median_apart(D2):
    """Return the median squared distance of distinct points; many copies would make it 0."""
    apart = D2[copies_within(D2) < D2]
    if not apart.size:
        raise ValueError("X must contain at least two distinct points")
    return float(np.median(apart, overwrite_input=True))
