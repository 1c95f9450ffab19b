"""The surfaces: their equations, their true coordinates, their randomness."""

from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from repro.core.distances import squared_distances
from repro.datasets import (
    SURFACES,
    distances_along,
    make_s_curve,
    make_sphere,
    make_surface,
    make_swiss_roll,
    make_twin_peaks,
)
from repro.measures import geodesic_distances

makers = pytest.mark.parametrize("make", [partial(make_surface, name) for name in SURFACES])


@makers
@example(n=1, seed=6)  # for the sheet with a hole, both first points fall into the hole
@given(n=st.integers(1, 200), seed=st.integers(0, 2**32))
def test_shapes_and_seed(make, n, seed):
    data, again = make(n, seed), make(n, np.random.default_rng(seed))
    assert data.X.shape == (n, 4 if make.args == ("flat torus",) else 3)
    assert data.factors.shape == (n, 2)
    assert data.X.dtype == data.factors.dtype == np.float64
    assert np.isfinite(data.X).all()
    np.testing.assert_array_equal(data.X, again.X)
    np.testing.assert_array_equal(data.factors, again.factors)


@makers
@pytest.mark.parametrize("rng", [None, np.random.default_rng(0)])
def test_without_a_seed_and_of_one_generator_samples_differ(make, rng):
    assert (make(20, rng).X != make(20, rng).X).any()


def test_s_curve_equations():
    data = make_s_curve(500, 0)
    t, width = data.factors.T
    expected = np.column_stack([np.sin(t), width, np.sign(t) * (np.cos(t) - 1)])
    np.testing.assert_allclose(data.X, expected, atol=1e-12)
    assert np.abs(t).max() <= 1.5 * np.pi
    assert 0 <= width.min() < 0.1 < 4.9 < width.max() <= 5


def test_twin_peaks_equations():
    data = make_twin_peaks(500, 0)
    x, y = data.factors.T
    expected = np.column_stack([x, y, np.sin(np.pi * x) * np.tanh(3 * y)])
    np.testing.assert_allclose(data.X, expected, atol=1e-12)
    assert np.abs(data.factors).max() <= 1


def test_sphere_equations_and_uniformity():
    data = make_sphere(20_000, 0)
    longitude, latitude = data.factors.T
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(np.arctan2(data.X[:, 1], data.X[:, 0]), longitude, atol=1e-9)
    np.testing.assert_allclose(data.X[:, 2], np.sin(latitude), atol=1e-12)
    # Uniform on the sphere: mean 0 and covariance 1/3, each within five standard errors.
    np.testing.assert_allclose(data.X.mean(0), 0, atol=5 / np.sqrt(3 * 20_000))
    np.testing.assert_allclose(np.cov(data.X.T), np.eye(3) / 3, atol=5 * 0.3 / np.sqrt(20_000))


def test_swiss_roll_equations():
    data = make_swiss_roll(500, 0)
    t = np.hypot(data.X[:, 0], data.X[:, 2])
    assert 1.5 * np.pi <= t.min() < t.max() <= 4.5 * np.pi
    np.testing.assert_allclose(data.X[:, 0], t * np.cos(t), atol=1e-9)
    np.testing.assert_allclose(data.X[:, 2], t * np.sin(t), atol=1e-9)
    np.testing.assert_array_equal(data.X[:, 1], data.factors[:, 1])
    # The arc length against the length of a fine chain of chords.
    fine = np.linspace(1.5 * np.pi, t.max(), 200_001)
    chain = np.hypot(*np.diff([fine * np.cos(fine), fine * np.sin(fine)], axis=1)).sum()
    assert data.factors[:, 0].min() >= 0
    np.testing.assert_allclose(data.factors[:, 0].max(), chain, rtol=1e-8)


@pytest.mark.parametrize("name", ["sphere", "S-curve", "Swiss roll", "flat torus"])
def test_distances_along_a_surface_are_those_of_shortest_paths(name):
    data = make_surface(name, 1500, 0)
    known, walked = distances_along(name, data), geodesic_distances(data.X, 8)
    far = known > np.median(known)  # short paths bend at every step
    assert np.quantile(np.abs(walked[far] / known[far] - 1), 0.99) < 0.15


def test_other_surfaces_lie_where_they_are_said_to():
    drawn = {name: make_surface(name, 500, 0) for name in SURFACES}
    x, y, z = drawn["torus patch"].X.T
    np.testing.assert_allclose((np.hypot(x, y) - 2) ** 2 + z**2, 1)
    for name in ("severed sphere", "sphere patch"):
        np.testing.assert_allclose(np.linalg.norm(drawn[name].X, axis=1), 1)
    u, v, _ = np.abs(drawn["sheet with a hole"].X.T)
    assert np.maximum(u / 1.5, v).min() > 1 / 3
    assert distances_along("trefoil", drawn["trefoil"]) is None


@pytest.mark.parametrize("name", ["bent sheet", "sphere patch", "sheet with a hole"])
def test_neighbours_on_a_surface_are_neighbours_in_its_coordinates(name):
    data = make_surface(name, 1000, 0)
    D2, apart = squared_distances(data.X), squared_distances(data.factors)
    near = np.less(D2, np.quantile(D2, 0.001))
    assert apart[near].max() < 0.05 * apart.max()
