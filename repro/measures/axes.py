"""Measures of the axes of an embedding: shares in a metric, correlations with factors."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata, spearmanr

from repro.core.blas import one_blas_thread
from repro.core.checks import (
    LARGEST,
    check_finite,
    check_points,
    check_size,
    check_values,
    classes_of,
)
from repro.core.distances import centred, is_constant


class Discriminant(NamedTuple):
    """The direction in which classes differ most, and their share of the scatter along it."""

    eta_squared: float
    direction: np.ndarray


@one_blas_thread()
def discriminant(X, labels):
    """Find the direction with the largest share of between-class scatter, η².

    η² is the largest eigenvalue of S_T⁻¹ S_B (between-class over total scatter): 0 if class means
    coincide, 1 if some direction has no scatter within classes. X is (n, d), labels (n,). Returns a
    `Discriminant`: ``eta_squared`` in [0, 1] and ``direction``, a (d,) unit vector in the units of
    X. Directions with less than 1e-10 of the widest one's scatter have no effect, so scale columns
    of very different units. If all points coincide, raise a ValueError.
    """
    X = check_points(X, "X", min_points=2)
    inverse = classes_of(labels, len(X))[1]
    counts = np.bincount(inverse)
    # Whiten the coordinates, in the directions that have scatter.
    U, s, Vt = np.linalg.svd(centred(X), full_matrices=False)
    if s[0] < 1 / LARGEST:  # the squares of the direction would overflow
        raise ValueError("X must contain at least two distinct points")
    kept = s > s[0] * 1e-10
    U = U[:, kept]
    means = np.zeros((len(counts), U.shape[1]))
    np.add.at(means, inverse, U)
    between = means / np.sqrt(counts)[:, None]
    _, values, directions = np.linalg.svd(between, full_matrices=False)
    direction = Vt[kept].T @ (directions[0] / s[kept])
    return Discriminant(float(min(values[0] ** 2, 1.0)), direction / np.linalg.norm(direction))


def axis_shares(r, X):
    """Compute the share of each dimension in a metric: |r_l| sd(x_l), divided by the sum over l.

    r is the diagonal of one R^c, (d,), or of all, (C, d), non-zero on some axis along which X has
    spread. X is the embedding, (n, d); its spread matters, since a small weight on a wide axis has
    a large effect. Returns shares of the shape of r; each row sums to 1.
    """
    X = check_points(X, "X", min_points=2)
    r = check_size(check_finite(r, "r").astype(float), "r")
    if r.shape[-1:] != (X.shape[1],) or r.ndim > 2:
        raise ValueError(
            f"r must have one entry per column of X, {X.shape[1]}, got shape {r.shape}"
        )
    spread = np.abs(r) * np.where(is_constant(X), 0.0, X.std(axis=0))
    total = spread.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        raise ValueError("r must not be zero on every axis along which X has spread")
    return spread / total


def abs_spearman(A, B):
    """Compute the absolute Spearman rank correlation of each column of A with each column of B.

    A is (n, p) and B (n, q). Return (p, q) float64; NaN where a column is constant.
    """
    A, B = check_points(A, "A", min_points=3), check_points(B, "B", min_points=3)
    if len(A) != len(B):
        raise ValueError(f"A and B must have the same number of rows, got {len(A)} and {len(B)}")
    A, B = (np.where(is_constant(M), 0.0, M) for M in (A, B))
    a, b = (ranks - ranks.mean(axis=0) for ranks in (rankdata(A, axis=0), rankdata(B, axis=0)))
    lengths = np.linalg.norm(a, axis=0)[:, None] * np.linalg.norm(b, axis=0)
    with np.errstate(invalid="ignore"):  # NaN means a constant column
        return np.minimum(np.abs(np.einsum("ip,iq->pq", a, b)) / lengths, 1.0)


def matched_spearman(X, factors):
    """Compute absolute rank correlations of axes with factors, one axis per factor.

    X and factors are (n, d). Return (d,) float64, one per factor, under the assignment with the
    largest sum; NaN where an axis or factor is constant.
    """
    X, factors = (check_points(M, name, 3) for M, name in ((X, "X"), (factors, "factors")))
    if X.shape != factors.shape:
        each = "one row per row and one column per column of X"
        raise ValueError(f"factors must have {each}, {X.shape}, got {factors.shape}")
    rho = abs_spearman(X, factors)
    axes, columns = linear_sum_assignment(-np.nan_to_num(rho))
    return rho[axes][np.argsort(columns)].diagonal()


def spearman(x, y):
    """Compute the Spearman rank correlation of two (n,) sequences; 0 if one is constant."""
    x, y = check_values(x, name="x"), check_values(y, name="y")
    if len(x) != len(y) or len(x) < 2:
        raise ValueError(f"x and y must have one length, at least 2, got {len(x)} and {len(y)}")
    if is_constant(x) or is_constant(y):
        return 0.0
    return float(spearmanr(x, y).statistic)
