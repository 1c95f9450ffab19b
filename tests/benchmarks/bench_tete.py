"""One pass over triplets against NumPy and cblearn; whole fits to the same loss; many triplets.

Run with: pytest tests/benchmarks/bench_tete.py (cblearn is in the extra "benchmark").
"""

import time

import numpy as np
import pytest

from repro import TripletEmbedding, TripletSet, sample_per_point, ste_loss, tete_loss, tste_loss

N, PER_POINT = 6000, 100


def problem(n=N, d=2, per_point=PER_POINT):
    """Triplets as Fig. 1 draws them: sorted queries, a near item, a far one."""
    rng = np.random.default_rng(0)
    near = rng.integers(1, n, (n, per_point))
    far = rng.integers(1, n - 1, (n, per_point))
    far += far >= near
    query = np.repeat(np.arange(n), per_point)
    items = [query, (query + near.ravel()) % n, (query + far.ravel()) % n]
    return rng.normal(size=(n, d)), np.column_stack(items)


def slopes(near, far, t):
    """Loss, and its slopes by near and far, of t = t'."""
    a, b = 1 + (t - 1) * near, 1 + (t - 1) * far
    if t == 2:
        s = a + b
        return a / s, b / s**2, -a / s**2
    ratio = (a / b) ** (1 / (t - 1))
    one = 1 + ratio
    g = ratio * one**-t
    return (1 - one ** (1 - t)) / (t - 1), g / a, -g / b


def by_rows(Y, triplets, t):
    """NumPy as one writes it, the forces added up with bincount."""
    i, j, k = triplets.T
    to_near, to_far = Y[i] - Y[j], Y[i] - Y[k]
    loss, by_near, by_far = slopes((to_near**2).sum(axis=1), (to_far**2).sum(axis=1), t)
    pull, push = 2 * by_near[:, None] * to_near, 2 * by_far[:, None] * to_far
    G, n = np.empty_like(Y), len(Y)
    for dim in range(Y.shape[1]):
        G[:, dim] = np.bincount(i, pull[:, dim] + push[:, dim], n)
        G[:, dim] -= np.bincount(j, pull[:, dim], n) + np.bincount(k, push[:, dim], n)
    return loss.sum(), G


@pytest.mark.parametrize("t", [2.0, 1.7])
@pytest.mark.parametrize("d", [2, 10])
@pytest.mark.parametrize("method", ["compiled", "NumPy"])
def test_one_pass(benchmark, method, d, t):
    Y, triplets = problem(d=d)
    prepared = TripletSet(triplets, n_items=N)
    f = tete_loss if method == "compiled" else by_rows
    given = prepared if method == "compiled" else triplets
    benchmark.group = f"t-ETE, {len(triplets)} triplets of {N} points, d = {d}, t = {t}"
    value, gradient = benchmark(f, Y, given, t)
    expected, expected_gradient = tete_loss(Y, prepared, t, backend="numpy")
    assert value == pytest.approx(expected, rel=1e-10)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-9)


@pytest.mark.parametrize("loss", ["STE", "t-STE"])
@pytest.mark.parametrize("method", ["ours", "cblearn"])
def test_one_pass_of_cblearn(benchmark, method, loss):
    theirs = pytest.importorskip("cblearn.embedding._ste")._ste_x_grad
    Y, triplets = problem()
    Y *= 0.3  # cblearn adds 1e-12 to sums of kernels, which is felt between distant points
    prepared = TripletSet(triplets, n_items=N)
    ours = {"STE": ste_loss, "t-STE": tste_loss}[loss]
    functions = {
        "ours": lambda: ours(Y, prepared),
        "cblearn": lambda: theirs(Y.ravel(), Y.shape, triplets, loss == "t-STE"),
    }
    benchmark.group = f"{loss}, {len(triplets)} triplets of {N} points, d = 2"
    value, gradient = benchmark(functions[method])
    expected, expected_gradient = ours(Y, prepared)
    assert value == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(gradient.reshape(-1, 2), expected_gradient, atol=1e-6)


@pytest.mark.parametrize("loss", ["STE", "t-STE"])
def test_fit_to_the_loss_of_cblearn(loss, capsys):
    cblearn = pytest.importorskip("cblearn.embedding")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    triplets, start = sample_per_point(X, 50, 20, rng=rng), 0.1 * rng.normal(size=(1000, 2))
    options = {"loss": loss.lower().replace("-", ""), "init": start, "optimizer": "l-bfgs"}
    TripletEmbedding(**options, max_iter=5).fit(triplets)  # compiled or loaded
    theirs, their_time = timed(
        {"STE": cblearn.STE, "t-STE": cblearn.TSTE}[loss](2, max_iter=200), triplets, init=start
    )
    target = {"STE": ste_loss, "t-STE": tste_loss}[loss](theirs.embedding_, triplets)[0]
    ours, our_time = timed(TripletEmbedding(**options, max_iter=400), triplets)
    share = ours.result_.evaluations_to(target) / ours.result_.n_evaluations
    with capsys.disabled():
        print(f"\n{loss} to a loss of {target:.0f}: cblearn {their_time:.2f} s, ours ", end="")
        print(f"{share * our_time:.2f} s; in {our_time:.2f} s ours ends at {ours.loss_:.0f}")
    assert ours.loss_ <= target


def timed(model, triplets, **options):
    """Fit a model; return it with the seconds it took."""
    started = time.perf_counter()
    model.fit(triplets, **options)
    return model, time.perf_counter() - started


def test_ten_million_triplets(benchmark):
    Y, triplets = problem(100_000, per_point=100)
    prepared = TripletSet(triplets, n_items=len(Y))
    prepared.columns  # noqa: B018 - sorted once, outside what is timed
    benchmark.group = "t-ETE, 10,000,000 triplets of 100,000 points, d = 2, t = 2"
    benchmark(tete_loss, Y, prepared)
