"""The compiled loops over pairs of SNE and MRE, and what those of KIE and BRE share with them.

The n × n matrix of latent distances is never stored. Points are cut into tiles; a pair of tiles is
visited once for both of its orders, with everything it needs in the first-level cache. Each tile
row adds into buffers of its own, and these are summed in a fixed order: the result has the same
bits whatever the number of threads.

`numba` compiles a version for each latent dimension (the length of the tuple ``zero``), in which
the loops over dimensions are unrolled.
"""

import numpy as np
from numba import njit
from numba.cpython.unsafe.tuple import tuple_setitem

from repro.kernels.elementary import INNER, SUMS, exp_nonpositive
from repro.kernels.threads import in_pieces
from repro.kernels.tiles import empty, from_tiles, to_tiles

# Below this many points a sweep takes less time than waking a second thread.
SERIAL_BELOW = 1000


@njit(**INNER)
def point(X, i, zero):
    """Row i of a tile as a tuple, one entry per dimension."""
    p = zero
    for k in range(len(zero)):
        p = tuple_setitem(p, k, X[k, i])
    return p


@njit(**INNER)
def _sum_row(p, X, m, sums):
    """Σ_j e^{-|p - x_j|²}, each term added to ``sums[j]`` as well."""
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
    """Σ_{j≠i} e^{-|p - x_j|²} in the tile of the point p = x_i itself.

    The point is left out rather than subtracted: beside its 1, small sums would be rounded away.
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
def _force_row(p, r_p, X, m, A, r, forces):
    """Σ_j w_j (p - x_j) with w_j = A_j - e^{-|p - x_j|²} (r_p + r_j), and Σ_j A_j |p - x_j|²."""
    force = p
    for k in range(len(p)):
        force = tuple_setitem(force, k, 0.0)
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
                point(X[tile], i, zero), r[tile, i], X[other], m, block[i], r[other], columns
            )
            value += v
            for k in range(d):
                forces[tile, k, i] += force[k]
        total += 0.5 * value if other == tile else value
    return total


@njit(**SUMS)
def add_up(parts, total):
    """Sum the tile rows' buffers, always in the same order."""
    total[:] = 0.0
    for tile in range(len(parts)):
        for other in range(tile, len(parts)):
            total[other] += parts[tile, other]


def over_tiles(loop, n, shape):
    """Call loop(tile, part) for each row of tiles of n points, several at once.

    Return the values and the sum of the parts: arrays of a shape, one row per tile, into which a
    row of tiles adds what it has for each.
    """
    parts, values, total = empty((shape[0], *shape)), [None] * shape[0], empty(shape)

    def work(tile):
        values[tile] = loop(tile, parts[tile])

    in_pieces(work, len(parts), n < SERIAL_BELOW)
    add_up(parts, total)
    return values, total


def kernel_sums(X):
    """Σ_{j≠i} e^{-|x_i - x_j|²} for each row i."""
    (n, d), tiles = X.shape, to_tiles(X)

    def loop(tile, part):
        _sums(tile, tiles, n, (0.0,) * d, part)

    _, sums = over_tiles(loop, n, (len(tiles), tiles.shape[2]))
    return sums.ravel()[:n]


def kernel_forces(X, A, r):
    """Value and force of the attraction A against the repulsion of a Gaussian kernel.

    X is (n, d) and r (n,), float64; A is a packed symmetric matrix, see `repro.kernels.tiles.pack`.

    Returns
    -------
    value : float
        Σ_{i<j} A_ij |x_i - x_j|².
    force : (n, d) float64 array
        Σ_j (A_ij - e^{-|x_i - x_j|²} (r_i + r_j)) (x_i - x_j).
    """
    (n, d), tiles, r_tiles = X.shape, to_tiles(X), to_tiles(r[:, None])[:, 0]

    def loop(tile, part):
        return _forces(tile, tiles, n, A, r_tiles, (0.0,) * d, part)

    values, forces = over_tiles(loop, n, tiles.shape)
    return float(np.sum(values)), from_tiles(forces, n)
