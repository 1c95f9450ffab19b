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


def problem(n=25, d=2, seed=0):
    rng = np.random.default_rng(seed)
    A, B = (gaussian_kernel(rng.normal(size=(n, 3)), h) for h in (2.0, 0.7))
    return rng.normal(size=(n, d)), A, B


# Each loss with its printed formula, both of (Z, A, B).
LOSSES = {
    "plain": lambda Z, A, B, **o: kie_loss(Z, A, **o),
    "conditional": conditional_kie_loss,
    "joint": joint_kie_loss,
}
PRINTED = {
    "plain": lambda E, A, B: -entropy(E) + entropy(A, E),  # Eq. (8)
    "conditional": lambda E, A, B: -entropy(B, E) + entropy(B, A, E),  # minus Eq. (11)
    "joint": lambda E, A, B: entropy(A, E) + entropy(B, E) - entropy(E) - entropy(A, B, E),
}


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize(("penalty", "power"), [(0.0, 2), (0.6, 2), (0.1, 4), (2.0, 6)])
def test_losses_are_the_printed_sums_of_entropies(name, backend, penalty, power):
    Z, A, B = problem()
    expected = PRINTED[name](gaussian_kernel(Z), A, B)
    expected += penalty * np.mean(np.sum(np.abs(Z) ** power, axis=1))
    value = LOSSES[name](Z, A, B, penalty=penalty, power=power, backend=backend)[0]
    assert value == pytest.approx(expected, rel=1e-12)


def test_information_is_the_loss_with_its_constant():
    Z, A, _ = problem()
    information = mutual_information(Z, A)
    assert information == pytest.approx(estimates.entropy(A) - kie_loss(Z, A)[0], rel=1e-12)
    assert mutual_information(np.zeros_like(Z), A) == pytest.approx(-np.log(25), rel=1e-12)
    # Sec. 2.1: it is greatest when the latent points are infinitely far apart.
    apart = mutual_information(Z * 1e4, A)
    assert apart == pytest.approx(estimates.entropy(A), abs=1e-9)
    assert apart > information


def test_the_schedule_is_that_of_figure_1():
    np.testing.assert_allclose(annealing_schedule(), [0.1 * 0.8**k for k in range(21)])
