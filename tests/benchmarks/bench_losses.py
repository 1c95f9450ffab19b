"""Value and gradient of each loss: compiled, in NumPy, and by cblearn.

Run with: pytest tests/benchmarks/bench_losses.py (cblearn is in the extra "benchmark").
"""

from functools import partial

import numpy as np
import pytest

from repro import (
    BernoulliRelation,
    KernelMatrix,
    NeighborProbabilities,
    TripletSet,
    bre_loss,
    conditional_kie_loss,
    gaussian_kernel,
    gaussian_rows,
    joint_kie_loss,
    kie_loss,
    sne_loss,
    ste_loss,
    tete_loss,
    tste_loss,
)

N = 3000


def of_pairs(n=N):
    """Return the losses of n points, by name, and functions of the embedding alone."""
    X = np.random.default_rng(0).normal(size=(n, 5))
    A, B = (KernelMatrix(gaussian_kernel(X, h)) for h in (5.0, 8.0))
    return {
        "SNE": partial(sne_loss, P=NeighborProbabilities(gaussian_rows(X, 5.0))),
        "BRE": partial(bre_loss, R=BernoulliRelation(A.K)),
        "KIE": partial(kie_loss, K_y=A),
        "conditional KIE": partial(conditional_kie_loss, K_y=A, K_x=B),
        "joint KIE": partial(joint_kie_loss, K_x=A, K_y=B),
    }


def triplets_of(n, per_point=100):
    """Draw triplets sorted by their first item, as Fig. 1 of t-ETE has them."""
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(n), per_point)
    steps = np.sort(rng.choice(n - 2, (len(query), 2)), axis=1) + np.array([1, 2])
    return np.column_stack([query, (query[:, None] + steps) % n])


@pytest.mark.parametrize("backend", ["numba", "numpy"])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", of_pairs(10))
def test_pairs(benchmark, name, d, backend):
    Y = np.random.default_rng(1).normal(size=(N, d))
    benchmark.group = f"{name}, {N} points, d = {d}"
    benchmark(of_pairs()[name], Y, backend=backend)


@pytest.mark.parametrize("backend", ["numba", "numpy"])
@pytest.mark.parametrize("t", [2.0, 1.7])
@pytest.mark.parametrize("n", [6_000, 100_000])
def test_triplets(benchmark, n, t, backend):
    Y, triplets = np.random.default_rng(1).normal(size=(n, 2)), TripletSet(triplets_of(n))
    benchmark.group = f"t-ETE, {len(triplets)} triplets of {n} points, t = {t}"
    benchmark(tete_loss, Y, triplets, t, backend=backend)


@pytest.mark.parametrize("method", ["ours", "cblearn"])
@pytest.mark.parametrize("loss", [ste_loss, tste_loss])
def test_triplets_by_cblearn(benchmark, loss, method):
    theirs = pytest.importorskip("cblearn.embedding._ste")._ste_x_grad
    Y, triplets = 0.3 * np.random.default_rng(1).normal(size=(6000, 2)), triplets_of(6000)
    functions = {
        "ours": partial(loss, Y, TripletSet(triplets)),
        "cblearn": partial(theirs, Y.ravel(), Y.shape, triplets, loss is tste_loss),
    }
    benchmark.group = f"{loss.__name__}, {len(triplets)} triplets of 6000 points"
    assert benchmark(functions[method])[0] == pytest.approx(loss(Y, triplets)[0], rel=1e-6)
