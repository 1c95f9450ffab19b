"""Bernoulli Relational Embedding: loss, gradient, limits, bad input, and the estimator."""

import numpy as np
import pytest
from planted import planted_classes
from reference import bre, check_gradients
from scipy import sparse

import repro
from repro import BRE, BernoulliRelation, bernoulli_kl, bre_loss
from repro.bre.loss import conditional_values_and_gradients, step_weights
from repro.core.backend import backends
from repro.measures.axes import abs_spearman, axis_shares


def problem(kind, n=25, d=2):
    """Return points, an asymmetric relation with ones and zeros, and which pairs it stores."""
    rng = np.random.default_rng(0)
    Y, R = rng.normal(size=(n, d)), rng.random((n, n))
    R[rng.random((n, n)) < 0.1] = 0.0
    R[rng.random((n, n)) < 0.1] = 1.0
    if kind == "dense":
        return Y, R, np.ones((n, n), bool)
    pairs = rng.random((n, n)) < 0.15
    return Y, sparse.csr_array((R[pairs], np.nonzero(pairs)), shape=(n, n)), pairs


def test_bernoulli_kl_is_eq_1():
    r, s = np.random.default_rng(0).uniform(0.01, 0.99, (2, 50))
    expected = r * np.log(r / s) + (1 - r) * np.log((1 - r) / (1 - s))
    np.testing.assert_allclose(bernoulli_kl(r, s), expected, rtol=1e-12)
    np.testing.assert_array_equal(bernoulli_kl([0, 1, 0.3], [0, 1, 0.3]), 0)
    assert bernoulli_kl(0, 0.5) == pytest.approx(np.log(2))
    assert bernoulli_kl(0.5, 0) == bernoulli_kl(0.5, 1) == bernoulli_kl(0, 1) == np.inf


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_loss_is_eq_2(backend, d, kind):
    Y, R, pairs = problem(kind, d=d)
    full = R.toarray() if kind == "sparse" else R
    loss = bre_loss(Y, R, 1.7, backend)[0]
    assert loss == pytest.approx(bre(Y, full, 1.7, pairs), rel=1e-11)


@pytest.mark.skipif("numba" not in backends(), reason="NumPy knows no tiles")
def test_rows_and_tiles_agree(monkeypatch):
    from repro.bre import loss as module

    Y, R, _ = problem("sparse", n=250)
    by_rows, by_tiles = BernoulliRelation(R), BernoulliRelation(R)
    assert by_rows.tiles is None
    monkeypatch.setattr(module, "SPARSE_BELOW", 0.0)
    assert by_tiles.tiles is not None
    for of_tiles, of_rows in zip(bre_loss(Y, by_tiles), bre_loss(Y, by_rows), strict=True):
        np.testing.assert_allclose(of_tiles, of_rows, rtol=1e-9, atol=1e-9)


def test_coincident_points_that_are_certainly_related_cost_nothing():
    loss, gradient = bre_loss(np.zeros((5, 2)), np.ones((5, 5)))
    assert loss == pytest.approx(0, abs=1e-200)
    assert not gradient.any()


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_conditional_loss_is_the_loss_with_one_point_moved(backend, kind):
    Y, R, _ = problem(kind)
    T = Y + 0.3 * np.random.default_rng(1).normal(size=Y.shape)
    relation = BernoulliRelation(R)
    losses, gradients = conditional_values_and_gradients(T, Y, relation, 1.7, backend)
    at_home, _ = conditional_values_and_gradients(Y, Y, relation, 1.7, backend)
    for i in (0, 3, 24):
        moved = Y.copy()
        moved[i] = T[i]
        difference = bre_loss(moved, R, 1.7)[0] - bre_loss(Y, R, 1.7)[0]
        assert losses[i] - at_home[i] == pytest.approx(difference, rel=1e-9)
        np.testing.assert_allclose(gradients[i], bre_loss(moved, R, 1.7)[1][i], rtol=1e-9)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_gradient_step_combines_the_points(kind):
    Y, R, pairs = problem(kind)
    A = step_weights(Y, R, 0.1, 1.7)
    np.testing.assert_allclose(A @ Y, Y - 0.1 * bre_loss(Y, R, 1.7)[1], atol=1e-10)
    np.testing.assert_allclose(A.sum(axis=1), 1, atol=1e-10)
    assert not A.toarray()[~(pairs | pairs.T | np.eye(25, dtype=bool))].any()


