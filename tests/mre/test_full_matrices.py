"""MRE with full matrices R^c, beside the diagonal ones."""

import numpy as np
import pytest
from reference import check_gradients

from repro.mre import MRE, Relation, class_blocks, gaussian_rows, mre_loss
from repro.mre.full_matrices import (
    diagonal_equivalent,
    fit_full_matrices,
    full_matrices_loss,
)

N, D = 12, 3


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def relations(rng):
    P = gaussian_rows(rng.normal(size=(N, 5)), 2.0, include_self=True)
    some = class_blocks(np.repeat([0, 1], 4))  # relates only some points
    return [Relation(P, weight=2.0), Relation(some, index=np.arange(8)[::-1])]


@pytest.mark.parametrize("scale", [0.1, 3.0])
def test_gradient_of_full_matrices(rng, relations, scale):
    X, R = scale * rng.normal(size=(N, D)), scale * rng.normal(size=(2, D, D))
    check_gradients(lambda x, r: full_matrices_loss(x, r, relations), X, R)


def test_diagonal_matrices_give_mre(rng, relations):
    X, r = rng.normal(size=(N, D)), rng.normal(size=(2, D))
    E, dX, dR = full_matrices_loss(X, np.array([np.diag(row) for row in r]), relations)
    known = mre_loss(X, r, relations)
    np.testing.assert_allclose(E, known[0], rtol=1e-12)
    np.testing.assert_allclose(dX, known[1], atol=1e-12)
    np.testing.assert_allclose(np.diagonal(dR, axis1=1, axis2=2), known[2], atol=1e-12)


def test_two_full_matrices_have_a_diagonal_equivalent(rng, relations):
    X, R = rng.normal(size=(N, D)), rng.normal(size=(2, D, D))
    R[1, :, 1:] = 0.0  # of rank one, like that of a class
    E = full_matrices_loss(X, R, relations)[0]
    other, r = diagonal_equivalent(X, R)
    assert mre_loss(other, r, relations)[0] == pytest.approx(E, rel=1e-9)
    np.testing.assert_allclose((r**2).sum(axis=0), 1.0)
    assert np.count_nonzero(r[1] > 1e-6) == 1


def test_a_fit_is_no_worse_than_a_diagonal_one(relations):
    full = fit_full_matrices(relations, D, n_init=5, max_iter=500, random_state=0)
    diagonal = MRE(D, n_init=5, max_iter=500, random_state=0).fit(relations)
    assert full_matrices_loss(full.X, full.R, relations)[0] == full.loss
    assert full.loss == pytest.approx(diagonal.loss_, rel=0.05)
