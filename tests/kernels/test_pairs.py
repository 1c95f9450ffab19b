import numpy as np
import pytest

from repro.kernels import kie_pairs, sne_pairs, tiles

SIZES = [2, 3, 90, 191, 192, 193, 700, 1100]


def dense(X):
    return np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_sums_and_forces_equal_the_dense_formula(n, d):
    rng = np.random.default_rng(n + d)
    X, r, A = rng.normal(size=(n, d)), rng.random(n), rng.random((n, n))
    A += A.T
    E = dense(X)
    np.testing.assert_allclose(sne_pairs.kernel_sums(X), E.sum(axis=1) - 1, rtol=1e-11, atol=1e-14)
    value, force = sne_pairs.kernel_forces(X, tiles.pack(A), r)
    W = A - E * (r[:, None] + r)
    expected = W.sum(axis=1)[:, None] * X - W @ X
    np.testing.assert_allclose(force, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    assert value == pytest.approx((A * distances).sum() / 2, rel=1e-12)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("count", [1, 2])
def test_products_equal_the_dense_formula(n, d, count):
    rng = np.random.default_rng(n + d)
    X, matrices = rng.normal(size=(n, d)), rng.random((count, n, n))
    matrices += matrices.transpose(0, 2, 1)
    A, B, E = matrices[0], matrices[-1], dense(X)
    products = [E, A * E, B * E, A * B * E][: 2**count]
    packed = tuple(tiles.pack(M) for M in matrices)
    sums = np.array([P.sum(axis=1) for P in products])
    np.testing.assert_allclose(kie_pairs.product_sums(X, packed), sums, rtol=1e-12)
    r = rng.normal(size=sums.shape)
    W = sum(P * (row[:, None] + row) for P, row in zip(products, r, strict=True))
    expected = W.sum(axis=1)[:, None] * X - W @ X
    found = kie_pairs.product_forces(X, packed, r)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(W).max())


@pytest.mark.parametrize("n", [1, 191, 192, 193, 1000])
def test_tiles_hold_every_point_once(n):
    X = np.random.default_rng(0).normal(size=(n, 3))
    np.testing.assert_array_equal(tiles.from_tiles(tiles.to_tiles(X), n), X)


def test_large_arrays_start_on_a_cache_line():
    for size in (10_000, 20_001, 30_007):
        assert tiles.empty((size,)).ctypes.data % 64 == 0
