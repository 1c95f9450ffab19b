"""The triplet losses: the papers' formulas, gradients, special cases, the compiled loop."""

from functools import partial

import numpy as np
import pytest
from reference import central_difference

from repro import ckl_loss, exp_t, gnmds_loss, log_t, ste_loss, tete, tete_loss, tste_loss
from repro.core.backend import backends
from repro.tete import triplets

N = 40


def problem(d=2, n_triplets=600):
    rng = np.random.default_rng(0)
    chosen = np.array([rng.permutation(N)[:3] for _ in range(n_triplets)])
    return rng.normal(size=(N, d)), chosen, rng.random(n_triplets)


LOSSES = {
    "gnmds": gnmds_loss,
    "ckl": ckl_loss,
    "ste": ste_loss,
    "tste": tste_loss,
    "tste, alpha 3": partial(tste_loss, alpha=3.0),
    "tete 1, 1": partial(tete_loss, t=1, t_prime=1),
    "tete 1, 2": partial(tete_loss, t=1, t_prime=2),
    "tete 1.7, None": partial(tete_loss, t=1.7),
    "tete 1.7, 1.3": partial(tete_loss, t=1.7, t_prime=1.3),
    "tete 2, 2": partial(tete_loss, t=2, t_prime=2),
}


def formula(name, near, far):
    """Compute one triplet's loss as printed in the papers."""
    if name == "gnmds":
        return max(0.0, 1 + near - far)
    if name == "ckl":
        return -np.log((0.05 + far) / (2 * 0.05 + near + far))
    if name in ("ste", "tete 1, 1"):
        return -np.log(np.exp(-near) / (np.exp(-near) + np.exp(-far)))
    if name in ("tste", "tste, alpha 3", "tete 1, 2"):
        alpha = 3 if "3" in name else 1
        a, b = ((1 + x / alpha) ** (-(alpha + 1) / 2) for x in (near, far))
        return -np.log(a / (a + b))
    t, u = {"tete 1.7, None": (1.7, 1.7), "tete 1.7, 1.3": (1.7, 1.3), "tete 2, 2": (2, 2)}[name]
    ratio = ((1 + (u - 1) * far) ** (1 / (1 - u))) / ((1 + (u - 1) * near) ** (1 / (1 - u)))
    return ((1 + ratio) ** (1 - t) - 1) / (1 - t)


@pytest.mark.parametrize("name", LOSSES)
def test_losses_are_the_papers_formulas(name):
    Y, chosen, _ = problem()
    weights, expected = np.arange(600) % 3, 0.0
    for (i, j, k), weight in zip(chosen, weights, strict=True):
        expected += weight * formula(name, ((Y[i] - Y[j]) ** 2).sum(), ((Y[i] - Y[k]) ** 2).sum())
    for backend in backends():
        value, gradient = LOSSES[name](Y, chosen, weights=weights, backend=backend)
        assert value == pytest.approx(expected, rel=1e-12)
        # A weight is the number of times that a triplet counts.
        repeated = LOSSES[name](Y, np.repeat(chosen, weights, axis=0), backend=backend)
        assert value == pytest.approx(repeated[0], rel=1e-12)
        np.testing.assert_allclose(gradient, repeated[1], rtol=1e-9, atol=1e-10)


def test_many_triplets_in_many_chunks_equal_numpy():
    rng = np.random.default_rng(0)
    Y, chosen = rng.normal(size=(500, 2)), rng.integers(0, 500, (131_001, 3))
    chosen = chosen[~triplets.degenerate(chosen)]
    value, gradient = tete_loss(Y, chosen, t=1.7)
    expected, expected_gradient = tete_loss(Y, chosen, t=1.7, backend="numpy")
    assert value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=0, atol=1e-10)


def test_the_printed_gradient():
    """Eq. (9): each ratio's own gradient times its forgetting factor."""
    Y, chosen, _ = problem(n_triplets=50)
    assert np.array_equal(tete.triplet_ratio(Y, chosen), tete.triplet_ratio(Y, chosen, 2.0))
    with pytest.raises(TypeError, match="t_prime must be a number"):
        tete.triplet_ratio(Y, chosen, None)
    factors = tete.forgetting_factor(tete.triplet_ratio(Y, chosen, 1.4), 1.7)
    gradient = tete_loss(Y, chosen, 1.7, 1.4)[1]
    for direction in np.random.default_rng(1).normal(size=(5, *Y.shape)):
        slopes = central_difference(lambda X: tete.triplet_ratio(X, chosen, 1.4), Y, direction)
        assert np.vdot(gradient, direction) == pytest.approx(factors @ slopes, rel=1e-6)


@pytest.mark.parametrize("t", [0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.5, 2, 3])
def test_deformed_logarithm_and_exponential_are_inverse(t):
    x = np.geomspace(1e-3, 1e3, 50)
    np.testing.assert_allclose(exp_t(log_t(x, t), t), x, rtol=1e-8)
    assert log_t(1.0, t) == exp_t(0.0, t) - 1 == 0.0


def test_deformed_functions_at_their_ends():
    np.testing.assert_allclose(log_t(np.e, 1 + 1e-12), 1.0, rtol=1e-11)
    np.testing.assert_allclose(exp_t(1.0, 1 - 1e-12), np.e, rtol=1e-11)
    assert log_t(1e300, 1.5) == pytest.approx(2.0)
    assert exp_t(-3.0, 0.5) == 0.0
    assert exp_t(2.5, 1.5) == np.inf
    assert log_t(0.0, 2.0) == -np.inf
    np.testing.assert_allclose(exp_t(-np.array([1.0, 9.0]), 2.0), [0.5, 0.1])


@pytest.mark.parametrize("t", [1, 1.2, 2.0])
def test_the_robust_transformation_is_log_t_of_one_plus_the_loss(t):
    loss = np.geomspace(1e-6, 1e12, 200)
    np.testing.assert_allclose(tete.robust_transformation(loss, t), log_t(1 + loss, t), rtol=1e-9)
    assert tete.robust_transformation(0.0, t) == 0.0


def test_probabilities_give_the_loss_without_cap():
    Y, chosen, _ = problem()
    for u in (1.0, 1.5, 2.0):
        p = tete.satisfaction_probability(Y, chosen, u)
        assert -np.log(p).sum() == pytest.approx(tete_loss(Y, chosen, 1, u)[0], rel=1e-12)
