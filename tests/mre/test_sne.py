import numpy as np
import pytest
from planted import planted_classes
from reference import central_difference, divergence, similarities
from scipy.special import logsumexp

from repro import SNE, embedding_similarities, gaussian_rows, sne_loss
from repro.core.backend import backends
from repro.measures.axes import discriminant


def problem(n=30, d=2, include_self=False, seed=0):
    rng = np.random.default_rng(seed)
    P = gaussian_rows(rng.normal(size=(n, 4)), 3.0, include_self=include_self)
    return rng.normal(size=(n, d)), P


@pytest.mark.parametrize("include_self", [True, False])
def test_latent_similarities_are_eq_2(include_self):
    X, _ = problem()
    expected = similarities(X, 1.0, include_self)
    np.testing.assert_allclose(embedding_similarities(X, include_self), expected, rtol=1e-12)


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("include_self", [True, False])
def test_the_loss_is_the_mean_divergence(backend, include_self):
    X, P = problem(include_self=include_self)
    expected = divergence(P, similarities(X, 1.0, include_self)) / len(X)
    assert sne_loss(X, P, include_self, backend)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("backend", backends())
def test_points_far_from_all_others_do_not_underflow(backend):
    X, P = problem(20)
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


@pytest.mark.parametrize("include_self", [True, False])
def test_the_loss_vanishes_where_p_equals_q(include_self):
    X, _ = problem()
    loss, gradient = sne_loss(X, embedding_similarities(X, include_self), include_self)
    assert abs(loss) < 1e-14
    assert np.abs(gradient).max() < 1e-14


@pytest.mark.parametrize("options", [{}, {"sigma2": 30.0}, {"sigma2": 30.0, "include_self": True}])
def test_a_fit_finds_planted_classes_and_a_start_does_not(options):
    Y, labels = planted_classes(apart=12)
    model = SNE(2, random_state=0, **options).fit(Y)
    assert discriminant(model.embedding_, labels).eta_squared > 0.95
    start = np.random.default_rng(0).normal(size=(75, 2))
    assert discriminant(start, labels).eta_squared < 0.5
    assert model.loss_ == pytest.approx(model.loss_history_.min(), rel=1e-6)
    assert len(model.loss_history_) == model.n_iter_ + 1


def test_optimisers_agree_on_the_loss():
    Y, _ = planted_classes(apart=12)
    losses = [
        SNE(2, sigma2=30.0, random_state=0, optimizer=o, max_iter=m).fit(Y).loss_
        for o, m in (("cg", 500), ("l-bfgs", 500), ("gd", 5000))
    ]
    assert max(losses) == pytest.approx(min(losses), rel=0.05)
