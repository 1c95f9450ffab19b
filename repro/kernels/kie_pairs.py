"""Compiled sweeps of Kernel Information Embedding, analogous to `repro.kernels.sne_pairs`.

Its objectives are sums of entropies, each computed from a sum of kernel products: e, a e, b e and
a b e, with e the latent kernel and a, b the kernels of one or two data spaces. The length of the
tuple ``ones``, 2 or 4, selects the products: (e, a e) or all four.
"""

import numpy as np
from numba import njit
from numba.cpython.unsafe.tuple import tuple_setitem

from repro.kernels.elementary import INNER, SUMS, exp_nonpositive
from repro.kernels.sne_pairs import over_tiles, point
from repro.kernels.tiles import from_tiles, to_tiles

# e^-300 is negligible against the 1 of the point itself, but its product with a data kernel of
# 1e-150 is still a normal number: denormal numbers would make the loops ten times slower.
NEGLIGIBLE = -300.0


@njit(**INNER)
def _products(ones, a, b):
    """Return (1, a), or (1, a, b, a b)."""
    w = tuple_setitem(ones, 1, a)
    if len(ones) == 4:
        w = tuple_setitem(w, 2, b)
        w = tuple_setitem(w, 3, a * b)
    return w


@njit(**INNER)
def _entropy_row(p, X, m, A, B, ones, sums):
    """Return Σ_j of each product with e^{-|p - x_j|²}; also add each term to ``sums[:, j]``."""
    totals = ones
    for k in range(len(ones)):
        totals = tuple_setitem(totals, k, 0.0)
    for j in range(m):
        d = 0.0
        for k in range(len(p)):
            u = p[k] - X[k, j]
            d += u * u
        e = exp_nonpositive(max(-d, NEGLIGIBLE))
        w = _products(ones, A[j], B[j])
        for k in range(len(ones)):
            totals = tuple_setitem(totals, k, totals[k] + w[k] * e)
            sums[k, j] += w[k] * e
    return totals


@njit(**SUMS)
def _entropies(tile, X, n, A, B, zero, ones, sums):
    n_tiles, _, side = X.shape
    sums[tile:] = 0.0
    unused = np.zeros((len(ones), side))
    first = tile * n_tiles - tile * (tile - 1) // 2
    for other in range(tile, n_tiles):
        m = min(side, n - other * side)
        columns = unused if other == tile else sums[other]
        a, b = A[first + other - tile], B[first + other - tile]
        for i in range(min(side, n - tile * side)):
            totals = _entropy_row(point(X[tile], i, zero), X[other], m, a[i], b[i], ones, columns)
            for k in range(len(ones)):
                sums[tile, k, i] += totals[k]


@njit(**INNER)
def _slope_row(p, r_p, X, m, A, B, r, ones, zero, forces):
    """Return Σ_j w_j (p - x_j), w_j = Σ of products times (r_p + r_j); subtract from ``forces``."""
    force = zero
    for j in range(m):
        u = p
        d = 0.0
        for k in range(len(p)):
            u = tuple_setitem(u, k, p[k] - X[k, j])
            d += u[k] * u[k]
        a = _products(ones, A[j], B[j])
        w = 0.0
        for k in range(len(ones)):
            w += a[k] * (r_p[k] + r[k, j])
        w *= exp_nonpositive(max(-d, NEGLIGIBLE))
        for k in range(len(p)):
            force = tuple_setitem(force, k, force[k] + w * u[k])
            forces[k, j] -= w * u[k]
    return force


@njit(**SUMS)
def _slopes(tile, X, n, A, B, r, zero, ones, forces):
    n_tiles, d, side = X.shape
    forces[tile:] = 0.0
    unused = np.zeros((d, side))
    first = tile * n_tiles - tile * (tile - 1) // 2
    for other in range(tile, n_tiles):
        m = min(side, n - other * side)
        columns = unused if other == tile else forces[other]
        a, b = A[first + other - tile], B[first + other - tile]
        for i in range(min(side, n - tile * side)):
            p, r_p = point(X[tile], i, zero), point(r[tile], i, ones)
            force = _slope_row(p, r_p, X[other], m, a[i], b[i], r[other], ones, zero, columns)
            for k in range(d):
                forces[tile, k, i] += force[k]


def product_sums(tiles, n, matrices):
    """Compute Σ_j of e^{-|x_i - x_j|²} times 1, A and, given B, also B and A B, including j = i.

    The n points are cut by `to_tiles`. The matrices, (A,) or (A, B), are packed, see
    `repro.kernels.tiles.pack`, without entries in (0, 1e-150). The sums are (2, n) or (4, n).
    """
    (n_tiles, d, side), ones = tiles.shape, (1.0,) * 2 ** len(matrices)
    read = tiles, n, matrices[0], matrices[-1], (0.0,) * d, ones
    _, sums = over_tiles(_entropies, n, (n_tiles, len(ones), side), *read)
    return np.ascontiguousarray(from_tiles(sums, n).T)


def product_forces(tiles, n, matrices, r):
    """Compute Σ_j w_ij (x_i - x_j), w_ij = Σ_k (r_ki + r_kj) times product k of `product_sums`.

    r is (2, n) or (4, n), like those sums.
    """
    A, B, r_tiles = matrices[0], matrices[-1], to_tiles(r.T)
    read = tiles, n, A, B, r_tiles, (0.0,) * tiles.shape[1], (1.0,) * len(r)
    _, forces = over_tiles(_slopes, n, tiles.shape, *read)
    return from_tiles(forces, n)
