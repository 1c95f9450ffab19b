"""Distances, neighbours and kernels are accurate to the digits of the data, at any offset."""

from unittest.mock import Mock

import numpy as np
import pytest

from repro import (
    FastTETE,
    KernelMatrix,
    kernel_smoother,
    likelihood_bandwidth,
    measures,
    nearest_neighbor_error,
    sample_triplets,
    squared_distances,
)
from repro.core import distances, neighbors
from repro.core.backend import backends
from repro.core.checks import check_finite
from repro.core.extras import is_there
from repro.core.neighbors import distinct_rows, k_nearest, nearest_among
from repro.kie.entropies import entropy_sum_numpy
from repro.kie.out_of_sample import backward_map, forward_map
from repro.kie.reconstruction import reconstruction_loss
from repro.tete.weights import local_scales

METHODS = ["exact", *(["approximate"] if is_there("faiss") else [])]


def draw(n=60, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def two_groups(X):
    return np.where(np.arange(len(X))[:, None] % 2, X, X + 1e8)


PLACES = {
    "centred": lambda X: X,
    "far off": lambda X: X + 1e9,
    "two groups": two_groups,
    "one missing value": lambda X: np.vstack([0 * X[:1], X[1:] + 1.7e9]),
    "one outlier": lambda X: np.vstack([X[:-1], X[-1:] + 1e12]),
    "a tight group": lambda X: np.where(np.arange(len(X))[:, None] % 2, X + 1e3, 1e-7 * X),
    "copies": lambda X: np.repeat(X[:20], 3, axis=0) + 1e6,
    "large": lambda X: X * 1e140,
}


def exact_distances(X):
    """Compute squared distances, rounded to float64 once."""
    X = X.astype(np.longdouble)
    return ((X[:, None] - X) ** 2).sum(axis=2).astype(float)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("d", [1, 3, 40])
@pytest.mark.parametrize("backend", backends())
def test_no_digits_are_lost(place, d, backend, monkeypatch):
    monkeypatch.setattr(distances, "backends", lambda: (backend,))
    X = PLACES[place](draw(24, d))
    D2, expected = squared_distances(X), exact_distances(X)
    np.testing.assert_array_equal(D2, D2.T)
    np.testing.assert_allclose(D2, expected, rtol=1e-14, atol=0)
    np.testing.assert_allclose(squared_distances(X[:5], X), expected[:5], rtol=1e-14, atol=0)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("d", [1, 3, 40])
@pytest.mark.parametrize("method", METHODS)
def test_neighbours_are_the_nearest(place, d, method):
    X = PLACES[place](draw(60, d))
    D2 = exact_distances(X)
    np.fill_diagonal(D2, np.inf)
    expected = np.sort(D2, axis=1)[:, :4]
    near, found = k_nearest(X, 4, method, np.random.default_rng(0))
    np.testing.assert_allclose(found, expected, rtol=1e-8)
    np.testing.assert_allclose(found, np.take_along_axis(D2, near, axis=1), rtol=1e-14)
    np.testing.assert_allclose(nearest_among(X[-5:], X, 5)[1][:, 1:], expected[-5:], rtol=1e-8)


def kernel_of(d):
    return np.exp(-squared_distances(draw(60, d, 2)))[:5]


# By name: functions whose values a translation by a power of two must not change.
UNMOVED = {
    "geodesic_distances": lambda X: measures.geodesic_distances(X, 8),
    "likelihood_bandwidth": likelihood_bandwidth,
    "nearest_neighbor_error": lambda X: nearest_neighbor_error(X, np.arange(60) % 2),
    "sample_triplets": lambda X: sample_triplets(X, 5, rng=np.random.default_rng(0)),
    "kernel_smoother": lambda X: kernel_smoother(X, draw(60, 2, 1), X[:5]),
    "entropies, NumPy": lambda X: np.append(
        *entropy_sum_numpy((-1.0, 1.0), X, [KernelMatrix(np.exp(-squared_distances(draw())))])
    ),
    "reconstruction": lambda X: np.append(*reconstruction_loss(X, draw(60, 2, 1))),
    "backward_map": lambda X: backward_map(kernel_of(3), X) - X[0],
    "forward_map": lambda X: forward_map(kernel_of(2), X, 1.0) - X[0],
}


@pytest.mark.parametrize("name", UNMOVED)
@pytest.mark.filterwarnings("ignore:.*no maximum")
def test_what_rests_on_distances_does_not_change_with_the_origin(name):
    X = np.round(draw() * 2**12) / 2**12
    X[::2] /= 2  # so that the two classes differ
    np.testing.assert_allclose(UNMOVED[name](X + 2.0**36), UNMOVED[name](X), rtol=1e-4, atol=1e-4)


def test_copies_share_a_place_and_take_the_scale_of_it():
    points = draw(6, 2)
    X = np.repeat(points, [1, 1, 40, 1, 30, 1], axis=0)
    place, first = distinct_rows(X)
    np.testing.assert_array_equal(X[first][place], X)
    assert len(first) == 6
    D2 = exact_distances(X)
    expected = np.sort(np.where(D2 == 0, np.inf, D2), axis=1)[:, 0]
    sigma = local_scales(X, k_nearest(X, 10, "exact")[1], 10)
    np.testing.assert_allclose(sigma[2:42] ** 2, expected[2:42])
    with pytest.raises(ValueError, match="at least two distinct points"):
        local_scales(X[2:42], np.zeros((40, 10)), 10)


@pytest.mark.skipif(not is_there("faiss"), reason="without faiss copies are searched for exactly")
def test_many_copies_do_not_make_a_search_quadratic(monkeypatch):
    search = Mock(wraps=neighbors._near_places)
    monkeypatch.setattr(neighbors, "_near_places", search)
    X = draw(3000, 5)
    X[::2] = X[0]
    k_nearest(X, 5, "approximate")
    assert len(search.call_args.args[0]) == 1501


def test_far_groups_are_parted_and_what_is_lost_inside_is_said():
    X = two_groups(draw(400, 8))
    labels = np.arange(400) % 2
    with pytest.warns(RuntimeWarning, match="are one in float32"):  # inside the groups
        model = FastTETE(random_state=0, max_iter=20).fit(X)
    assert nearest_neighbor_error(model.embedding_, labels) < 0.02
    assert check_finite(model.embedding_, "embedding").std() > 0
