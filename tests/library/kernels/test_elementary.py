"""The elementary functions of the compiled loops are accurate to their last bits."""

import numpy as np
import pytest
from numba import njit

from repro.kernels import elementary


def each(function):
    @njit
    def apply(x):
        out = np.empty_like(x)
        for i in range(len(x)):
            out[i] = function(x[i])
        return out

    return apply


exp = each(elementary.exp_nonpositive)
log = each(elementary.log_positive)
log1p = each(elementary.log1p_nonnegative)


@njit
def both(x):
    out = np.empty((2, len(x)))
    for i in range(len(x)):
        out[0, i], out[1, i] = elementary.exp_and_expm1(x[i])
    return out


BELOW = -np.concatenate([np.linspace(1e-3, 700, 300_001), np.geomspace(1e-300, 1, 3000)])
ABOVE = np.concatenate([np.linspace(0.301, 30, 300_001), np.geomspace(1e-300, 1e299, 30_001)])


@pytest.mark.parametrize(
    ("found", "expected", "x", "tolerance"),
    [
        (exp, np.exp, BELOW, 4e-16),
        (lambda x: both(x)[0], np.exp, BELOW, 5e-16),
        (lambda x: both(x)[1], np.expm1, BELOW, 5e-16),
        (log, np.log, np.concatenate([ABOVE, 1 + np.arange(1, 9) * 3e-16]), 1e-15),
        (log1p, np.log1p, ABOVE, 1e-15),
    ],
    ids=["exp", "exp with expm1", "expm1", "log", "log1p"],
)
def test_they_are_right_to_the_last_bits(found, expected, x, tolerance):
    assert np.abs(found(x) / expected(x) - 1).max() < tolerance


def test_at_their_ends():
    ends = exp(np.array([0.0, -0.0, -708.0, -1e9, -np.inf]))
    assert ends[0] == ends[1] == 1.0
    assert (ends[2:] == ends[2]).all()
    assert 0 < ends[2] < 1e-307
    np.testing.assert_array_equal(both(np.array([0.0, -0.0, -1e9]))[1], [0.0, 0.0, -1.0])
    assert log(np.ones(1))[0] == log1p(np.zeros(1))[0] == 0.0
