"""t-ETE Section 1: the curves, the ends of a line, and local scale."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from repro.experiments import tete_sec1_circle as sec1

SMALL = sec1.Choices(n_points=60, n_neighbors=8, descent=("gd", 40), n_starts=1, perplexity=8.0)


@pytest.mark.parametrize("shape", ["circle", "square", "trefoil"])
def test_a_curve_is_closed_and_its_points_are_in_order(shape):
    u = np.linspace(0, 1, 400, endpoint=False)
    X = sec1.curve(shape, u)
    steps = np.linalg.norm(np.roll(X, -1, axis=0) - X, axis=1)
    assert steps.max() < 0.1 * np.ptp(X)
    drawn = sec1.draw(replace(SMALL, shape=shape), 0.9, np.random.default_rng(0))
    assert drawn.shape == (60, X.shape[1])


def test_uneven_points_are_denser_where_the_density_is_higher():
    choices = replace(SMALL, n_points=2000)
    X = sec1.draw(choices, 0.9, np.random.default_rng(0))
    assert np.mean(X[:, 0] > 0) > 0.7  # the cosine is positive there
    even = sec1.draw(choices, 0.0, np.random.default_rng(0))
    assert abs(np.mean(even[:, 0] > 0) - 0.5) < 0.05


def test_ends_are_counted_as_by_loops():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(9, 2)), rng.normal(size=(9, 1))
    D, d = (np.linalg.norm(Z[:, None] - Z, axis=2) for Z in (X, Y))

    def wrong(i, j, k):
        return (D[i, j] - D[i, k]) * (d[i, j] - d[i, k]) < 0

    ends, items = (Y.argmin(), Y.argmax()), range(9)
    queries = [wrong(e, j, k) for e in ends for j in items for k in items if j != k]
    tests = [wrong(i, e, k) for e in ends for i in items for k in items]
    assert sec1.violated_at_the_ends(Y, X) == pytest.approx((np.mean(queries), np.mean(tests)))


def test_local_scale_is_whole_in_the_data_themselves_and_lost_by_shuffling():
    X = np.random.default_rng(0).normal(size=(200, 2))
    shuffled = np.random.default_rng(1).permutation(X)
    for local in ("spacing", "neighbours"):
        assert sec1.local_scale(3 * X, X, local) == pytest.approx(1)
        assert sec1.local_scale(shuffled, X, local) < 0.25


def test_readings_that_do_not_concern_an_embedding_of_a_set_share_its_fit(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 3))
    monkeypatch.setattr(sec1, "load_set", lambda name: SimpleNamespace(X=X))
    monkeypatch.setattr(sec1, "fit_set", sec1.fit_set.__wrapped__)
    few = replace(SMALL, sets=("MNIST",), n_of_set=60, n_near=8)
    fits, other = (sec1.fit_sets(of, 0)["MNIST"] for of in (few, replace(few, noise=0.4)))
    for space in sec1.CONCERNED:
        assert np.array_equal(fits[space], other[space]) == ("noisy" not in space), space
