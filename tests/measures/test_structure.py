"""Structure kept by a map, properties of images, and growth of run time."""

import time

import numpy as np
import pytest

from repro.core.neighbors import k_nearest
from repro.datasets import make_s_curve
from repro.measures.images import ink, left_minus_right, slant
from repro.measures.neighbourhoods import neighbor_distance, pieces_per_class, roughness
from repro.measures.run_time import cost_exponent
from repro.measures.structure import (
    distance_correlation,
    geodesic_distances,
    plane_fit,
    random_triplet_accuracy,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))


def test_shortest_paths_along_the_s_curve_are_distances_of_true_coordinates():
    data = make_s_curve(800, 0)
    along = np.linalg.norm(data.factors[:, None] - data.factors, axis=2)
    far = along > 1
    ratio = geodesic_distances(data.X)[far] / along[far]
    assert 0.99 < np.median(ratio) < 1.06
    assert np.quantile(ratio, 0.9) < 1.1


def test_distance_correlation():
    D = np.linalg.norm(X[:, None] - X, axis=2)
    assert distance_correlation(3 * X + 1, D) == pytest.approx(1)
    assert distance_correlation(X, -D) == pytest.approx(-1)
    shuffled = np.random.default_rng(0).permutation(X)
    assert abs(distance_correlation(shuffled, D)) < 0.1


def test_plane_fit():
    assert plane_fit(X, X @ [2.0, -1.0] + 5) == pytest.approx(1)
    noise = RNG.normal(size=60)
    assert plane_fit(X, noise) < 0.2
    assert 0.3 < plane_fit(X, X[:, 0] + noise) < 0.8
    assert plane_fit(X, 1e15 + np.arange(60)) == pytest.approx(plane_fit(X, np.arange(60)))


def test_neighbor_distance():
    data = RNG.normal(size=(60, 5))
    near, _ = k_nearest(X, 3)
    expected = np.mean([[np.linalg.norm(data[i] - data[j]) for j in near[i]] for i in range(60)])
    assert neighbor_distance(X, data, 3) == pytest.approx(expected)


def test_roughness():
    labels = np.arange(60) % 2
    assert roughness(X, X[:, 0], labels, 5) < 0.4
    assert 0.8 < roughness(X, RNG.normal(size=60), labels, 5) < 1.2


def test_ink_slant_and_left_minus_right():
    images = np.zeros((3, 9, 8))
    images[0, :, 3] = 1  # upright
    images[1, np.arange(9), 8 - 1 - np.clip(np.arange(9), 0, 7)] = 1  # leaning to the right
    images[2, :, 1] = 2
    np.testing.assert_allclose(ink(images), [1 / 8, 1 / 8, 2 / 8])
    found = slant(images)
    np.testing.assert_allclose(found[[0, 2]], 0, atol=1e-12)
    assert 0.8 < found[1] < 1.1
    assert slant(images[:, :, ::-1])[1] == pytest.approx(-found[1])
    np.testing.assert_allclose(left_minus_right(images)[[0, 2]], [1 / 4, 2 / 4])
    np.testing.assert_allclose(left_minus_right(images[:, :, ::-1]), -left_minus_right(images))


def test_the_exponent_of_a_cost():
    def quadratic(n):
        def compute():  # in processor time, which is measured
            end = time.process_time() + 2e-8 * n**2
            while time.process_time() < end:
                pass

        return compute

    assert cost_exponent(quadratic, (500, 1000, 2000)) == pytest.approx(2, 0.2)


@pytest.mark.parametrize("shift", [0.0, 1e9])
@pytest.mark.parametrize("outlier", [None, -1.7e9])
def test_paths_and_pieces_do_not_depend_on_where_the_points_lie(shift, outlier):
    line = np.arange(61.0)[:, None]
    line[30:] += 5  # a separate component, for two neighbours each
    line[0] = 0.0 if outlier is None else outlier
    D = geodesic_distances(line + shift, 40)[1:, 1:]
    np.testing.assert_array_equal(D, np.abs(line[1:] - line[1:].T))
    assert pieces_per_class(line + shift, np.zeros(61), 2) == 2


def test_pieces_per_class():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 100)
    whole = rng.normal(size=(200, 2)) + 20 * labels[:, None]
    assert pieces_per_class(whole, labels) == 1
    torn = whole.copy()
    torn[:50] += 100  # half of class 0 is moved away
    assert pieces_per_class(torn, labels) == 1.5
    line = np.arange(100.0)[:, None]
    line[:3] -= 1000  # a few stray points are not a component
    assert pieces_per_class(line, np.zeros(100), n_neighbors=2) == 1
    assert pieces_per_class(line, [0] * 99 + [1], n_neighbors=2) == 1  # a class of one point


def test_random_triplets_keep_their_order_or_do_not():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(300, 2))
    turned = data @ np.array([[0.6, 0.8], [-0.8, 0.6]]) * 3 + 1
    assert random_triplet_accuracy(turned, data, rng) == 1
    assert abs(random_triplet_accuracy(rng.permutation(data), data, rng, 20) - 0.5) < 0.03
    line = data * [1, 1e-9]
    assert 0.6 < random_triplet_accuracy(line, data, rng) < 0.9
