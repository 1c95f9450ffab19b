"""What is wrong is refused, and the message names the argument."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
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
from repro.mre import smoother

N = 30
RNG = np.random.default_rng(0)
X, START = RNG.normal(size=(N, 4)), RNG.normal(size=(N, 2))
P, P_SELF = repro.gaussian_rows(X), repro.gaussian_rows(X, include_self=True)
K, R = repro.gaussian_kernel(X, 2.0), RNG.random((N, N))
D2, RELATED = repro.squared_distances(X), repro.radius_graph(X, 3.0)
LABELS, VIEWS, VALUES = np.repeat([0, 1, 2], 10), np.tile(np.arange(10), 3), X[:, 0]
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))
ONES, ONE = np.ones((1, 4)), np.ones((5, 2))
HIDDEN, NAN = np.ma.masked_equal(LABELS, 2), np.full((N, 4), np.nan)
MASKED = np.ma.masked_array(TRIPLETS, np.arange(len(TRIPLETS))[:, None] == [299] * 3)
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
    "masked": np.ma.masked_less(X, 0),
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
    words = {"NaN": rf"(?i)\b{argument}\b.*(finite|nan|infinity)", "masked": f"{argument} must not"}
    words["infinite"] = words["NaN"]
    with pytest.raises((TypeError, ValueError), match=words.get(bad)):
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


# The options that estimators share.
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
BAD_OPTIONS = {
    **dict.fromkeys(("n_components", "max_iter", "n_init"), (0, -1, "x", None, True, 1.5)),
    "init_scale": [0, -1.0, "x", True, np.nan],
    "optimizer": ["newton", ["cg"]],
    "optimizer_options": ["x", {"max_iter": 3}],
    "backend": ["cuda"],
    "init": ["zeros", np.zeros((N, 9)), np.full((N, 2), np.nan)],
    "random_state": [-1, "abc", 1.5],
    "bandwidth": [0.0, -1.0, False],
    "penalty": [[], -1.0, np.nan, "much"],
    "power": [3, 0, 2.0],
    "gamma": [0.0, -1.0],
    "sigma2": [0, -1.0, np.nan, np.inf],
    "perplexity": [0, -1.0, np.nan, np.inf],
}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("option", BAD_OPTIONS)
def test_options_of_estimators(estimator, option):
    if option not in estimator().get_params() or (estimator, option) == (
        TripletEmbedding,
        "penalty",
    ):
        pytest.skip("it has no such option, or not with its own loss")
    words = "n_components|dimension" if option == "n_components" else option
    for bad in BAD_OPTIONS[option]:
        with pytest.raises((TypeError, ValueError), match=words):
            estimator(**{option: bad}).fit(*ESTIMATORS[estimator])


# All else, one by one.
CASES = [
    # either points or distances, none of them negative
    *((f, "either Y or D2") for f in (repro.gaussian_rows, repro.perplexity_rows)),
    (lambda: repro.gaussian_rows(X, D2=D2), "either Y or D2"),
    (lambda: repro.gaussian_kernel(X, D2=D2), "either Y or D2"),
    (lambda: repro.neighbor_graph(X, 3, D2=D2), "either Y or D2"),
    (lambda: repro.gaussian_rows(D2=D2[:3]), "D2 must be square"),
    (lambda: repro.gaussian_rows(X[:1]), "2 points"),
    (lambda: repro.perplexity_rows(X[:1]), "2 points"),
    (lambda: repro.gaussian_rows(D2=-D2), "D2 must not be negative"),
    (lambda: repro.gaussian_kernel(D2=-D2[:3]), "D2 must not be negative"),
    (lambda: repro.bernoulli_gaussian(D2=-D2), "D2 must not be negative"),
    (lambda: repro.perplexity_rows(D2=-D2, perplexity=1.5), "D2 must not be negative"),
    (lambda: repro.neighbor_graph(D2=-D2, n_neighbors=1), "D2 must not be negative"),
    (lambda: repro.likelihood_bandwidth(D2=-D2, dimension=2), "D2 must not be negative"),
    (lambda: repro.squared_distances(X, X[:, :3]), "must have 3 columns"),
    (lambda: repro.squared_distances(X, NAN), "centers must be finite"),
    (lambda: repro.squared_distances([[1, 2], [3]]), "Y must have rows of one length"),
    (lambda: repro.squared_distances(np.full((3, 1), 1e4000, np.longdouble)), "Y must be finite"),
    # bandwidths
    *((lambda bad=bad: repro.gaussian_rows(X, bad), "sigma2") for bad in (-1.0, np.nan, "wide")),
    (lambda: repro.gaussian_rows(X, np.ones(5)), "sigma2"),
    (lambda: repro.gaussian_rows(X, np.ma.masked_less(LABELS + 1, 2)), "sigma2 must not be masked"),
    (lambda: repro.perplexity_rows(X, np.nan), "perplexity"),
    (lambda: repro.perplexity_rows(X, N), "perplexity"),
    (lambda: repro.gaussian_kernel(X, np.inf), "bandwidth"),
    (lambda: repro.bernoulli_gaussian(X, -1.0), "beta"),
    (lambda: repro.likelihood_bandwidth(ONE), "one and the same point"),
    (lambda: repro.likelihood_bandwidth(X, 0), "dimension"),
    (lambda: KIE().fit(ONE), "one and the same point"),
    # labels
    *((lambda y=y: repro.class_blocks(y), "labels") for y in ([], [[0, 1]], [0.0, np.nan])),
    (lambda: repro.class_blocks([0, 0, 1], include_self=False), "labels"),
    (lambda: repro.class_blocks(HIDDEN), "labels must not be masked"),
    (lambda: repro.class_blocks(["a", np.nan, "a"]), "labels must not be missing.*first at 1"),
    (lambda: repro.class_graph(pd.Series(["a", pd.NA, "a"])), "labels must not be missing"),
    (lambda: repro.class_graph(np.array(["2004", "NaT"], "M8[Y]")), "labels must not be missing"),
    (lambda: repro.class_graph([["a"], ["b", "c"]]), "labels must have rows of one length"),
    (lambda: repro.nearest_neighbor_error(X, HIDDEN), "labels must not be masked"),
    (lambda: repro.nearest_neighbor_error(X, [0, 1]), "labels"),
    (lambda: repro.nearest_neighbor_error(X, np.where(LABELS, LABELS, np.nan)), "labels must not"),
    *(
        (lambda f=f, y=y: f(X, y, VIEWS), "labels")
        for f in (turntable.view_match, turntable.view_distance_ratio, turntable.view_error)
        for y in (LABELS[:5], LABELS[None], 3)
    ),
    (lambda: measures.discriminant(X, LABELS[:5]), "labels"),
    (lambda: BRE(affinity="truncated", related="class").fit(X, HIDDEN), "labels must not be"),
    (lambda: BRE(affinity="contrast", related="class").fit(X), "needs y"),
    # relations, and what refers to their points
    *(
        (lambda index=index: Relation(P, index=index), "index")
        for index in ([*range(N - 1), 0], [*range(N - 1), -1], [0, 1], [*range(N - 1), 0.5], [P])
    ),
    (lambda: Relation(P, index=np.ma.masked_less(range(N), 3)), "index must not be masked"),
    *((lambda w=w: Relation(P, weight=w), "weight") for w in (0, "x", None, True, np.nan)),
    (lambda: Relation(P, metric="fixed"), "metric"),
    (lambda: repro.sne_loss(X[:5], P), "P relates 30 points, but X has 5 rows"),
    (lambda: repro.sne_loss(X, P_SELF), "include_self"),
    (lambda: repro.sne_loss(X, P, backend="cuda"), "backend"),
    (lambda: MRE(include_self=False).fit([RELATION]), "include_self"),
    (lambda: MRE().fit([FAR], n_points=N), "n_points"),
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
    *(
        (lambda M=M: repro.mre_loss(X, M, [RELATION]), r"\bR\b")
        for M in (np.ones((2, 4)), np.ones((1, 3)), np.ones(4), [[1.0, 1, 1, np.nan]])
    ),
    (lambda: MultipleBRE().fit([]), "relations must not be empty"),
    (lambda: MultipleBRE().fit([RELATION]), "list of AffinityRelation, but holds a Relation"),
    (lambda: AffinityRelation(sparse.csr_array((4, 4))), "at least one pair"),
    (lambda: AffinityRelation(R + 1, name="bad"), r"P of the relation 'bad' must lie in \[0, 1\]"),
    (lambda: repro.multiple_bre_loss(X, np.ones((2, 4)), [AFFINITY]), "M must have one row"),
    (lambda: repro.multiple_bre_loss(X[:9], ONES, [AFFINITY]), "refers to point"),
    # tables
    (lambda: repro.relations_from_table({"a": [1, 2]}), "table"),
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
    # BRE
    (lambda: repro.bernoulli_kl(0.5, 1.1), r"s must lie in \[0, 1\]"),
    (lambda: repro.bernoulli_kl(0.5, np.nan), r"s must lie in \[0, 1\]"),
    (lambda: repro.bre_loss(X[:4], R), "R relates 30 points, but Y has 4 rows"),
    (lambda: repro.bre_loss(X, R, 0), "gamma"),
    (lambda: repro.conditional_bre_loss(X[:4], X, R), "T must have the shape"),
    (lambda: BRE(affinity="eq3").fit(X), "affinity must be one of"),
    (lambda: BRE(affinity="contrast", related="friends").fit(X), "related must be one of"),
    (lambda: BRE(affinity="truncated", n_neighbors=0).fit(X), "n_neighbors"),
    (lambda: BRE(affinity="truncated", related="radius", radius2=0).fit(X), "radius2"),
    (lambda: BRE(beta=-1.0).fit(X), "beta"),
    (lambda: BRE(n_init=3, init="pca").fit(X), "n_init"),
    (lambda: BRE().fit(X * 1e100), "init_scale"),
    (lambda: repro.neighbor_graph(X, N), "n_neighbors must be less than"),
    (lambda: repro.neighbor_graph(X, 0), "n_neighbors"),
    (lambda: repro.neighbor_graph(X, 3, symmetric="xor"), "symmetric"),
    (lambda: repro.radius_graph(X, 0.0), "radius2"),
    (lambda: repro.adjacency_graph(X), "square"),
    (lambda: repro.bernoulli_contrast(X, 1.0, R), "related must be a bool array"),
    (lambda: repro.bernoulli_truncated(X, 1.0, np.ones((3, 3), bool)), "related must be a bool"),
    (lambda: repro.bernoulli_contrast(X, 1.0, np.ma.masked_equal(RELATED, True)), "related must"),
    # twin kernel PCA
    (lambda: repro.twin_kernel_loss(X[:9], K), "K relates 30 points, but Y has 9 rows"),
    (lambda: repro.twin_kernel_loss(X, K, gamma=0.0), "gamma"),
    (lambda: repro.twin_kernel_loss(X, K, noise=0.0), "noise"),
    (lambda: repro.twin_kernel_loss(X, K, direction="forward"), "direction"),
    (lambda: TwinKernelPCA(kernel="poly").fit(X), "kernel must be one of"),
    (lambda: TwinKernelPCA(kernel="linear").fit(X * 1e200), "X is too large"),
    # KIE
    *(
        (lambda f=f, option=option: f(**option), next(iter(option)))
        for f in (
            lambda **option: repro.kie_loss(X, K, **option),
            lambda **option: repro.conditional_kie_loss(X, K, K, **option),
            lambda **option: repro.joint_kie_loss(X, K, K, **option),
        )
        for option in ({"penalty": -1.0}, {"power": 3}, {"backend": "fortran"})
    ),
    (lambda: repro.kie_loss(X[:5], K), "K_y relates 30"),
    (lambda: repro.conditional_kie_loss(X, K, K[:5, :5]), "K_x relates 5"),
    (lambda: repro.joint_kie_loss(X, K[:5, :5], K), "K_x relates 5"),
    (lambda: repro.mutual_information(X[:5], K), "K_y relates 30"),
    *((lambda y=y: ConditionalKIE().fit(X, y), "y must") for y in (None, 3, VALUES[:5])),
    (lambda: ConditionalKIE().fit(X, ["a"] * N), "y must hold real numbers"),
    (lambda: ConditionalKIE().fit(X, [[1.0], [2.0, 3.0]] * 15), "y must have rows of one"),
    (lambda: ConditionalKIE(condition_bandwidth=-1).fit(X, VALUES), "condition_bandwidth"),
    (lambda: JointKIE().fit(X, X[:5]), "Y must have one row per row of X"),
    (lambda: JointKIE().fit(X, NAN), "Y must be finite"),
    (lambda: JointKIE().fit(X, X, x_only=X[:, :2]), "x_only must have 4 columns"),
    (lambda: JointKIE().fit(X, X, y_only=NAN), "y_only must be finite"),
    (lambda: JointKIE(bandwidth=(1.0, -1.0)).fit(X, X), "bandwidth"),
    (lambda: out_of_sample.backward_map(np.zeros((1, N)), START), "row 0: that point is too far"),
    (lambda: out_of_sample.forward_map(np.zeros((1, N)), X, 1.0), "row 0: that point is too far"),
    (lambda: out_of_sample.backward_map(K[:, :5], START), "one column per training point"),
    (lambda: out_of_sample.backward_map(-K, START), "negative"),
    (lambda: KIE(bandwidth=0.01, max_iter=1).fit(X).transform(X + 100), "too far"),
    (lambda: KIE(max_iter=1).fit(X).transform(X, penalty=-1.0), "penalty"),
    (lambda: KIE(max_iter=1).fit(X).inverse_transform(X), "columns"),
    # triplets
    *(
        (lambda t=t: repro.ste_loss(START, t), words)
        for t, words in (
            ([[0, 1, 1]], "three different items"),
            ([[0, 1, N]], f"items 0 to {N - 1}"),
            ([[0, -1, 2]], "row 0 names -1"),
            ([[0.0, 1.0, 2.0]], "integers"),
            ([[0, 1]], "rows of three"),
            ([[0, 1, 2], [0, 1]], "triplets must have rows of one"),
            (MASKED, "triplets must not be masked"),
        )
    ),
    *(
        (lambda f=f: f(np.empty((0, 3), int)), "triplets")
        for f in (
            lambda t: TripletEmbedding().fit(t),
            lambda t: repro.tete_loss(X, t),
            lambda t: repro.fraction_satisfied(X, t),
            lambda t: repro.reverse_triplets(t, 0.5, rng()),
            lambda t: repro.split_folds(t, 2, rng()),
            lambda t: repro.triplet_weights(X, t),
            repro.contradictions,
        )
    ),
    (lambda: repro.fraction_satisfied(X, MASKED), "triplets must not be masked"),
    (lambda: TripletEmbedding().fit(MASKED), "triplets must not be masked"),
    (lambda: repro.ste_loss(X, TRIPLETS, np.ones(3)), "one entry per triplet"),
    (lambda: repro.ste_loss(X, TRIPLETS, -np.ones(len(TRIPLETS))), "not be negative"),
    (lambda: repro.ste_loss(X, TRIPLETS, backend="cuda"), "backend must be one of"),
    (lambda: repro.ste_loss(X, repro.TripletSet(TRIPLETS), np.ones(300)), "to the TripletSet"),
    (lambda: repro.ste_loss(X[:20], repro.TripletSet(TRIPLETS)), "there are 20"),
    (lambda: repro.tete_loss(X, TRIPLETS, t=2.5), "t must"),
    (lambda: repro.tete_loss(X, TRIPLETS, t_prime=0.5), "t_prime"),
    (lambda: repro.tste_loss(X, TRIPLETS, alpha=0.0), "alpha"),
    (lambda: repro.ckl_loss(X, TRIPLETS, mu=-1.0), "mu"),
    (lambda: repro.gnmds_loss(X, TRIPLETS, penalty=-1.0), "penalty"),
    (lambda: repro.sample_per_point(X, 5, N, rng=rng()), "n_neighbors"),
    (lambda: repro.sample_per_point(X, 5, 3, "close", rng=rng()), "far must be one of"),
    (lambda: repro.sample_per_point(X, 5, 3, rng=0), "rng"),
    (lambda: repro.sample_triplets(X, 3, rng=None), "rng"),
    (lambda: repro.sample_triplets(X[:5], 4, rng=rng()), "n_neighbors must be less than n - 1"),
    (lambda: repro.reverse_triplets(TRIPLETS, 0.1, np.random.RandomState(0)), "rng"),
    (lambda: repro.reverse_triplets(TRIPLETS, "a", rng()), "fraction"),
    (lambda: repro.reverse_triplets(TRIPLETS, 20, rng()), "fraction"),
    (lambda: repro.split_folds(TRIPLETS, 5, "a"), "rng"),
    (lambda: repro.split_folds(TRIPLETS[:11], 12, rng()), "splits"),
    (lambda: repro.triplet_weights(X, TRIPLETS, bias=-1.0), "bias"),
    (lambda: repro.triplet_weights(X, TRIPLETS, n_neighbors=N), "n_neighbors"),
    (lambda: repro.triplet_weights(np.zeros((N, 2)), TRIPLETS), "one and the same point"),
    (lambda: TripletEmbedding(loss="t-ste").fit(TRIPLETS), "loss must be one of"),
    (lambda: TripletEmbedding(t=3.0).fit(TRIPLETS), "t must be between"),
    (lambda: TripletEmbedding(loss="gnmds", penalty=-1.0).fit(TRIPLETS), "penalty"),
    (lambda: TripletEmbedding(init=START[:7]).fit(TRIPLETS), "items 0 to 6"),
    (lambda: TripletEmbedding(init=START, n_init=-1).fit(TRIPLETS), "n_init"),
    (lambda: TripletEmbedding().fit(TRIPLETS, n_items=20), "items 0 to 19"),
    (lambda: TripletEmbedding(optimizer="conditional-scg").fit(TRIPLETS), "optimizer must"),
    # t-ETE of points
    *(
        (lambda option=option: WeightedTETE(**option).fit(X), words)
        for option, words in (
            ({"n_neighbors": 0}, "n_neighbors"),
            ({"n_outliers": 0}, "n_outliers"),
            ({"bias": -0.1}, "bias"),
            ({"weighting": "linear"}, "weighting must be one of"),
            ({"neighbors": "some"}, "method must be one of"),
            ({"t": 3.0}, "t must be between 1 and 2"),
        )
    ),
    *(
        (lambda option=option: FastTETE(**option).fit(X), words)
        for option, words in (
            ({"n_neighbors": 0}, "n_neighbors"),
            ({"n_outliers": 1}, "n_outliers"),
            ({"outlier_weight": -0.1}, "outlier_weight"),
            ({"neighbors": "some"}, "method must be one of"),
            ({"reduce_to": 0}, "reduce_to"),
            ({"n_rounds": 0}, "n_rounds"),
        )
    ),
    (lambda: FastTETE().fit(np.ones((20, 3))), "one and the same point"),
    (lambda: FastTETE(max_iter=2, **EXACT).fit(X).transform(X * 1e300), "X is too large"),
    (lambda: neighbors.k_nearest(X[:5], 5), "k must be less than"),
    *(
        (lambda f=f: f(max_iter=1).fit(X).transform(BAD_POINTS["masked"]), "X must not be masked")
        for f in (KIE, WeightedTETE, FastTETE)
    ),
    # optimisers
    (lambda: SNE(optimizer="conditional-scg").fit(X), "optimizer must be one of"),
    (lambda: SNE(optimizer_options={"gtol": "a"}).fit(X), "gtol"),
    (lambda: optimize.minimize(lambda x: (0.0, x), X, "gd", pace=1.0), "options.*'pace'"),
    (lambda: optimize.minimize(lambda x: (0.0, x), X, "newton"), "method"),
    (lambda: optimize.minimize(lambda x: (0.0, x), X, max_iter=2.5), "max_iter"),
    (lambda: optimize.minimize(lambda x: (0.0, x), X, max_iter=0), "max_iter"),
    (lambda: optimize.minimize(lambda x: (0.0, x), NAN), "x0"),
    (lambda: optimize.minimize(lambda x: (np.inf, x), X), "x0"),
    (lambda: optimize.minimize(lambda x: (1.0, x * np.nan), X), "x0"),
    (lambda: optimize.minimize(lambda x: (0.0, np.full(2, 1e80)), np.zeros(2)), "x0"),
    *(
        (lambda fit=fit, step=step: fit(step), "step must be positive")
        for step in (np.nan, np.inf, 0.0, -1.0)
        for fit in (
            lambda s: TripletEmbedding(optimizer="gd", optimizer_options={"step": s}).fit(TRIPLETS),
            lambda s: WeightedTETE(optimizer="gd", optimizer_options={"step": s}).fit(X),
            lambda s: FastTETE(**EXACT, optimizer_options={"step": s}).fit(X),
        )
    ),
    # measures
    (lambda: measures.axis_shares([1.0], X), r"\br\b"),
    (lambda: measures.axis_shares([1.0, np.nan, 1.0, 1.0], X), r"\br\b"),
    (lambda: measures.distance_correlation(X, D2[:5]), "D must have shape"),
    (lambda: measures.distance_correlation(X, np.full((N, N), np.nan)), "D"),
    (lambda: measures.plane_fit(X, VALUES[:5]), "values"),
    (lambda: measures.neighbor_distance(X, X[:5], 3), "data"),
    (lambda: measures.centroid_correlation(X, X[:5], LABELS), "data"),
    (lambda: measures.centroid_correlation(X, X, LABELS > 0), "three classes"),
    (lambda: measures.random_triplet_accuracy(X[:2], X[:2], rng()), "X"),
    (lambda: measures.random_triplet_accuracy(X[:5], X, rng()), "as many rows"),
    (lambda: measures.random_triplet_accuracy(X, X, 0), "rng"),
    (lambda: measures.roughness(X, VALUES, LABELS, 10), "n_neighbors"),
    (lambda: measures.roughness(X, VALUES, LABELS, 1), "n_neighbors"),
    (lambda: measures.geodesic_distances(np.vstack([X, X + 100]), 2), "do not connect"),
    (lambda: measures.discriminant(np.ones((4, 2)), [0, 0, 1, 1]), "X"),
    (lambda: measures.rank_errors([1, 2, 3], [1, 2]), "length"),
    (lambda: axes.abs_spearman(X, X[:5]), "rows"),
    (lambda: axes.spearman(VALUES, VALUES[:3]), "length"),
    (lambda: axes.matched_spearman(X, X[:, :2]), "factors must have one column per column of X"),
    (lambda: axes.fitted_directions(X, X[:4]), "targets"),
    (lambda: measures.signed_permutation_difference(X, X[:, :2]), "one shape"),
    (lambda: measures.signed_permutation_difference(X * 1e-160, X), "A must have a variance"),
    (lambda: nearest_is_adjacent(X[:2]), "at least 3"),
    (lambda: turntable.view_error(X, LABELS, VIEWS[:3]), "views"),
    (lambda: turntable.view_error(X, LABELS, VIEWS, period=0), "period"),
    (lambda: turntable.view_error(X, np.zeros(N), VIEWS), "two classes"),
    (lambda: turntable.view_gap(1, 2, period=0), "period"),
    (lambda: turntable.neighbor_views(X, LABELS, VIEWS, 3), "asked"),
    (lambda: turntable.neighbor_views(X, np.zeros(N), VIEWS, 0), "two classes"),
    *(
        (lambda f=f, views=views: f(X[:3], [0, 0, 1], views), "views")
        for f in (turntable.view_distance_ratio, turntable.view_match)
        for views in ([5, 5, 5], [1, 2, 3])
    ),
    *(
        (lambda case=case: repro.kernel_smoother(*case), rf"\b{words}\b")
        for *case, words in (
            (X, VALUES * np.inf, X, 1.0, "Y"),
            (X, VALUES[:5], X, 1.0, "Y"),
            (X, VALUES, NAN, 1.0, "queries"),
            (X, VALUES, X[:, :2], 1.0, "queries"),
            (X, VALUES, X, 0.0, "sigma2"),
            (X, VALUES, X, [], "sigma2"),
            (X[:2], VALUES[:2], X, "Z"),
            (ONE, VALUES[:5], START, "Z"),
        )
    ),
    (lambda: smoother.leave_one_out_bandwidth(X, VALUES, [0.0]), "candidates"),
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
