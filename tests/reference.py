"""Slow reference implementations of the formulas as printed in the papers."""

import numpy as np


def similarities(points, sigma2, include_self):
    """MRE Eq. (1), and Eq. (2) with σ² = 1: entry by entry."""
    n = len(points)
    P = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if include_self or i != j:
                P[i, j] = np.exp(-np.sum((points[i] - points[j]) ** 2) / sigma2)
        P[i] /= P[i].sum()
    return P


def divergence(P, Q):
    """Σ P log(P/Q), with 0 log 0 = 0."""
    return sum(p * np.log(p / q) for p, q in zip(P.flat, Q.flat, strict=True) if p > 0)


def mre(X, R, relations, include_self):
    """MRE Eqs. (3), (4), (7) with the weights λ^c."""
    E = 0.0
    for r, relation in zip(R, relations, strict=True):
        index = np.arange(len(relation.P)) if relation.index is None else relation.index
        Q = similarities(X[index] * r, 1.0, include_self)
        E += relation.weight * divergence(relation.P, Q) / len(index)
    return E


def entropy(*kernels):
    """KIE Eq. (6) for the product of kernels, entry by entry."""
    n = len(kernels[0])
    total = 0.0
    for i in range(n):
        total += np.log(sum(np.prod([K[i, j] for K in kernels]) for j in range(n)))
    return -total / n


def central_difference(f, x, direction):
    """Compute the slope of f at x along a direction by fourth-order central differences."""
    h = np.finfo(float).eps ** (1 / 3) * max(1.0, np.abs(x).max())
    near = f(x + h * direction) - f(x - h * direction)
    far = f(x + 2 * h * direction) - f(x - 2 * h * direction)
    return (8 * near - far) / (12 * h)


def check_gradients(f, *points):
    """Compare the gradients that f returns after its value with slopes along a direction."""
    rng = np.random.default_rng(0)
    for k, gradient in enumerate(f(*points)[1:]):
        direction = rng.normal(size=gradient.shape)
        slope = central_difference(
            lambda x, k=k: f(*points[:k], x, *points[k + 1 :])[0], points[k], direction
        )
        most = max(np.linalg.norm(gradient), 1e-4) * np.linalg.norm(direction)
        np.testing.assert_allclose(np.vdot(gradient, direction), slope, rtol=1e-6, atol=1e-6 * most)


def bre(Y, R, gamma, pairs=None):
    """BRE Eq. (2) with Eqs. (1) and (4), pair by ordered pair."""
    n, total = len(Y), 0.0
    for i in range(n):
        for j in range(n):
            if i != j and (pairs is None or pairs[i, j]):
                s, r = np.exp(-np.sum((Y[i] - Y[j]) ** 2) / gamma), R[i, j]
                total += r * np.log(r / s) if r > 0 else 0.0
                total += (1 - r) * np.log((1 - r) / (1 - s)) if r < 1 else 0.0
    return total / 4
