"""Measures that serve experiments alone: of views, images, maps and run time."""

import time

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from turning import LABELS, VIEWS, curves

from repro.core.neighbors import k_nearest
from repro.experiments._costs import cost_exponent
from repro.experiments._images import ink, left_minus_right, slant
from repro.experiments._views import neighbor_views, view_error, view_gap, view_scores
from repro.experiments.bre_fig7_brendan import neighbor_distance, plane_fit
from repro.experiments.kie_fig1_s_curve import signed_permutation_difference
from repro.experiments.kie_fig4_joint import nearest_is_adjacent
from repro.experiments.mre_fig3_isomap_faces import fitted_directions, rank_errors
from repro.experiments.tete_fig6_dimensionality_reduction import pieces_per_class, share_better
from repro.measures import abs_spearman

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))


def test_view_errors_count_around_the_circle():
    points = np.array([[0.0], [1.0], [0.1], [1.1]])
    # View 71 is nearest to view 1, and so on: two steps, not seventy.
    assert view_error(points, np.array([0, 0, 1, 1]), np.array([1, 30, 71, 30])) == 1.0
    np.testing.assert_array_equal(view_gap([0, 71, 36, 5], 0), [0, 1, 36, 5])


def test_view_scores_against_all_distances():
    points = curves(0.4, noise=0.3)
    D = cdist(points, points)
    step = VIEWS - VIEWS[:, None]
    same_object = LABELS[:, None] == LABELS
    same, other = (D[~same_object & at].mean() for at in (step == 0, step != 0))
    nearest = np.array([neighbor_views(points, LABELS, VIEWS, c) for c in range(3)])
    expected = {
        "same over adjacent": same / D[same_object & (step == 1)].mean(),
        "same over other": same / other,
        "view error": view_gap(nearest, np.arange(20)).mean(),
    }
    assert view_scores(points, LABELS, VIEWS) == pytest.approx(expected)


def test_neighbours_are_found_in_each_other_class():
    points = np.array([[0.0], [10.0], [0.1], [9.0], [5.0], [5.2], [20.0]])
    labels = np.array(list("bbaaccc"))
    views = np.array([0, 1, 3, 4, 6, 7, 8])
    np.testing.assert_array_equal(neighbor_views(points, labels, views, "b"), [[3, 4], [6, 7]])


def test_ink_slant_and_left_minus_right():
    images = np.zeros((3, 8, 8))
    images[0, :, 3] = 1  # upright
    images[1] = np.fliplr(np.eye(8))  # leaning to the right
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


def test_a_plane_fits_what_is_linear_in_the_points():
    assert plane_fit(X, X @ [2.0, -1.0] + 5) == pytest.approx(1)
    noise = RNG.normal(size=60)
    assert plane_fit(X, noise) < 0.2
    assert 0.3 < plane_fit(X, X[:, 0] + noise) < 0.8


def test_neighbours_in_a_map_are_apart_by_their_distance_in_the_data():
    data = RNG.normal(size=(60, 5))
    near, _ = k_nearest(X, 3)
    expected = np.mean([[np.linalg.norm(data[i] - data[j]) for j in near[i]] for i in range(60)])
    assert neighbor_distance(X, data, 3) == pytest.approx(expected)


def test_embeddings_differ_only_beyond_order_and_signs():
    A = RNG.normal(size=(50, 3))
    assert signed_permutation_difference(A, A[:, [2, 0, 1]] * [1, -1, -1] + 5) < 1e-25
    shifted = A + 0.1 * RNG.choice([-1, 1], size=A.shape)
    found = signed_permutation_difference(A, shifted)
    assert found == pytest.approx(0.01 / A.var(axis=0).mean(), rel=0.05)
    turned = A @ np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    assert signed_permutation_difference(A, turned) > 0.05


def test_neighbours_along_a_sequence():
    angle = np.linspace(0, 6, 30)
    spiral = np.column_stack([angle * np.cos(angle), angle * np.sin(angle), angle])
    assert nearest_is_adjacent(spiral) == 1.0
    share = np.mean([nearest_is_adjacent(RNG.permutation(spiral)) for _ in range(100)])
    assert share == pytest.approx(2 / 30, abs=0.02)


def test_rank_errors_of_monotone_maps_vanish():
    x = np.random.default_rng(0).normal(size=50)
    assert not rank_errors(x, np.exp(x)).any()
    assert not rank_errors(x, -(x**3)).any()
    swapped = np.arange(10.0)
    swapped[[0, 9]] = swapped[[9, 0]]
    np.testing.assert_allclose(rank_errors(np.arange(10), swapped), [1, *[0] * 8, 1])


def test_directions_find_what_was_rotated():
    factors = RNG.normal(size=(200, 3))
    points = factors @ np.linalg.qr(RNG.normal(size=(3, 3)))[0] + 5
    read = points @ fitted_directions(points, 2 * factors - 1)
    assert abs_spearman(factors, read).diagonal().min() > 0.999


def test_pieces_per_class():
    labels = np.repeat([0, 1], 100)
    whole = RNG.normal(size=(200, 2)) + 20 * labels[:, None]
    assert pieces_per_class(whole, labels) == 1
    torn = whole.copy()
    torn[:50] += 100  # half of class 0 is moved away
    assert pieces_per_class(torn, labels) == 1.5
    line = np.arange(100.0)[:, None]
    line[:3] -= 1000  # a few stray points are not a component
    assert pieces_per_class(line, np.zeros(100), n_neighbors=2) == 1


def test_a_score_counts_as_better_by_its_own_direction_if_both_methods_have_it():
    table = pd.DataFrame(
        {"t-ETE": [0.9, 0.2, 0.2, 0.9], "t-SNE": [0.8, 0.1, 0.3, np.nan]},
        ["trustworthiness, A", "1-NN error, A", "1-NN error, B", "correlation, A"],
    )
    assert share_better(table) == 2 / 3
