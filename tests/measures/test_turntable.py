import numpy as np
from turning import LABELS, VIEWS, curves

from repro.measures.turntable import (
    neighbor_views,
    view_distance_ratio,
    view_error,
    view_gap,
    view_match,
    view_scores,
)


def test_view_errors_count_around_the_circle():
    X = np.array([[0.0], [1.0], [0.1], [1.1]])
    # View 71 is nearest to view 1, and so on: two steps, not seventy.
    assert view_error(X, [0, 0, 1, 1], [1, 30, 71, 30]) == 1.0


def test_view_scores_against_plain_loops():
    X = curves(0.4, noise=0.3)
    same, adjacent, different = [], [], []
    for i in range(60):
        for j in range(60):
            d = np.linalg.norm(X[i] - X[j])
            if LABELS[i] < LABELS[j]:
                (same if VIEWS[i] == VIEWS[j] else different).append(d)
            if LABELS[i] == LABELS[j] and VIEWS[j] == VIEWS[i] + 1:
                adjacent.append(d)
    nearest = np.array([neighbor_views(X, LABELS, VIEWS, c) for c in range(3)])
    expected = {
        view_distance_ratio: np.mean(same) / np.mean(adjacent),
        view_match: np.mean(same) / np.mean(different),
        view_error: view_gap(nearest, np.arange(20)).mean(),
    }
    found = [f(X, LABELS, VIEWS) for f in expected]
    np.testing.assert_allclose(found, list(expected.values()))
    assert list(view_scores(X, LABELS, VIEWS).values()) == found


def test_gaps_go_the_shorter_way_around():
    np.testing.assert_array_equal(view_gap([0, 71, 36, 5], 0), [0, 1, 36, 5])
    np.testing.assert_array_equal(view_gap(np.arange(4)[:, None], [0, 3])[1], [1, 2])
    assert view_gap(np.uint8(5), np.uint8(10)) == 5


def test_neighbours_are_found_in_each_other_class():
    X = np.array([[0.0], [10.0], [0.1], [9.0], [5.0], [5.2], [20.0]])
    labels, views = np.array(list("bbaaccc")), np.array([0, 1, 3, 4, 6, 7, 8])
    found = neighbor_views(X, labels, views, "b")
    np.testing.assert_array_equal(found, [[3, 4], [6, 7]])
    # Both c at 5.0 and at 5.2 are as near to 5.1: the first counts.
    X[0] = 5.1
    X[5] = 5.0
    assert neighbor_views(X, labels, views, "b")[1, 0] == 6
