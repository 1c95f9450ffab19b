"""What is wrong is refused, and the message names the argument."""

from functools import partial
from inspect import signature

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import repro
from repro import (
    BRE,
    KIE,
    MRE,
    SNE,
    AffinityRelation,
    ConditionalKIE,
    FastTETE,
    JointKIE,
    MultipleBRE,
    Relation,
    TripletEmbedding,
    TwinKernelPCA,
    WeightedTETE,
    measures,
)
from repro.core import neighbors, optimize
from repro.kie import out_of_sample
from repro.measures import axes, turntable
from repro.measures.neighbourhoods import nearest_is_adjacent

N = 30
RNG = np.random.default_rng(0)
X, START = RNG.normal(size=(N, 4)), RNG.normal(size=(N, 2))
P, P_SELF = repro.gaussian_rows(X), repro.gaussian_rows(X, include_self=True)
K, R = repro.gaussian_kernel(X, 2.0), RNG.random((N, N))
D2 = repro.squared_distances(X)
LABELS, VIEWS, VALUES = np.repeat([0, 1, 2], 10), np.tile(np.arange(10), 3), X[:, 0]
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))
ONES, ONE = np.ones((1, 4)), np.ones((5, 2))
NAN, RAGGED = np.full((N, 4), np.nan), [[1.0], [2.0, 3.0]]
RELATION, AFFINITY = Relation(P_SELF, name="far"), AffinityRelation(R)
FAR = Relation(P_SELF, index=[*range(N - 1), 99], name="far")
EXACT = {"neighbors": "exact"}


def rng():
    return np.random.default_rng(0)


# Points, and the name by which each function calls them.
TAKES_POINTS = {
    "squared_distances": (repro.squared_distances, "Y"),
    "gaussian_rows": (repro.gaussian_rows, "Y"),
    "perplexity_rows": (lambda X: repro.perplexity_rows(X, 2.0), "Y"),
    "gaussian_kernel": (repro.gaussian_kernel, "Y"),
    "likelihood_bandwidth": (repro.likelihood_bandwidth, "Y"),
    "embedding_similarities": (repro.embedding_similarities, "X"),
    "embedding_affinities": (repro.embedding_affinities, "Y"),
    "bernoulli_gaussian": (repro.bernoulli_gaussian, "Y"),
    "neighbor_graph": (lambda X: repro.neighbor_graph(X, 2), "Y"),
    "sne_loss": (lambda X: repro.sne_loss(X, P), "X"),
    "mre_loss": (lambda X: repro.mre_loss(X, ONES, [RELATION]), "X"),
    "bre_loss": (lambda X: repro.bre_loss(X, R), "Y"),
    "twin_kernel_loss": (lambda X: repro.twin_kernel_loss(X, K), "Y"),
    "kie_loss": (lambda X: repro.kie_loss(X, K), "Z"),
    "conditional_kie_loss": (lambda X: repro.conditional_kie_loss(X, K, K), "Z"),
    "joint_kie_loss": (lambda X: repro.joint_kie_loss(X, K, K), "Z"),
    "ste_loss": (lambda X: repro.ste_loss(X, TRIPLETS), "Y"),
    "sample_per_point": (lambda X: repro.sample_per_point(X, 5, 3, rng=rng()), "X"),
    "triplet_weights": (lambda X: repro.triplet_weights(X, TRIPLETS), "X"),
    "kernel_smoother": (lambda X: repro.kernel_smoother(X, VALUES, X[:3]), "Z"),
    "SNE": (lambda X: SNE().fit(X), "X"),
    "BRE": (lambda X: BRE(max_iter=1).fit(X), "X"),
    "TwinKernelPCA": (lambda X: TwinKernelPCA(max_iter=1).fit(X), "X"),
    "KIE": (lambda X: KIE(max_iter=1).fit(X), "X"),
    "ConditionalKIE": (lambda X: ConditionalKIE(max_iter=1).fit(X, VALUES), "X"),
    "JointKIE": (lambda X: JointKIE(max_iter=1).fit(X, START), "X"),
    "WeightedTETE": (lambda X: WeightedTETE(max_iter=1).fit(X), "X"),
    "FastTETE": (lambda X: FastTETE(max_iter=1, neighbors="exact").fit(X), "X"),
    "plane_fit": (lambda X: measures.plane_fit(X, VALUES), "X"),
    "distance_correlation": (lambda X: measures.distance_correlation(X, D2), "X"),
    "roughness": (lambda X: measures.roughness(X, VALUES, LABELS, 1), "X"),
    "discriminant": (lambda X: measures.discriminant(X, LABELS), "X"),
    "axis_shares": (lambda X: measures.axis_shares(np.ones(4), X), "X"),
    "view_distance_ratio": (lambda X: turntable.view_distance_ratio(X, LABELS, VIEWS), "X"),
    "view_match": (lambda X: turntable.view_match(X, LABELS, VIEWS), "X"),
    "view_error": (lambda X: turntable.view_error(X, LABELS, VIEWS), "X"),
}
BAD_POINTS = {
    "NaN": np.where(np.arange(4) == 1, np.nan, X),
    "infinite": np.where(np.arange(4) == 1, -np.inf, X),
    "a row": X[0],
    "one too many": X[None],
    "no point": np.zeros((0, 4)),
    "no dimension": np.zeros((N, 0)),
    "words": "words",
    "complex": X.astype(complex),
}


