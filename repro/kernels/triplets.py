"""Compiled loop over triplets, for all losses.

The loss of a triplet (i, j, k) is a function of two squared distances, near = |y_i - y_j|² and
far = |y_i - y_k|², with the c, s, t and hinge of `repro.tete.losses.TripletLoss`.

Triplets are sorted by their first item and processed in batches: gather distances, compute values
and derivatives in loops that vectorise, scatter forces. The chunks of triplets depend only on their
number. Each adds into its own buffer, and the buffers are summed in a fixed order, so that the
result has the same bits with any number of threads.
"""

import numpy as np
from numba import njit

from repro.kernels.elementary import (
    INNER,
    SUMS,
    exp_and_expm1,
    exp_nonpositive,
    log1p_nonnegative,
    log_positive,
)
from repro.kernels.points import load, minus, origin, plus, squared_norm, store, times
from repro.kernels.threads import in_pieces

# The intermediate results of a batch stay in the first-level cache.
BATCH = 128
# Below this many triplets, waking a second thread takes longer than the loop.
SERIAL_BELOW = 20_000
CHUNK = 50_000
MOST_CHUNKS = 16


@njit(**INNER)
def _distances(Y, Q, J, K, first, m, zero, near, far):
    """Write |y_i - y_j|² and |y_i - y_k|² to ``near`` and ``far``."""
    for q in range(m):
        y = load(Y, Q[first + q], zero)
        near[q] = squared_norm(minus(y, load(Y, J[first + q], zero)))
        far[q] = squared_norm(minus(y, load(Y, K[first + q], zero)))


@njit(**INNER)
def _hinge(m, near, far, value):
    """Write the slack of GNMDS to ``value`` and its derivatives to ``near`` and ``far``."""
    for q in range(m):
        slack = 1.0 + near[q] - far[q]
        on = 1.0 if slack > 0.0 else 0.0
        value[q] = on * slack
        near[q] = on
        far[q] = -on


@njit(**INNER)
def _simple_bounded(c, m, near, far, value):
    """For s = c and t = 2, write losses to ``value``, derivatives to ``near`` and ``far``."""
    for q in range(m):
        a, b = 1.0 + c * near[q], 1.0 + c * far[q]
        inverse = 1.0 / (a + b)
        value[q] = a * inverse
        inverse *= c * inverse
        near[q] = b * inverse
        far[q] = -a * inverse


@njit(**INNER)
def _simple_ratio(c, m, near, far, p, r):
    """Compute p = ℓ / (1 + ℓ) and r = log(1 + ℓ) for s = c."""
    for q in range(m):
        a, b = 1.0 + c * near[q], 1.0 + c * far[q]
        p[q] = a / (a + b)
        r[q] = log1p_nonnegative(a / b)


@njit(**INNER)
def _ratio(c, s, t, m, near, far, p, r):
    """Compute p and r, or 1 - p if t = 2, from log ℓ, which cannot overflow."""
    power = s / c if c > 0.0 else 0.0
    for q in range(m):
        # Compute log(a / b) through log(1 + x) where a is near b: c may be very small.
        b = 1.0 + c * far[q]
        x = c * (near[q] - far[q]) / b
        w = (1.0 + c * near[q]) / b
        rest = (x - (w - 1.0)) / w if abs(x) < 0.5 else 0.0
        u = power * (log_positive(w) + rest) if c > 0.0 else s * (near[q] - far[q])
        e = exp_nonpositive(-abs(u))
        p[q] = (1.0 if u > 0.0 else e) / (1.0 + e)
        complement = (e if u > 0.0 else 1.0) / (1.0 + e)
        r[q] = complement if t == 2.0 else max(u, 0.0) + log1p_nonnegative(e)


