"""The hard constraint on the latent power, and unsupervised kernel regression."""

import numpy as np
import pytest
from reference import check_gradients

from repro import KernelMatrix, gaussian_kernel, kie_loss
from repro.core.optimize import minimize
from repro.kie import reconstruction_loss
from repro.kie.constraint import constrained, multiplier, scaled_to_power

N, POWER = 12, 1.5


@pytest.fixture
def loss():
    kernel = KernelMatrix(gaussian_kernel(np.random.default_rng(0).normal(size=(N, 3)), 2.0))
    return lambda Z: kie_loss(Z, kernel)


@pytest.fixture
def points():
    return np.random.default_rng(1).normal(size=(N, 2))


def test_points_are_rescaled_to_a_power(points):
    scaled = scaled_to_power(points, POWER)
    assert np.trace(scaled.T @ scaled / N) == pytest.approx(POWER)
    np.testing.assert_allclose(scaled / points, (scaled / points)[0, 0])


def test_the_constrained_loss_is_that_of_the_rescaled_points(loss, points):
    f = constrained(loss, POWER)
    assert f(points)[0] == loss(scaled_to_power(points, POWER))[0]
    check_gradients(f, points)


def test_a_constrained_optimum_is_the_penalised_one_of_its_multiplier(loss, points):
    best = scaled_to_power(minimize(constrained(loss, POWER), points, "l-bfgs").x, POWER)
    penalty = multiplier(loss, best)
    assert penalty > 0
    gradient = loss(best)[1] + penalty * 2 * best / N
    assert np.abs(gradient).max() < 1e-4


def test_each_point_is_reconstructed_from_the_others(points):
    Y = np.random.default_rng(3).normal(size=(N, 5))
    errors = []
    for i in range(N):
        others = np.arange(N) != i
        weights = np.exp(-((points[others] - points[i]) ** 2).sum(axis=1))
        errors.append(((Y[i] - weights @ Y[others] / weights.sum()) ** 2).sum())
    assert reconstruction_loss(points, Y)[0] == pytest.approx(np.mean(errors))
    check_gradients(lambda z: reconstruction_loss(z, Y), points)


def test_points_far_apart_take_their_nearest_neighbour():
    Z, Y = np.array([[0.0], [1e3], [3e3]]), np.array([[0.0], [1.0], [5.0]])
    value, gradient = reconstruction_loss(Z, Y)
    assert value == pytest.approx((1 + 1 + 16) / 3)
    np.testing.assert_array_equal(gradient, 0)