@pytest.mark.parametrize("bad", BAD_POINTS)
@pytest.mark.parametrize("name", TAKES_POINTS)
def test_points_that_are_none(name, bad):
    f, argument = TAKES_POINTS[name]
    not_finite = rf"(?i)\b{argument}\b.*(finite|nan|infinity)"
    words = not_finite if bad in ("NaN", "infinite") else None
    with pytest.raises((TypeError, ValueError), match=words):
        f(BAD_POINTS[bad])


# Matrices of probabilities, of kernels, of relations: what each must be.
MATRICES = {
    "probabilities": (
        P,
        [
            (repro.NeighborProbabilities, "P"),
            (Relation, "P"),
            (lambda P: repro.sne_loss(X, P), "P"),
        ],
        {"not normalised": P * 1.01, "negative": np.where(np.eye(N) > 0, 2.0, -1 / (N - 1))},
    ),
    "kernels": (
        K,
        [
            (lambda K: repro.kie_loss(START, K), "K_y"),
            (lambda K: repro.conditional_kie_loss(START, repro.KernelMatrix(np.eye(N)), K), "K_x"),
            (lambda K: repro.joint_kie_loss(START, K, np.eye(N)), "K_x"),
        ],
        {"one-sided": np.triu(K), "negative": -K, "no diagonal": K - np.eye(N)},
    ),
    "covariances": (
        K,
        [(lambda K: repro.twin_kernel_loss(START, K), "K")],
        {
            "one-sided": np.triu(K),
            "negative": -K,
            "not definite": 2 * np.ones((N, N)) - np.eye(N),
        },
    ),
    "relations": (
        R,
        [(repro.BernoulliRelation, "R"), (AffinityRelation, "P")],
        {
            "beyond one": R + 0.5,
            "sparse beyond one": sparse.csr_array(R + 0.5),
            "sparse and wide": sparse.csr_array(R[:3]),
        },
    ),
}
SPOILT = {
    "wide": lambda M: M[:3],
    "one point": lambda M: np.ones((1, 1)),
    "NaN": lambda M: np.where(np.eye(len(M)) > 0, np.nan, M),
    "text": lambda M: M.astype(str),
}


@pytest.mark.parametrize("kind", MATRICES)
def test_matrices_that_are_none(kind):
    whole, functions, wrong = MATRICES[kind]
    for matrix in [*wrong.values(), *(spoil(whole) for spoil in SPOILT.values())]:
        for f, argument in functions:
            with pytest.raises((TypeError, ValueError), match=rf"\b{argument}\b"):
                f(matrix)


