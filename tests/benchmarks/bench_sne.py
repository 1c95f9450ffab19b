"""Value and gradient of SNE and MRE against NumPy and against the bare exponentials.

Run with: pytest tests/benchmarks/bench_sne.py
"""

import subprocess
import sys

import numpy as np
import pytest
from peers import bare_exponentials, minus_squared_distances

from repro import MRE, NeighborProbabilities, Relation, gaussian_rows, mre_loss, sne_loss

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


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("method", ["compiled", "careful NumPy"])
def test_sne(benchmark, method, d):
    X, P = problem(d)
    f = CarefulNumpy(P) if method == "careful NumPy" else lambda X: sne_loss(X, P)
    benchmark.group = f"SNE, {N} points, d = {d}"
    value, gradient = benchmark(f, X)
    expected, expected_gradient = sne_loss(X, P, backend="numpy")
    assert value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-9)


def test_bare_exponentials(benchmark):
    benchmark.group = f"SNE, {N} points, d = 2"
    x, out = np.random.default_rng(0).random(N) * 1e-3, np.empty(N)
    benchmark(bare_exponentials, x, out)
    np.testing.assert_allclose(out, np.exp(-np.arange(N)[:, None] * x).sum(axis=1))


def factors():
    """One relation over the 698 points of MRE Fig. 3, and four over 100 of them each."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(698, 4))
    relations = [Relation(gaussian_rows(values, 2.0, include_self=True))]
    for k in range(4):
        index = rng.permutation(698)[:100]
        P = gaussian_rows(values[index][:, [k]], include_self=True)
        relations.append(Relation(P, index=index))
    return rng.normal(size=(698, 4)), rng.normal(size=(5, 4)), relations


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_mre_of_figure_3(benchmark, backend):
    X, R, relations = factors()
    benchmark.group = "MRE, 698 points, five relations, d = 4"
    benchmark(lambda: mre_loss(X, R, relations, backend=backend))


def test_fit_of_mre_figure_3(benchmark):
    relations = factors()[2]
    benchmark.group = "MRE, 698 points, five relations, d = 4: a fit of 1000 iterations"
    model = MRE(4, max_iter=1000, random_state=0)
    benchmark.pedantic(lambda: model.fit(relations), rounds=3, warmup_rounds=1)
    assert model.n_iter_ > 100


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
