"""The deformed logarithm and exponential, and functions derived from them. t-ETE Sec. 3."""

import numpy as np

from repro.core.checks import as_array, check_count, check_real


def log_t(x, t):
    """Compute the deformed logarithm (x^(1-t) - 1) / (1 - t), or log x if t = 1. t-ETE Eq. (3).

    x is not negative; the paper states 0 < t < 2 but also uses t = 2. The values are float64 of the
    shape of x. For t > 1 they are below 1/(t - 1); at 0 they are -inf if t >= 1. No digits are lost
    near t = 1.
    """
    x, t = _not_negative(x, "x"), check_real(t, "t")
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return log_t_of_exp(np.log(x), t)


def log_t_of_exp(r, t):
    """Compute log_t(e^r) for an array r, without checks."""
    return r if t == 1 else np.expm1((1 - t) * r) / (1 - t)


def exp_t(x, t):
    """Compute the deformed exponential, the inverse of log_t. t-ETE Eq. (4).

    [1 + (1-t) x]_+^(1/(1-t)), float64 of the shape of x: 0 where t < 1 and x <= -1/(1-t), infinite
    where t > 1 and x >= 1/(t-1). For t > 1, exp_t(-x) decays like x^(-1/(t-1)), slower than e^-x.
    """
    x, t = _numbers(x, "x"), check_real(t, "t")
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        if t == 1:
            return np.exp(x)
        return np.exp(np.log1p(np.maximum(-1.0, (1 - t) * x)) / (1 - t))


def robust_transformation(loss, t):
    """Compute ρ_t(ℓ) = log_t(1 + ℓ); log(1 + ℓ) for t = 1. t-ETE Eqs. (5), (6).

    ``loss`` is not negative. The values, float64 of its shape, are not negative, and 0 at 0; for
    t > 1 they are below 1/(t-1).
    """
    return log_t_of_exp(np.log1p(_not_negative(loss, "loss")), check_real(t, "t"))


@np.errstate(under="ignore")
def forgetting_factor(loss, t):
    """Compute (1 + ℓ)^-t, which weakens the force of violated triplets. t-ETE Eq. (9).

    ``loss`` is not negative; the values are float64 of its shape.
    """
    return (1 + _not_negative(loss, "loss")) ** -check_real(t, "t")


def _numbers(x, name):
    """Return x as a float64 array; infinite entries are allowed, as limits of the functions."""
    x = as_array(x, name)
    if x.dtype.kind not in "biuf" or np.isnan(x).any():
        raise ValueError(f"{name} must hold real numbers, none missing")
    return x.astype(float)


def _not_negative(x, name):
    x = _numbers(x, name)
    if (x < 0).any():
        raise ValueError(f"{name} must not be negative, its smallest entry is {x.min():.3g}")
    return x


def check_temperature(t, name, least=1, most=2):
    """Return a temperature between two bounds, by default those of the paper, 1 and 2."""
    t = check_real(t, name)
    if not least <= t <= most:
        raise ValueError(f"{name} must be between {least} and {most}, got {t}")
    return t


def authors_temperature(n_components):
    """Return the t = t' of the authors' code, min(1.45 + 1.1/d, 2): 2 in two dimensions.

    For Fig. 3 the paper states that t is smaller in more dimensions, but gives no formula.
    """
    return min(1.45 + 1.1 / check_count(n_components, "n_components"), 2.0)
