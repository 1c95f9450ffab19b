"""The fast preset of weighted t-ETE: groups of triplets, redrawn outliers, momentum, new points."""

import numpy as np
import pytest
from planted import planted_classes
from scipy.spatial.distance import cdist
from sklearn.manifold import trustworthiness

from repro import FastTETE, nearest_neighbor_error, tete_loss
from repro.core.backend import backends
from repro.core.neighbors import k_nearest
from repro.tete.fast import of_size, resized
from repro.tete.groups import TripletGroups, grouped_loss, outlier_pairs, soft_weights
from repro.tete.weights import local_scales, log_triplet_weights

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 5))


def groups(n=90, m=4, r=7, outlier_weight=0.3, seed=0):
    rng = np.random.default_rng(seed)
    neighbors = k_nearest(X[:n], m)[0].astype(np.int32)
    far = outlier_pairs(X[:n], neighbors, r, rng)
    weights = rng.uniform(0.1, 2, (n, m, r)).astype(np.float32)
    return TripletGroups(neighbors, far, weights, outlier_weight)


def test_outliers_are_no_neighbours_and_come_two_by_two_the_nearer_first():
    neighbors = k_nearest(X, 6)[0]
    far = outlier_pairs(X, neighbors, 9, np.random.default_rng(0))
    assert far.shape == (90, 9)
    D = cdist(X, X)
    for i in range(90):
        assert not set(far[i]) & {i, *neighbors[i]}
        for b in (0, 2, 4, 6):
            assert D[i, far[i, b]] < D[i, far[i, b + 1]]


def test_local_outliers_are_neighbours_of_neighbours():
    neighbors = k_nearest(X, 6)[0]
    far = outlier_pairs(X, neighbors, 4, np.random.default_rng(0), n_local=2)
    around = [set(neighbors[near].ravel()) - {i, *near} for i, near in enumerate(neighbors)]
    assert np.mean([k in around[i] for i in range(90) for k in far[i, :2]]) > 0.9
    for i in range(90):
        assert not set(far[i]) & {i, *neighbors[i]}
        assert far[i, 0] != far[i, 1]


def test_the_gradient_of_a_loss_of_shape_is_its_slope():
    loss = of_size(3.0, grouped_loss(groups(), 2, "numpy", 2.0))
    Y, move = RNG.normal(size=(2, 90, 2)) + 1
    value, gradient = loss(Y)
    slope = (loss(Y + 1e-6 * move)[0] - loss(Y - 1e-6 * move)[0]) / 2e-6
    assert (gradient * move).sum() == pytest.approx(slope, rel=1e-6)
    assert loss(7 * Y + 5)[0] == pytest.approx(value, rel=1e-12)
    assert np.sqrt((resized(Y, 3.0) ** 2).mean()) == pytest.approx(3.0)


@pytest.mark.parametrize(("init_scale", "size"), [(None, 15.0), (4.0, 4.0)])
def test_a_map_has_room_for_its_points_and_groups_are_no_dots(init_scale, size):
    points, labels = planted_classes(900, 6)
    model = FastTETE(init_scale=init_scale, random_state=0).fit(points)
    Y = model.embedding_
    assert np.sqrt(Y.var(axis=0).mean()) == pytest.approx(size, rel=1e-6)
    assert nearest_neighbor_error(Y, labels) < 0.05
    inside = np.sqrt(np.mean([Y[labels == c].var(axis=0).mean() for c in np.unique(labels)]))
    assert inside > 0.05 * size


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize(("outlier_weight", "t_prime"), [(0.0, 2.0), (0.3, 2.0), (0.3, 1.5)])
def test_the_compiled_sum_is_that_of_the_triplets_one_by_one(d, outlier_weight, t_prime):
    grouped, Y = groups(outlier_weight=outlier_weight), RNG.normal(size=(90, d))
    triplets = grouped.to_triplets()
    assert len(triplets) == 90 * (4 * 7 + (3 if outlier_weight else 0))
    expected = tete_loss(Y, triplets, 2.0, t_prime, backend="numpy")
    for backend in backends():
        value, gradient = grouped_loss(grouped, d, backend, t_prime)(Y)
        assert value == pytest.approx(expected[0], rel=1e-12)
        np.testing.assert_allclose(gradient, expected[1], rtol=1e-9, atol=1e-12)


