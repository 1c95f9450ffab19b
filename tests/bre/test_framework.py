"""BRE's framework: counting all outcomes gives the losses of the three methods."""

import numpy as np
import pytest

from repro import (
    bernoulli_gaussian,
    bre_loss,
    embedding_affinities,
    embedding_similarities,
    gaussian_rows,
    sne_loss,
    twin_kernel_loss,
)
from repro.bre.framework import (
    bernoulli_outcomes,
    divergence,
    gaussian_divergence,
    multinomial_outcomes,
    triangle_excess,
)


def points(k, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, 3)), rng.normal(size=(k, 2))


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_the_framework_comes_to_the_three_losses(k, seed):
    X, Y = points(k, seed)
    P, Q = gaussian_rows(X, 2.0), embedding_similarities(Y)
    counted = divergence(multinomial_outcomes(P), multinomial_outcomes(Q))
    assert counted / k == pytest.approx(sne_loss(Y, P)[0], rel=1e-10)
    R, S = bernoulli_gaussian(X, 2.0), embedding_affinities(Y, 1.3)
    counted = divergence(bernoulli_outcomes(R), bernoulli_outcomes(S))
    assert counted / 4 == pytest.approx(bre_loss(Y, R, 1.3)[0], rel=1e-10)
    R, S = R + 0.1 * np.eye(k), S + 0.05 * np.eye(k)
    printed, lawrence = (twin_kernel_loss(Y, R, 1.3, 0.05, d)[0] for d in ("printed", "lawrence"))
    assert gaussian_divergence(S, R) == pytest.approx(printed, rel=1e-10)
    assert gaussian_divergence(R, S) == pytest.approx(lawrence, rel=1e-10)


def test_outcomes_are_probabilities():
    X, _ = points(4)
    assert multinomial_outcomes(gaussian_rows(X)).sum() == pytest.approx(1)
    assert len(multinomial_outcomes(gaussian_rows(X))) == 3**4
    assert bernoulli_outcomes(bernoulli_gaussian(X)).sum() == pytest.approx(1)
    assert len(bernoulli_outcomes(bernoulli_gaussian(X))) == 2**12
    with pytest.raises(ValueError, match="too many to count"):
        bernoulli_outcomes(np.full((6, 6), 0.5))


def test_the_divergence_of_normal_distributions_is_an_integral():
    rng = np.random.default_rng(0)
    S, R = (np.cov(rng.normal(size=(3, 9))) for _ in range(2))
    draws = rng.multivariate_normal(np.zeros(3), S, 200_000)

    def log_density(x, C):
        return -0.5 * (np.linalg.slogdet(C)[1] + (x @ np.linalg.inv(C) * x).sum(axis=1))

    sampled = np.mean(log_density(draws, S) - log_density(draws, R))
    assert gaussian_divergence(S, R) == pytest.approx(sampled, rel=0.05)


# What the paper says about the affinities of Eqs. (5) and (6).

CHAIN = np.array([[0.0], [0.1], [0.2]])  # adjacent points are neighbours


def test_triangle_excess():
    D = np.abs(CHAIN - CHAIN.T)
    assert triangle_excess(D)[0] < 1e-15
    D[0, 2] = D[2, 0] = 1.0
    excess, worst = triangle_excess(D)
    assert excess == pytest.approx(0.8)
    assert worst in ((0, 1, 2), (2, 1, 0))
