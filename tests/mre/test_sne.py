import numpy as np
import pytest
from reference import central_difference
from scipy.special import logsumexp

from repro import gaussian_rows, sne_loss
from repro.core.backend import backends


@pytest.mark.parametrize("backend", backends())
def test_points_far_from_all_others_do_not_underflow(backend):
    rng = np.random.default_rng(0)
    P = gaussian_rows(rng.normal(size=(20, 4)), 3.0)
    X = rng.normal(size=(20, 2))
    X[3] += 1e3
    X[7] -= 50.0
    loss, gradient = sne_loss(X, P, False, backend)
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    log_Q = -D - logsumexp(-D, axis=1, keepdims=True)
    off = ~np.eye(len(X), dtype=bool)
    expected = np.sum(P[off] * (np.log(P[off]) - log_Q[off])) / len(X)
    assert loss == pytest.approx(expected, rel=1e-12)
    direction = np.random.default_rng(1).normal(size=X.shape)
    slope = central_difference(lambda x: sne_loss(x, P, False, backend)[0], X, direction)
    assert np.sum(gradient * direction) == pytest.approx(slope, rel=1e-6)
