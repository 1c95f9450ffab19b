"""Weighted t-ETE: neighbours, outliers, weights, the estimator, new points."""

import numpy as np
import pytest
from planted import planted_classes
from scipy.spatial.distance import cdist
from sklearn.base import clone

from repro import FastTETE, WeightedTETE, sample_triplets, tete_loss, triplet_weights
from repro.core.backend import backends
from repro.core.neighbors import k_nearest, nearest_among
from repro.tete import weighted
from repro.tete.fast import resized
from repro.tete.groups import NeighborTriplets, neighbors_loss
from repro.tete.losses import TripletLoss
from repro.tete.sampling import outliers_of_each
from repro.tete.weighted import place
from repro.tete.weights import log_triplet_weights

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 4))


@pytest.mark.parametrize(("n", "least"), [(600, 9.99), (21_000, 8.5)])
def test_approximate_neighbours_are_mostly_the_nearest(n, least):
    pytest.importorskip("faiss")
    points = np.random.default_rng(0).normal(size=(n, 3)) * 1e-20
    approximate, D2 = k_nearest(points, 10, "approximate")
    some = np.arange(0, n, n // 300)
    exact = nearest_among(points[some], points, 11)[0]  # including itself
    shared = [len({*row} & {*approximate[i]} - {i}) for i, row in zip(some, exact, strict=True)]
    assert np.mean(shared) > least
    assert (approximate != np.arange(n)[:, None]).all()
    assert (np.diff(D2, axis=1) >= 0).all()


def test_copies_in_one_cell_find_k_others_all_the_same():
    pytest.importorskip("faiss")
    points = np.repeat(np.random.default_rng(0).normal(size=(3, 2)), [24_000, 3, 4], axis=0)
    neighbors, D2 = k_nearest(points, 12, "approximate")
    assert neighbors.min() >= 0
    assert (neighbors != np.arange(len(points))[:, None]).all()
    assert (D2[:24_000] == 0).all()
    assert (D2[24_000:, 1] == 0).all()


def test_triplets_have_every_neighbour_and_outliers_farther_away():
    D = cdist(X, X)
    triplets = sample_triplets(X, 5, 3, rng=np.random.default_rng(0))
    assert triplets.shape == (80 * 5 * 3, 3)
    i, j, k = triplets.T
    assert (np.diff(i) >= 0).all()
    assert (D[i, k] > D[i, j]).all()
    near = np.argsort(D, axis=1)[:, 1:6]
    np.testing.assert_array_equal(j.reshape(80, 5, 3)[:, :, 0], near)
    assert len(sample_triplets(X, 5, rng=np.random.default_rng(0))) == 80 * 5 * 5


def test_outliers_are_drawn_evenly_from_all_that_are_farther():
    line = np.arange(12.0)[:, None]
    rng = np.random.default_rng(0)
    triplets = np.concatenate([sample_triplets(line, 2, 200, rng=rng) for _ in range(10)])
    of_0 = triplets[triplets[:, 0] == 0]
    for near, others in ((1, range(2, 12)), (2, range(3, 12))):
        drawn = np.bincount(of_0[of_0[:, 1] == near][:, 2], minlength=12)
        assert set(np.flatnonzero(drawn)) == set(others)
        assert drawn[list(others)].min() > 0.7 * 2000 / len(others)


def test_weights_are_eq_13_and_do_not_overflow():
    triplets = np.argsort(RNG.random((200, 80)), axis=1)[:, :3]
    i, j, k = triplets.T
    D = cdist(X, X)
    sigma = np.sort(D, axis=1)[:, 10]  # the point itself is the first
    similar = np.exp(-(D**2) / (sigma[:, None] * sigma))
    ratio = similar[i, j] / similar[i, k]
    weights = triplet_weights(X, triplets, bias=0.25)
    np.testing.assert_allclose(weights, ratio / ratio.max() + 0.25, rtol=1e-9)
    logs = log_triplet_weights(1e3 * X, triplets)
    np.testing.assert_allclose(logs, np.log(ratio), rtol=1e-9)
    clumps = np.vstack([X, X + 1e4])  # their ω is about e^(10^8)
    assert log_triplet_weights(clumps, [[0, 1, 80]])[0] > 1e6
    np.testing.assert_allclose(triplet_weights(clumps, [[0, 1, 80], [0, 80, 1]]), [1.01, 0.01])


def test_the_weights_of_a_fit_are_eq_13_or_none():
    model = WeightedTETE(n_neighbors=6, random_state=0, max_iter=2).fit(X)
    triplets, weights = model.triplets_.triplets, model.triplets_.weights
    np.testing.assert_allclose(weights, triplet_weights(X, triplets), rtol=1e-8)
    assert model.loss_ == pytest.approx(tete_loss(model.embedding_, model.triplets_)[0])
    model.set_params(weighting="none").fit(X)
    np.testing.assert_allclose(model.triplets_.weights, 1.01)


@pytest.mark.parametrize("d", [1, 2, 7])
@pytest.mark.parametrize(("t", "t_prime"), [(2, None), (1.7, None), (2, 1.3)])
def test_the_compiled_sum_is_that_of_the_triplets_one_by_one(d, t, t_prime):
    rng = np.random.default_rng(0)
    near = k_nearest(X, 5)[0].astype(np.int32)
    far = outliers_of_each(near, len(X), 9, rng, np.arange(len(X)))
    which = rng.integers(0, 3, len(X)).astype(np.int32)
    triplets = NeighborTriplets(near, far, rng.random((3, 9, 5)), which)
    listed, Y = triplets.to_triplets(), rng.normal(size=(len(X), d))
    assert triplets.total_weight == pytest.approx(listed.total_weight, rel=1e-12)
    drawn_alike = sample_triplets(X, 5, 9, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(listed.triplets, drawn_alike)
    expected = tete_loss(Y, listed, t, t_prime, backend="numpy")
    for backend in backends():
        value, gradient = neighbors_loss(triplets, d, backend, TripletLoss.tete(t, t_prime))(Y)
        assert value == pytest.approx(expected[0], rel=1e-12)
        tolerance = 1e-12 * np.abs(expected[1]).max()
        np.testing.assert_allclose(gradient, expected[1], rtol=0, atol=tolerance)


def test_points_whose_weights_are_the_bias_share_a_row():
    points = planted_classes(300, 4)[0]
    points[0] += 100  # only triplets with this outlier have a weight above the bias
    groups = WeightedTETE(n_neighbors=10, max_iter=1, random_state=0).fit(points).groups_
    alone = (groups.weights[groups.which] != 0.01).any(axis=(1, 2))
    np.testing.assert_array_equal(groups.which[~alone], 0)
    assert 0 < alone.sum() < 200
    assert len(groups.weights) < 250
    every = WeightedTETE(n_neighbors=10, max_iter=1, bias=0, random_state=0).fit(points).groups_
    expected = every.weights[every.which] + 0.01
    np.testing.assert_allclose(groups.weights[groups.which], expected, rtol=1e-12)


@pytest.mark.parametrize("estimator", [WeightedTETE, FastTETE])
def test_new_points_are_placed_among_their_class(estimator):
    points, labels = planted_classes(240, 4)
    model = estimator(n_neighbors=10, random_state=0).fit(points[:200])
    placed = model.transform(points[200:])
    nearest = cdist(placed, model.embedding_).argmin(axis=1)
    assert (labels[:200][nearest] == labels[200:]).mean() > 0.95
    np.testing.assert_array_equal(placed, model.transform(points[200:]))


def test_a_new_point_descends_by_its_own_triplets():
    rng = np.random.default_rng(0)
    Y, weights = rng.normal(size=(30, 2)), rng.random((5, 12))
    near, far = rng.integers(0, 15, (5, 12)), rng.integers(15, 30, (5, 12))
    placed = place(Y, near, near, far, weights, TripletLoss.tete(2.0))
    for q, y in enumerate(placed):
        triplets = np.column_stack([np.full(12, 30), near[q], far[q]])
        slopes = [
            np.abs(tete_loss(np.vstack([Y, point]), triplets, 2.0, weights=weights[q])[1][30]).max()
            for point in (Y[near[q, :3]].mean(axis=0), y)
        ]
        assert slopes[1] < 0.1 * slopes[0]


def test_a_fit_and_new_points_do_not_depend_on_the_size_of_blocks(monkeypatch):
    model, new = WeightedTETE(n_neighbors=7, max_iter=3, random_state=0), X[:20] + 0.1
    whole = clone(model).fit(X)
    placed = whole.transform(new)
    for name, size in (("ROWS", 30), ("BLOCK", 7)):
        monkeypatch.setattr(weighted, name, size)
    np.testing.assert_array_equal(model.fit(X).embedding_, whole.embedding_)
    np.testing.assert_array_equal(whole.transform(new), placed)


@pytest.mark.parametrize("estimator", [WeightedTETE, FastTETE])
def test_a_start_that_is_given_is_where_it_starts(estimator):
    points, start = planted_classes(240, 4)[0], np.random.default_rng(0).normal(size=(240, 3))
    rounds = {"n_rounds": 1, "t_prime": 2.0} if estimator is FastTETE else {}
    model = estimator(3, init=start, init_scale=None, max_iter=1, **rounds).fit(points)
    triplets = model.groups_.to_triplets()
    if estimator is FastTETE:  # whose maps have a size of their own
        start = resized(start, 0.5 * 240 ** (1 / 3))
    expected = tete_loss(start, triplets, 2.0)[0]
    assert model.loss_history_[0] == pytest.approx(expected, rel=1e-9)
