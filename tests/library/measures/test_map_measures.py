"""Axes, neighbourhoods and structure of a map, and the chance level of measures."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import spearmanr
from turning import LABELS, curves

from repro import measures

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))


def eta_along(X, direction, labels):
    z = X @ direction
    means = np.array([z[labels == c].mean() for c in labels])
    return np.sum((means - z.mean()) ** 2) / np.sum((z - z.mean()) ** 2)


def test_a_direction_of_class_alone_and_none():
    found = measures.discriminant(curves(1.0), LABELS)
    assert found.eta_squared == pytest.approx(1.0)
    np.testing.assert_allclose(np.abs(found.direction), [0, 0, 1], atol=1e-10)
    assert measures.discriminant(curves(1.0)[:, :2], LABELS).eta_squared < 1e-20


def test_it_is_the_largest_over_all_directions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) + np.array([1.0, 0.3, 0.0]) * LABELS[:, None]
    found = measures.discriminant(X, LABELS)
    assert eta_along(X, found.direction, LABELS) == pytest.approx(found.eta_squared)
    tried = [eta_along(X, rng.normal(size=3), LABELS) for _ in range(2000)]
    assert max(tried) <= found.eta_squared
    assert max(tried) > 0.98 * found.eta_squared


def test_shares_weigh_the_metric_with_the_spread():
    X = np.array([[0.0, 0.0], [2.0, 20.0]])
    np.testing.assert_allclose(measures.axis_shares([1.0, -0.1], X), [0.5, 0.5])
    np.testing.assert_allclose(measures.axis_shares([[1.0, 0.0], [0.0, 3.0]], X), np.eye(2))


def test_rank_correlations_are_spearmans():
    rng = np.random.default_rng(0)
    A, B = rng.integers(0, 9, size=(40, 2)), rng.normal(size=(40, 3))
    found = measures.abs_spearman(A, B)
    for i, j in np.ndindex(2, 3):
        rho = spearmanr(A[:, i], B[:, j])[0]
        assert found[i, j] == pytest.approx(abs(rho))
        assert measures.spearman(A[:, i], B[:, j]) == pytest.approx(rho)
    assert measures.spearman(A[:, 0], np.ones(40)) == 0


@pytest.mark.parametrize("constant", [1.0, 98765.4, 1e9])
def test_a_constant_column_is_no_direction(constant):
    rng = np.random.default_rng(7)
    X, labels = rng.normal(size=(80, 2)), np.arange(80) % 2
    wide = np.column_stack([X, np.full(80, constant)])
    (eta, along), (expected, direction) = (
        measures.discriminant(wide, labels),
        measures.discriminant(X, labels),
    )
    assert eta == pytest.approx(expected)
    np.testing.assert_allclose(along, [*direction, 0], atol=1e-12)
    with pytest.raises(ValueError, match="r must not be zero"):
        measures.axis_shares([0, 0, 1], wide)


def test_axes_are_matched_to_factors_whatever_their_order_and_sign():
    rng = np.random.default_rng(0)
    factors = rng.normal(size=(200, 3))
    X = np.exp(factors[:, [2, 0, 1]]) * [1, -1, 2]
    np.testing.assert_allclose(measures.matched_spearman(X, factors), 1.0)
    noisy = factors + [0.0, 1.0, 0.0] * rng.normal(size=(200, 3))
    rho = measures.matched_spearman(noisy[:, [1, 2, 0]], factors)
    assert (
        rho[1]
        == measures.abs_spearman(noisy[:, [1]], factors[:, [1]])[0, 0]
        < rho[0]
        == rho[2]
        == 1.0
    )
    assert measures.matched_spearman(rng.permutation(X), factors).max() < 0.4


def test_distance_correlation():
    D = np.linalg.norm(X[:, None] - X, axis=2)
    assert measures.distance_correlation(3 * X + 1, D) == pytest.approx(1)
    assert measures.distance_correlation(X, -D) == pytest.approx(-1)
    assert abs(measures.distance_correlation(measures.shuffled(X), D)) < 0.1


def test_roughness():
    labels = np.arange(60) % 2
    assert measures.roughness(X, X[:, 0], labels, 5) < 0.4
    assert 0.8 < measures.roughness(X, RNG.normal(size=60), labels, 5) < 1.2


@pytest.mark.parametrize("shift", [0.0, 1e9])
@pytest.mark.parametrize("outlier", [None, -1.7e9])
def test_paths_do_not_depend_on_where_the_points_lie(shift, outlier):
    line = np.arange(61.0)[:, None]
    line[30:] += 5  # a separate component, for two neighbours each
    line[0] = 0.0 if outlier is None else outlier
    D = measures.geodesic_distances(line + shift, 40)[1:, 1:]
    np.testing.assert_array_equal(D, np.abs(line[1:] - line[1:].T))


def test_random_triplets_keep_their_order_or_do_not():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(300, 2))
    turned = data @ np.array([[0.6, 0.8], [-0.8, 0.6]]) * 3 + 1
    assert measures.random_triplet_accuracy(turned, data, rng) == 1
    assert abs(measures.random_triplet_accuracy(rng.permutation(data), data, rng, 20) - 0.5) < 0.03
    few, moved = rng.normal(size=(2, 5, 2))  # all triplets of few points occur equally often
    D, E = (np.hypot(*(Y[:, None] - Y).T) for Y in (few, moved))
    exact = np.mean(
        [(D[i, j] < D[i, k]) == (E[i, j] < E[i, k]) for i, j, k in permutations(range(5), 3)]
    )
    assert abs(measures.random_triplet_accuracy(few, moved, rng, 20_000) - exact) < 0.01
    line = data * [1, 1e-9]
    assert 0.6 < measures.random_triplet_accuracy(line, data, rng) < 0.9


def test_each_point_has_the_place_of_another_and_always_the_same():
    moved = measures.shuffled(X)
    np.testing.assert_array_equal(np.sort(moved, axis=0), np.sort(X, axis=0))
    np.testing.assert_array_equal(moved, measures.shuffled(X))
    assert (moved != X).any(axis=1).mean() > 0.9
