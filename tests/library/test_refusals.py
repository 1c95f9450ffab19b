"""Wrong arguments are refused, and the message names the argument."""

from functools import partial
from inspect import isclass, isfunction, signature

import numpy as np
import pandas as pd
import pytest
from models import MODELS, OF_POINTS, fit
from scipy import sparse
from sklearn.base import BaseEstimator

import repro
from repro import BRE, KIE, MRE, JointKIE, Relation, TripletEmbedding, bre, datasets, measures
from repro.core import optimize
from repro.core.neighbors import k_nearest
from repro.kie import out_of_sample, reconstruction_loss
from repro.kie.constraint import scaled_to_power

N = 30
RNG = np.random.default_rng(0)
X, START, NAN = RNG.normal(size=(N, 4)), RNG.normal(size=(N, 2)), np.full((N, 4), np.nan)
P, P_SELF = repro.gaussian_rows(X), repro.gaussian_rows(X, include_self=True)
K, R, D2 = repro.gaussian_kernel(X, 2.0), RNG.random((N, N)), repro.squared_distances(X)
LABELS, VALUES = np.repeat([0, 1, 2], 10), X[:, 0]
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))
RELATION, AFFINITY, ONES = Relation(P_SELF, name="far"), repro.AffinityRelation(R), np.ones((1, 4))
NO_PAIRS = sparse.csr_array((N, N))
FAR = Relation(P_SELF, index=[*range(N - 1), 99], name="far")


def rng():
    return np.random.default_rng(0)


# Each argument by name: a right value, and wrong values.
COUNT = 2, [0, -1, "x", None, True, 1.5]
POSITIVE = 1.0, [0.0, -1.0, np.nan, np.inf, "x", False]
NOT_NEGATIVE = 0.1, [-1.0, np.nan, "x", []]
POINTS = [
    np.where(np.arange(4) == 1, np.nan, X),
    np.where(np.arange(4) == 1, -np.inf, X),
    X[0],
    X[None],
    np.zeros((0, 4)),
    np.zeros((N, 0)),
    X.astype(complex),
    "words",
    [[1.0], [2.0, 3.0]],
]
NO_TRIPLETS = [
    [[0, 1, 1]],
    [[0, -1, 2]],
    [[0.0, 1.0, 2.0]],
    [[0, 1]],
    [[0, 1, 2], [0, 1]],
    np.empty((0, 3), int),
]


def square(M, *wrong):
    """Return a square matrix, and values that are not square or are otherwise ``wrong``."""
    return M, [M[:3], np.ones((1, 1)), np.where(np.eye(N) > 0, np.nan, M), M.astype(str), *wrong]