# Estimators, what they are fitted to, and what is wrong for each of the options that they share.
ESTIMATORS = {
    SNE: (X,),
    MRE: ([RELATION],),
    BRE: (X,),
    MultipleBRE: ([AFFINITY],),
    TwinKernelPCA: (X,),
    KIE: (X,),
    ConditionalKIE: (X, VALUES),
    JointKIE: (X, START),
    TripletEmbedding: (TRIPLETS,),
    WeightedTETE: (X,),
    FastTETE: (X,),
}
SHARED_OPTIONS = {
    **dict.fromkeys(("n_components", "max_iter", "n_init"), (0, -1, "x", None, True, 1.5)),
    "init_scale": [0, -1.0, "x", True, np.nan],
    "optimizer": ["newton", ["cg"]],
    "optimizer_options": ["x", {"max_iter": 3}],
    "backend": ["cuda"],
    "init": ["zeros", np.zeros((N, 9)), np.full((N, 2), np.nan)],
    "random_state": [-1, "abc", 1.5],
    "bandwidth": [0.0, -1.0, False],
    "power": [3, 0, 2.0],
    "gamma": [0.0, -1.0],
    "sigma2": [0, -1.0, np.nan, np.inf],
    "perplexity": [0, -1.0, np.nan, np.inf],
}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("option", SHARED_OPTIONS)
def test_options_that_estimators_share(estimator, option):
    if option not in estimator().get_params():
        pytest.skip("it has no such option")
    words = "n_components|dimension" if option == "n_components" else option
    for bad in SHARED_OPTIONS[option]:
        with pytest.raises((TypeError, ValueError), match=words):
            estimator(**{option: bad}).fit(*ESTIMATORS[estimator])


STEPS = [{"step": step} for step in (np.nan, np.inf, 0.0, -1.0)]
OWN_OPTIONS = [
    (SNE(), {"optimizer": ["conditional-scg"], "optimizer_options": [{"gtol": "a"}]}),
    (MRE(), {"include_self": [False]}),
    (BRE(), {"affinity": ["eq3"], "beta": [-1.0], "n_init": [3]}),
    (BRE(affinity="contrast"), {"related": ["friends"]}),
    (BRE(affinity="truncated"), {"n_neighbors": [0]}),
    (BRE(affinity="truncated", related="radius"), {"radius2": [0]}),
    (TwinKernelPCA(), {"kernel": ["poly"], "direction": ["forward"], "noise": [0.0]}),
    *((m(), {"penalty": [[], -1.0, np.nan, "much"]}) for m in (KIE, ConditionalKIE, JointKIE)),
    (ConditionalKIE(), {"condition_bandwidth": [-1]}),
    (JointKIE(), {"bandwidth": [(1.0, -1.0)]}),
    (TripletEmbedding(), {"loss": ["t-ste"], "t": [3.0], "optimizer": ["conditional-scg"]}),
    (TripletEmbedding(init=START), {"n_init": [-1]}),
    (TripletEmbedding("gnmds"), {"penalty": [-1.0]}),
    (WeightedTETE(), {"n_neighbors": [0], "n_outliers": [0], "bias": [-0.1], "t": [3.0]}),
    (WeightedTETE(), {"weighting": ["linear"], "neighbors": ["some"]}),
    (FastTETE(), {"n_neighbors": [0], "n_outliers": [1], "neighbors": ["some"]}),
    (FastTETE(**EXACT), {"outlier_weight": [-0.1], "reduce_to": [0], "n_rounds": [0]}),
    *(
        (model, {"optimizer_options": STEPS})
        for model in (TripletEmbedding(), WeightedTETE(optimizer="gd"), FastTETE(**EXACT))
    ),
]


@pytest.mark.parametrize(("model", "options"), OWN_OPTIONS)
def test_options_of_single_estimators(model, options):
    words = {"optimizer_options": "gtol|step must be"}
    for option, values in options.items():
        for bad in values:
            changed = clone(model).set_params(**{option: bad})
            with pytest.raises((TypeError, ValueError), match=words.get(option, rf"\b{option}\b")):
                changed.fit(*ESTIMATORS[type(model)])


def descent(x):
    return 0.0, x


