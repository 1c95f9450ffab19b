"""Value and gradient of KIE against NumPy; a whole fit; its cost.

Run with: pytest tests/benchmarks/bench_kie.py
"""

import numpy as np
import pytest
from peers import minus_squared_distances

from repro import KIE, KernelMatrix, conditional_kie_loss, gaussian_kernel, joint_kie_loss, kie_loss
from repro.datasets import make_s_curve

N = 3000


def problem(d=2, n=N, seed=0):
    rng = np.random.default_rng(seed)
    A, B = (KernelMatrix(gaussian_kernel(rng.normal(size=(n, 5)), h)) for h in (5.0, 8.0))
    return rng.normal(size=(n, d)), A, B


class CarefulNumpy:
    """Distances from the Gram matrix, everything in place, no n × n array made at a call."""

    def __init__(self, K):
        self.K = K.K
        self.E, self.F, self.W = (np.empty_like(self.K) for _ in range(3))

    def __call__(self, Z):
        E, F, W, n = self.E, self.F, self.W, len(Z)
        minus_squared_distances(Z, E)
        np.exp(E, out=E)
        np.multiply(self.K, E, out=F)
        S, T = E.sum(axis=1), F.sum(axis=1)
        np.multiply(F, 1 / T[:, None] + 1 / T, out=W)
        np.multiply(E, 1 / S[:, None] + 1 / S, out=F)
        W -= F
        gradient = (2 / n) * (W.sum(axis=1)[:, None] * Z - W @ Z)
        return np.log(S).mean() - np.log(T).mean(), gradient


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("method", ["compiled", "careful NumPy"])
def test_kie(benchmark, method, d):
    Z, A, _ = problem(d)
    f = CarefulNumpy(A) if method == "careful NumPy" else lambda Z: kie_loss(Z, A)
    benchmark.group = f"KIE, {N} points, d = {d}"
    value, gradient = benchmark(f, Z)
    expected, expected_gradient = kie_loss(Z, A, backend="numpy")
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-9)


@pytest.mark.parametrize("loss", [conditional_kie_loss, joint_kie_loss])
def test_two_kernels(benchmark, loss):
    Z, A, B = problem()
    benchmark.group = f"KIE, {N} points, d = 2, two kernels"
    benchmark(loss, Z, A, B)


@pytest.mark.parametrize("n", [250, 500, 1000, 2000, 4000])
def test_cost_with_the_number_of_points(benchmark, n):
    Z, A, _ = problem(n=n)
    benchmark.group = "KIE, d = 2, by the number of points"
    benchmark(kie_loss, Z, A)


def test_fit_of_figure_1(benchmark):
    data = make_s_curve(2000, 0)
    benchmark.group = "KIE, S-curve of 2000 points, 21 annealing steps"
    model = KIE(bandwidth=10.0, power=4, random_state=0)
    benchmark.pedantic(lambda: model.fit(data.X), rounds=3, warmup_rounds=1)
    assert model.loss_ < 0.15
