"""Twin kernel PCA: jitter, the estimator, given kernels."""

import numpy as np
import pytest

from repro import BRE, TwinKernelPCA, gaussian_kernel, twin_kernel_loss
from repro.datasets import make_s_curve
from repro.measures.axes import matched_spearman


def test_jitter_is_added_with_a_warning():
    rng = np.random.default_rng(0)
    Y, K = rng.normal(size=(15, 2)), gaussian_kernel(rng.normal(size=(15, 3))) + 0.1 * np.eye(15)
    with pytest.warns(RuntimeWarning, match="K is not positive definite; 1e-") as issued:
        assert np.isfinite(twin_kernel_loss(Y, np.ones((15, 15)))[0])
    assert len(issued) == 1
    Y[1] = Y[0]
    with pytest.warns(RuntimeWarning, match="matrix of the embedding is not positive definite"):
        loss, gradient = twin_kernel_loss(Y, K, noise=1e-20)
    assert np.isfinite(loss)
    assert np.isfinite(gradient).all()


GIVEN = [TwinKernelPCA(kernel="precomputed"), BRE(affinity="precomputed")]


@pytest.mark.parametrize("model", GIVEN)
def test_a_precomputed_matrix_must_be_square(model):
    with pytest.raises(ValueError, match="X must be square"):
        model.fit(np.ones((9, 3)))


def test_centring_does_not_depend_on_the_memory_order():
    X = np.random.default_rng(1).normal([100, 5, 2, 0, 0, 7], [1, 2, 3, 4, 5, 6], (60, 6))
    one, other = (TwinKernelPCA(kernel="linear").fit(of(X)) for of in (np.array, np.asfortranarray))
    np.testing.assert_array_equal(one.embedding_, other.embedding_)


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
