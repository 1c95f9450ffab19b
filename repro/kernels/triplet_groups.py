"""The compiled loops over groups of triplets: a point, its near items, its outliers.

Every near item of a point makes a triplet with every outlier of it, so that the distances of
m + r items serve m r triplets; and outliers, two by two, make triplets among themselves. Or each
near item has r outliers of its own, m + m r distances for m r triplets. The loss is that of t-ETE
with t = t' = 2, where log_t(1 + ℓ) = (1 + near) / (2 + near + far): one division, no power.

Points are cut into chunks that depend on their number alone, each with forces of its own, which
are summed in a fixed order: the result has the same bits whatever the number of threads.
"""

import numpy as np
from numba import njit
from numba.cpython.unsafe.tuple import tuple_setitem

from repro.kernels.elementary import INNER, SUMS
from repro.kernels.threads import in_pieces, in_ranges

# Few, for each has forces of all points; no more threads than these share a sweep.
CHUNKS = 8
SERIAL_BELOW = 500


@njit(**INNER)
def _distances(Y, i, items, zero, U, out):
    """Put y_i - y_k into U and 1 + |y_i - y_k|² into out."""
    for b in range(len(items)):
        k = np.uint32(items[b])
        total = 1.0
        for dim in range(len(zero)):
            u = Y[i, dim] - Y[k, dim]
            U[b, dim] = u
            total += u * u
        out[b] = total


@njit(**INNER)
def _pairs(near, far, W, pull, push):
    """Add the triplets of near items and outliers: value; slopes by near and by far."""
    value = 0.0
    for a in range(len(near)):
        x, force, part = near[a], 0.0, 0.0
        for b in range(len(far)):
            inverse = 1.0 / (x + far[b])
            w = W[a, b] * inverse
            part += w
            w *= inverse
            force += w * far[b]
            push[b] -= w * x
        pull[a] = force
        value += part * x
    return value


@njit(**INNER)
def _outlier_pairs(far, weight, push):
    """Add the triplets of outliers 0 and 1, 2 and 3, …, the nearer first."""
    value = 0.0
    for b in range(0, len(far) - 1, 2):
        x, y = far[b], far[b + 1]
        inverse = 1.0 / (x + y)
        w = weight * inverse
        value += w * x
        w *= inverse
        push[b] += w * y
        push[b + 1] -= w * x
    return value


@njit(**INNER)
def _own_pairs(near, far, W, pull, push):
    """Add the triplets of each near item with its own outliers; ``far`` has one of each in turn."""
    m, value = len(near), 0.0
    for row in range(len(far) // m):
        for a in range(m):
            b = row * m + a
            inverse = 1.0 / (near[a] + far[b])
            w = W[b] * inverse
            value += w * near[a]
            w *= inverse
            pull[a] += w * far[b]
            push[b] = -w * near[a]
    return value


@njit(**INNER)
def _scatter(U, slopes, items, i, zero, G):
    """Add 2 slope (y_i - y_k) to row i and with minus to row k."""
    force = zero
    for b in range(len(items)):
        k, s = np.uint32(items[b]), 2.0 * slopes[b]
        for dim in range(len(zero)):
            u = s * U[b, dim]
            force = tuple_setitem(force, dim, force[dim] + u)
            G[k, dim] -= u
    for dim in range(len(zero)):
        G[i, dim] += force[dim]


@njit(**SUMS)
def _chunk(Y, near, far, W, weight, start, stop, zero, G):
    """Value of the groups start, …, stop - 1; their forces are put into G."""
    m, r, d = near.shape[1], far.shape[1], len(zero)
    U, V = np.empty((m, d)), np.empty((r, d))
    a, b, pull, push = np.empty(m), np.empty(r), np.empty(m), np.empty(r)
    G[:] = 0.0
    total = 0.0
    for i in range(start, stop):
        _distances(Y, i, near[i], zero, U, a)
        _distances(Y, i, far[i], zero, V, b)
        push[:] = 0.0
        total += _pairs(a, b, W[i], pull, push)
        if weight > 0.0:
            total += _outlier_pairs(b, weight, push)
        _scatter(U, pull, near[i], i, zero, G)
        _scatter(V, push, far[i], i, zero, G)
    return total


@njit(**SUMS)
def _own_chunk(Y, near, far, W, which, start, stop, zero, G):
    """`_chunk` where each near item has outliers of its own."""
    m, r, d = near.shape[1], far.shape[1], len(zero)
    U, V = np.empty((m, d)), np.empty((r, d))
    a, b, pull, push = np.empty(m), np.empty(r), np.empty(m), np.empty(r)
    G[:] = 0.0
    total = 0.0
    for i in range(start, stop):
        _distances(Y, i, near[i], zero, U, a)
        _distances(Y, i, far[i], zero, V, b)
        pull[:] = 0.0
        total += _own_pairs(a, b, W[which[i]], pull, push)
        _scatter(U, pull, near[i], i, zero, G)
        _scatter(V, push, far[i], i, zero, G)
    return total


@njit(**SUMS)
def _total(start, stop, parts, G):
    for i in range(start, stop):
        for dim in range(G.shape[1]):
            total = 0.0
            for c in range(parts.shape[0]):
                total += parts[c, i, dim]
            G[i, dim] = total


def group_sums(Y, near, far, W, weight, parts):
    """Sum the loss over groups.

    Parameters
    ----------
    Y : (n, d) float64 array, C-contiguous
    near : (n, m) int32 array
    far : (n, r) int32 array
    W : (n, m, r) float32 array
        Weight of each triplet (i, near, far).
    weight : float
        That of each triplet of two outliers.
    parts : (CHUNKS, n, d) float64 array
        Room for the forces.

    Returns
    -------
    value : float
    gradient : (n, d) float64 array
    """
    return _sums(_chunk, Y, near, far, W, weight, parts)


def own_sums(Y, near, far, W, which, parts):
    """Sum the loss over triplets as `group_sums`, where each near item has outliers of its own.

    ``far``, (n, r m), holds an outlier of each near item, then another of each, and so on; W,
    (u, r m), rows of weights; ``which``, (n,), the row of each point.
    """
    return _sums(_own_chunk, Y, near, far, W, which, parts)


def _sums(chunk, Y, near, far, W, of_rows, parts):
    values, gradient = np.empty(len(parts)), np.empty_like(Y)
    n, n_chunks, zero = len(Y), len(parts), (0.0,) * Y.shape[1]

    def work(c):
        start, stop = c * n // n_chunks, (c + 1) * n // n_chunks
        values[c] = chunk(Y, near, far, W, of_rows, start, stop, zero, parts[c])

    in_pieces(work, n_chunks, n < SERIAL_BELOW)
    in_ranges(lambda start, stop: _total(start, stop, parts, gradient), n, n < SERIAL_BELOW)
    return float(values.sum()), gradient
