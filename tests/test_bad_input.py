"""Bad input is refused, and the message names the argument."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from repro import (
    BRE,
    MRE,
    SNE,
    NeighborProbabilities,
    Relation,
    TwinKernelPCA,
    bernoulli_gaussian,
    bre_loss,
    class_blocks,
    embedding_affinities,
    embedding_similarities,
    gaussian_rows,
    measures,
    mre_loss,
    neighbor_graph,
    perplexity_rows,
    sne_loss,
    squared_distances,
    twin_kernel_loss,
)
from repro.measures import turntable

X = np.random.default_rng(0).normal(size=(6, 2))
P = gaussian_rows(X)
P_SELF = gaussian_rows(X, include_self=True)
R = np.ones((1, 2))
LABELS = np.array([0, 0, 0, 1, 1, 1])
VIEWS = np.array([0, 1, 2, 0, 1, 2])
REFUSED = (TypeError, ValueError)

TAKES_POINTS = {
    "squared_distances": (lambda X: squared_distances(X), "Y"),
    "gaussian_rows": (lambda X: gaussian_rows(X), "Y"),
    "perplexity_rows": (lambda X: perplexity_rows(X, 2.0), "Y"),
    "embedding_similarities": (lambda X: embedding_similarities(X), "X"),
    "sne_loss": (lambda X: sne_loss(X, P), "X"),
    "mre_loss": (lambda X: mre_loss(X, R, [Relation(P_SELF)]), "X"),
    "SNE": (lambda X: SNE().fit(X), "X"),
    "BRE": (lambda X: BRE(max_iter=1).fit(X), "X"),
    "TwinKernelPCA": (lambda X: TwinKernelPCA(max_iter=1).fit(X), "X"),
    "bre_loss": (lambda X: bre_loss(X, P), "Y"),
    "twin_kernel_loss": (lambda X: twin_kernel_loss(X, np.eye(6)), "Y"),
    "bernoulli_gaussian": (lambda X: bernoulli_gaussian(X), "Y"),
    "embedding_affinities": (lambda X: embedding_affinities(X), "Y"),
    "neighbor_graph": (lambda X: neighbor_graph(X, 2), "Y"),
    "plane_fit": (lambda X: measures.plane_fit(X, np.arange(6.0)), "X"),
    "distance_correlation": (lambda X: measures.distance_correlation(X, np.eye(6)), "X"),
    "roughness": (lambda X: measures.roughness(X, np.arange(6.0), LABELS, 1), "X"),
    "discriminant": (lambda X: measures.discriminant(X, LABELS), "X"),
    "axis_shares": (lambda X: measures.axis_shares([1.0, 1.0], X), "X"),
    "view_distance_ratio": (lambda X: turntable.view_distance_ratio(X, LABELS, VIEWS), "X"),
    "view_match": (lambda X: turntable.view_match(X, LABELS, VIEWS), "X"),
    "view_error": (lambda X: turntable.view_error(X, LABELS, VIEWS), "X"),
}
TAKES_PROBABILITIES = {
    "NeighborProbabilities": lambda P: NeighborProbabilities(P),
    "Relation": lambda P: Relation(P),
    "sne_loss": lambda P: sne_loss(X, P),
}


@pytest.mark.parametrize("name", TAKES_POINTS)
@given(st.sampled_from([np.nan, np.inf, -np.inf]), st.integers(0, 5), st.integers(0, 1))
def test_points_that_are_not_finite(name, bad, row, column):
    f, argument = TAKES_POINTS[name]
    points = X.copy()
    points[row, column] = bad
    with pytest.raises(ValueError, match=rf"(?i)\b{argument}\b.*(finite|nan|infinity)"):
        f(points)


@pytest.mark.parametrize("name", TAKES_POINTS)
@pytest.mark.parametrize(
    "points", [X[0], X[None], np.zeros((0, 2)), np.zeros((6, 0)), "words", X.astype(complex)]
)
def test_points_of_a_wrong_shape_or_type(name, points):
    f, _ = TAKES_POINTS[name]
    with pytest.raises(REFUSED):
        f(points)


@pytest.mark.parametrize("name", TAKES_PROBABILITIES)
@pytest.mark.parametrize(
    "bad",
    [
        P[:3],
        P[0],
        P * 1.01,
        np.where(np.eye(6, dtype=bool), 2.0, -0.2),
        np.where(np.eye(6, dtype=bool), np.nan, P),
        np.zeros((6, 6)),
        np.ones((1, 1)),
        P.astype(str),
    ],
    ids=["not square", "a row", "not normalised", "negative", "NaN", "zero", "one point", "text"],
)
def test_probabilities_that_are_none(name, bad):
    with pytest.raises(REFUSED, match=r"\bP\b"):
        TAKES_PROBABILITIES[name](bad)


def test_probabilities_that_do_not_fit():
    with pytest.raises(ValueError, match="P relates 6 points, but X has 5 rows"):
        sne_loss(X[:5], P)
    with pytest.raises(ValueError, match="include_self"):
        sne_loss(X, P_SELF)
    with pytest.raises(ValueError, match="include_self"):
        MRE(include_self=False).fit([Relation(P_SELF)])


@given(st.sampled_from([0, -1.0, np.nan, np.inf, -np.inf]))
def test_bandwidths_out_of_range(bad):
    with pytest.raises(ValueError, match="sigma2"):
        gaussian_rows(X, bad)
    with pytest.raises(ValueError, match="sigma2"):
        SNE(sigma2=bad).fit(X)
    with pytest.raises(ValueError, match="perplexity"):
        perplexity_rows(X, bad)
    with pytest.raises(ValueError, match="perplexity"):
        SNE(perplexity=bad).fit(X)


def test_affinities_need_one_of_two():
    D2 = squared_distances(X)
    for f in (gaussian_rows, perplexity_rows):
        for arguments in ({}, {"Y": X, "D2": D2}):
            with pytest.raises(ValueError, match="either Y or D2"):
                f(**arguments)
        with pytest.raises(ValueError, match="D2"):
            f(D2=D2[:3])
        with pytest.raises(ValueError, match="2 points"):
            f(X[:1])
    with pytest.raises(ValueError, match="sigma2"):
        gaussian_rows(X, np.ones(5))
    with pytest.raises(ValueError, match="perplexity"):
        perplexity_rows(X, 6)


@pytest.mark.parametrize("labels", [[], [[0, 1]], [0.0, np.nan]])
def test_labels_that_are_none(labels):
    with pytest.raises(ValueError, match="labels"):
        class_blocks(labels)


def test_a_class_of_one_needs_itself():
    with pytest.raises(ValueError, match="labels"):
        class_blocks([0, 0, 1], include_self=False)


@pytest.mark.parametrize(
    "index", [[0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, -1], [0, 1, 2], [0.0, 1, 2, 3, 4, 5], [[0] * 6]]
)
def test_an_index_that_is_none(index):
    with pytest.raises(REFUSED, match="index"):
        Relation(P, index=index)


def test_a_relation_to_a_point_that_is_not_there():
    relation = Relation(P_SELF, index=[0, 1, 2, 3, 4, 9], name="far")
    with pytest.raises(ValueError, match="'far' refers to point 9"):
        mre_loss(X, R, [relation])
    with pytest.raises(ValueError, match="n_points"):
        MRE(2).fit([relation], n_points=6)


@pytest.mark.parametrize(
    ("relations", "words"),
    [
        ([], "empty"),
        (P_SELF, "wrap a matrix"),
        ([P_SELF], "wrap a matrix"),
        (7, "list of Relation"),
    ],
)
def test_relations_that_are_none(relations, words):
    for f in (lambda r: MRE(2).fit(r), lambda r: mre_loss(X, R, r)):
        with pytest.raises(REFUSED, match=words):
            f(relations)


@pytest.mark.parametrize("bad", [np.ones((2, 2)), np.ones((1, 3)), np.ones(2), [[1.0, np.nan]]])
def test_metrics_of_a_wrong_shape(bad):
    with pytest.raises(ValueError, match=r"\bR\b"):
        mre_loss(X, bad, [Relation(P_SELF)])


@pytest.mark.parametrize("bad", [0, -1, "x", None, True, 1.5])
@pytest.mark.parametrize("name", ["n_components", "max_iter", "n_init"])
def test_counts_out_of_range(name, bad):
    for estimator, data in ((SNE, X), (MRE, [Relation(P_SELF)])):
        with pytest.raises(REFUSED, match=name):
            estimator(**{name: bad}).fit(data)


@pytest.mark.parametrize("bad", [0, -1.0, "x", None, True, np.nan])
def test_scales_out_of_range(bad):
    for estimator, data in ((SNE, X), (MRE, [Relation(P_SELF)])):
        with pytest.raises(REFUSED, match="init_scale"):
            estimator(init_scale=bad).fit(data)
    with pytest.raises(REFUSED, match="weight"):
        Relation(P, weight=bad)


def test_choices_that_are_none():
    for estimator, data in ((SNE, X), (MRE, [Relation(P_SELF)])):
        with pytest.raises(ValueError, match="backend"):
            estimator(backend="cuda").fit(data)
        with pytest.raises(ValueError, match="optimizer"):
            estimator(optimizer="newton").fit(data)
    with pytest.raises(ValueError, match="metric"):
        Relation(P, metric="fixed")
    with pytest.raises(ValueError, match="backend"):
        sne_loss(X, P, backend="cuda")


@pytest.mark.parametrize(
    "f",
    [
        lambda labels: measures.discriminant(X, labels),
        lambda labels: turntable.view_match(X, labels, VIEWS),
        lambda labels: turntable.view_distance_ratio(X, labels, VIEWS),
        lambda labels: turntable.view_error(X, labels, VIEWS),
    ],
)
def test_labels_that_do_not_fit(f):
    for bad in (LABELS[:5], LABELS[None], 3):
        with pytest.raises(ValueError, match="labels"):
            f(bad)


def test_more_bad_arguments_of_metrics():
    with pytest.raises(ValueError, match=r"\br\b"):
        measures.axis_shares([1.0], X)
    with pytest.raises(ValueError, match="views"):
        turntable.view_error(X, LABELS, VIEWS[:3])
    with pytest.raises(ValueError, match="period"):
        turntable.view_error(X, LABELS, VIEWS, period=0)
    with pytest.raises(ValueError, match="two classes"):
        turntable.view_error(X, np.zeros(6), VIEWS)
