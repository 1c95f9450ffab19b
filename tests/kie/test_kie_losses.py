"""The three objectives of Kernel Information Embedding."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from reference import central_difference, entropy, entropy_gradient

from repro import (
    KernelMatrix,
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
    "conditional": lambda Z, A, B, **o: conditional_kie_loss(Z, A, B, **o),
    "joint": lambda Z, A, B, **o: joint_kie_loss(Z, A, B, **o),
}
PRINTED = {
    "plain": lambda E, A, B: -entropy(E) + entropy(A, E),  # Eq. (8)
    "conditional": lambda E, A, B: -entropy(B, E) + entropy(B, A, E),  # minus Eq. (11)
    "joint": lambda E, A, B: entropy(A, E) + entropy(B, E) - entropy(E) - entropy(A, B, E),
}
ONES = np.ones((25, 25))
PRINTED_GRADIENTS = {
    "plain": lambda Z, A, B: -entropy_gradient(Z, ONES) + entropy_gradient(Z, A),
    "conditional": lambda Z, A, B: -entropy_gradient(Z, B) + entropy_gradient(Z, A * B),
    "joint": lambda Z, A, B: (
        entropy_gradient(Z, A)
        + entropy_gradient(Z, B)
        - entropy_gradient(Z, ONES)
        - entropy_gradient(Z, A * B)
    ),
}
each_loss = pytest.mark.parametrize("name", LOSSES)
each_backend = pytest.mark.parametrize("backend", backends())


@each_loss
@each_backend
def test_losses_are_the_printed_sums_of_entropies(name, backend):
    Z, A, B = problem()
    expected = PRINTED[name](gaussian_kernel(Z), A, B)
    assert LOSSES[name](Z, A, B, backend=backend)[0] == pytest.approx(expected, rel=1e-12)


@each_loss
@each_backend
def test_gradients_are_the_printed_ones(name, backend):
    Z, A, B = problem()
    gradient = LOSSES[name](Z, A, B, backend=backend)[1]
    np.testing.assert_allclose(gradient, PRINTED_GRADIENTS[name](Z, A, B), rtol=0, atol=1e-13)


@each_loss
@each_backend
@pytest.mark.parametrize(("penalty", "power"), [(0.0, 2), (0.6, 2), (0.1, 4), (2.0, 6)])
@pytest.mark.parametrize("scale", [0.01, 1.0, 5.0])
def test_gradients_agree_with_differences(name, backend, penalty, power, scale):
    Z, A, B = problem(d=3)
    Z *= scale
    options = {"penalty": penalty, "power": power, "backend": backend}
    value, gradient = LOSSES[name](Z, A, B, **options)
    direction = np.random.default_rng(1).normal(size=Z.shape)
    slope = central_difference(lambda z: LOSSES[name](z, A, B, **options)[0], Z, direction)
    tolerance = 1e-6 * max(np.linalg.norm(gradient), 1e-4) * np.linalg.norm(direction)
    assert np.sum(gradient * direction) == pytest.approx(slope, rel=1e-6, abs=tolerance)
    unpenalised = LOSSES[name](Z, A, B, backend=backend)[0]
    expected = penalty * np.mean(np.sum(np.abs(Z) ** power, axis=1))
    assert value - unpenalised == pytest.approx(expected, rel=1e-9, abs=1e-12)


@each_loss
@pytest.mark.parametrize("n", [2, 191, 193, 400, 1200])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_backends_agree(name, n, d):
    if n == 1200 and d != 2:
        pytest.skip("the dense formula takes long")
    Z, A, B = problem(n, d)
    values, gradients = zip(*(LOSSES[name](Z, A, B, backend=b) for b in backends()), strict=True)
    assert values[0] == pytest.approx(values[-1], rel=1e-11, abs=1e-13)
    np.testing.assert_allclose(*gradients[:: len(gradients) - 1], rtol=0, atol=1e-14)


@each_loss
@pytest.mark.skipif("numba" not in backends(), reason="NumPy is all there is")
def test_many_latent_dimensions_are_left_to_numpy(name):
    Z, A, B = problem(d=1200)
    expected = LOSSES[name](0.05 * Z, A, B, backend="numpy")
    with pytest.warns(RuntimeWarning, match="1200 dimensions are more than the 16"):
        found = LOSSES[name](0.05 * Z, A, B)
    np.testing.assert_array_equal(found[1], expected[1])


@each_backend
def test_points_far_apart_and_vanishing_kernels_stay_finite(backend):
    Z, A, B = problem()
    Z[3] += 1e6
    A = np.where(np.eye(25, dtype=bool), 1.0, A * 1e-200)
    for loss in LOSSES.values():
        value, gradient = loss(Z, A, B, backend=backend)
        assert np.isfinite(value)
        assert np.isfinite(gradient).all()
        assert np.abs(gradient[3]).max() < 1e-100


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_invariances(seed):
    rng = np.random.default_rng(seed)
    Z, A, B = problem(d=3, seed=seed)
    turn, order = np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.permutation(25)
    for loss in LOSSES.values():
        value, gradient = loss(Z, A, B)
        turned, turned_gradient = loss(Z @ turn + 1.5, A, B)
        assert turned == pytest.approx(value, abs=1e-12)
        np.testing.assert_allclose(turned_gradient, gradient @ turn, atol=1e-12)
        permuted = loss(Z[order], A[np.ix_(order, order)], B[np.ix_(order, order)])[0]
        assert permuted == pytest.approx(value, abs=1e-12)
        np.testing.assert_allclose(gradient.sum(axis=0), 0, atol=1e-12)


def test_information_is_the_loss_with_its_constant():
    Z, A, _ = problem()
    information = mutual_information(Z, A)
    assert information == pytest.approx(estimates.entropy(A) - kie_loss(Z, A)[0], rel=1e-12)
    assert mutual_information(np.zeros_like(Z), A) == pytest.approx(-np.log(25), rel=1e-12)
    # Sec. 2.1: it is greatest when the latent points are infinitely far apart.
    apart = mutual_information(Z * 1e4, A)
    assert apart == pytest.approx(estimates.entropy(A), abs=1e-9)
    assert apart > information


def test_conditioning_on_nothing_is_plain():
    Z, A, _ = problem()
    value, gradient = conditional_kie_loss(Z, A, ONES)
    plain, plain_gradient = kie_loss(Z, A)
    assert value == pytest.approx(plain, rel=1e-12)
    np.testing.assert_allclose(gradient, plain_gradient, atol=1e-14)


def test_what_is_left_between_pairs_is_symmetric_and_vanishes_where_one_is_constant():
    Z, A, B = problem()
    assert joint_kie_loss(Z, A, B)[0] == pytest.approx(joint_kie_loss(Z, B, A)[0], rel=1e-12)
    value, gradient = joint_kie_loss(Z, A, ONES)
    assert abs(value) < 1e-13
    np.testing.assert_allclose(gradient, 0, atol=1e-15)


def test_a_prepared_kernel_gives_the_same():
    Z, A, B = problem()
    for loss in LOSSES.values():
        prepared = loss(Z, KernelMatrix(A), KernelMatrix(B))
        for found, expected in zip(prepared, loss(Z, A, B), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_the_schedule_of_figure_1():
    schedule = annealing_schedule(0.1, 0.8, 20)
    assert len(schedule) == 21
    assert schedule[0] == 0.1
    np.testing.assert_allclose(schedule[1:] / schedule[:-1], 0.8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"penalty": -1.0}, "penalty"),
        ({"penalty": np.nan}, "penalty"),
        ({"penalty": "much"}, "penalty"),
        ({"power": 3}, "power must be even"),
        ({"power": 0}, "power"),
        ({"power": 2.0}, "power"),
        ({"backend": "fortran"}, "backend"),
    ],
)
def test_parameters_out_of_range(change, message):
    Z, A, B = problem()
    for loss in LOSSES.values():
        with pytest.raises((TypeError, ValueError), match=message):
            loss(Z, A, B, **change)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda K: K[:3],
        lambda K: K[:5, :5],
        lambda K: np.triu(K),
        lambda K: -K,
        lambda K: K - np.eye(25),
        lambda K: np.where(np.eye(25, dtype=bool), np.nan, K),
        lambda K: np.ones((1, 1)),
        lambda K: K.astype(str),
    ],
    ids=["wide", "small", "one-sided", "negative", "no diagonal", "NaN", "one point", "text"],
)
def test_matrices_that_are_no_kernel(spoil):
    Z, A, B = problem()
    with pytest.raises((TypeError, ValueError), match="K_y"):
        kie_loss(Z, spoil(A))
    with pytest.raises((TypeError, ValueError), match="K_x"):
        conditional_kie_loss(Z, A, spoil(B))
    with pytest.raises((TypeError, ValueError), match="K_x"):
        joint_kie_loss(Z, spoil(A), B)


def test_latent_points_that_are_not_finite():
    Z, A, B = problem()
    Z[2, 1] = np.nan
    for loss in LOSSES.values():
        with pytest.raises(ValueError, match=r"Z must be finite.*\(2, 1\)"):
            loss(Z, A, B)
