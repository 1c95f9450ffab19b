"""Value and gradient of SNE and MRE against NumPy and against the bare exponentials.

Run with: pytest tests/benchmarks/bench_sne.py
"""

import subprocess
import sys

import numpy as np
import pytest
from peers import bare_exponentials, minus_squared_distances

from repro import NeighborProbabilities, Relation, class_blocks, gaussian_rows, mre_loss, sne_loss

N = 3000


def problem(d, n=N):
    rng = np.random.default_rng(0)
    P = gaussian_rows(rng.normal(size=(n, 10)), sigma2=10.0)
    return rng.normal(size=(n, d)), NeighborProbabilities(P)


class CarefulNumpy:
    """Distances from the Gram matrix, everything in place, what does not change computed once."""

    def __init__(self, P):
        n = len(P)
        self.A = P.P + P.P.T
        self.negative_entropy = P.negative_entropy
        self.E, self.W = np.empty((n, n)), np.empty((n, n))

    def __call__(self, X):
        E, W, A = self.E, self.W, self.A
        minus_squared_distances(X, E)
        attraction = -np.einsum("ij,ij->", A, E) / 2
        np.exp(E, out=E)
        Z = E.sum(axis=1) - 1
        np.multiply(E, 1 / Z[:, None] + 1 / Z, out=W)
        np.subtract(A, W, out=W)
        gradient = W.sum(axis=1)[:, None] * X - W @ X
        n = len(X)
        return (self.negative_entropy + attraction + np.log(Z).sum()) / n, 2 / n * gradient


class FewestPasses(CarefulNumpy):
    """One matrix of exponentials, and everything else as products with it."""

    def __init__(self, P):
        super().__init__(P)
        self.degrees = self.A.sum(axis=1)

    def __call__(self, X):
        n, d = X.shape
        E, norms, one = self.E, (X * X).sum(axis=1), np.ones((n, 1))
        left = np.hstack([2 * X, -norms[:, None], -one])
        np.matmul(left, np.hstack([X, one, norms[:, None]]).T, out=E)
        AX = self.A @ X
        attraction = self.degrees @ norms - np.einsum("ij,ij->", X, AX)
        np.exp(E, out=E)
        r = 1 / (E.sum(axis=1) - 1)
        products = E @ np.hstack([X, r[:, None], r[:, None] * X, one])
        EX, Er, ErX = products[:, :d], products[:, d], products[:, d + 1 : -1]
        weights = self.degrees - r * products[:, -1] - Er
        gradient = weights[:, None] * X - AX + r[:, None] * EX + ErX
        return (self.negative_entropy + attraction - np.log(r).sum()) / n, 2 / n * gradient


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("method", ["compiled", "careful NumPy", "NumPy, fewest passes"])
def test_sne(benchmark, method, d):
    X, P = problem(d)
    functions = {
        "compiled": lambda X: sne_loss(X, P),
        "careful NumPy": CarefulNumpy(P),
        "NumPy, fewest passes": FewestPasses(P),
    }
    benchmark.group = f"SNE, {N} points, d = {d}"
    value, gradient = benchmark(functions[method], X)
    expected, expected_gradient = sne_loss(X, P, backend="numpy")
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-9)


def test_bare_exponentials(benchmark):
    benchmark.group = f"SNE, {N} points, d = 2"
    x, out = np.random.default_rng(0).random(N) * 1e-3, np.empty(N)
    benchmark(bare_exponentials, x, out)
    np.testing.assert_allclose(out, np.exp(-np.arange(N)[:, None] * x).sum(axis=1))


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_mre_of_the_toy_cars_size(benchmark, backend):
    rng = np.random.default_rng(0)
    relations = [
        Relation(gaussian_rows(rng.normal(size=(90, 5)), 5.0, include_self=True)),
        Relation(class_blocks(np.repeat([0, 1, 2], 30))),
    ]
    X, R = rng.normal(size=(90, 3)), rng.normal(size=(2, 3))
    benchmark.group = "MRE, 90 points, two relations, d = 3"
    benchmark(lambda: mre_loss(X, R, relations, backend=backend))


@pytest.mark.parametrize("others", [0, 2])
def test_beside_busy_processes(benchmark, others):
    """Threads that wait must leave the cores to others: beside two, some twice the time on two."""
    X, P = problem(2, 2000)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    benchmark.group = "SNE, 2000 points, d = 2, beside other processes"
    try:
        benchmark(sne_loss, X, P)
    finally:
        for process in busy:
            process.kill()
            process.wait()
