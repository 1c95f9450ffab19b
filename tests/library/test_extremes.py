"""Extreme points: any unit, one place, ties, outliers, rounding and underflow."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from models import MODELS, OF_TRIPLETS, fit
from scipy import sparse
from scipy.special import entr

import repro
from repro import BRE, KIE, MRE, SNE, Relation, gaussian_rows, measures
from repro.core import neighbors
from repro.kie import out_of_sample
from repro.mre import smoother

pytestmark = pytest.mark.usefixtures("warnings_are_errors")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4))
LABELS, VALUES = np.repeat([0, 1, 2], 10), X @ [1, 2, 0, 0]
VALUES += 0.1 * RNG.normal(size=30)
MOVED = X + 0.3 * RNG.normal(size=X.shape)
K, D2 = repro.gaussian_kernel(X, 2.0), repro.squared_distances(X)
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))


def rng():
    return np.random.default_rng(0)


DISTINCT = "must contain at least two distinct points"
# Functions of points; the power of the points' unit in each, None if the unit is not free; and the
# message that refuses points all in one place, which have no direction or scale, but still have
# neighbours, order and similarities.
FUNCTIONS = {
    "nearest_neighbor_error": (lambda Y: repro.nearest_neighbor_error(Y, LABELS), 0, None),
    "k_nearest": (lambda Y: neighbors.k_nearest(Y, 4, "exact")[0], 0, None),
    "nearest_among": (lambda Y: neighbors.nearest_among(Y[:5], Y[5:], 3)[0], 0, None),
    "nearest_neighbors": (neighbors.nearest_neighbors, 0, None),
    "fraction_satisfied": (lambda Y: repro.fraction_satisfied(Y, TRIPLETS), 0, None),
    "sample_per_point": (lambda Y: repro.sample_per_point(Y, 5, 3, rng=rng()), 0, None),
    "sample_triplets": (lambda Y: repro.sample_triplets(Y, 3, rng=rng()), 0, None),
    "triplet_weights": (lambda Y: repro.triplet_weights(Y, TRIPLETS), 0, DISTINCT),
    "relations_from_table": (lambda Y: repro.relations_from_table(pd.DataFrame(Y))[0].P, 0, "0 "),
    "embedding_similarities": (repro.embedding_similarities, None, None),
    "kernel_smoother": (lambda Y: repro.kernel_smoother(Y, VALUES, Y[:3]), 0, DISTINCT),
    "values of kernel_smoother": (lambda Y: repro.kernel_smoother(MOVED, Y, MOVED[:3]), 1, None),
    "leave_one_out": (lambda Y: smoother.leave_one_out_bandwidth(Y, VALUES), 2, DISTINCT),
    "backward_map": (lambda Y: out_of_sample.backward_map(K, Y, 0.1), None, None),
    "forward_map": (lambda Y: out_of_sample.forward_map(K, Y, 1.0), None, None),
    "step_weights": (lambda Y: repro.bre.step_weights(Y, K, 0.1).toarray(), None, None),
    "axis_shares": (lambda Y: measures.axis_shares(np.ones(4), Y), 0, "r must not be zero"),
    "distance_correlation": (lambda Y: measures.distance_correlation(Y, D2), 0, None),
    "geodesic_distances": (lambda Y: measures.geodesic_distances(Y, 8), 1, None),
    "roughness": (lambda Y: measures.roughness(Y, VALUES, LABELS, 3), 0, None),
    "roughness of values": (lambda Y: measures.roughness(X, Y[:, 0], LABELS, 3), 0, "differ in"),
    "random_triplets": (lambda Y: measures.random_triplet_accuracy(Y, MOVED, rng()), 0, None),
    "exp_t": (lambda Y: 1 / repro.exp_t(np.abs(Y), 1), None, None),
    "discriminant": (lambda Y: measures.discriminant(Y, LABELS).eta_squared, 0, DISTINCT),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("scale", [1e-165, 1e-150, 1e-20, 30.0, 1e50, 1e151, 1e200, 1e300, 5e307])
def test_the_unit_does_not_matter_or_points_are_too_large_or_small(name, scale):
    f, power, _ = FUNCTIONS[name]
    refusal = ""
    try:
        with np.errstate(under="raise"):
            found = f(X * scale)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        assert re.match(rf"[A-Za-z0-9 ]+ is too {'small' if scale < 1 else 'large'}", refusal)
        assert not 1e-150 <= scale <= 1e150
        return
    assert np.isfinite(found).all()
    if power == 0 or (power and 1e-50 < scale < 1e150):
        np.testing.assert_allclose(found / scale**power, f(X), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_points_in_one_place_are_refused_where_there_is_no_answer(name):
    f, _, words = FUNCTIONS[name]
    if words is None:
        assert np.isfinite(f(0 * X)).all()
    else:
        with pytest.raises(ValueError, match=words):
            f(0 * X)


@pytest.mark.parametrize("offset", [0, 1_000, 1_000_000])
def test_distances_of_integers_are_exact_and_ties_go_to_the_smaller_index(offset):
    points = np.random.default_rng(1).integers(0, 3, size=(30, 2)) + float(offset)
    D2 = ((points[:, None] - points) ** 2).sum(axis=2)
    np.testing.assert_array_equal(repro.squared_distances(points), D2)
    np.testing.assert_array_equal(repro.squared_distances(points[:5], points), D2[:5])
    np.fill_diagonal(D2, np.inf)
    nearest = np.argsort(D2, axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(neighbors.k_nearest(points, 3, "exact")[0], nearest)


def test_perplexity_beside_a_distant_outlier_and_in_any_unit():
    points = X.copy()
    points[0, 0] = 1e20
    for scale in (1.0, 1e-10, 1e10):
        with pytest.warns(RuntimeWarning, match="more nearest points at one distance than the"):
            P = repro.perplexity_rows(points * scale, 4.0)
        np.testing.assert_allclose(np.exp(entr(P[1:]).sum(axis=1)), 4.0, rtol=1e-4)
        np.testing.assert_allclose(P[0, 1:], 1 / 29)  # all others are equally far from it
    with pytest.warns(RuntimeWarning, match="4 points have more copies than the perplexity, 2"):
        P = repro.perplexity_rows(np.ones((4, 2)), 2.0)
    np.testing.assert_allclose(P[0], [0, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("loss", OF_TRIPLETS)
def test_triplets_that_contradict_each_other_hold_the_points_together(loss):
    both = np.vstack([TRIPLETS, TRIPLETS[:, [0, 2, 1]]])
    assert repro.contradictions(both).all()
    model = repro.TripletEmbedding(loss, max_iter=200, random_state=0).fit(both)
    assert np.isfinite(model.embedding_).all()
    assert model.loss_ <= model.loss_history_[0]
    # One triplet of each pair is satisfied, unless there is a tie.
    assert model.score(both) == pytest.approx(0.5)


def test_contradictions_among_items_of_any_number():
    far = np.array([[0, 1, 2**31 - 2], [0, 2**31 - 2, 1], [2**31 - 2, 0, 1], [2**30, 0, 1]])
    assert repro.contradictions(far).tolist() == [True, True, False, False]
    many = np.random.default_rng(0).integers(0, 5, (300, 3))
    many = many[[len(set(row)) == 3 for row in many.tolist()]]
    np.testing.assert_array_equal(repro.contradictions(many), repro.contradictions(many * 2**28))


def test_relations_in_two_parts_that_nothing_joins_are_embedded_apart():
    related = np.kron(np.eye(2), np.ones((6, 6)))
    for model in (
        BRE(affinity="precomputed", max_iter=20).fit(related),
        MRE(max_iter=20, random_state=0).fit([Relation(related / 6)]),
    ):
        D2 = repro.squared_distances(model.embedding_)
        assert D2[related == 1].max() < 0.1 * D2[related == 0].min()


def test_classes_next_to_each_other_have_no_direction():
    next_to = np.where(np.arange(len(LABELS)) % 2, 1e-150, np.nextafter(1e-150, 1))[:, None]
    with pytest.raises(ValueError, match=DISTINCT):
        measures.discriminant(next_to, LABELS)


D = np.sqrt(repro.squared_distances(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_bound_missed_by_rounding_is_met(dtype):
    def by_rounding(x):
        moves = np.random.default_rng(1).uniform(-3, 3, x.shape)
        return (x + moves * np.finfo(dtype).eps * np.abs(x).max()).astype(dtype)

    for f, matrix in (
        (lambda D2: gaussian_rows(D2=D2), D**2),
        (lambda P: repro.sne_loss(X, P, True)[0], gaussian_rows(X, 2.0, include_self=True)),
        (lambda K: repro.kie_loss(X, K)[0], K),
        (lambda K: repro.twin_kernel_loss(X, K)[0], K),
        (lambda R: repro.bre_loss(X, R)[0], K),
        (lambda R: repro.bre_loss(X, sparse.csr_array(R))[0], K),
        (lambda r: repro.bernoulli_kl(r, 0.5), K),
    ):
        np.testing.assert_allclose(f(by_rounding(matrix)), f(matrix), rtol=2e-3, atol=1e-5)
    unit = (10 + X).astype(dtype)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    cosines = unit @ unit.T  # all near 1, so that rounding is not small beside the distances
    assert np.isfinite(gaussian_rows(D2=1 - cosines, sigma2=0.01)).all()
    of_products = np.sqrt(np.abs(by_rounding(D**2)))  # the diagonal is some √eps
    for model in (SNE(), KIE(), BRE()):
        model.set_params(metric="precomputed", random_state=0, max_iter=3)
        model.fit(of_products)
        model.fit(1 - cosines)
    weights = by_rounding(np.linspace(0, 1, len(TRIPLETS)))
    assert (repro.TripletSet(TRIPLETS, weights - weights.max() * 1e-6).weights >= 0).all()
    moved = K.astype(dtype)
    moved = moved - moved.mean(axis=0) - moved.mean(axis=1)[:, None] + moved.mean()
    with warnings.catch_warnings(action="ignore"):  # of jitter
        assert np.isfinite(repro.twin_kernel_loss(X, moved)[0])


def test_numbers_that_differ_by_rounding_alone_are_one_number():
    same = np.where(np.arange(30) % 2, 0.1 + 0.2, 0.3)
    assert same[0] != same[1]
    assert measures.spearman(same, VALUES) == 0
    assert np.isnan(measures.abs_spearman(same[:, None], VALUES[:, None])).all()
    assert measures.axis_shares([1, 1e16], np.column_stack([VALUES, same]))[1] == 0
    with pytest.raises(ValueError, match="two distinct points"):
        measures.discriminant(same[:, None], LABELS)
    with pytest.raises(ValueError, match="one and the same number"):
        repro.relations_from_table(pd.DataFrame({"same": same}))
    # A step of 0.1 is not the same number everywhere.
    grid = np.arange(10)[:, None] / 10
    assert repro.radius_graph(grid, 0.1**2).sum() == 18


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("unit", "apart"), [(1, 0), (30, 0), (1, 1e4)])
def test_no_fit_underflows_aloud(name, unit, apart):
    points = unit * X[:14, :3] + apart * (np.arange(14) < 4)[:, None]
    with warnings.catch_warnings(action="ignore"), np.errstate(all="raise"):
        model = fit(name, points)
        if hasattr(model, "transform"):
            model.transform(points[-3:] + 0.01)
        if hasattr(model, "inverse_transform"):
            model.inverse_transform(3 * model.embedding_[:3])
