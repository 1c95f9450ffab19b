import numpy as np
import pytest
from scipy.stats import spearmanr
from turning import LABELS, curves

from repro.measures import abs_spearman, axis_shares, discriminant, matched_spearman, spearman


def eta_along(X, direction, labels):
    z = X @ direction
    means = np.array([z[labels == c].mean() for c in labels])
    return np.sum((means - z.mean()) ** 2) / np.sum((z - z.mean()) ** 2)


def test_a_direction_of_class_alone_and_none():
    found = discriminant(curves(1.0), LABELS)
    assert found.eta_squared == pytest.approx(1.0)
    np.testing.assert_allclose(np.abs(found.direction), [0, 0, 1], atol=1e-10)
    assert discriminant(curves(1.0)[:, :2], LABELS).eta_squared < 1e-20


def test_it_is_the_largest_over_all_directions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) + np.array([1.0, 0.3, 0.0]) * LABELS[:, None]
    found = discriminant(X, LABELS)
    assert eta_along(X, found.direction, LABELS) == pytest.approx(found.eta_squared)
    tried = [eta_along(X, rng.normal(size=3), LABELS) for _ in range(2000)]
    assert max(tried) <= found.eta_squared
    assert max(tried) > 0.98 * found.eta_squared


def test_shares_weigh_the_metric_with_the_spread():
    X = np.array([[0.0, 0.0], [2.0, 20.0]])
    np.testing.assert_allclose(axis_shares([1.0, -0.1], X), [0.5, 0.5])
    np.testing.assert_allclose(axis_shares([[1.0, 0.0], [0.0, 3.0]], X), np.eye(2))


def test_rank_correlations_are_spearmans():
    rng = np.random.default_rng(0)
    A, B = rng.integers(0, 9, size=(40, 2)), rng.normal(size=(40, 3))
    found = abs_spearman(A, B)
    for i, j in np.ndindex(2, 3):
        rho = spearmanr(A[:, i], B[:, j])[0]
        assert found[i, j] == pytest.approx(abs(rho))
        assert spearman(A[:, i], B[:, j]) == pytest.approx(rho)
    assert spearman(A[:, 0], np.ones(40)) == 0


@pytest.mark.parametrize("constant", [1.0, 98765.4, 1e9])
def test_a_constant_column_is_no_direction(constant):
    rng = np.random.default_rng(7)
    X, labels = rng.normal(size=(80, 2)), np.arange(80) % 2
    wide = np.column_stack([X, np.full(80, constant)])
    (eta, along), (expected, direction) = discriminant(wide, labels), discriminant(X, labels)
    assert eta == pytest.approx(expected)
    np.testing.assert_allclose(along, [*direction, 0], atol=1e-12)
    with pytest.raises(ValueError, match="r must not be zero"):
        axis_shares([0, 0, 1], wide)


def test_axes_are_matched_to_factors_whatever_their_order_and_sign():
    rng = np.random.default_rng(0)
    factors = rng.normal(size=(200, 3))
    X = np.exp(factors[:, [2, 0, 1]]) * [1, -1, 2]
    np.testing.assert_allclose(matched_spearman(X, factors), 1.0)
    noisy = factors + [0.0, 1.0, 0.0] * rng.normal(size=(200, 3))
    rho = matched_spearman(noisy[:, [1, 2, 0]], factors)
    assert rho[1] == abs_spearman(noisy[:, [1]], factors[:, [1]])[0, 0] < rho[0] == rho[2] == 1.0
    assert matched_spearman(rng.permutation(X), factors).max() < 0.4
