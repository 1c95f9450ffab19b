"""BRE's framework: counting all outcomes gives the losses of the three methods."""

import numpy as np
import pytest

import repro
from repro.bre.framework import (
    bernoulli_outcomes,
    divergence,
    gaussian_divergence,
    multinomial_outcomes,
    triangle_excess,
)


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_the_framework_comes_to_the_three_losses(k, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(k, 3)), rng.normal(size=(k, 2))
    P, Q = repro.gaussian_rows(X, 2.0), repro.embedding_similarities(Y)
    counted = divergence(multinomial_outcomes(P), multinomial_outcomes(Q))
    assert counted / k == pytest.approx(repro.sne_loss(Y, P)[0], rel=1e-10)
    R, S = repro.bernoulli_gaussian(X, 2.0), repro.embedding_affinities(Y, 1.3)
    counted = divergence(bernoulli_outcomes(R), bernoulli_outcomes(S))
    assert counted / 4 == pytest.approx(repro.bre_loss(Y, R, 1.3)[0], rel=1e-10)
    R, S = R + 0.1 * np.eye(k), S + 0.05 * np.eye(k)
    for direction, of_two in (("printed", (S, R)), ("lawrence", (R, S))):
        loss, _ = repro.twin_kernel_loss(Y, R, 1.3, 0.05, direction)
        assert gaussian_divergence(*of_two) == pytest.approx(loss, rel=1e-10)


def test_triangle_excess():
    D = np.abs(np.subtract.outer([0.0, 0.1, 0.2], [0.0, 0.1, 0.2]))
    assert triangle_excess(D) < 1e-15
    D[0, 2] = D[2, 0] = 1.0
    assert triangle_excess(D) == pytest.approx(0.8)
