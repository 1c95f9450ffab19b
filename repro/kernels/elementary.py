"""Exponential and logarithm for compiled loops, without branches so that they vectorise.

Also the compiler options of all compiled functions of the package.
"""

import numpy as np
from numba import njit


def _can_cache():
    """Return whether numba finds a writable folder for its cache.

    Without one, `cache=True` would raise an error for every compiled function. Without the cache
    they work too, but each process compiles anew; NUMBA_CACHE_DIR can name a writable folder.
    """
    try:
        njit(cache=True)(lambda: None)
    except RuntimeError:
        return False
    return True


# Sums may be reordered, so that they vectorise, and multiply-adds contracted. The GIL is released,
# so that several threads run at once, see `repro.kernels.threads`.
SUMS = {
    "fastmath": {"contract", "reassoc", "nsz"},
    "error_model": "numpy",
    "nogil": True,
    "cache": _can_cache(),
}
# Inner functions are inlined. Otherwise they would be compiled both alone and within their callers,
# with sums in a different order, and the cache on disk would determine which version runs: the last
# bits would differ between a first and a second run.
INNER = {**SUMS, "cache": False, "forceinline": True}
# The exponential must not be reassociated: (x + MAGIC) - MAGIC is its rounding.
EXACT = {**INNER, "fastmath": {"contract"}}

LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
MAGIC = 6755399441055744.0  # 1.5 · 2^52: adding it leaves the nearest integer in the low bits
# (e^r - 1 - r) / r^2 on |r| <= ln(2)/2, interpolated at ten Chebyshev nodes; relative error 1e-16.
# Here and below, the coefficient of the highest power is the first.
EXPONENTIAL = (
    2.510038549551032e-08,
    2.7620088445409746e-07,
    2.7557268459997064e-06,
    2.4801521295954376e-05,
    0.00019841269863053618,
    0.0013888888917213717,
    0.008333333333330062,
    0.04166666666662413,
    0.16666666666666669,
    0.5000000000000001,
)
# (2 artanh(s)/s - 2) / s^2 in powers of s^2 for (1 - s)/(1 + s) between √½ and √2, interpolated at
# eight Chebyshev nodes; relative error of the logarithm 5e-19.
LOGARITHM = (
    0.13086767009948175,
    0.13268759668560612,
    0.15386240205813478,
    0.18181795630884753,
    0.2222222239180047,
    0.2857142857080323,
    0.4000000000000088,
    0.6666666666666666,
)
ONE = 0x3FF0000000000000  # the bits of 1.0
BITS_OF_MAGIC = 0x4338000000000000
ROOT_HALF = 0x3FE6A09E667F3BCD  # the bits of √½


@njit(**EXACT)
def _polynomial(coefficients, x):
    """Evaluate a polynomial by Horner's rule."""
    p = coefficients[0]
    for k in range(1, len(coefficients)):
        p = p * x + coefficients[k]
    return p


@njit(**EXACT)
def _exp_parts(x):
    """Return e^r - 1 and 2^k with x = r + k log 2, for -708 <= x <= 0."""
    shifted = x * LOG2_E + MAGIC
    k = shifted - MAGIC
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    p = _polynomial(EXPONENTIAL, r)
    scale = (np.float64(shifted).view(np.int64) << 52) + ONE
    return p * r * r + r, np.int64(scale).view(np.float64)


@njit(**EXACT)
def exp_nonpositive(x):
    """Compute e^x for x <= 0.

    Relative error at most 4e-16 for x >= -708; smaller arguments give e^-708 = 3e-308.
    """
    m, scale = _exp_parts(max(x, -708.0))
    return scale + scale * m


@njit(**EXACT)
def exp_and_expm1(x):
    """Compute e^x and e^x - 1 for x <= 0 without loss of digits: relative errors at most 5e-16."""
    m, scale = _exp_parts(max(x, -708.0))
    return scale + scale * m, scale * m + (scale - 1.0)


@njit(**EXACT)
def log_positive(x):
    """Compute the natural logarithm of a normal positive number.

    Relative error at most 1e-15; log m = 2 artanh(s) with s = (m - 1) / (m + 1) and the mantissa
    m between √½ and √2.
    """
    bits = np.float64(x).view(np.int64)
    k = (bits - ROOT_HALF) >> 52
    f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = _polynomial(LOGARITHM, z)
    e = np.int64(k + BITS_OF_MAGIC).view(np.float64) - MAGIC
    return e * LN2_HIGH + (2.0 * s + (s * z * p + e * LN2_LOW))


@njit(**EXACT)
def log1p_nonnegative(x):
    """Compute log(1 + x) for 0 <= x < 1e300, without loss of digits near 0."""
    w = 1.0 + x
    return log_positive(w) + (x - (w - 1.0)) / w
