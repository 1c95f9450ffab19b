"""The compiled inner loops over pairs of latent points.

The n × n matrix of latent distances is never stored. Points are cut into tiles;
a pair of tiles is visited once for both of its orders, with everything it needs in the first-level
cache. Each tile row adds into buffers of its own, and these are summed in a fixed order: the result
has the same bits whatever the number of threads.

`numba` compiles a version for each latent dimension (the length of the tuple ``zero``), in which
the loops over dimensions are unrolled, and keeps it on disk.
"""

import numpy as np
from llvmlite import ir
from numba import njit, prange, types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic

from repro.tiles import empty, from_tiles, to_tiles

# Loops over more dimensions than this are not worth unrolling: compiling would take minutes.
MOST_DIMENSIONS = 16
# Below this many points a sweep takes less time than waking a second thread.
SERIAL_BELOW = 1000

# Sums may be reordered (so that they vectorise) and multiply-adds contracted.
SUMS = {"fastmath": {"contract", "reassoc", "nsz"}, "error_model": "numpy", "cache": True}
# What the sweeps call becomes part of them. Left as functions, they would be compiled both alone
# and within their callers, with sums in another order, and which one runs would depend on what
# the cache on disk holds: the last bits would differ between a first and a second run.
INNER = {**SUMS, "cache": False, "forceinline": True}
# The exponential must not be reassociated: (x + MAGIC) - MAGIC is its rounding.
EXACT = {**INNER, "fastmath": {"contract"}}

# Beside the 1 of the point itself, e^-300 is nothing, but times a data kernel of 1e-150 it is still
# a normal number: denormal ones would make the loops ten times slower.
NEGLIGIBLE = -300.0

LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
MAGIC = 6755399441055744.0  # 1.5 · 2^52: adding it leaves the nearest integer in the low bits
# (e^r - 1 - r) / r^2 on |r| <= ln(2)/2, interpolated at ten Chebyshev nodes; relative error 1e-16.
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11 = (
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666662413,
    0.008333333333330062,
    0.0013888888917213717,
    0.00019841269863053618,
    2.4801521295954376e-05,
    2.7557268459997064e-06,
    2.7620088445409746e-07,
    2.510038549551032e-08,
)


def _bitcast(source, target, llvm_type):
    """Make an intrinsic that reinterprets the bits of a ``source`` as a ``target``."""

    @intrinsic
    def cast(typingctx, x):
        def codegen(context, builder, signature, args):
            return builder.bitcast(args[0], llvm_type)

        return target(source), codegen

    return cast


_bits_of = _bitcast(types.float64, types.int64, ir.IntType(64))
_float_of = _bitcast(types.int64, types.float64, ir.DoubleType())


@njit(**EXACT)
def exp_nonpositive(x):
    """Exponential of x <= 0 without a branch, so that loops over it vectorise.

    Relative error at most 4e-16 for x >= -708; smaller arguments give e^-708 = 3e-308.
    """
    x = max(x, -708.0)
    shifted = x * LOG2_E + MAGIC
    k = shifted - MAGIC
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    p = C11
    p = p * r + C10
    p = p * r + C9
    p = p * r + C8
    p = p * r + C7
    p = p * r + C6
    p = p * r + C5
    p = p * r + C4
    p = p * r + C3
    p = p * r + C2
    p = p * r * r + r + 1.0
    return _float_of(_bits_of(p) + (_bits_of(shifted) << 52))


@njit(**INNER)
def _point(X, i, zero):
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


@njit(**INNER)
def _sum_tile_row(tile, X, n, zero, sums):
    n_tiles, _, side = X.shape
    sums[tile:] = 0.0
    for i in range(min(side, n - tile * side)):
        p = _point(X[tile], i, zero)
        sums[tile, i] += _sum_row_within(p, i, X[tile], min(side, n - tile * side))
    for other in range(tile + 1, n_tiles):
        m = min(side, n - other * side)
        for i in range(side):
            sums[tile, i] += _sum_row(_point(X[tile], i, zero), X[other], m, sums[other])


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


@njit(**INNER)
def _force_tile_row(tile, X, n, A, r, zero, forces):
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
                _point(X[tile], i, zero), r[tile, i], X[other], m, block[i], r[other], columns
            )
            value += v
            for k in range(d):
                forces[tile, k, i] += force[k]
        total += 0.5 * value if other == tile else value
    return total


# Tile row t has n_tiles - t tiles; rows t and n_tiles - 1 - t together always have n_tiles + 1,
# so the parallel sweeps visit them as one piece of work.


