"""BRE and twin kernel PCA against NumPy; cost by pairs; whole fits.

Run with: pytest tests/benchmarks/bench_bre.py
"""

import numpy as np
import pytest
from peers import minus_squared_distances
from scipy import sparse
from threadpoolctl import threadpool_limits

from repro import (
    BRE,
    BernoulliRelation,
    CovarianceMatrix,
    bre_loss,
    datasets,
    gaussian_kernel,
    twin_kernel_loss,
)
from repro.bre.loss import conditional_bre_loss

N = 3000


def problem(n=N, d=2, seed=0):
    rng = np.random.default_rng(seed)
    R = rng.random((n, n))
    return rng.normal(size=(n, d)), BernoulliRelation((R + R.T) / 2)


class CarefulNumpy:
    """Distances from the Gram matrix, everything in place, no n × n array made at a call."""

    def __init__(self, relation):
        self.R, self.constant = relation.R, relation.constant
        self.missing = 1 - self.R
        self.x, self.apart, self.W = (np.empty_like(self.R) for _ in range(3))
        self.diagonal = np.arange(len(self.R)) * (len(self.R) + 1)

    def __call__(self, Y):
        x, apart, W = self.x, self.apart, self.W
        minus_squared_distances(Y, x)
        x.flat[self.diagonal] = -1.0
        np.expm1(x, out=apart)
        np.negative(apart, out=apart)
        np.divide(self.missing, apart, out=W)
        np.subtract(1.0, W, out=W)
        W.flat[self.diagonal] = 0.0
        np.log(apart, out=apart)
        x.flat[self.diagonal] = apart.flat[self.diagonal] = 0.0
        value = -np.vdot(self.R, x) - np.vdot(self.missing, apart)
        return (self.constant + value) / 4, W.sum(axis=1)[:, None] * Y - W @ Y


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("method", ["compiled", "careful NumPy"])
def test_all_pairs(benchmark, method, d):
    Y, relation = problem(d=d)
    careful = CarefulNumpy(relation)
    f = (lambda Y: bre_loss(Y, relation)) if method == "compiled" else careful
    benchmark.group = f"BRE, {N} points, d = {d}"
    value, gradient = benchmark(f, Y)
    expected, expected_gradient = bre_loss(Y, relation)
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("n_neighbors", [25, 50, 100, 200, 400])
def test_cost_with_the_number_of_pairs(benchmark, n_neighbors):
    rng = np.random.default_rng(0)
    i = np.repeat(np.arange(N), n_neighbors)
    j = (i + rng.integers(1, N, len(i))) % N
    R = sparse.coo_array((rng.random(len(i)), (i, j)), shape=(N, N)).tocsr()
    R.data = np.minimum(R.data, 1.0)
    relation, Y = BernoulliRelation(R), rng.normal(size=(N, 2))
    benchmark.group = f"BRE, {N} points, sparse, by the number of neighbours"
    benchmark(bre_loss, Y, relation)


def test_each_point_given_the_others(benchmark):
    Y, relation = problem()
    benchmark.group = f"BRE, {N} points, d = 2, conditional"
    benchmark(conditional_bre_loss, Y, Y, relation)


@pytest.mark.parametrize("direction", ["printed", "lawrence"])
def test_twin_kernel(benchmark, direction):
    rng = np.random.default_rng(0)
    K = CovarianceMatrix(gaussian_kernel(rng.normal(size=(500, 5)), 5.0) + 0.01 * np.eye(500))
    Y = rng.normal(size=(500, 2))
    benchmark.group = "twin kernel PCA, 500 points, d = 2"
    with threadpool_limits(limits=1):  # as within a fit
        benchmark(twin_kernel_loss, Y, K, 1.0, 0.01, direction)


def test_fit_of_figure_6(benchmark):
    usps = datasets.fetch_usps(range(5))
    rng = np.random.default_rng(0)
    rows = [rng.permutation(np.flatnonzero(usps.labels == k))[:600] for k in range(5)]
    X = usps.X[np.concatenate(rows)] * (4 / 255)
    benchmark.group = "BRE, 3000 digits, 200 iterations"
    model = BRE(affinity="contrast", beta=500.0, related="radius")
    benchmark.pedantic(lambda: model.fit(X), rounds=3, warmup_rounds=1)
    assert model.loss_ < 0.01 * model.loss_history_[0]
