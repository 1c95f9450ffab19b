"""Value and gradient of each loss: compiled, in NumPy, in other tools, and a lower bound.

Run with: pytest tests/benchmarks/bench_losses.py --benchmark-sort=mean. The lower
bound is work that every implementation does: an exponential per pair, or gathering three points per
triplet. cblearn is in the extra "benchmark"; JAX and torch are timed if they are installed.
"""

from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
from numba import njit

import repro
from repro.kernels.elementary import SUMS, exp_nonpositive
from repro.kernels.points import load, minus, squared_norm
from repro.kernels.threads import in_ranges

OTHERS = [name for name in ("torch", "jax") if find_spec(name)]


@lru_cache(maxsize=1)
def loss_of_pairs(name, n):
    """Return a loss of n points as a function of the embedding alone, and of the backend."""
    X = np.random.default_rng(0).normal(size=(n, 5))
    narrow, wide = (partial(repro.gaussian_kernel, X, h) for h in (5.0, 8.0))
    if name == "SNE":
        return partial(repro.sne_loss, P=repro.NeighborProbabilities(repro.gaussian_rows(X, 5.0)))
    if name == "MRE":
        relations = [repro.Relation(repro.gaussian_rows(X, 5.0, include_self=True), name="X")]
        return lambda Y, backend: repro.mre_loss(
            Y, np.ones((1, Y.shape[1])), relations, backend=backend
        )
    if name == "BRE":
        return partial(repro.bre_loss, R=repro.BernoulliRelation(narrow()))
    if name == "KIE":
        return partial(repro.kie_loss, K_y=repro.KernelMatrix(narrow()))
    kernels = {"K_y": repro.KernelMatrix(narrow()), "K_x": repro.KernelMatrix(wide())}
    return partial(
        repro.conditional_kie_loss if name == "conditional KIE" else repro.joint_kie_loss, **kernels
    )


PAIRS = ("SNE", "MRE", "BRE", "KIE", "conditional KIE", "joint KIE")
SIZES = [(1000, 2), (3000, 2), (3000, 3)]


@njit(**SUMS)
def exponentials(columns, start, stop, zero, out):
    """Compute an exponential for each pair of some rows with all later points."""
    n = columns.shape[1]
    for i in range(start, stop):
        total = 0.0
        for j in range(i + 1, n):
            d2 = 0.0
            for dim in range(len(zero)):
                d2 += (columns[dim, i] - columns[dim, j]) ** 2
            total += exp_nonpositive(-d2)
        out[i] = total


@njit(**SUMS)
def gathers(Y, columns, start, stop, zero):
    """Gather the points of some triplets."""
    query, near, far = columns
    total = 0.0
    for q in range(start, stop):
        y = load(Y, query[q], zero)
        total += squared_norm(minus(y, load(Y, near[q], zero)))
        total -= squared_norm(minus(y, load(Y, far[q], zero)))
    return total


def floor_of_pairs(Y):
    columns, out, zero = np.ascontiguousarray(Y.T), np.empty(len(Y)), (0.0,) * Y.shape[1]
    in_ranges(lambda start, stop: exponentials(columns, start, stop, zero, out), len(Y))


def floor_of_triplets(Y, columns):
    zero = (0.0,) * Y.shape[1]
    in_ranges(lambda start, stop: gathers(Y, columns, start, stop, zero), len(columns[0]))


def tete_by(tool, Y, triplets):
    """Make t-ETE with t = t' = 2 in another tool with its own differentiation; two cores."""

    def loss(Y):
        i, j, k = triplets.T
        a, b = (1 + ((Y[i] - Y[other]) ** 2).sum(1) for other in (j, k))
        return (a / (a + b)).sum()

    return differentiated(tool, loss, Y)


def sne_by(tool, Y, P):
    """Make SNE in another tool with its own differentiation."""
    xp = import_module({"torch": "torch", "jax": "jax.numpy"}[tool])
    entropy = (P[P > 0] * np.log(P[P > 0])).sum()
    own = np.diag(np.full(len(P), 1e300))  # no point is its own neighbour

    def loss(Y):
        norms = (Y**2).sum(1)
        D2 = norms[:, None] + norms - 2 * Y @ Y.T + xp.asarray(own)
        rows = xp.log(xp.exp(-D2).sum(1))
        return (entropy + (xp.asarray(P) * D2).sum() + rows.sum()) / len(P)

    return differentiated(tool, loss, Y)