def test_a_precomputed_relation_dense_or_sparse():
    X, labels = planted_classes(apart=6)
    start = np.random.default_rng(0).normal(size=(75, 2))
    model = BRE(affinity="precomputed", init=start)
    of_all = BRE(beta=40.0, init=start).fit_transform(X)
    np.testing.assert_array_equal(model.fit_transform(repro.bernoulli_gaussian(X, 40.0)), of_all)
    R = repro.bernoulli_truncated(X, 40.0, repro.neighbor_graph(X, 40))
    of_related = model.fit_transform(R)
    for Y in (of_all, of_related):
        assert repro.nearest_neighbor_error(Y, labels) < 0.05
    whole = sparse.coo_array(([128, 129], ([0, 0], [1, 1])), shape=(3, 3), dtype=np.uint8)
    with pytest.raises(ValueError, match="must lie in"):  # their sum is 257
        repro.bre_loss(np.eye(3)[:, :2], whole)
    for kind in ("lil", "dok", "coo", "bsr"):
        np.testing.assert_array_equal(model.fit_transform(R.asformat(kind)), of_related)


def test_points_that_start_in_one_place_are_parted():
    R = np.where(np.arange(12)[:, None] % 3 == np.arange(12) % 3, 0.9, 0.1)
    for given in (R, sparse.csr_array(R)):
        model = BRE(affinity="precomputed").fit(given)
        random = BRE(affinity="precomputed", init="random", random_state=0).fit(given)
        assert model.loss_ == pytest.approx(random.loss_, rel=0.1)


def test_the_start_is_the_principal_components_and_its_scale_can_be_set():
    X, _ = planted_classes(apart=6)
    a, b = (BRE(init_scale=s, max_iter=1).fit(X) for s in (None, 0.5))
    start = a._start(X)
    assert start.std(axis=0).max() == pytest.approx(np.linalg.svd(X - X.mean(0))[1][0] / 75**0.5)
    np.testing.assert_allclose(b._start(X), start * 0.5 / start.std(axis=0).max())


def test_the_loss_of_several_relations_is_the_sum_of_their_means():
    rng = np.random.default_rng(0)
    Y, M = rng.normal(size=(20, 3)), rng.normal(size=(4, 3))
    index = rng.permutation(20)[:8]
    relations = [
        repro.AffinityRelation(rng.random((20, 20)), name="all"),
        repro.AffinityRelation(rng.random((8, 8)), index=index, weight=2.0),
        repro.AffinityRelation(sparse.csr_array(np.triu(rng.random((20, 20)), 1)), name="sparse"),
        repro.AffinityRelation(rng.random((20, 20)), metric="identity"),
    ]
    E, _, dM = repro.multiple_bre_loss(Y, M, relations, 1.3)
    expected = (
        bre_loss(Y * M[0], relations[0].P, 1.3)[0] / (20 * 19)
        + 2 * bre_loss(Y[index] * M[1], relations[1].P, 1.3)[0] / (8 * 7)
        + bre_loss(Y * M[2], relations[2].P, 1.3)[0] / (20 * 19 / 2)
        + bre_loss(Y, relations[3].P, 1.3)[0] / (20 * 19)
    )
    assert pytest.approx(expected, rel=1e-12) == E
    assert not dM[3].any()
    check_gradients(lambda y, m: repro.multiple_bre_loss(y, m, relations, 1.3), Y, M)


def test_two_factors_get_a_dimension_each():
    factors = np.random.default_rng(0).normal(size=(80, 2))
    relations = [
        repro.AffinityRelation(repro.bernoulli_gaussian(v[:, None], 1.0)) for v in factors.T
    ]
    model = repro.MultipleBRE(2, random_state=0).fit(relations)
    share = np.array([axis_shares(m, model.embedding_) for m in model.metrics_])
    dims = share.argmax(axis=1)
    assert sorted(dims) == [0, 1]
    assert share.max(axis=1).min() > 0.9
    assert abs_spearman(factors, model.embedding_)[:, dims].diagonal().min() > 0.95
    assert model.loss_ < 0.1 * model.loss_history_[0]
