import numpy as np
import pytest

from repro import triplet_weights
from repro.tete.weights import log_triplet_weights

RNG = np.random.default_rng(0)
X, TRIPLETS = RNG.normal(size=(50, 4)), np.argsort(RNG.random((200, 50)), axis=1)[:, :3]


def test_weights_are_equation_13():
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    sigma = np.sort(D, axis=1)[:, 10]  # the point itself is the first
    i, j, k = TRIPLETS.T
    similar = np.exp(-(D**2) / (sigma[:, None] * sigma))
    ratio = similar[i, j] / similar[i, k]
    found = triplet_weights(X, TRIPLETS, bias=0.25)
    np.testing.assert_allclose(found, ratio / ratio.max() + 0.25, rtol=1e-9)
    for scale in (1, 1e3):
        logs = log_triplet_weights(scale * X, TRIPLETS)
        np.testing.assert_allclose(logs, np.log(ratio), rtol=1e-9)


def test_weights_do_not_overflow():
    far = np.vstack([X, X + 1e4])  # two clumps: e^(10^8)
    triplets = np.array([[0, 1, 50], [50, 51, 0], [0, 50, 1]])
    weights = triplet_weights(far, triplets)
    assert np.isfinite(weights).all()
    assert log_triplet_weights(far, triplets).max() > 1e6
    assert weights.max() == pytest.approx(1.01)
    assert weights[2] == pytest.approx(0.01)