# Functions, what they are rightly given, and wrong values of one argument at a time.
FARTHER = partial(repro.sample_per_point, rng=rng(), n_neighbors=3)
OUTLIERS = partial(repro.sample_triplets, rng=rng(), n_neighbors=3)
REVERSED = partial(repro.reverse_triplets, fraction=0.1, rng=rng())
REPEATED = [[*range(N - 1), index] for index in (0, -1, 0.5)]
NOT_FOR_KIE = {"penalty": [-1.0], "power": [3], "backend": ["fortran"]}
OF_VIEWS = turntable.view_match, turntable.view_distance_ratio
ARGUMENTS = [
    (repro.gaussian_rows, (), {"D2": [-D2, D2[:3], NAN]}),
    (repro.perplexity_rows, (None, 1.5), {"D2": [-D2]}),
    (repro.neighbor_graph, (None, 1), {"D2": [-D2]}),
    (repro.likelihood_bandwidth, (None, 2), {"D2": [-D2]}),
    (repro.bernoulli_gaussian, (), {"D2": [-D2]}),
    (repro.gaussian_kernel, (), {"D2": [-D2[:3]]}),
    (repro.gaussian_kernel, (X,), {"bandwidth": [np.inf]}),
    (repro.gaussian_rows, (X,), {"sigma2": [-1.0, np.nan, "wide", np.ones(5)]}),
    (repro.perplexity_rows, (X,), {"perplexity": [np.nan, N]}),
    (repro.bernoulli_gaussian, (X,), {"beta": [-1.0]}),
    (repro.likelihood_bandwidth, (X,), {"dimension": [0]}),
    (repro.squared_distances, (X,), {"centers": [NAN]}),
    (repro.class_blocks, (), {"labels": [[], [[0, 1]], [0.0, np.nan]]}),
    (partial(repro.class_blocks, include_self=False), (), {"labels": [[0, 0, 1]]}),
    (repro.nearest_neighbor_error, (X,), {"labels": [[0, 1], [np.nan] * N]}),
    (Relation, (P,), {"index": [*REPEATED, [0, 1], [P]]}),
    (Relation, (P,), {"weight": [0, "x", None, True, np.nan], "metric": ["fixed"]}),
    (repro.sne_loss, (X, P), {"backend": ["cuda"]}),
    (partial(repro.mre_loss, relations=[RELATION]), (X,), {"R": [ONES[:, 1:], ONES[0], NAN[:1]]}),
    (partial(repro.multiple_bre_loss, relations=[AFFINITY]), (X,), {"M": [np.ones((2, 4))]}),
    (repro.multiple_bre_loss, (X, ONES, [AFFINITY]), {"gamma": [0.0]}),
    (MRE().fit, ([FAR],), {"n_points": [N]}),
    (repro.bernoulli_kl, (0.5,), {"s": [1.1, np.nan]}),
    (repro.bre_loss, (X, R), {"gamma": [0], "backend": ["cuda"]}),
    (repro.neighbor_graph, (X,), {"n_neighbors": [N, 0], "symmetric": ["xor"]}),
    (repro.radius_graph, (X,), {"radius2": [0.0]}),
    (repro.bernoulli_contrast, (X, 1.0), {"related": [R]}),
    (repro.bernoulli_truncated, (X, 1.0), {"related": [np.ones((3, 3), bool)]}),
    (repro.twin_kernel_loss, (X, K), {"gamma": [0.0], "noise": [0.0], "direction": ["forward"]}),
    (repro.kie_loss, (X, K), NOT_FOR_KIE),
    (repro.conditional_kie_loss, (X, K, K), NOT_FOR_KIE),
    (repro.joint_kie_loss, (X, K, K), NOT_FOR_KIE),
    (ConditionalKIE().fit, (X,), {"y": [None, 3, VALUES[:5], ["a"] * N, RAGGED * 15]}),
    (JointKIE().fit, (X,), {"Y": [X[:5], NAN]}),
    (JointKIE().fit, (X, X), {"x_only": [X[:, :2]], "y_only": [NAN]}),
    (repro.relations_from_table, (), {"table": [{"a": [1, 2]}]}),
    (repro.ste_loss, (X, TRIPLETS), {"weights": [np.ones(3), -np.ones(300)], "backend": ["cuda"]}),
    (repro.tete_loss, (X, TRIPLETS), {"t": [2.5], "t_prime": [0.5]}),
    (repro.tste_loss, (X, TRIPLETS), {"alpha": [0.0]}),
    (repro.ckl_loss, (X, TRIPLETS), {"mu": [-1.0]}),
    (repro.gnmds_loss, (X, TRIPLETS), {"penalty": [-1.0]}),
    (FARTHER, (X,), {"n_neighbors": [N], "far": ["close"], "rng": [0]}),
    (OUTLIERS, (X,), {"n_neighbors": [N - 1], "rng": [None]}),
    (REVERSED, (TRIPLETS,), {"fraction": ["a", 20], "rng": [np.random.RandomState(0)]}),
    (repro.split_folds, (TRIPLETS, 5), {"rng": ["a"]}),
    (repro.triplet_weights, (X, TRIPLETS), {"bias": [-1.0], "n_neighbors": [N]}),
    (neighbors.k_nearest, (X,), {"k": [N]}),
    (optimize.minimize, (descent, X), {"method": ["newton"], "max_iter": [2.5, 0]}),
    (optimize.minimize, (descent,), {"x0": [NAN]}),
    (partial(measures.axis_shares, X=X), (), {"r": [[1.0], [1.0, np.nan, 1.0, 1.0]]}),
    (measures.distance_correlation, (X,), {"D": [D2[:5], np.full((N, N), np.nan)]}),
    (measures.plane_fit, (X,), {"values": [VALUES[:5]]}),
    (measures.neighbor_distance, (X,), {"data": [X[:5]]}),
    (partial(measures.centroid_correlation, labels=LABELS), (X,), {"data": [X[:5]]}),
    (measures.random_triplet_accuracy, (X, X), {"rng": [0]}),
    (measures.roughness, (X, VALUES, LABELS), {"n_neighbors": [10, 1]}),
    (measures.discriminant, (X,), {"labels": [LABELS[:5]]}),
    (axes.fitted_directions, (X,), {"targets": [X[:4]]}),
    (turntable.view_error, (X, LABELS), {"views": [VIEWS[:3]]}),
    (turntable.view_error, (X, LABELS, VIEWS), {"period": [0]}),
    (turntable.view_gap, (1, 2), {"period": [0]}),
    (turntable.neighbor_views, (X, LABELS, VIEWS), {"asked": [3]}),
    *((f, (X[:3], [0, 0, 1]), {"views": [[5, 5, 5], [1, 2, 3]]}) for f in OF_VIEWS),
    *(
        (partial(f, views=VIEWS), (X,), {"labels": [LABELS[:5], LABELS[None], 3]})
        for f in (*OF_VIEWS, turntable.view_error)
    ),
    (partial(repro.kernel_smoother, queries=X), (X,), {"Y": [VALUES * np.inf, VALUES[:5]]}),
    (repro.kernel_smoother, (X, VALUES), {"queries": [NAN]}),
    (repro.kernel_smoother, (X, VALUES, X), {"sigma2": [0.0, []]}),
    (partial(repro.kernel_smoother, sigma2=1.0), (X, VALUES), {"queries": [X[:, :2]]}),
    (partial(repro.kernel_smoother, Y=VALUES[:2], queries=X), (), {"Z": [X[:2]]}),
    (partial(repro.kernel_smoother, Y=VALUES[:5], queries=START), (), {"Z": [ONE]}),
]


