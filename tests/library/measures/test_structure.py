"""Structure kept by a map, and the chance level of measures."""

import numpy as np
import pytest

from repro import measures

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))


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
    line = data * [1, 1e-9]
    assert 0.6 < measures.random_triplet_accuracy(line, data, rng) < 0.9


def test_each_point_has_the_place_of_another_and_always_the_same():
    moved = measures.shuffled(X)
    np.testing.assert_array_equal(np.sort(moved, axis=0), np.sort(X, axis=0))
    np.testing.assert_array_equal(moved, measures.shuffled(X))
    assert (moved != X).any(axis=1).mean() > 0.9
