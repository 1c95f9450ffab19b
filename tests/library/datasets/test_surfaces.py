"""The surfaces: their equations, their true coordinates, their randomness."""

from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy import cos, pi, sin

from repro.datasets import SURFACES, distances_along, make_surface
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


def ball(u, v):
    return cos(v) * cos(u), cos(v) * sin(u), sin(v)


def torus(u, v):
    return (2 + cos(v)) * cos(u), (2 + cos(v)) * sin(u), sin(v)


# For each surface: its equations, and the lowest and highest value of either coordinate.
EQUATIONS = {
    "S-curve": (lambda t, w: (sin(t), w, np.sign(t) * (cos(t) - 1)), -1.5 * pi, 1.5 * pi, 0, 5),
    "bent sheet": (lambda u, v: (sin(u), v, cos(u)), -0.75 * pi, 0.75 * pi, -2.5, 2.5),
    "flat torus": (lambda u, v: (cos(u), cos(v), sin(u), sin(v)), -pi, pi, -pi, pi),
    "severed sphere": (ball, 0, 5.7, -1.2, 1.2),
    "sheet with a hole": (lambda u, v: (u, v, 0 * u), -1.5, 1.5, -1, 1),
    "sphere": (ball, -pi, pi, -pi / 2, pi / 2),
    "sphere patch": (ball, -pi / 3, pi / 3, -pi / 4, pi / 4),
    "torus patch": (torus, 0, 1.5 * pi, 0, 1.5 * pi),
    "twin peaks": (lambda x, y: (x, y, sin(pi * x) * np.tanh(3 * y)), -1, 1, -1, 1),
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_points_lie_where_their_coordinates_say_and_these_fill_their_range(name):
    equation, *ends = EQUATIONS[name]
    data = make_surface(name, 1000, 0)
    np.testing.assert_allclose(data.X, np.column_stack(equation(*data.factors.T)), atol=1e-12)
    low, high = np.reshape(ends, (2, 2)).T
    assert ((low <= data.factors) & (data.factors <= high)).all()
    assert (np.ptp(data.factors, axis=0) > 0.9 * (high - low)).all()


def test_points_of_the_sphere_are_uniform():
    X = make_surface("sphere", 20_000, 0).X
    # Uniform on the sphere: mean 0 and covariance 1/3, each within five standard errors.
    np.testing.assert_allclose(X.mean(0), 0, atol=5 / np.sqrt(3 * 20_000))
    np.testing.assert_allclose(np.cov(X.T), np.eye(3) / 3, atol=5 * 0.3 / np.sqrt(20_000))


def test_swiss_roll_equations():
    data = make_surface("Swiss roll", 500, 0)
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


def test_the_sheet_has_a_hole_in_the_middle():
    u, v, _ = np.abs(make_surface("sheet with a hole", 500, 0).X.T)
    assert np.maximum(u / 1.5, v).min() > 1 / 3
    assert distances_along("trefoil", make_surface("trefoil", 10, 0)) is None
