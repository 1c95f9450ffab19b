"""Compiled loops over pairs for SNE and MRE, and code shared with the loops of KIE and BRE.

The n × n matrix of embedding distances is never stored. Points are cut into tiles; a pair of tiles
is visited once for both of its orders, with all its data in the first-level cache. Each tile row
adds into its own buffers, which are summed in a fixed order, so that the result has the same bits
with any number of threads.

`numba` compiles a version for each dimension of the embedding (the length of the tuple ``zero``),
in which the loops over dimensions are unrolled.
"""

import numpy as np
from numba import njit
from numba.cpython.unsafe.tuple import tuple_setitem

from repro.kernels.elementary import INNER, SUMS, exp_nonpositive
from repro.kernels.threads import in_pieces
from repro.kernels.tiles import empty, from_tiles, to_tiles

# Below this many points, waking a second thread takes longer than a sweep.
SERIAL_BELOW = 1000


@njit(**INNER)
def point(X, i, zero):
    """Return point i of a tile as a tuple, one entry per dimension."""
    p = zero
    for k in range(len(zero)):
        p = tuple_setitem(p, k, X[k, i])
    return p


@njit(**INNER)
def _sum_row(p, X, m, sums):
    """Return Σ_j e^{-|p - x_j|²}; also add each term to ``sums[j]``."""
    total = 0.0
    for j in range(m):
        d = 0.0
        for k in range(len(p)):
            u = p[k] - X[k, j]
            d += u * u
        e = exp_nonpositive(-d)
        total += e
        sums[j] += e
    return total


@njit(**INNER)
def _sum_row_within(p, i, X, m):
    """Return Σ_{j≠i} e^{-|p - x_j|²} within the tile of the point p = x_i itself.

    The point is left out, not subtracted: adding its 1 would round small sums away.
    """
    total = 0.0
    for j in range(m):
        d = 0.0
        for k in range(len(p)):
            u = p[k] - X[k, j]
            d += u * u
        e = exp_nonpositive(-d)
        total += e if j != i else 0.0
    return total


@njit(**SUMS)
def _sums(tile, X, n, zero, sums):
    n_tiles, _, side = X.shape
    sums[tile:] = 0.0
    for i in range(min(side, n - tile * side)):
        p = point(X[tile], i, zero)
        sums[tile, i] += _sum_row_within(p, i, X[tile], min(side, n - tile * side))
    for other in range(tile + 1, n_tiles):
        m = min(side, n - other * side)
        for i in range(side):
            sums[tile, i] += _sum_row(point(X[tile], i, zero), X[other], m, sums[other])


@njit(**INNER)
def _force_row(p, r_p, X, m, A, r, zero, forces):
    """Return Σ_j w_j (p - x_j), w_j = A_j - e^{-|p - x_j|²} (r_p + r_j), and Σ_j A_j |p - x_j|²."""
    force = zero
    value = 0.0
    for j in range(m):
        u = p
        d = 0.0
        for k in range(len(p)):
            u = tuple_setitem(u, k, p[k] - X[k, j])
            d += u[k] * u[k]
        w = A[j] - exp_nonpositive(-d) * (r_p + r[j])
        value += A[j] * d
        for k in range(len(p)):
            force = tuple_setitem(force, k, force[k] + w * u[k])
            forces[k, j] -= w * u[k]
    return force, value


@njit(**SUMS)
def _forces(tile, X, n, A, r, zero, forces):
    n_tiles, d, side = X.shape
    forces[tile:] = 0.0
    unused = np.zeros((d, side))
    total = 0.0
    first = tile * n_tiles - tile * (tile - 1) // 2
    for other in range(tile, n_tiles):
        m = min(side, n - other * side)
        columns = unused if other == tile else forces[other]
        block = A[first + other - tile]
        value = 0.0
        for i in range(min(side, n - tile * side)):
            force, v = _force_row(
                point(X[tile], i, zero), r[tile, i], X[other], m, block[i], r[other], zero, columns
            )
            value += v
            for k in range(d):
                forces[tile, k, i] += force[k]
        total += 0.5 * value if other == tile else value
    return total


def over_tiles(sweep, n, shape, *arguments):
    """Call ``sweep(tile, *arguments, part)`` for each row of tiles of n points, several at once.

    Return the sum of the values, if there are any, and that of the parts. A part is an array of
    ``shape``, one row per tile, to which a row of tiles adds its contributions.
    """
    n_tiles = shape[0]
    if n_tiles == 1:
        part = np.empty(shape)
        return sweep(0, *arguments, part), part
    parts, values, total = empty((n_tiles, *shape)), [None] * n_tiles, empty(shape)

    def work(tile):
        values[tile] = sweep(tile, *arguments, parts[tile])

    in_pieces(work, n_tiles, alone=n < SERIAL_BELOW)
    total[:] = 0.0
    for tile, part in enumerate(parts):
        total[tile:] += part[tile:]  # in a fixed order
    return None if values[0] is None else float(np.sum(values)), total


def kernel_sums(tiles, n):
    """Compute Σ_{j≠i} e^{-|x_i - x_j|²} for each of n points, given as `to_tiles` cuts them."""
    n_tiles, d, side = tiles.shape
    _, sums = over_tiles(_sums, n, (n_tiles, side), tiles, n, (0.0,) * d)
    return sums.ravel()[:n]


def kernel_forces(tiles, n, A, r):
    """Compute value and force of the attraction A against the repulsion of a Gaussian kernel.

    The value is Σ_{i<j} A_ij |x_i - x_j|², and the force, (n, d), is
    Σ_j (A_ij - e^{-|x_i - x_j|²} (r_i + r_j)) (x_i - x_j). The n points are cut by `to_tiles`, r is
    (n,), float64; A is a packed symmetric matrix, see `repro.kernels.tiles.pack`.
    """
    r_tiles = to_tiles(r[:, None])[:, 0]
    read = tiles, n, A, r_tiles, (0.0,) * tiles.shape[1]
    value, forces = over_tiles(_forces, n, tiles.shape, *read)
    return value, from_tiles(forces, n)
