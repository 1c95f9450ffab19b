import numpy as np
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


@njit
def both(x):
    out = np.empty((2, len(x)))
    for i in range(len(x)):
        out[0, i], out[1, i] = elementary.exp_and_expm1(x[i])
    return out


log = each(elementary.log_positive)
log1p = each(elementary.log1p_nonnegative)


def relative_error(found, expected):
    return np.abs(found / expected - 1).max()


def test_the_exponential_is_right_to_the_last_bits():
    x = -np.concatenate([np.linspace(0, 708, 300_001), np.geomspace(1e-300, 1, 1000)])
    assert relative_error(exp(x), np.exp(x)) < 4e-16


def test_the_exponential_at_its_ends():
    found = exp(np.array([0.0, -0.0, -708.0, -1e9, -np.inf]))
    assert found[0] == found[1] == 1.0
    assert (found[2:] == found[2]).all()
    assert 0 < found[2] < 1e-307


def test_expm1_keeps_its_digits_near_zero():
    x = -np.concatenate([np.linspace(1e-3, 700, 300_001), np.geomspace(1e-300, 1, 3000)])
    e, expm1 = both(x)
    assert relative_error(expm1, np.expm1(x)) < 5e-16
    assert relative_error(e, np.exp(x)) < 5e-16
    np.testing.assert_array_equal(both(np.array([0.0, -0.0, -1e9]))[1], [0.0, 0.0, -1.0])


def test_the_logarithm_is_right_to_the_last_bits():
    x = np.concatenate(
        [
            np.linspace(0.3, 3, 300_001),
            np.geomspace(1e-307, 1e307, 30_001),
            1 + np.arange(9) * 1e-16,
        ]
    )
    x = x[x != 1]
    assert relative_error(log(x), np.log(x)) < 1e-15
    assert log(np.array([1.0]))[0] == 0.0


def test_log1p_keeps_its_digits_near_zero():
    x = np.concatenate([np.linspace(1e-3, 30, 300_001), np.geomspace(1e-300, 1e299, 30_001)])
    assert relative_error(log1p(x), np.log1p(x)) < 1e-15
    assert log1p(np.zeros(1))[0] == 0.0