@pytest.mark.parametrize(("f", "given", "wrong"), ARGUMENTS)
def test_arguments_that_are_wrong_are_named(f, given, wrong):
    for argument, values in wrong.items():
        for bad in values:
            signature(f).bind(*given, **{argument: bad})  # or it is the call that is wrong
            with pytest.raises((TypeError, ValueError), match=rf"\b{argument}\b"):
                f(*given, **{argument: bad})


@pytest.mark.parametrize(
    "f", [repro.gaussian_rows, repro.perplexity_rows, repro.gaussian_kernel, repro.neighbor_graph]
)
def test_either_points_or_distances(f):
    for given in ({}, {"Y": X, "D2": D2}):
        with pytest.raises(ValueError, match="either Y or D2"):
            f(**given)


WRONG_TRIPLETS = {
    "three different items": [[0, 1, 1]],
    f"items 0 to {N - 1}": [[0, 1, N]],
    "row 0 names -1": [[0, -1, 2]],
    "integers": [[0.0, 1.0, 2.0]],
    "rows of three": [[0, 1]],
    "triplets must have rows of one": [[0, 1, 2], [0, 1]],
    "triplets must be rows of three": np.empty((0, 3), int),
}
TAKES_TRIPLETS = {
    "TripletEmbedding": lambda t: TripletEmbedding(max_iter=1).fit(t, n_items=N),
    "tete_loss": lambda t: repro.tete_loss(X, t),
    "fraction_satisfied": lambda t: repro.fraction_satisfied(X, t),
    "triplet_weights": lambda t: repro.triplet_weights(X, t),
    "reverse_triplets": lambda t: repro.reverse_triplets(t, 0.5, rng()),
    "split_folds": lambda t: repro.split_folds(t, 2, rng()),
    "contradictions": repro.contradictions,
}


