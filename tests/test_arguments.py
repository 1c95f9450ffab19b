"""What a caller may pass by mistake: refused by name, or taken for what it says, never silently."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from repro import (
    BRE,
    KIE,
    SNE,
    ConditionalKIE,
    FastTETE,
    Relation,
    TripletEmbedding,
    TwinKernelPCA,
    WeightedTETE,
    bernoulli_contrast,
    bernoulli_gaussian,
    class_blocks,
    fraction_satisfied,
    gaussian_kernel,
    gaussian_rows,
    kernel_smoother,
    likelihood_bandwidth,
    measures,
    mutual_information,
    nearest_neighbor_error,
    neighbor_graph,
    perplexity_rows,
    relations_from_table,
    reverse_triplets,
    sample_per_point,
    sample_triplets,
    split_folds,
    squared_distances,
    tete_loss,
    triplet_weights,
)
from repro.bre.graphs import class_graph
from repro.core import neighbors, optimize
from repro.mre import smoother

RNG = np.random.default_rng(0)
X, NEAR = RNG.normal(size=(30, 4)), RNG.normal(size=(5, 4))
LABELS, VALUES = np.repeat([0, 1, 2], 10), X @ [1.0, 2.0, 0.0, 0.0] + 0.1 * RNG.normal(size=30)
TRIPLETS = sample_per_point(X, 10, 5, rng=np.random.default_rng(0))
MASKED = np.ma.masked_array(TRIPLETS, np.arange(len(TRIPLETS))[:, None] == [299] * 3)
HIDDEN = np.ma.masked_equal(LABELS, 2)


def rng():
    return np.random.default_rng(0)


# Measures that have no unit, and how often the unit of the data counts in the others.
OF_SCALE = {
    "nearest_neighbor_error": (lambda X: nearest_neighbor_error(X, LABELS), 0),
    "k_nearest": (lambda X: neighbors.k_nearest(X, 4, "exact")[0], 0),
    "nearest_among": (lambda X: neighbors.nearest_among(X[:5], X[5:], 3)[0], 0),
    "nearest_neighbors": (neighbors.nearest_neighbors, 0),
    "fraction_satisfied": (lambda X: fraction_satisfied(X, TRIPLETS), 0),
    "sample_per_point": (lambda X: sample_per_point(X, 5, 3, rng=rng()), 0),
    "sample_triplets": (lambda X: sample_triplets(X, 3, rng=rng()), 0),
    "triplet_weights": (lambda X: triplet_weights(X, TRIPLETS), 0),
    "relations_from_table": (lambda X: relations_from_table(pd.DataFrame(X))[0].P, 0),
    "plane_fit": (lambda X: measures.plane_fit(X[:, :2], VALUES), 0),
    "geodesic_distances": (lambda X: measures.geodesic_distances(X, 8), 1),
    "neighbor_distance": (lambda X: measures.neighbor_distance(NEAR, X[:5], 2), 1),
    "roughness": (lambda X: measures.roughness(X, VALUES, LABELS, 3), 0),
    "pieces_per_class": (lambda X: measures.pieces_per_class(X, LABELS, 2), 0),
    "random_triplet_accuracy": (lambda X: measures.random_triplet_accuracy(X, NEAR_X, rng()), 0),
    "leave_one_out_bandwidth": (lambda X: smoother.leave_one_out_bandwidth(X, VALUES), 2),
    "smoothed values": (lambda X: kernel_smoother(NEAR_X, X, NEAR_X[:3]), 1),
    "smoothed at": (lambda X: kernel_smoother(X, VALUES, X[:3]), 0),
}
NEAR_X = X + 0.3 * RNG.normal(size=X.shape)
SCALES = (1e-300, 1e-200, 1e-170, 1e-162, 1e-158, 1e-155, 1e-139, 1e-20, 1e-14, 1e155, 1e160, 1e300)


@pytest.mark.parametrize("name", OF_SCALE)
@pytest.mark.parametrize("scale", SCALES)
def test_the_unit_does_not_matter_or_is_refused(name, scale):
    f, power = OF_SCALE[name]
    try:
        found = f(X * scale)
    except ValueError as error:
        refused = str(error)
    else:
        for _ in range(power):
            found = found / scale
        np.testing.assert_allclose(found, f(X), rtol=1e-6)
        return
    assert "is too " in refused or "are too " in refused
    assert not 1e-140 <= scale <= 1e150


def test_of_one_place_all_distances_are_zero_in_any_unit():
    for scale in (0.0, 1e-300, 1.0):
        assert not squared_distances(np.full((3, 2), scale), np.full((2, 2), scale)).any()


@pytest.mark.parametrize("offset", [0, 1_000, 1_000_000])
def test_distances_of_integers_are_exact_and_ties_go_to_the_smaller_index(offset):
    points = np.random.default_rng(1).integers(0, 3, size=(30, 2)) + float(offset)
    D2 = ((points[:, None] - points) ** 2).sum(axis=2)
    np.testing.assert_array_equal(squared_distances(points), D2)
    np.testing.assert_array_equal(squared_distances(points[:5], points), D2[:5])
    np.fill_diagonal(D2, np.inf)
    nearest = np.argsort(D2, axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(neighbors.k_nearest(points, 3, "exact")[0], nearest)


@pytest.mark.parametrize("estimator", [BRE, TwinKernelPCA, FastTETE, WeightedTETE])
def test_a_map_of_more_dimensions_than_the_data_uses_them(estimator):
    options = {"neighbors": "exact"} if estimator is FastTETE else {}
    fits = [
        estimator(6, init="pca", max_iter=20, random_state=seed, **options).fit(X)
        for seed in (0, 0)
    ]
    np.testing.assert_array_equal(*(fit.embedding_ for fit in fits))
    assert (fits[0].embedding_.std(axis=0) > 0).all()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: TwinKernelPCA(bandwidth=0).fit(X), "bandwidth"),
        (lambda: TwinKernelPCA(bandwidth=False).fit(X), "bandwidth"),
        (lambda: BRE(affinity="truncated", related="radius", radius2=0).fit(X), "radius2"),
        # a mask would be lost
        (lambda: fraction_satisfied(X, MASKED), "triplets must not be masked"),
        (lambda: tete_loss(X, MASKED), "triplets must not be masked"),
        (lambda: TripletEmbedding().fit(MASKED), "triplets must not be masked"),
        (lambda: class_blocks(HIDDEN), "labels must not be masked"),
        (lambda: nearest_neighbor_error(X, HIDDEN), "labels must not be masked"),
        (lambda: BRE(affinity="truncated", related="class").fit(X, HIDDEN), "labels must not be"),
        (lambda: Relation(np.eye(30), index=np.ma.masked_less(range(30), 3)), "index must not be"),
        (lambda: gaussian_rows(X, np.ma.masked_less(LABELS + 1, 2)), "sigma2 must not be masked"),
        (
            lambda: bernoulli_contrast(X, 1.0, np.ma.masked_equal(np.eye(30) > 0, True)),
            "related must not be masked",
        ),
        # what is missing is no class
        (lambda: class_blocks(np.array(["a", None, None, "b"], object)), "labels must not be miss"),
        (lambda: class_blocks(["a", np.nan, "a"]), "labels must not be missing.*first at 1"),
        (lambda: class_blocks([0.0, np.nan, 1.0]), "labels must not be missing"),
        (lambda: class_graph(pd.Series(["a", pd.NA, "a"])), "labels must not be missing"),
        (lambda: class_graph(np.array(["2004", "NaT"], "M8[Y]")), "labels must not be missing"),
        (lambda: nearest_neighbor_error(X, np.where(LABELS, LABELS, np.nan)), "labels must not be"),
        (lambda: class_graph([["a"], ["b", "c"]]), "labels must have rows of one length"),
        # squared distances are not negative
        (lambda: bernoulli_gaussian(D2=-np.ones((3, 3))), "D2 must not be negative"),
        (lambda: gaussian_kernel(D2=-np.ones((3, 2))), "D2 must not be negative"),
        (lambda: gaussian_rows(D2=-np.ones((3, 3))), "D2 must not be negative"),
        (lambda: perplexity_rows(D2=-np.ones((3, 3)), perplexity=1.5), "D2 must not be negative"),
        (lambda: neighbor_graph(D2=-np.ones((3, 3)), n_neighbors=1), "D2 must not be negative"),
        (lambda: likelihood_bandwidth(D2=-np.ones((3, 3)), dimension=2), "D2 must not be negative"),
        (lambda: perplexity_rows(X, 5, max_iter=0), "max_iter"),
        (lambda: gaussian_rows(X, "wide"), "sigma2"),
        # tables
        (lambda: relations_from_table(pd.DataFrame({"a": [1 + 1j, 2, 3]})), "column 'a'"),
        (lambda: relations_from_table(pd.DataFrame(X[:, :2], columns=["a", "a"])), "table.*'a'"),
        # a source of randomness, by name
        (lambda: sample_per_point(X, 5, 3, rng=0), "rng"),
        (lambda: sample_triplets(X, 3, rng=None), "rng"),
        (lambda: reverse_triplets(TRIPLETS, 0.1, np.random.RandomState(0)), "rng"),
        (lambda: reverse_triplets(TRIPLETS, "a", rng()), "fraction"),
        (lambda: split_folds(TRIPLETS, 5, "a"), "rng"),
        (lambda: measures.random_triplet_accuracy(X, X, 0), "rng"),
        (lambda: SNE(random_state=-1).fit(X), "random_state"),
        (lambda: KIE(random_state="abc").fit(X), "random_state"),
        (lambda: WeightedTETE(random_state=1.5).fit(X), "random_state"),
        # optimisers and their options
        (lambda: SNE(optimizer="conditional-scg").fit(X), "optimizer must be one of"),
        (lambda: TripletEmbedding(optimizer="conditional-scg").fit(TRIPLETS), "optimizer must"),
        (lambda: FastTETE(optimizer=["cg"], neighbors="exact").fit(X), "optimizer must be one of"),
        (lambda: SNE(optimizer_options="x").fit(X), "optimizer_options must be a dict"),
        (lambda: SNE(optimizer_options={"max_iter": 3}).fit(X), "optimizer_options.*'max_iter'"),
        (lambda: SNE(optimizer_options={"gtol": "a"}).fit(X), "gtol"),
        (lambda: optimize.minimize(lambda x: (0.0, x), X, "gd", pace=1.0), "options.*'pace'"),
        (lambda: BRE(n_init=3, init="pca").fit(X), "n_init"),
        (lambda: BRE(n_init="x").fit(X), "n_init"),
        (lambda: TripletEmbedding(init=X[:, :2], n_init=-1).fit(TRIPLETS), "n_init"),
        # shapes
        (lambda: ConditionalKIE().fit(X, None), "y must"),
        (lambda: ConditionalKIE().fit(X, 3), "y must"),
        (lambda: ConditionalKIE().fit(X, [[1.0], [2.0, 3.0]] * 15), "y must have rows of one"),
        (lambda: TripletEmbedding().fit([[0, 1, 2], [0, 1]]), "triplets must have rows of one"),
        (lambda: mutual_information(X[:5], gaussian_kernel(X)), "K_y relates 30"),
        (
            lambda: FastTETE(neighbors="exact", max_iter=2).fit(X).transform(X[:2] * 1e300),
            "X is too large",
        ),
    ],
)
def test_what_is_refused_is_named(call, name):
    with pytest.raises((ValueError, TypeError), match=name):
        call()


@pytest.mark.parametrize("step", [np.nan, np.inf, 0.0, -1.0])
def test_a_step_that_leads_nowhere_is_refused(step):
    options = {"optimizer_options": {"step": step}, "max_iter": 5}
    for fit in (
        lambda: TripletEmbedding(optimizer="gd", **options).fit(TRIPLETS),
        lambda: WeightedTETE(optimizer="gd", **options).fit(X),
        lambda: FastTETE(neighbors="exact", **options).fit(X),
    ):
        with pytest.raises(ValueError, match="step must be positive"):
            fit()


def test_no_score_before_a_fit():
    with pytest.raises(NotFittedError):
        TripletEmbedding().score(TRIPLETS)
