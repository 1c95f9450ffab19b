"""The three objectives of Kernel Information Embedding."""

import numpy as np
import pytest
from reference import entropy

from repro import (
    annealing_schedule,
    conditional_kie_loss,
    gaussian_kernel,
    joint_kie_loss,
    kie_loss,
    mutual_information,
)
from repro.core.backend import backends
from repro.kie import entropies as estimates

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
    information = mutual_information(Z, A)
    assert information == pytest.approx(estimates.entropy(A) - kie_loss(Z, A)[0], rel=1e-12)
    assert mutual_information(np.zeros_like(Z), A) == pytest.approx(-np.log(25), rel=1e-12)
    # Sec. 2.1: it is greatest when the latent points are infinitely far apart.
    apart = mutual_information(Z * 1e4, A)
    assert apart == pytest.approx(estimates.entropy(A), abs=1e-9)
    assert apart > information


def test_the_schedule_is_that_of_figure_1():
    np.testing.assert_allclose(annealing_schedule(), [0.1 * 0.8**k for k in range(21)])
