import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from reference import central_difference, divergence, similarities
from scipy.special import logsumexp
from sklearn.utils.estimator_checks import parametrize_with_checks

from repro import SNE, NeighborProbabilities, embedding_similarities, gaussian_rows, sne_loss
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
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0])
def test_gradient_against_differences(backend, include_self, d, scale):
    X, P = problem(d=d, include_self=include_self)
    X = X * scale
    _, gradient = sne_loss(X, P, include_self, backend)
    direction = np.random.default_rng(1).normal(size=X.shape)
    slope = central_difference(lambda x: sne_loss(x, P, include_self, backend)[0], X, direction)
    assert np.sum(gradient * direction) == pytest.approx(slope, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("n", [2, 3, 90, 192, 193, 700, 1100])
def test_both_backends_agree(n, include_self):
    X, P = problem(n, include_self=include_self)
    values, gradients = zip(*(sne_loss(X, P, include_self, b) for b in backends()), strict=True)
    assert values[0] == pytest.approx(values[-1], rel=1e-11, abs=1e-13)
    largest = np.abs(gradients[-1]).max()
    np.testing.assert_allclose(gradients[0], gradients[-1], rtol=0, atol=1e-11 * largest + 1e-14)


@pytest.mark.skipif("numba" not in backends(), reason="NumPy is all there is")
def test_many_latent_dimensions_are_left_to_numpy():
    X, P = problem(d=1200)
    expected = sne_loss(0.05 * X, P, backend="numpy")
    with pytest.warns(RuntimeWarning, match="1200 dimensions are more than the 16"):
        found = sne_loss(0.05 * X, P)
    np.testing.assert_array_equal(found[1], expected[1])


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


@given(st.integers(0, 1000), st.booleans())
@settings(max_examples=25)
def test_invariances(seed, include_self):
    rng = np.random.default_rng(seed)
    X, P = problem(25, 3, include_self, seed)
    loss, gradient = sne_loss(X, P, include_self)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turned, turned_gradient = sne_loss(X @ turn + rng.normal(size=3), P, include_self)
    assert turned == pytest.approx(loss, rel=1e-9)
    np.testing.assert_allclose(turned_gradient, gradient @ turn, atol=1e-10)
    order = rng.permutation(25)
    permuted = sne_loss(X[order], P[np.ix_(order, order)], include_self)[0]
    assert permuted == pytest.approx(loss, rel=1e-10)
    assert loss >= 0
    np.testing.assert_allclose(gradient.sum(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("include_self", [True, False])
def test_the_loss_vanishes_where_p_equals_q(include_self):
    X, _ = problem()
    loss, gradient = sne_loss(X, embedding_similarities(X, include_self), include_self)
    assert abs(loss) < 1e-14
    assert np.abs(gradient).max() < 1e-14


def test_prepared_probabilities_give_the_same():
    X, P = problem()
    for found, expected in zip(sne_loss(X, NeighborProbabilities(P)), sne_loss(X, P), strict=True):
        np.testing.assert_array_equal(found, expected)


@parametrize_with_checks([SNE(max_iter=5, random_state=0)])
def test_scikit_learn_estimator(estimator, check):
    check(estimator)


def planted(seed=0):
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 2], 25)
    return rng.normal(size=(75, 6)) + 12 * np.eye(3, 6)[labels], labels


@pytest.mark.parametrize("options", [{}, {"sigma2": 30.0}, {"sigma2": 30.0, "include_self": True}])
def test_a_fit_finds_planted_classes_and_a_start_does_not(options):
    Y, labels = planted()
    model = SNE(2, random_state=0, **options).fit(Y)
    assert discriminant(model.embedding_, labels).eta_squared > 0.95
    start = np.random.default_rng(0).normal(size=(75, 2))
    assert discriminant(start, labels).eta_squared < 0.5
    assert model.loss_ == pytest.approx(model.loss_history_.min(), rel=1e-6)
    assert len(model.loss_history_) == model.n_iter_ + 1


def test_the_same_seed_gives_the_same_bits_and_the_best_start_wins():
    Y, _ = planted()
    fits = [SNE(2, random_state=7, max_iter=30).fit_transform(Y) for _ in range(2)]
    np.testing.assert_array_equal(*fits)
    rng = np.random.default_rng(7)
    np.testing.assert_array_equal(SNE(2, random_state=rng, max_iter=30).fit_transform(Y), fits[0])
    one, best = (SNE(2, random_state=7, max_iter=30, n_init=n).fit(Y).loss_ for n in (1, 4))
    assert best <= one


def test_optimisers_agree_on_the_loss():
    Y, _ = planted()
    losses = [
        SNE(2, sigma2=30.0, random_state=0, optimizer=o, max_iter=m).fit(Y).loss_
        for o, m in (("cg", 500), ("l-bfgs", 500), ("gd", 5000))
    ]
    assert max(losses) == pytest.approx(min(losses), rel=0.05)


def test_the_numpy_backend_reaches_the_same_loss():
    Y, _ = planted()
    losses = [SNE(2, random_state=0, backend=b).fit(Y).loss_ for b in backends()]
    assert losses[0] == pytest.approx(losses[-1], rel=1e-3)
