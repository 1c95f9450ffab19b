import numpy as np
import pytest

from repro import triplet_weights
from repro.tete.weights import log_triplet_weights


def problem(n=50, spread=1.0):
    rng = np.random.default_rng(0)
    X = spread * rng.normal(size=(n, 4))
    return X, np.array([rng.permutation(n)[:3] for _ in range(200)])


def test_weights_are_equation_13():
    X, triplets = problem()
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    sigma = np.sort(D, axis=1)[:, 10]  # the point itself is the first
    i, j, k = triplets.T
    similar = np.exp(-(D**2) / (sigma[:, None] * sigma))
    np.testing.assert_allclose(
        log_triplet_weights(X, triplets), np.log(similar[i, j] / similar[i, k]), rtol=1e-9
    )
    ratio = similar[i, j] / similar[i, k]
    found = triplet_weights(X, triplets, bias=0.25)
    np.testing.assert_allclose(found, ratio / ratio.max() + 0.25, rtol=1e-9)


def test_weights_do_not_depend_on_the_unit_nor_overflow():
    X, triplets = problem()
    np.testing.assert_allclose(
        log_triplet_weights(1e3 * X, triplets), log_triplet_weights(X, triplets), rtol=1e-9
    )
    far = np.vstack([X, X + 1e4])  # two clumps: e^(10^8)
    triplets = np.array([[0, 1, 50], [50, 51, 0], [0, 50, 1]])
    weights = triplet_weights(far, triplets)
    assert np.isfinite(weights).all()
    assert log_triplet_weights(far, triplets).max() > 1e6
    assert weights.max() == pytest.approx(1.01)
    assert weights[2] == pytest.approx(0.01)


def test_duplicates_fall_back_to_the_nearest_other_place():
    X, _ = problem()
    X[:15] = X[0]
    triplets = np.array([[0, 1, 40], [0, 30, 40]])
    assert np.isfinite(log_triplet_weights(X, triplets)).all()