def differentiated(tool, loss, Y):
    """Make a function without arguments that returns value and gradient as NumPy arrays."""
    if tool == "torch":
        import torch

        def by_torch():
            place = torch.tensor(Y, requires_grad=True)
            value = loss(place)
            value.backward()
            return float(value), place.grad.numpy()

        return by_torch
    import jax

    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(jax.value_and_grad(loss))
    return lambda: [np.asarray(part) for part in compiled(Y)]


def triplets_of(n, per_point=100):
    """Draw triplets sorted by their first item, as in Fig. 1 of t-ETE."""
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(n), per_point)
    steps = np.sort(rng.choice(n - 2, (len(query), 2)), axis=1) + np.array([1, 2])
    return np.column_stack([query, (query[:, None] + steps) % n])


@pytest.mark.parametrize("backend", ["numba", "numpy"])
@pytest.mark.parametrize(("n", "d"), SIZES)
@pytest.mark.parametrize("name", PAIRS)
def test_pairs(benchmark, name, n, d, backend):
    Y = np.random.default_rng(1).normal(size=(n, d))
    benchmark.group = f"{n} points, d = {d}"
    benchmark(loss_of_pairs(name, n), Y, backend=backend)


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_floor_of_pairs(benchmark, n, d):
    benchmark.group = f"{n} points, d = {d}"
    benchmark(floor_of_pairs, np.random.default_rng(1).normal(size=(n, d)))


@pytest.mark.parametrize("tool", OTHERS)
@pytest.mark.parametrize("n", [1000, 3000])
def test_sne_by_others(benchmark, n, tool):
    Y = np.random.default_rng(1).normal(size=(n, 2))
    P = repro.gaussian_rows(np.random.default_rng(0).normal(size=(n, 5)), 5.0)
    expected = repro.sne_loss(Y, P)
    benchmark.group = f"{n} points, d = 2"
    value, gradient = benchmark(sne_by(tool, Y, P))
    assert value == pytest.approx(expected[0], rel=1e-9)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("backend", ["numba", "numpy"])
@pytest.mark.parametrize("t", [2.0, 1.7])
@pytest.mark.parametrize("n", [6_000, 100_000])
def test_triplets(benchmark, n, t, backend):
    Y, triplets = np.random.default_rng(1).normal(size=(n, 2)), repro.TripletSet(triplets_of(n))
    benchmark.group = f"{len(triplets)} triplets of {n} points"
    benchmark(repro.tete_loss, Y, triplets, t, backend=backend)


@pytest.mark.parametrize("n", [6_000, 100_000])
def test_floor_of_triplets(benchmark, n):
    Y, triplets = np.random.default_rng(1).normal(size=(n, 2)), triplets_of(n)
    benchmark.group = f"{len(triplets)} triplets of {n} points"
    columns = tuple(np.ascontiguousarray(column, np.uint32) for column in triplets.T)
    benchmark(floor_of_triplets, Y, columns)


@pytest.mark.parametrize("tool", OTHERS)
def test_triplets_by_others(benchmark, tool):
    Y, triplets = np.random.default_rng(1).normal(size=(6000, 2)), triplets_of(6000)
    benchmark.group = f"{len(triplets)} triplets of 6000 points"
    expected = repro.tete_loss(Y, triplets, 2.0)
    value, gradient = benchmark(tete_by(tool, Y, triplets))
    assert value == pytest.approx(expected[0], rel=1e-9)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("method", ["ours", "cblearn"])
@pytest.mark.parametrize("loss", [repro.ste_loss, repro.tste_loss])
def test_triplets_by_cblearn(benchmark, loss, method):
    theirs = pytest.importorskip("cblearn.embedding._ste")._ste_x_grad
    Y, triplets = 0.3 * np.random.default_rng(1).normal(size=(6000, 2)), triplets_of(6000)
    functions = {
        "ours": partial(loss, Y, repro.TripletSet(triplets)),
        "cblearn": partial(theirs, Y.ravel(), Y.shape, triplets, loss is repro.tste_loss),
    }
    benchmark.group = f"{loss.__name__}, {len(triplets)} triplets of 6000 points"
    assert benchmark(functions[method])[0] == pytest.approx(loss(Y, triplets)[0], rel=1e-6)