@njit(**INNER)
def _deformed_logarithm(t, m, p, r):
    """From p and r, compute log_t(1 + ℓ) in ``r`` and its derivative in log ℓ in ``p``."""
    if t == 2.0:
        for q in range(m):
            p[q], r[q] = p[q] * r[q], p[q]
    elif t != 1.0:
        for q in range(m):
            e, less_one = exp_and_expm1((1.0 - t) * r[q])
            r[q] = less_one / (1.0 - t)
            p[q] = p[q] * e


@njit(**INNER)
def _family(c, s, t, m, near, far, value, p):
    """Write losses to ``value``, derivatives in the distances to ``near`` and ``far``."""
    if s == c and t == 2.0:
        _simple_bounded(c, m, near, far, value)
        return
    if s == c:
        _simple_ratio(c, m, near, far, p, value)
    else:
        _ratio(c, s, t, m, near, far, p, value)
    _deformed_logarithm(t, m, p, value)
    for q in range(m):
        near[q] = s * p[q] / (1.0 + c * near[q])
        far[q] = -s * p[q] / (1.0 + c * far[q])


@njit(**INNER)
def _scatter(Y, Q, J, K, first, m, zero, near, far, G):
    """Add 2 near (y_i - y_j) + 2 far (y_i - y_k) to row i; subtract its terms from j and k."""
    force, last = origin(zero), Q[first]
    for q in range(m):
        i, j, k = Q[first + q], J[first + q], K[first + q]
        if i != last:  # rows of one query are adjacent: their sum stays in a register
            store(G, last, plus(load(G, last, zero), force))
            force, last = origin(zero), i
        y = load(Y, i, zero)
        u = times(2.0 * near[q], minus(y, load(Y, j, zero)))
        v = times(2.0 * far[q], minus(y, load(Y, k, zero)))
        force = plus(force, plus(u, v))
        store(G, j, minus(load(G, j, zero), u))
        store(G, k, minus(load(G, k, zero), v))
    store(G, last, plus(load(G, last, zero), force))


@njit(**SUMS)
def _chunk(start, stop, Y, Q, J, K, W, c, s, t, hinge, zero, G):
    """Return the value of the triplets start, …, stop - 1; write their forces to G."""
    near, far, value, p = np.empty(BATCH), np.empty(BATCH), np.empty(BATCH), np.empty(BATCH)
    G[:] = 0.0
    total = 0.0
    for first in range(start, stop, BATCH):
        m = min(BATCH, stop - first)
        _distances(Y, Q, J, K, first, m, zero, near, far)
        if hinge:
            _hinge(m, near, far, value)
        else:
            _family(c, s, t, m, near, far, value, p)
        if len(W):
            for q in range(m):
                value[q] *= W[first + q]
                near[q] *= W[first + q]
                far[q] *= W[first + q]
        for q in range(m):
            total += value[q]
        _scatter(Y, Q, J, K, first, m, zero, near, far, G)
    return total


def triplet_sums(Y, Q, J, K, W, loss):
    """Sum a `repro.tete.losses.TripletLoss` over triplets; return value and gradient, (n, d).

    Y is (n, d) float64, C-contiguous. The items Q, J and K, (T,), are uint32, since signed indices
    would need a check on each access; fastest if Q, which holds the queries i, is sorted. W holds
    weights, (T,) float64; empty for ones.
    """
    zero, T = (0.0,) * Y.shape[1], len(Q)
    n_chunks = min(MOST_CHUNKS, 1 + T // CHUNK)
    if n_chunks == 1:
        forces = np.empty(Y.shape)
        return _chunk(0, T, Y, Q, J, K, W, *loss, zero, forces), forces
    parts, values = np.empty((n_chunks, *Y.shape)), np.empty(n_chunks)

    def work(k):
        start, stop = k * T // n_chunks, (k + 1) * T // n_chunks
        values[k] = _chunk(start, stop, Y, Q, J, K, W, *loss, zero, parts[k])

    in_pieces(work, n_chunks, T < SERIAL_BELOW)
    return float(values.sum()), parts.sum(axis=0)