COVARIANCES, KERNELS = [np.triu(K), -K], [np.triu(K), -K, K - np.eye(N), K[:5, :5]]
RELATIONS = square(R, R + 0.5, sparse.csr_array(R + 0.5), sparse.csr_array(R[:3]))
ARGUMENTS = {
    **dict.fromkeys(("X", "Y", "Z", "A", "B", "centers", "queries"), (X, POINTS)),
    **dict.fromkeys(("data", "factors"), (X, [X[:5], NAN])),
    "D2": (D2, [-D2, NAN]),
    "D": (D2, [D2[:5], np.full((N, N), np.nan)]),
    "K": square(K, *COVARIANCES),
    **dict.fromkeys(("K_x", "K_y"), square(K, *KERNELS)),
    "P": square(P, P * 1.01, np.where(np.eye(N) > 0, 2.0, -1 / (N - 1))),
    "R": RELATIONS,
    "related": (D2 < 5, [np.ones((3, 3), bool)]),
    "labels": (LABELS, [LABELS[:5], LABELS[None], 3]),
    **dict.fromkeys(("values", "x", "y"), (VALUES, [VALUES[:5]])),
    "r": (np.ones(4), [[1.0], [1.0, np.nan, 1.0, 1.0]]),
    "triplets": (TRIPLETS, NO_TRIPLETS),
    "weights": (np.ones(len(TRIPLETS)), [np.ones(3), -np.ones(len(TRIPLETS))]),
    "n_items": (N, [30.0, True, "x", 2]),
    "groups": ("items", ["annotators", LABELS[:5], 3]),
    "fraction": (0.1, ["a", 20]),
    "index": (None, [*([*range(N - 1), i] for i in (0, -1, 0.5)), [0, 1], [P]]),
    **dict.fromkeys(("weight", "start", "factor"), POSITIVE),
    "n_steps": (2, [-1, 1.5]),
    "metric": ("learned", ["fixed"]),
    "rng": (rng(), [0, None, "a", np.random.RandomState(0)]),
    **dict.fromkeys(("n", "n_per_point"), COUNT),
    **dict.fromkeys(("n_neighbors", "n_folds"), (2, [0, 1.5])),
    **dict.fromkeys(("gamma", "beta", "bandwidth", "sigma2", "radius2", "noise"), POSITIVE),
    **dict.fromkeys(("alpha", "perplexity", "dimension"), POSITIVE),
    **dict.fromkeys(("penalty", "bias", "mu"), NOT_NEGATIVE),
    "power": (2, [3, 0, 2.0]),
    "t": (2.0, [2.5]),
    "t_prime": (2.0, [0.5]),
    "backend": (None, ["cuda"]),
    "include_self": (False, ["False", None, 1]),
    "far": ("farther", ["close"]),
    "symmetric": ("or", ["xor"]),
    "direction": ("printed", ["forward"]),
}
MAKERS = {name: make for name, make in vars(datasets).items() if name.startswith("make_")}
# Functions in which an argument of that name means something else.
OWN = {
    **{make: {"rng": (0, []), "name": ("S-curve", ["no surface"])} for make in MAKERS},
    "adjacency_graph": {"A": (D2, [X, NAN[:4]])},
    "bernoulli_kl": dict.fromkeys("rs", (0.5, [1.5, -0.5, np.nan, "x"])),
    "exp_t": {"x": (VALUES, [np.nan, "x"]), "t": (1.5, [np.nan, "x"])},
    "log_t": {"x": (VALUES**2, [-1.0, np.nan, "x"]), "t": (1.5, [np.nan, "x"])},
    "relations_from_table": {"table": (pd.DataFrame(X), [X, {"a": [1, 2]}])},
    "AffinityRelation": {"P": RELATIONS},
    "class_blocks": {"labels": (LABELS, [[], [[0, 1]], [0.0, np.nan]])},
    "class_graph": {"labels": (LABELS, [[], [[0, 1]], [0.0, np.nan]])},
    "kernel_smoother": {"Y": (VALUES, [VALUES * np.inf, VALUES[:5]])},
    "mre_loss": {
        "relations": ([RELATION], [[], 7, P_SELF, [P_SELF]]),
        "R": (ONES, [ONES[:, 1:], ONES[0], NAN[:1]]),
        "include_self": (True, [False, "True"]),
    },
    "multiple_bre_loss": {
        "relations": ([AFFINITY], [[], 7, R, [R], [RELATION]]),
        "M": (ONES, [np.ones((2, 4))]),
    },
}
MEASURES = [of for of in vars(measures).values() if isfunction(of)]
EVERYTHING = {of.__name__: of for of in MEASURES if of.__module__.startswith("repro.measures.")}
EVERYTHING |= {name: getattr(repro, name) for name in repro.__all__}
EVERYTHING |= MAKERS


def is_refused(f, given, argument, bad):
    with pytest.raises((TypeError, ValueError), match=rf"\b{argument}\b"):
        f(**given | {argument: bad})


def arguments_of(name):
    """Return the known arguments of a function, or none if one is unknown."""
    parameters, known = signature(EVERYTHING[name]).parameters, ARGUMENTS | OWN.get(name, {})
    if any(p.default is p.empty and p.name not in known for p in parameters.values()):
        return {}
    return {argument: known[argument] for argument in parameters if argument in known}


FUNCTIONS = [
    name
    for name, f in EVERYTHING.items()
    if callable(f) and not (isclass(f) and issubclass(f, BaseEstimator | BaseException))
]
# Functions whose arguments are no numbers, and where they are tested.
UNTRIED = {
    "design_questions": "answers/test_design.py",
    "read_answers": "answers/test_reading.py",
    "report_answers": "answers/test_answers_report.py",
}


def test_the_arguments_of_all_functions_are_known():
    assert {name for name in FUNCTIONS if not arguments_of(name)} == set(UNTRIED)