@njit(**SUMS)
def _sums_serial(X, n, zero, sums):
    for tile in range(len(X)):
        _sum_tile_row(tile, X, n, zero, sums[tile])


@njit(parallel=True, **SUMS)
def _sums_parallel(X, n, zero, sums):
    n_tiles = len(X)
    for piece in prange((n_tiles + 1) // 2):
        a = np.int64(piece)
        b = n_tiles - 1 - a
        _sum_tile_row(a, X, n, zero, sums[a])
        if b != a:
            _sum_tile_row(b, X, n, zero, sums[b])


@njit(**SUMS)
def _forces_serial(X, n, A, r, zero, forces, values):
    for tile in range(len(X)):
        values[tile] = _force_tile_row(tile, X, n, A, r, zero, forces[tile])


@njit(parallel=True, **SUMS)
def _forces_parallel(X, n, A, r, zero, forces, values):
    n_tiles = len(X)
    for piece in prange((n_tiles + 1) // 2):
        a = np.int64(piece)
        b = n_tiles - 1 - a
        values[a] = _force_tile_row(a, X, n, A, r, zero, forces[a])
        if b != a:
            values[b] = _force_tile_row(b, X, n, A, r, zero, forces[b])


@njit(**SUMS)
def _add_up(parts, total):
    """Sum the tile rows' buffers, always in the same order."""
    total[:] = 0.0
    for tile in range(len(parts)):
        for other in range(tile, len(parts)):
            total[other] += parts[tile, other]


def kernel_sums(X):
    """Σ_{j≠i} e^{-|x_i - x_j|²} for each row i.

    Parameters
    ----------
    X : (n, d) float64 array

    Returns
    -------
    sums : (n,) float64 array
    """
    n, d = X.shape
    tiles = to_tiles(X)
    parts = empty((len(tiles), len(tiles), tiles.shape[2]))
    sweep = _sums_serial if n < SERIAL_BELOW else _sums_parallel
    sweep(tiles, n, (0.0,) * d, parts)
    sums = empty(parts.shape[1:])
    _add_up(parts, sums)
    return sums.ravel()[:n]


def kernel_forces(X, A, r):
    """Value and force of the attraction A against the repulsion of a Gaussian kernel.

    Parameters
    ----------
    X : (n, d) float64 array
    A : packed symmetric (n, n) matrix, see `repro.tiles.pack`
    r : (n,) float64 array

    Returns
    -------
    value : float
        Σ_{i<j} A_ij |x_i - x_j|².
    force : (n, d) float64 array
        Σ_j (A_ij - e^{-|x_i - x_j|²} (r_i + r_j)) (x_i - x_j).
    """
    n, d = X.shape
    tiles = to_tiles(X)
    r_tiles = to_tiles(r[:, None])[:, 0]
    parts = empty((len(tiles), *tiles.shape))
    values = np.empty(len(tiles))
    sweep = _forces_serial if n < SERIAL_BELOW else _forces_parallel
    sweep(tiles, n, A, r_tiles, (0.0,) * d, parts, values)
    forces = empty(tiles.shape)
    _add_up(parts, forces)
    return float(values.sum()), from_tiles(forces, n)


# The information of a kernel embedding is a sum of entropies, each from a sum of kernel products:
# e, a e, b e and a b e, with e the latent kernel and a, b the kernels of one or two data spaces.
# The length of the tuple ``ones``, 2 or 4, says which: (e, a e) or all four.


@njit(**INNER)
def _products(ones, a, b):
    """(1, a), or (1, a, b, a b)."""
    w = tuple_setitem(ones, 1, a)
    if len(ones) == 4:
        w = tuple_setitem(w, 2, b)
        w = tuple_setitem(w, 3, a * b)
    return w


@njit(**INNER)
def _entropy_row(p, X, m, A, B, ones, sums):
    """Σ_j of each product with e^{-|p - x_j|²}, each term added to ``sums[:, j]`` as well."""
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


@njit(**INNER)
def _entropy_tile_row(tile, X, n, A, B, zero, ones, sums):
    n_tiles, _, side = X.shape
    sums[tile:] = 0.0
    unused = np.zeros((len(ones), side))
    first = tile * n_tiles - tile * (tile - 1) // 2
    for other in range(tile, n_tiles):
        m = min(side, n - other * side)
        columns = unused if other == tile else sums[other]
        a, b = A[first + other - tile], B[first + other - tile]
        for i in range(min(side, n - tile * side)):
            totals = _entropy_row(_point(X[tile], i, zero), X[other], m, a[i], b[i], ones, columns)
            for k in range(len(ones)):
                sums[tile, k, i] += totals[k]


@njit(**INNER)
def _slope_row(p, r_p, X, m, A, B, r, ones, forces):
    """Σ_j w_j (p - x_j) with w_j = Σ of the products times (r_p + r_j), each force added twice."""
    force = p
    for k in range(len(p)):
        force = tuple_setitem(force, k, 0.0)
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


@njit(**INNER)
def _slope_tile_row(tile, X, n, A, B, r, zero, ones, forces):
    n_tiles, d, side = X.shape
    forces[tile:] = 0.0
    unused = np.zeros((d, side))
    first = tile * n_tiles - tile * (tile - 1) // 2
    for other in range(tile, n_tiles):
        m = min(side, n - other * side)
        columns = unused if other == tile else forces[other]
        a, b = A[first + other - tile], B[first + other - tile]
        for i in range(min(side, n - tile * side)):
            p, r_p = _point(X[tile], i, zero), _point(r[tile], i, ones)
            force = _slope_row(p, r_p, X[other], m, a[i], b[i], r[other], ones, columns)
            for k in range(d):
                forces[tile, k, i] += force[k]


@njit(**SUMS)
def _entropies_serial(X, n, A, B, zero, ones, sums):
    for tile in range(len(X)):
        _entropy_tile_row(tile, X, n, A, B, zero, ones, sums[tile])


@njit(parallel=True, **SUMS)
def _entropies_parallel(X, n, A, B, zero, ones, sums):
    n_tiles = len(X)
    for piece in prange((n_tiles + 1) // 2):
        a = np.int64(piece)
        b = n_tiles - 1 - a
        _entropy_tile_row(a, X, n, A, B, zero, ones, sums[a])
        if b != a:
            _entropy_tile_row(b, X, n, A, B, zero, ones, sums[b])


@njit(**SUMS)
def _slopes_serial(X, n, A, B, r, zero, ones, forces):
    for tile in range(len(X)):
        _slope_tile_row(tile, X, n, A, B, r, zero, ones, forces[tile])


@njit(parallel=True, **SUMS)
def _slopes_parallel(X, n, A, B, r, zero, ones, forces):
    n_tiles = len(X)
    for piece in prange((n_tiles + 1) // 2):
        a = np.int64(piece)
        b = n_tiles - 1 - a
        _slope_tile_row(a, X, n, A, B, r, zero, ones, forces[a])
        if b != a:
            _slope_tile_row(b, X, n, A, B, r, zero, ones, forces[b])


def product_sums(X, matrices):
    """Σ_j of e^{-|x_i - x_j|²} times 1, A, and, where B is given, B and A B; j = i included.

    Parameters
    ----------
    X : (n, d) float64 array
    matrices : (A,) or (A, B)
        Packed symmetric (n, n) matrices, see `repro.tiles.pack`; no entry in (0, 1e-150).

    Returns
    -------
    sums : (2, n) or (4, n) float64 array
    """
    n, d = X.shape
    tiles, ones = to_tiles(X), (1.0,) * 2 ** len(matrices)
    parts = empty((len(tiles), len(tiles), len(ones), tiles.shape[2]))
    sweep = _entropies_serial if n < SERIAL_BELOW else _entropies_parallel
    sweep(tiles, n, matrices[0], matrices[-1], (0.0,) * d, ones, parts)
    sums = empty(parts.shape[1:])
    _add_up(parts, sums)
    return np.ascontiguousarray(from_tiles(sums, n).T)


def product_forces(X, matrices, r):
    """Σ_j w_ij (x_i - x_j), with w = Σ_k (r_ki + r_kj) of the k-th product of `product_sums`.

    Parameters
    ----------
    X : (n, d) float64 array
    matrices : (A,) or (A, B)
    r : (2, n) or (4, n) float64 array

    Returns
    -------
    force : (n, d) float64 array
    """
    n, d = X.shape
    tiles, ones = to_tiles(X), (1.0,) * 2 ** len(matrices)
    parts = empty((len(tiles), *tiles.shape))
    sweep = _slopes_serial if n < SERIAL_BELOW else _slopes_parallel
    sweep(tiles, n, matrices[0], matrices[-1], to_tiles(r.T), (0.0,) * d, ones, parts)
    forces = empty(tiles.shape)
    _add_up(parts, forces)
    return from_tiles(forces, n)
