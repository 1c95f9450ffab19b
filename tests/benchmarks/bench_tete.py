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


class ByColumns:
    """NumPy with care: a contiguous array a dimension, everything in place."""

    def __init__(self, triplets, d):
        self.i, self.j, self.k = (np.ascontiguousarray(c) for c in triplets.T)
        self.u, self.v = np.empty((2, d, len(triplets)))
        self.near, self.far, self.w = np.empty((3, len(triplets)))

    def __call__(self, Y, t):
        n, near, far, w = len(Y), self.near, self.far, self.w
        near[:], far[:] = 0, 0
        for y, u, v in zip(np.ascontiguousarray(Y.T), self.u, self.v, strict=True):
            np.take(y, self.i, out=w)
            np.take(y, self.j, out=u)
            np.take(y, self.k, out=v)
            np.subtract(w, u, out=u)
            np.subtract(w, v, out=v)
            near += np.multiply(u, u, out=w)
            far += np.multiply(v, v, out=w)
        value, near, far = self._slopes(t)
        near *= 2
        far *= 2
        G = np.empty_like(Y)
        for dim, (u, v) in enumerate(zip(self.u, self.v, strict=True)):
            u *= near
            v *= far
            G[:, dim] = np.bincount(self.i, np.add(u, v, out=w), n)
            G[:, dim] -= np.bincount(self.j, u, n) + np.bincount(self.k, v, n)
        return value, G

    def _slopes(self, t):
        """Return the loss and its slopes by near and far, in the arrays of the distances."""
        a, b, w = self.near, self.far, self.w
        if t == 2:
            a += 1
            b += 1
            np.add(a, b, out=w)
            np.divide(1, w, out=w)
            a *= w
            value = a.sum()
            b *= w
            b *= w  # b / (a + b)²
            a *= w
            np.negative(a, out=a)
            return value, b, a
        a *= t - 1
        a += 1
        b *= t - 1
        b += 1
        np.divide(a, b, out=w)
        np.log(w, out=w)
        w /= t - 1
        np.exp(w, out=w)
        ratio = w.copy()
        w += 1
        np.log(w, out=w)
        w *= 1 - t
        np.exp(w, out=w)  # (1 + ℓ)^(1 - t)
        value = (len(w) - w.sum()) / (t - 1)
        w *= ratio
        ratio += 1
        w /= ratio
        np.divide(w, a, out=a)
        np.divide(w, b, out=b)
        np.negative(b, out=b)
        return value, a, b


@pytest.mark.parametrize("t", [2.0, 1.7])
@pytest.mark.parametrize("d", [2, 10])
@pytest.mark.parametrize("method", ["compiled", "NumPy by rows", "NumPy by columns"])
def test_one_pass(benchmark, method, d, t):
    Y, triplets = problem(d=d)
    prepared, columns = TripletSet(triplets, n_items=N), ByColumns(triplets, d)
    functions = {
        "compiled": lambda: tete_loss(Y, prepared, t),
        "NumPy by rows": lambda: by_rows(Y, triplets, t),
        "NumPy by columns": lambda: columns(Y, t),
    }
    benchmark.group = f"t-ETE, {len(triplets)} triplets of {N} points, d = {d}, t = {t}"
    value, gradient = benchmark(functions[method])
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
