"""Twin kernel PCA: loss and gradient of both directions, jitter, bad input, the estimator."""

import numpy as np
import pytest

from repro import TwinKernelPCA, gaussian_kernel, twin_kernel_loss
from repro.bre.framework import gaussian_divergence
from repro.datasets import make_s_curve
from repro.measures.axes import matched_spearman


def problem(n=15, d=2, seed=0):
    rng = np.random.default_rng(seed)
    K = gaussian_kernel(rng.normal(size=(n, 3)), 2.0) + 0.1 * np.eye(n)
    return rng.normal(size=(n, d)), K


@pytest.mark.parametrize("direction", ["printed", "lawrence"])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_loss_is_the_divergence_of_two_normal_distributions(direction, d):
    Y, K = problem(d=d)
    S = gaussian_kernel(Y, 1.3) + 0.05 * np.eye(len(Y))
    expected = gaussian_divergence(*((S, K) if direction == "printed" else (K, S)))
    assert twin_kernel_loss(Y, K, 1.3, 0.05, direction)[0] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("direction", ["printed", "lawrence"])
def test_the_loss_vanishes_where_the_kernels_are_equal_and_is_positive_elsewhere(direction):
    Y, K = problem()
    S = gaussian_kernel(Y, 1.3) + 0.05 * np.eye(len(Y))
    loss, gradient = twin_kernel_loss(Y, S, 1.3, 0.05, direction)
    assert abs(loss) < 1e-9
    assert np.abs(gradient).max() < 1e-8
    assert twin_kernel_loss(Y, K, 1.3, 0.05, direction)[0] > 0


def test_jitter_is_added_with_a_warning():
    Y, K = problem()
    Y[1] = Y[0]
    with pytest.warns(RuntimeWarning, match="matrix of the embedding is not positive definite"):
        loss, gradient = twin_kernel_loss(Y, K, noise=1e-20)
    assert np.isfinite(loss)
    assert np.isfinite(gradient).all()
    rank_one = np.ones((15, 15))
    with pytest.warns(RuntimeWarning, match="K is not positive definite; 1e-"):
        assert np.isfinite(twin_kernel_loss(problem()[0], rank_one)[0])


@pytest.mark.parametrize("options", [{}, {"direction": "lawrence"}, {"kernel": "linear"}])
def test_a_fit_lowers_the_divergence(options):
    data = make_s_curve(150, 0)
    model = TwinKernelPCA(**options).fit(data.X)
    assert model.loss_ < 0.9 * model.loss_history_[0]
    assert model.loss_ == pytest.approx(model.loss_history_.min())
    assert model.embedding_.shape == (150, 2)


def test_a_flat_sheet_is_recovered():
    rng = np.random.default_rng(0)
    plane = rng.uniform(-1, 1, (150, 2)) * [2.0, 1.0]
    X = np.column_stack([plane, np.zeros(150)])
    model = TwinKernelPCA(bandwidth=1.0, noise=0.05).fit(X)
    assert matched_spearman(model.embedding_, plane).min() > 0.95


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_precomputed_kernel(kernel):
    X = make_s_curve(80, 0).X
    centred = X - X.mean(axis=0)
    K = gaussian_kernel(X, 3.0) if kernel == "rbf" else centred @ centred.T / 3
    K = K + 1e-2 * np.eye(80)
    start = np.random.default_rng(0).normal(size=(80, 2))
    given = TwinKernelPCA(kernel="precomputed", init=start).fit(K)
    made = TwinKernelPCA(kernel=kernel, bandwidth=3.0, init=start).fit(X)
    np.testing.assert_allclose(given.loss_, made.loss_, rtol=1e-9)
