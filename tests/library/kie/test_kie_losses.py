"""The objectives of Kernel Information Embedding, and those that its paper mentions."""

import numpy as np
import pytest
from reference import check_gradients, entropy

import repro
from repro import conditional_kie_loss, gaussian_kernel, joint_kie_loss, kie_loss
from repro.core.backend import backends
from repro.core.optimize import minimize
from repro.kie import entropies as estimates, reconstruction_loss
from repro.kie.constraint import constrained, multiplier, scaled_to_power

rng = np.random.default_rng(0)
A, B = (gaussian_kernel(rng.normal(size=(25, 3)), h) for h in (2.0, 0.7))
Z = rng.normal(size=(25, 2))


# Each loss, with its printed formula of the kernel of the latent points.
@pytest.mark.parametrize(
    ("loss", "kernels", "printed"),
    [
        (kie_loss, [A], lambda E: -entropy(E) + entropy(A, E)),  # Eq. (8)
        (conditional_kie_loss, [A, B], lambda E: -entropy(B, E) + entropy(B, A, E)),  # - Eq. (11)
        (
            joint_kie_loss,
            [A, B],
            lambda E: entropy(A, E) + entropy(B, E) - entropy(E) - entropy(A, B, E),
        ),
    ],
)
@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize(("penalty", "power"), [(0.0, 2), (0.6, 2), (0.1, 4), (2.0, 6)])
def test_losses_are_the_printed_sums_of_entropies(loss, kernels, printed, backend, penalty, power):
    expected = printed(gaussian_kernel(Z))
    expected += penalty * np.mean(np.sum(np.abs(Z) ** power, axis=1))
    value = loss(Z, *kernels, penalty=penalty, power=power, backend=backend)[0]
    assert value == pytest.approx(expected, rel=1e-12)


def test_information_is_the_loss_with_its_constant():
    information = repro.mutual_information(Z, A)
    assert information == pytest.approx(estimates.entropy(A) - kie_loss(Z, A)[0], rel=1e-12)
    assert repro.mutual_information(np.zeros_like(Z), A) == pytest.approx(-np.log(25), rel=1e-12)
    # Sec. 2.1: it is greatest when the latent points are infinitely far apart.
    apart = repro.mutual_information(Z * 1e4, A)
    assert apart == pytest.approx(estimates.entropy(A), abs=1e-9)
    assert apart > information


def test_kernels_of_another_size_or_below_0_have_no_entropy():
    with pytest.raises(ValueError, match="kernel matrices must have one shape"):
        estimates.entropy(np.eye(3), np.eye(4))
    with pytest.raises(ValueError, match="a kernel matrix must not be negative"):
        estimates.entropy(-np.eye(3))


def test_the_schedule_is_that_of_figure_1():
    np.testing.assert_allclose(repro.annealing_schedule(), [0.1 * 0.8**k for k in range(21)])


KERNEL, POWER = repro.KernelMatrix(A), 1.5


def loss_at(Z):
    return kie_loss(Z, KERNEL)


def test_points_are_rescaled_to_a_power():
    scaled = scaled_to_power(Z, POWER)
    assert np.trace(scaled.T @ scaled / 25) == pytest.approx(POWER)
    np.testing.assert_allclose(scaled / Z, (scaled / Z)[0, 0])


def test_the_constrained_loss_is_that_of_the_rescaled_points():
    f = constrained(loss_at, POWER)
    assert f(Z)[0] == loss_at(scaled_to_power(Z, POWER))[0]
    check_gradients(f, Z)


def test_a_constrained_optimum_is_the_penalised_one_of_its_multiplier():
    best = scaled_to_power(minimize(constrained(loss_at, POWER), Z, "l-bfgs").x, POWER)
    penalty = multiplier(loss_at, best)
    assert penalty > 0
    gradient = loss_at(best)[1] + penalty * 2 * best / 25
    assert np.abs(gradient).max() < 1e-4


def test_each_point_is_reconstructed_from_the_others():
    Y = np.random.default_rng(3).normal(size=(25, 5))
    errors = []
    for i in range(25):
        others = np.arange(25) != i
        weights = np.exp(-((Z[others] - Z[i]) ** 2).sum(axis=1))
        errors.append(((Y[i] - weights @ Y[others] / weights.sum()) ** 2).sum())
    assert reconstruction_loss(Z, Y)[0] == pytest.approx(np.mean(errors))
    check_gradients(lambda z: reconstruction_loss(z, Y), Z)


def test_points_far_apart_take_their_nearest_neighbour():
    Z, Y = np.array([[0.0], [1e3], [3e3]]), np.array([[0.0], [1.0], [5.0]])
    value, gradient = reconstruction_loss(Z, Y)
    assert value == pytest.approx((1 + 1 + 16) / 3)
    np.testing.assert_array_equal(gradient, 0)