@pytest.mark.parametrize("name", TAKES_TRIPLETS)
@pytest.mark.parametrize("words", WRONG_TRIPLETS)
def test_triplets_that_are_none(name, words):
    if "items 0" in words and name in ("reverse_triplets", "split_folds", "contradictions"):
        pytest.skip("it knows of no points")
    with pytest.raises((TypeError, ValueError), match=words):
        TAKES_TRIPLETS[name](WRONG_TRIPLETS[words])


# What depends on two arguments, and what a message has to say beside the name.
CASES = [
    (lambda: repro.gaussian_rows(X[:1]), "2 points"),
    (lambda: repro.perplexity_rows(X[:1]), "2 points"),
    (lambda: repro.squared_distances(X, X[:, :3]), "must have 3 columns"),
    (lambda: repro.squared_distances([[1, 2], [3]]), "Y must have rows of one length"),
    (lambda: KIE().fit(ONE), "one and the same point"),
    # labels
    (lambda: repro.class_blocks(["a", np.nan, "a"]), "labels must not be missing.*first at 1"),
    (lambda: repro.class_graph(pd.Series(["a", pd.NA, "a"])), "labels must not be missing"),
    (lambda: repro.class_graph(np.array(["2004", "NaT"], "M8[Y]")), "labels must not be missing"),
    (lambda: repro.class_graph([["a"], ["b", "c"]]), "labels must have rows of one length"),
    (lambda: BRE(affinity="contrast", related="class").fit(X), "needs y"),
    # points and matrices of different sizes
    (lambda: repro.sne_loss(X[:5], P), "P relates 30 points, but X has 5 rows"),
    (lambda: repro.bre_loss(X[:4], R), "R relates 30 points, but Y has 4 rows"),
    (lambda: repro.twin_kernel_loss(X[:9], K), "K relates 30 points, but Y has 9 rows"),
    (lambda: repro.kie_loss(X[:5], K), "K_y relates 30"),
    (lambda: repro.conditional_kie_loss(X, K, K[:5, :5]), "K_x relates 5"),
    (lambda: repro.joint_kie_loss(X, K[:5, :5], K), "K_x relates 5"),
    (lambda: repro.mutual_information(X[:5], K), "K_y relates 30"),
    (lambda: out_of_sample.backward_map(K[:, :5], START), "one column per training point"),
    # relations, and what refers to their points
    (lambda: repro.sne_loss(X, P_SELF), "include_self"),
    *(
        (lambda f=f, r=r: f(r), words)
        for f in (MRE().fit, lambda relations: repro.mre_loss(X, ONES, relations))
        for r, words in (
            ([], "empty"),
            (7, "list of Relation"),
            (P_SELF, "wrap a matrix"),
            ([P_SELF], "wrap a matrix"),
        )
    ),
    (lambda: repro.mre_loss(X, ONES, [FAR]), "'far' refers to point 99"),
    (lambda: MultipleBRE().fit([]), "relations must not be empty"),
    (lambda: MultipleBRE().fit([RELATION]), "list of AffinityRelation, but holds a Relation"),
    (lambda: AffinityRelation(sparse.csr_array((4, 4))), "at least one pair"),
    (lambda: AffinityRelation(R + 1, name="bad"), r"P of the relation 'bad' must lie in \[0, 1\]"),
    (lambda: repro.multiple_bre_loss(X[:9], ONES, [AFFINITY]), "refers to point"),
    (lambda: repro.adjacency_graph(X), "square"),
    # tables
    (lambda: repro.relations_from_table(pd.DataFrame({"a": [1 + 1j, 2, 3]})), "column 'a'"),
    (lambda: repro.relations_from_table(pd.DataFrame(X[:, :2], columns=["a", "a"])), "table.*'a'"),
    *(
        (lambda v=v: repro.relations_from_table(pd.DataFrame({"height": v})), f"height.*{words}")
        for v, words in (
            ([1.0, np.nan, np.nan], "2 known values"),
            ([1.0, 1.0, np.nan], "one and the same"),
            ([1.0, np.inf, 2.0], "finite"),
            ([None, None, "a"], "2 known values"),
            (list("abc"), "name a class twice"),
        )
    ),
    # units, and places too far from all others
    (lambda: BRE().fit(X * 1e100), "init_scale"),
    (lambda: out_of_sample.backward_map(np.zeros((1, N)), START), "row 0: that point is too far"),
    (lambda: out_of_sample.forward_map(np.zeros((1, N)), X, 1.0), "row 0: that point is too far"),
    (lambda: out_of_sample.backward_map(-K, START), "negative"),
    (lambda: KIE(bandwidth=0.01, max_iter=1).fit(X).transform(X + 100), "too far"),
    # what a fitted model is given
    (lambda: KIE(max_iter=1).fit(X).transform(X, penalty=-1.0), "penalty"),
    (lambda: KIE(max_iter=1).fit(X).inverse_transform(X), "columns"),
    # triplets
    (lambda: repro.ste_loss(X, repro.TripletSet(TRIPLETS), np.ones(300)), "to the TripletSet"),
    (lambda: repro.ste_loss(X[:20], repro.TripletSet(TRIPLETS)), "there are 20"),
    (lambda: repro.split_folds(TRIPLETS[:11], 12, rng()), "splits"),
    (lambda: TripletEmbedding(init=START[:7]).fit(TRIPLETS), "items 0 to 6"),
    (lambda: TripletEmbedding().fit(TRIPLETS, n_items=20), "items 0 to 19"),
    # optimisers
    (lambda: optimize.minimize(descent, X, "gd", pace=1.0), "options.*'pace'"),
    (lambda: optimize.minimize(lambda x: (np.inf, x), X), "x0"),
    (lambda: optimize.minimize(lambda x: (1.0, x * np.nan), X), "x0"),
    (lambda: optimize.minimize(lambda x: (0.0, np.full(2, 1e80)), np.zeros(2)), "x0"),
    # measures
    (lambda: measures.centroid_correlation(X, X, LABELS > 0), "three classes"),
    (lambda: measures.random_triplet_accuracy(X[:2], X[:2], rng()), "X"),
    (lambda: measures.random_triplet_accuracy(X[:5], X, rng()), "as many rows"),
    (lambda: measures.geodesic_distances(np.vstack([X, X + 100]), 2), "do not connect"),
    (lambda: measures.rank_errors([1, 2, 3], [1, 2]), "length"),
    (lambda: axes.abs_spearman(X, X[:5]), "rows"),
    (lambda: axes.spearman(VALUES, VALUES[:3]), "length"),
    (lambda: axes.matched_spearman(X, X[:, :2]), "factors must have one column per column of X"),
    (lambda: measures.signed_permutation_difference(X, X[:, :2]), "one shape"),
    (lambda: nearest_is_adjacent(X[:2]), "at least 3"),
    *(
        (lambda f=f, more=more: f(X, np.zeros(N), VIEWS, *more), "two classes")
        for f, more in ((turntable.view_error, ()), (turntable.neighbor_views, (0,)))
    ),
]


@pytest.mark.parametrize(("call", "words"), CASES)
def test_what_is_wrong_is_named(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_too_few_points(n):
    for estimator in (SNE, BRE, TwinKernelPCA, KIE, WeightedTETE, FastTETE):
        with pytest.raises(ValueError, match=r"sample|point"):
            estimator().fit(X[:n])
    with pytest.raises(ValueError, match=r"\bX\b"):
        JointKIE().fit(X[:n], X[:n])
    with pytest.raises(ValueError, match="sample"):
        ConditionalKIE().fit(X[:n], np.arange(n))


def test_nothing_is_known_before_a_fit():
    with pytest.raises(NotFittedError):
        TripletEmbedding().score(TRIPLETS)
    with pytest.raises(NotFittedError):
        KIE().transform(X)
