"""Compiled loops over pairs for BRE: dense ones by tiles as in `sne_pairs`, sparse ones by rows.

A pair at squared distance x in the embedding costs r x - q log(1 - e^-x) and attracts with weight
w = r + q - q / (1 - e^-x): r is the affinity of the pair, summed over its two orders, and q the sum
of one minus the affinity over the orders that count. Points are scaled so that γ = 1.
"""

import numpy as np
from numba import njit
from numba.cpython.unsafe.tuple import tuple_setitem

from repro.kernels.elementary import INNER, SUMS, exp_and_expm1, log_positive
from repro.kernels.sne_pairs import over_tiles, point
from repro.kernels.threads import in_ranges
from repro.kernels.tiles import from_tiles, to_tiles

# Squared distance at which coincident points count, so that the value stays finite.
TINY = 1e-300


@njit(**INNER)
def _value_and_weight(x, r, q):
    x = max(x, TINY)
    _, apart = exp_and_expm1(-x)
    return r * x - q * log_positive(-apart), r + q + q / apart


@njit(**INNER)
def _force_row(p, X, m, R, counts, zero, forces):
    """Return value and force of the point p against the m points of a tile; add their forces."""
    force = zero
    value = 0.0
    for j in range(m):
        u = p
        x = 0.0
        for k in range(len(p)):
            u = tuple_setitem(u, k, p[k] - X[k, j])
            x += u[k] * u[k]
        v, w = _value_and_weight(x, R[j], counts[j] - R[j])
        value += v
        for k in range(len(p)):
            force = tuple_setitem(force, k, force[k] + w * u[k])
            forces[k, j] -= w * u[k]
    return force, value


@njit(**SUMS)
def _forces(tile, X, n, R, counts, zero, forces):
    n_tiles, d, side = X.shape
    forces[tile:] = 0.0
    unused = np.zeros((d, side))
    total = 0.0
    first = tile * n_tiles - tile * (tile - 1) // 2
    for other in range(tile, n_tiles):
        m = min(side, n - other * side)
        columns = unused if other == tile else forces[other]
        block = first + other - tile
        value = 0.0
        for i in range(min(side, n - tile * side)):
            force, v = _force_row(
                point(X[tile], i, zero), X[other], m, R[block, i], counts[block, i], zero, columns
            )
            value += v
            for k in range(d):
                forces[tile, k, i] += force[k]
        total += 0.5 * value if other == tile else value
    return total


def dense_forces(X, R, counts):
    """Compute value and force, Σ_j w_ij (x_i - x_j), (n, d), over all pairs of X, or most of them.

    R and ``counts`` are packed symmetric matrices, see `repro.kernels.tiles.pack`: the affinity of
    each pair, summed over the orders that count, and as int8 their number, 0, 1 or 2.
    """
    (n, d), tiles = X.shape, to_tiles(X)
    read = tiles, n, R, counts, (0.0,) * d
    value, forces = over_tiles(_forces, n, tiles.shape, *read)
    return value, from_tiles(forces, n)


@njit(**SUMS)
def _rows(start, stop, T, X, starts, columns, R, counts, zero, values, forces):
    for i in range(start, stop):
        p = point(T, i, zero)
        force = zero
        value = 0.0
        for k in range(starts[i], starts[i + 1]):
            u = p
            x = 0.0
            for c in range(len(p)):
                u = tuple_setitem(u, c, p[c] - X[c, columns[k]])
                x += u[c] * u[c]
            v, w = _value_and_weight(x, R[k], counts[k] - R[k])
            value += v
            for c in range(len(p)):
                force = tuple_setitem(force, c, force[c] + w * u[c])
        values[i] = value
        for c in range(len(zero)):
            forces[i, c] = force[c]


# Below this many pairs, waking a second thread takes longer than the loop.
SERIAL_PAIRS = 100_000


def sparse_forces(T, X, starts, columns, R, counts):
    """Compute value and force of each point T[i] against the points X[j] listed in row i.

    T and X are (n, d) float64 arrays; ``starts`` and ``columns`` are the index pointers and column
    indices of compressed sparse rows. For each stored pair, ``R`` is the affinity summed over the
    orders that count, and ``counts`` their number, 1 or 2, both float64. Return (n,), (n, d).
    """
    n, d = X.shape
    values, forces = np.empty(n), np.empty((n, d))
    T, X = np.ascontiguousarray(T.T), np.ascontiguousarray(X.T)
    read = T, X, starts, columns, R, counts, (0.0,) * d
    in_ranges(_rows, n, *read, values, forces, alone=len(columns) < SERIAL_PAIRS)
    return values, forces