@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - {*UNTRIED}))
def test_wrong_arguments_of_functions_are_named(name):
    f, arguments = EVERYTHING[name], arguments_of(name)
    given = {argument: right for argument, (right, _) in arguments.items() if argument != "D2"}
    f(**given)
    for argument, (_, wrong) in arguments.items():
        others = given | {"Y": None} if argument == "D2" else given
        for bad in wrong:
            is_refused(f, others, argument, bad)
    if "D2" in arguments:
        for both in ({"Y": X, "D2": D2}, {"Y": None, "D2": None}):
            with pytest.raises(ValueError, match="either Y or D2"):
                f(**given | both)


# The options of estimators, most of which mean the same in all.
OPTIONS = {name: wrong for name, (_, wrong) in ARGUMENTS.items()} | {
    **dict.fromkeys(("n_components", "max_iter", "n_init", "n_rounds", "reduce_to"), COUNT[1]),
    "n_neighbors": COUNT[1],
    **dict.fromkeys(("init_scale", "condition_bandwidth"), POSITIVE[1]),
    "n_outliers": [0, 1.5],
    "outlier_weight": NOT_NEGATIVE[1],
    "optimizer": ["newton", ["cg"], np.array(["cg", "gd"])],
    "optimizer_options": ["x", {"max_iter": 3}],
    "random_state": [-1, "abc", 1.5],
    "init": ["zeros", np.zeros((N, 9)), np.full((N, 2), np.nan)],
    "affinity": ["eq3"],
    "callback": ["print", 3],
    "metric": ["manhattan", None],
    "related": ["friends"],
    "kernel": ["poly"],
    "loss": ["t-ste"],
    "weighting": ["linear"],
    "neighbors": ["some"],
}
# Options of no effect under the other settings of a model.
UNUSED = {
    "BRE": "related n_neighbors symmetric radius2",
    "BRE truncated": "radius2",
    "tete": "alpha mu penalty",
    "tste": "t t_prime mu penalty",
    "ste": "t t_prime alpha mu penalty",
    "ckl": "t t_prime alpha penalty",
    "gnmds": "t t_prime alpha mu",
}


def are_refused(name, names, **given):
    for option in names:
        for bad in OPTIONS[option]:
            is_refused(partial(fit, name, X), given, option, bad)


@pytest.mark.parametrize("name", MODELS)
def test_wrong_options_of_estimators_are_named(name):
    unused = {"progress", *UNUSED.get(name, "").split()}
    are_refused(name, MODELS[name][0].get_params().keys() - unused)


def test_wrong_options_of_a_relation_are_named():
    are_refused("BRE", ["symmetric", "related"], affinity="contrast")
    are_refused("BRE", ["radius2"], affinity="contrast", related="radius")


def each(f, words, *values):
    """Return the calls of f with one wrong value each."""
    return [(partial(f, value), words) for value in values]


def descent(x):
    return 0.0, x