def test_the_weights_are_log_1_plus_eq_13():
    neighbors, D2 = k_nearest(X, 10)
    near = neighbors[:, :4], D2[:, :4]
    far = outlier_pairs(X, near[0], 6, np.random.default_rng(0))
    W = soft_weights(X, near, far, local_scales(X, D2, 10))
    triplets = TripletGroups(near[0], far, W).to_triplets()
    expected = np.logaddexp(0, log_triplet_weights(X, triplets.triplets))
    np.testing.assert_allclose(W.ravel(), expected / expected.mean(), rtol=1e-5)


def test_large_distances_keep_their_order():
    rng = np.random.default_rng(0)
    line = np.repeat(np.arange(8.0), 60)[:, None] * 12 * np.ones(5) + rng.normal(size=(480, 5))
    Y = FastTETE(random_state=0).fit_transform(line)
    i, j, k = rng.integers(0, 480, (3, 5000))
    D, E = cdist(line, line), cdist(Y, Y)
    assert ((D[i, j] < D[i, k]) == (E[i, j] < E[i, k])).mean() > 0.85


def test_weights_that_mostly_underflow_leave_the_others_finite():
    rng = np.random.default_rng(0)
    far = rng.normal(size=(60, 5))
    far /= np.linalg.norm(far, axis=1, keepdims=True)
    X = np.vstack([far, 3e-4 * rng.normal(size=(20, 5))])
    assert np.isfinite(FastTETE(random_state=0).fit_transform(X)).all()


def test_copies_that_reduction_sets_apart_by_rounding_get_the_scale_of_their_place():
    points, _ = planted_classes(240, 4)
    points[::8] = points[0] * (1 + 1e-8 * np.arange(30))[:, None]
    model = FastTETE(max_iter=5, random_state=0).fit(points)
    assert model.scales_.min() > 0.1 * np.median(model.scales_)


def test_a_larger_t_prime_tends_near_neighbours():
    points, _ = planted_classes(1500, 6, apart=3.0)
    models = [FastTETE(t_prime=t, random_state=0) for t in (2.0, 2.5)]
    kept = [trustworthiness(points, model.fit_transform(points)) for model in models]
    assert kept[1] > kept[0]


def test_outliers_are_drawn_anew_for_each_round():
    points, _ = planted_classes(240, 4)
    model = FastTETE(n_rounds=3, max_iter=5, random_state=0).fit(points)
    assert len(model.loss_history_) == 3 * 6
    assert model.n_iter_ == 15
    other = FastTETE(n_rounds=1, max_iter=5, random_state=0).fit(points)
    assert (model.groups_.far != other.groups_.far).any()
    np.testing.assert_array_equal(model.groups_.near, other.groups_.near)


def ten_groups(n, sd, spread, seed=0):
    rng = np.random.default_rng(seed)
    centres = spread * rng.normal(size=(10, 50))
    return centres[rng.integers(10, size=n)] + sd * rng.normal(size=(n, 50))


@pytest.mark.parametrize(
    ("points", "seed"),
    [
        (ten_groups(5000, 1.0, 3.0), 0),  # one point is near 116 others
        (ten_groups(10_000, 0.3, 1.0).astype(np.float32), 1),
        (RNG.standard_t(2, size=(2000, 8)), 0),
    ],
    ids=["groups", "float32", "heavy tails"],
)
def test_no_point_is_thrown_far_out(points, seed):
    model = FastTETE(neighbors="exact", random_state=seed).fit(points)
    radius = np.linalg.norm(model.embedding_ - np.median(model.embedding_, axis=0), axis=1)
    assert radius.max() < 2 * np.quantile(radius, 0.99)
    assert model.embedding_.dtype == points.dtype


def test_cosine_is_the_distance_of_directions():
    points = RNG.normal(size=(200, 5)) + 2
    lengths = RNG.uniform(0.1, 10, (200, 1))
    model, other = (FastTETE(metric="cosine", max_iter=20, random_state=0) for _ in range(2))
    Y = model.fit_transform(points * lengths)
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    np.testing.assert_allclose(Y, other.fit_transform(unit), rtol=1e-3, atol=1e-2)
    np.testing.assert_allclose(
        model.transform(points[:5] * 7), model.transform(points[:5]), rtol=1e-6
    )
    with pytest.raises(ValueError, match="a row of zeros"):
        model.fit(np.vstack([points, np.zeros(5)]))


def test_a_start_in_one_place_is_refused():
    with pytest.raises(ValueError, match="two distinct points"):
        FastTETE(init=np.full((90, 2), 3.0)).fit(X)
