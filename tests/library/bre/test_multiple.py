"""BRE with several relations: loss, gradients, index sets, bad input, planted factors."""

import numpy as np
import pytest
from reference import check_gradients
from scipy import sparse

from repro import AffinityRelation, MultipleBRE, bernoulli_gaussian, bre_loss, multiple_bre_loss
from repro.measures.axes import abs_spearman, axis_shares


def test_it_is_the_sum_of_the_losses_of_each():
    rng = np.random.default_rng(0)
    Y, M = rng.normal(size=(20, 3)), rng.normal(size=(4, 3))
    index = rng.permutation(20)[:8]
    relations = [
        AffinityRelation(rng.random((20, 20)), name="all"),
        AffinityRelation(rng.random((8, 8)), index=index, weight=2.0),
        AffinityRelation(sparse.csr_array(np.triu(rng.random((20, 20)), 1)), name="sparse"),
        AffinityRelation(rng.random((20, 20)), metric="identity"),
    ]
    E, _, dM = multiple_bre_loss(Y, M, relations, 1.3)
    expected = (
        bre_loss(Y * M[0], relations[0].P, 1.3)[0] / (20 * 19)
        + 2 * bre_loss(Y[index] * M[1], relations[1].P, 1.3)[0] / (8 * 7)
        + bre_loss(Y * M[2], relations[2].P, 1.3)[0] / (20 * 19 / 2)
        + bre_loss(Y, relations[3].P, 1.3)[0] / (20 * 19)
    )
    assert pytest.approx(expected, rel=1e-12) == E
    assert not dM[3].any()
    check_gradients(lambda y, m: multiple_bre_loss(y, m, relations, 1.3), Y, M)


def test_two_factors_get_a_dimension_each():
    factors = np.random.default_rng(0).normal(size=(80, 2))
    relations = [AffinityRelation(bernoulli_gaussian(v[:, None], 1.0)) for v in factors.T]
    model = MultipleBRE(2, random_state=0).fit(relations)
    share = np.array([axis_shares(m, model.embedding_) for m in model.metrics_])
    dims = share.argmax(axis=1)
    assert sorted(dims) == [0, 1]
    assert share.max(axis=1).min() > 0.9
    assert abs_spearman(factors, model.embedding_)[:, dims].diagonal().min() > 0.95
    assert model.loss_ < 0.1 * model.loss_history_[0]
