"""Value and gradient of each loss: compiled, in NumPy, and by cblearn; whole fits; busy machines.

Run with: pytest tests/benchmarks/bench_losses.py (cblearn is in the extra "benchmark").
"""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from repro import (
    BRE,
    KIE,
    MRE,
    BernoulliRelation,
    KernelMatrix,
    NeighborProbabilities,
    Relation,
    TripletEmbedding,
    TripletSet,
    bre_loss,
    conditional_kie_loss,
    datasets,
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


def cars_and_factors():
    """Make relations as MRE Fig. 3 has them: one over 698 points, four over 100 of them each."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(698, 4))
    parts = [rng.permutation(698)[:100] for _ in range(4)]
    few = [gaussian_rows(values[at][:, [k]], include_self=True) for k, at in enumerate(parts)]
    whole = Relation(gaussian_rows(values, 2.0, include_self=True))
    return [whole, *(Relation(P, index=at) for P, at in zip(few, parts, strict=True))]


FITS = {
    "MRE Fig. 3": lambda: (MRE(4, max_iter=1000, random_state=0), cars_and_factors()),
    "BRE Fig. 6": lambda: (
        BRE(affinity="contrast", beta=500.0, related="radius"),
        datasets.fetch_usps(range(5)).X[:3000] * (4 / 255),
    ),
    "KIE Fig. 1": lambda: (
        KIE(bandwidth=10.0, power=4, random_state=0),
        datasets.make_s_curve(2000, 0).X,
    ),
    "t-ETE Fig. 1": lambda: (TripletEmbedding("tete", random_state=0), triplets_of(6000)),
}


@pytest.mark.parametrize("figure", FITS)
def test_a_fit(benchmark, figure):
    model, X = FITS[figure]()
    benchmark.group = f"a fit of {figure}"
    benchmark.pedantic(model.fit, (X,), rounds=3, warmup_rounds=1)


@pytest.mark.parametrize("others", [0, 2])
def test_beside_busy_processes(benchmark, others):
    """Threads that wait must leave the cores to others: beside two, some twice the time on two."""
    loss, Y = of_pairs(2000)["SNE"], np.random.default_rng(1).normal(size=(2000, 2))
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    benchmark.group = "SNE, 2000 points, d = 2, beside other processes"
    try:
        benchmark(loss, Y)
    finally:
        for process in busy:
            process.kill()
            process.wait()