# Cases of two arguments, of one function only, or with more in the message than the name.
CASES = [
    *each(repro.gaussian_rows, "Y must have at least 2 rows", X[:1]),
    *each(repro.perplexity_rows, "Y must have at least 2 rows", X[:1]),
    (lambda: repro.gaussian_rows(D2=D2[:1, :1]), "D2 must relate at least 2 points"),
    (lambda: repro.perplexity_rows(D2=D2[:1, :1]), "D2 must relate at least 2 points"),
    (lambda: repro.perplexity_rows(X, N), "perplexity"),
    (lambda: repro.gaussian_rows(X, np.ones(5)), "sigma2"),
    (lambda: repro.squared_distances(X, X[:, :3]), "must have 3 columns"),
    (lambda: KIE().fit(np.ones((5, 2))), "at least two distinct points"),
    (lambda: repro.neighbor_graph(X, N), "n_neighbors"),
    (lambda: repro.triplet_weights(X, TRIPLETS, N), "n_neighbors"),
    (lambda: repro.sample_triplets(X, N - 1, rng=rng()), "n_neighbors"),
    (lambda: repro.sample_per_point(X, 5, N // 2, rng=rng()), "n_neighbors"),
    (lambda: k_nearest(X, N), r"\bk\b"),
    # labels
    (lambda: repro.class_blocks([0, 0, 1], include_self=False), "labels"),
    (lambda: BRE(affinity="contrast", related="class").fit(X), "needs y"),
    (lambda: BRE(affinity="contrast", related="class").fit(X, LABELS[:5]), "y must have one entry"),
    (lambda: BRE(affinity="contrast", related=None).fit(X), "related must be square"),
    *each(
        partial(repro.ConditionalKIE().fit, X),
        r"\by\b",
        *(None, 3, VALUES[:5], ["a"] * N, 15 * [[1.0], [2.0, 3.0]]),
    ),
    # points and matrices of different sizes
    (lambda: repro.sne_loss(X[:5], P), "P relates 30 points, but X has 5 rows"),
    (lambda: repro.bre_loss(X[:4], R), "R relates 30 points, but Y has 4 rows"),
    (lambda: repro.twin_kernel_loss(X[:9], K), "K relates 30 points, but Y has 9 rows"),
    (lambda: repro.twin_kernel_loss(X, 2 * np.ones((N, N)) - np.eye(N)), r"\bK\b"),
    (lambda: out_of_sample.backward_map(K[:, :5], START), "one column per training point"),
    *each(repro.kie.entropy, "a kernel matrix", NAN[:4], START),
    (lambda: TripletEmbedding(max_iter=1).fit(TRIPLETS).score(TRIPLETS, VALUES), "by name"),
    (lambda: BRE(progress="False").fit(X), "progress must be True or False"),
    *each(partial(optimize.check_options, "gd"), "keep_rises", {"keep_rises": "no"}),
    *each(partial(optimize.check_options, "gd"), "shrink at most 1", {"shrink": 2}, {"grow": 0.5}),
    *each(partial(JointKIE().fit, X), r"\bY\b", X[:5], NAN),
    *each(partial(JointKIE().fit, Y=X), r"\bX\b", X[0], NAN),
    (lambda: JointKIE().fit(X, X, X[:, :2]), "x_only"),
    (lambda: JointKIE().fit(X, X, None, NAN), "y_only"),
    (lambda: JointKIE(bandwidth=(1.0, -1.0)).fit(X, X), "bandwidth"),
    (lambda: repro.kernel_smoother(X, VALUES, X[:, :2], 1.0), "queries"),
    *each(lambda n: repro.kernel_smoother(X[:n], VALUES[:n], X), r"\bZ\b", 1, 2),
    # relations, and indices of their points
    (lambda: repro.sne_loss(X, P_SELF), "include_self"),
    *each(MRE().fit, "wrap a matrix", P_SELF, [P_SELF]),
    (lambda: MRE().fit(pd.DataFrame(X, columns=list("abcd"))), "make relations of the columns"),
    (lambda: MRE().fit([RELATION], 40), "n_points must be given by name"),
    (lambda: MRE().fit([FAR], n_points=N), "n_points"),
    (lambda: MRE(include_self=False).fit([RELATION]), "include_self"),
    (lambda: repro.mre_loss(X, ONES, [FAR]), "'far' refers to point 99"),
    (lambda: repro.MultipleBRE().fit([RELATION]), "list of AffinityRelation, but holds a Relation"),
    (lambda: repro.AffinityRelation(R + 1, name="bad"), r"relation 'bad' must lie in \[0, 1\]"),
    (lambda: repro.multiple_bre_loss(X[:9], ONES, [AFFINITY]), "refers to point"),
    (lambda: BRE(related="class").fit(X, LABELS), "related has no effect"),
    *each(Relation, "must relate at least one pair", np.eye(5)),
    *each(repro.AffinityRelation, "must relate at least one pair", NO_PAIRS),
    *each(BRE(affinity="precomputed").fit, "must relate at least one pair", NO_PAIRS),
    *each(partial(repro.bre_loss, X), "must relate at least one pair", NO_PAIRS),
    (lambda: repro.sne_loss(X, np.eye(N), include_self=True), "must relate at least one pair"),
    (lambda: BRE(affinity="truncated", related=NO_PAIRS).fit(X), "must join some points"),
    (lambda: repro.bernoulli_truncated(X, 1.0, NO_PAIRS), "must join some points"),
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
    (lambda: BRE(init_scale=1e100).fit(X), "init_scale"),
    (lambda: repro.FastTETE(init_scale=1e300).fit(X), "init_scale is too large"),
    (lambda: KIE(penalty=1e300).fit(X), "penalty"),
    (lambda: JointKIE(bandwidth=[[1.0, 2.0]]).fit(X, X), "bandwidth must be a number"),
    (lambda: repro.FastTETE(neighbors="exact").fit(X).transform(X + 1e100), "X is too large"),
    (lambda: out_of_sample.backward_map(np.zeros((1, N)), START), "row 0 of K_test"),
    (lambda: out_of_sample.forward_map(np.zeros((1, N)), X, 1.0), "row 0 of K_test"),
    (lambda: out_of_sample.backward_map(-K, START), "negative"),
    (lambda: KIE(bandwidth=1.0, max_iter=1).fit(X).transform(X + 100), "too far"),
    # functions that only rooms of the package have
    *each(partial(bre.step_weights, X, R), "rate", np.nan, -1.0, "x"),
    *each(lambda n: out_of_sample.backward_map(K, START, n), "penalty", -3.0, np.nan),
    *each(lambda n: out_of_sample.inserted_map(K, K, START, 0.1, n), "power", 3, 2.5),
    (lambda: out_of_sample.inserted_map(K, K[:5, :5], START), "K relates 5 points"),
    *each(lambda Z: scaled_to_power(Z, 1.0), r"\bZ\b", np.zeros((3, 2)), NAN),
    *each(partial(reconstruction_loss, X), r"\bY\b", X[:5], NAN),
    # input of fitted models
    (lambda: KIE(max_iter=1).fit(X).transform(X, penalty=-1.0), "penalty"),
    (lambda: KIE(max_iter=1).fit(X).inverse_transform(X), "columns"),
    (lambda: TripletEmbedding().score(TRIPLETS), "not fitted"),
    (lambda: KIE().transform(X), "not fitted"),
    # triplets
    (lambda: repro.tete_loss(X, [[0, 1, N]]), f"items 0 to {N - 1}"),
    (lambda: repro.contradictions([[0, -1, 2]]), "row 0 names -1"),
    (lambda: repro.ste_loss(X, repro.TripletSet(TRIPLETS), np.ones(300)), "to the TripletSet"),
    (lambda: repro.ste_loss(X[:20], repro.TripletSet(TRIPLETS)), "there are 20"),
    (lambda: repro.split_folds(TRIPLETS[:11], 12, rng()), "splits"),
    (lambda: TripletEmbedding(init=START[:7]).fit(TRIPLETS), "init must have shape"),
    (lambda: TripletEmbedding().fit(TRIPLETS, n_items=20), "items 0 to 19"),
    *each(lambda n: TripletEmbedding().fit(TRIPLETS, n_items=n), "n_items", 30.0, 0),
    *each(
        lambda n: TripletEmbedding().fit(repro.TripletSet(TRIPLETS), n_items=n), "n_items", 30.0, 0
    ),
    # optimisers
    *each(partial(optimize.minimize, descent, X), "method", "newton"),
    *each(lambda n: optimize.minimize(descent, X, max_iter=n), "max_iter", 0, 2.5),
    (lambda: optimize.minimize(descent, X, "gd", pace=1.0), "options.*'pace'"),
    (lambda: optimize.minimize(descent, NAN), "x0"),
    (lambda: optimize.minimize(lambda x: (np.inf, x), X), "x0"),
    (lambda: optimize.minimize(lambda x: (1.0, x * np.nan), X), "x0"),
    (lambda: optimize.minimize(lambda x: (0.0, np.full(2, 1e80)), np.zeros(2)), "x0"),
    (lambda: repro.SNE(optimizer_options={"gtol": "a"}).fit(X), "gtol"),
    (lambda: repro.SNE(optimizer="conditional-scg").fit(X), "optimizer"),
    (lambda: BRE(n_init=3).fit(X), "n_init"),
    (lambda: TripletEmbedding(optimizer_options={"step": np.nan}).fit(TRIPLETS), "step must"),
    (lambda: repro.FastTETE(optimizer_options={"step": 0.0}).fit(X), "step must"),
    # measures
    (lambda: measures.nearest_neighbor_error(X, [np.nan] * N), "labels"),
    (lambda: measures.geodesic_distances(np.vstack([X, X + 100]), 2), "n_neighbors = 2 does not"),
    (lambda: measures.roughness(X, VALUES, LABELS, 10), "n_neighbors"),
    (lambda: measures.abs_spearman(X, X[:5]), "rows"),
    (lambda: measures.spearman(VALUES, VALUES[:3]), "length"),
    (lambda: measures.matched_spearman(X, X[:, :2]), "one column per column of X"),
]


@pytest.mark.parametrize(("call", "words"), CASES)
def test_what_is_wrong_is_named(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("name", [*OF_POINTS, "ConditionalKIE", "JointKIE"])
def test_too_few_points(name, n):
    with pytest.raises(ValueError, match=r"sample|point|X"):
        fit(name, X[:n])
