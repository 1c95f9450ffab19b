"""Compiled loops over groups of triplets: a point, its near items, its outliers.

Each near item of a point forms a triplet with each outlier of the point, so that m + r distances
serve m r triplets; pairs of outliers form triplets too. Alternatively, each near item has its own
r outliers: m + m r distances for m r triplets. The loss is that of t-ETE with t = 2, where
log_t(1 + ℓ) = a / (a + b) with a = 1 / κ(near) and b = 1 / κ(far): a triplet costs one division,
and a distance costs one power, or none with t' = 2.

The chunks of points depend only on the number of points. Each has its own forces, which are summed
in a fixed order, so that the result has the same bits with any number of threads.
"""

import numpy as np
from numba import njit

from repro.kernels.elementary import INNER, SUMS, exp_nonpositive, log_positive
from repro.kernels.points import load, minus, origin, plus, squared_norm, store, times
from repro.kernels.threads import in_pieces, in_ranges

# Few, since each holds forces of all points; a sweep uses at most this many threads.
CHUNKS = 8
SERIAL_BELOW = 500
# Below this many points, waking a second thread takes longer than summing the forces.
SUMMED_ALONE_BELOW = 20_000


@njit(**INNER)
def _distances(y, Y, items, zero, c, out):
    """Write 1 + c |y - y_k|² to ``out``."""
    for b in range(len(items)):
        out[b] = 1.0 + c * squared_norm(minus(y, load(Y, np.uint32(items[b]), zero)))


@njit(**INNER)
def _inverse_kernel(c, out, slopes):
    """Turn 1 + c x into 1/κ(x) = (1 + c x)^(1/c), and write its derivatives to ``slopes``."""
    for b in range(len(out)):
        inverse = 1.0 / exp_nonpositive(-log_positive(out[b]) / c)
        slopes[b] = inverse / out[b]
        out[b] = inverse


@njit(**INNER)
def _pairs(near, far, W, pull, push):
    """Sum over triplets of near items and outliers; add derivatives to ``pull`` and ``push``."""
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
    """Sum over triplets of outliers 0 and 1, 2 and 3, …, with the nearer first."""
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
    """Sum over triplets of each near item with its own outlier."""
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
    """Add 2 slope (y - y_k) to ``force`` and return it; subtract it from row k of G."""
    for b in range(len(items)):
        k = np.uint32(items[b])
        part = times(2.0 * slopes[b], minus(y, load(Y, k, zero)))
        force = plus(force, part)
        store(G, k, minus(load(G, k, zero), part))
    return force


@njit(**SUMS)
def _chunk(start, stop, Y, near, far, W, which, weight, c, zero, G):
    """Return the value of the groups start, …, stop - 1; write their forces to G."""
    if which is not None:
        c = 1.0  # a constant for the compiler, which then keeps the order of the sums
    m, r = near.shape[1], far.shape[1]
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
        pull[:] = 0.0
        push[:] = 0.0
        if which is None:
            total += _pairs(a, b, W[i], pull, push)
            if weight > 0.0:
                total += _outlier_pairs(b, weight, push)
        else:
            for k in range(r // m):
                turn = slice(k * m, k * m + m)
                total += _own_pairs(a, b[turn], W[which[i], k], pull, push[turn])
        pull *= by_near
        push *= by_far
        force = _scatter(y, Y, pull, near[i], origin(zero), zero, G)
        force = _scatter(y, Y, push, far[i], force, zero, G)
        store(G, i, plus(load(G, i, zero), force))
    return total


def group_sums(Y, near, far, W, parts, which=None, weight=0.0, c=1.0):
    """Sum the loss with t = 2 and c = t' - 1 over groups; return value and gradient, (n, d).

    Y is (n, d) float64, C-contiguous; ``near``, (n, m), and ``far``, (n, r), are int32; ``parts``,
    (CHUNKS, n, d), is a buffer. W, (n, m, r), weighs triplets; ``weight``, those of two outliers.

    Given ``which``, near items have their own outliers: ``far`` holds one of each in turn, then
    another one of each, and W[which[i]], (r / m, m), their weights; c is 1, and ``weight`` unused.
    """
    n, zero, values = len(Y), (0.0,) * Y.shape[1], np.empty(CHUNKS)

    def work(k):
        start, stop = k * n // CHUNKS, (k + 1) * n // CHUNKS
        values[k] = _chunk(start, stop, Y, near, far, W, which, weight, c, zero, parts[k])

    def add_up(start, stop):
        for half in (4, 2, 1):  # of the chunks
            parts[:half, start:stop] += parts[half : 2 * half, start:stop]

    in_pieces(work, CHUNKS, n < SERIAL_BELOW)
    in_ranges(add_up, n, alone=n < SUMMED_ALONE_BELOW)
    return float(values.sum()), parts[0].copy()
