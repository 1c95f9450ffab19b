"""The compiled loops over groups of triplets: a point, its near items, its outliers.

Every near item of a point makes a triplet with every outlier of it, so that the distances of
m + r items serve m r triplets; and outliers, two by two, make triplets among themselves. Or each
near item has r outliers of its own, m + m r distances for m r triplets. The loss is that of t-ETE
with t = 2, where log_t(1 + ℓ) = a / (a + b) with a = 1 / κ(near) and b = 1 / κ(far): a triplet
costs one division, and a distance a power, or with t' = 2 none.

Points are cut into chunks that depend on their number alone, each with forces of its own, which
are summed in a fixed order: the result has the same bits whatever the number of threads.
"""

import numpy as np
from numba import njit

from repro.kernels.elementary import INNER, SUMS, exp_nonpositive, log_positive
from repro.kernels.points import load, minus, origin, plus, squared_norm, store, times
from repro.kernels.threads import in_pieces, in_ranges

# Few, for each has forces of all points; no more threads than these share a sweep.
CHUNKS = 8
SERIAL_BELOW = 500
# The forces of fewer points are summed in less time than it takes to wake a second thread.
SUMMED_ALONE_BELOW = 20_000


@njit(**INNER)
def _distances(y, Y, items, zero, c, out):
    """Put 1 + c |y - y_k|² into out."""
    for b in range(len(items)):
        out[b] = 1.0 + c * squared_norm(minus(y, load(Y, np.uint32(items[b]), zero)))


@njit(**INNER)
def _inverse_kernel(c, out, slopes):
    """Turn 1 + c x into 1/κ(x) = (1 + c x)^(1/c), whose slopes are put into ``slopes``."""
    for b in range(len(out)):
        inverse = 1.0 / exp_nonpositive(-log_positive(out[b]) / c)
        slopes[b] = inverse / out[b]
        out[b] = inverse


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
    """Add the triplets of each near item with an outlier of its own."""
    value = 0.0
    for a in range(len(near)):
        inverse = 1.0 / (near[a] + far[a])
        w = W[a] * inverse
        value += w * near[a]
        w *= inverse
        pull[a] += w * far[a]
        push[a] = -w * near[a]
    return value


@njit(**INNER)
def _scatter(y, Y, slopes, items, force, zero, G):
    """Add 2 slope (y - y_k) to ``force``, which is returned, and with minus to row k."""
    for b in range(len(items)):
        k = np.uint32(items[b])
        part = times(2.0 * slopes[b], minus(y, load(Y, k, zero)))
        force = plus(force, part)
        store(G, k, minus(load(G, k, zero), part))
    return force


@njit(**SUMS)
def _chunk(Y, near, far, W, options, start, stop, zero, G):
    """Value of the groups start, …, stop - 1; their forces are put into G."""
    (weight, c), m, r = options, near.shape[1], far.shape[1]
    a, b, pull, push = np.empty(m), np.empty(r), np.empty(m), np.empty(r)
    by_near, by_far = np.ones(m), np.ones(r)
    G[:] = 0.0
    total = 0.0
    for i in range(start, stop):
        y = load(Y, i, zero)
        _distances(y, Y, near[i], zero, c, a)
        _distances(y, Y, far[i], zero, c, b)
        if c != 1.0:
            _inverse_kernel(c, a, by_near)
            _inverse_kernel(c, b, by_far)
        push[:] = 0.0
        total += _pairs(a, b, W[i], pull, push)
        if weight > 0.0:
            total += _outlier_pairs(b, weight, push)
        pull *= by_near
        push *= by_far
        force = _scatter(y, Y, pull, near[i], origin(zero), zero, G)
        force = _scatter(y, Y, push, far[i], force, zero, G)
        store(G, i, plus(load(G, i, zero), force))
    return total


@njit(**SUMS)
def _own_chunk(Y, near, far, W, which, start, stop, zero, G):
    """`_chunk` where each near item has outliers of its own; ``far`` has one of each in turn."""
    m, r = near.shape[1], far.shape[1]
    a, b, pull, push = np.empty(m), np.empty(r), np.empty(m), np.empty(r)
    G[:] = 0.0
    total = 0.0
    for i in range(start, stop):
        y, weights = load(Y, i, zero), W[which[i]]
        _distances(y, Y, near[i], zero, 1.0, a)
        _distances(y, Y, far[i], zero, 1.0, b)
        pull[:] = 0.0
        for first in range(0, r, m):
            turn = slice(first, first + m)
            total += _own_pairs(a, b[turn], weights[turn], pull, push[turn])
        force = _scatter(y, Y, pull, near[i], origin(zero), zero, G)
        force = _scatter(y, Y, push, far[i], force, zero, G)
        store(G, i, plus(load(G, i, zero), force))
    return total


@njit(**SUMS)
def _total(start, stop, parts, G):
    for i in range(start, stop):
        for dim in range(G.shape[1]):
            total = 0.0
            for c in range(parts.shape[0]):
                total += parts[c, i, dim]
            G[i, dim] = total


def group_sums(Y, near, far, W, weight, c, parts):
    """Sum the loss with t = 2 and c = t' - 1 over groups.

    Parameters
    ----------
    Y : (n, d) float64 array, C-contiguous
    near : (n, m) int32 array
    far : (n, r) int32 array
    W : (n, m, r) float32 array
        Weight of each triplet (i, near, far).
    weight : float
        That of each triplet of two outliers.
    c : float
        Above 0.
    parts : (CHUNKS, n, d) float64 array
        Room for the forces.

    Returns
    -------
    value : float
    gradient : (n, d) float64 array
    """
    return _sums(_chunk, Y, near, far, W, (weight, c), parts)


def own_sums(Y, near, far, W, which, parts):
    """Sum the loss over triplets as `group_sums`, where each near item has outliers of its own.

    ``far``, (n, r m), holds an outlier of each near item, then another of each, and so on; W,
    (u, r m), rows of weights; ``which``, (n,), the row of each point.
    """
    return _sums(_own_chunk, Y, near, far, W, which, parts)


def _sums(chunk, Y, near, far, W, options, parts):
    values, gradient = np.empty(len(parts)), np.empty_like(Y)
    n, n_chunks, zero = len(Y), len(parts), (0.0,) * Y.shape[1]

    def work(c):
        start, stop = c * n // n_chunks, (c + 1) * n // n_chunks
        values[c] = chunk(Y, near, far, W, options, start, stop, zero, parts[c])

    in_pieces(work, n_chunks, n < SERIAL_BELOW)
    in_ranges(lambda start, stop: _total(start, stop, parts, gradient), n, n < SUMMED_ALONE_BELOW)
    return float(values.sum()), gradient
