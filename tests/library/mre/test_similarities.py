import numpy as np
import pytest
from hypothesis import given, strategies as st
from reference import similarities
from scipy.special import entr

from repro import (
    class_blocks,
    embedding_similarities,
    gaussian_rows,
    perplexity_rows,
    squared_distances,
)

Y = np.random.default_rng(0).normal(size=(40, 5))


@pytest.mark.parametrize("include_self", [True, False])
def test_similarities_are_eqs_1_and_2(include_self):
    P = gaussian_rows(Y, 2.5, include_self=include_self)
    np.testing.assert_allclose(P, similarities(Y, 2.5, include_self), rtol=1e-12)
    each = np.where(np.arange(40) == 17, 2.5, 9.0)  # a bandwidth per row
    of_distances = gaussian_rows(D2=squared_distances(Y), sigma2=each, include_self=include_self)
    np.testing.assert_allclose(of_distances[17], P[17])
    Q = embedding_similarities(Y, include_self)  # Eq. (2)
    np.testing.assert_allclose(Q, similarities(Y, 1.0, include_self), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:a bandwidth of")
@given(st.floats(1e-12, 1e12), st.booleans())
def test_rows_are_probabilities_at_every_bandwidth(sigma2, include_self):
    P = gaussian_rows(Y, sigma2, include_self=include_self)
    assert np.isfinite(P).all()
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert include_self or not P.diagonal().any()


@pytest.mark.parametrize("perplexity", [1, 1.5, 5, 38.9, 39])
@pytest.mark.parametrize("scale", [1e-120, 1, 1e120])
def test_perplexity_rows_have_the_entropy_asked(perplexity, scale):
    P = perplexity_rows(scale * Y, perplexity)
    np.testing.assert_allclose(entr(P).sum(axis=1), np.log(perplexity), atol=1e-5)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    nearest = squared_distances(Y) + np.diag(np.full(len(Y), np.inf))
    np.testing.assert_array_equal(P.argmax(axis=1), nearest.argmin(axis=1))


def test_a_bandwidth_with_which_all_quotients_overflow_is_refused():
    with pytest.raises(ValueError, match="sigma2 is too small"), pytest.warns(RuntimeWarning):
        gaussian_rows(Y, 1e-310)


def test_of_two_points_each_is_the_neighbour_of_the_other():
    two = Y[:2]
    for P in (gaussian_rows(two), perplexity_rows(two, 1), embedding_similarities(two)):
        np.testing.assert_array_equal(P, [[0, 1], [1, 0]])


def test_class_blocks_are_the_papers():
    P = class_blocks(np.repeat(["a", "b", "c"], 30))
    np.testing.assert_allclose(P, np.kron(np.eye(3), np.full((30, 30), 1 / 30)))
    without = class_blocks(np.repeat([0, 1], [3, 2]), include_self=False)
    assert not without.diagonal().any()
    np.testing.assert_allclose(without[0], [0, 0.5, 0.5, 0, 0])
