"""The deformed logarithm and exponential, and what t-ETE makes of them. t-ETE Sec. 3."""

import numpy as np

from repro.core.checks import check_real


def log_t(x, t):
    """Deformed logarithm: (x^(1-t) - 1) / (1 - t), and log x for t = 1. t-ETE Eq. (3).

    x is not negative; the paper takes 0 < t < 2 but uses 2 as well. For t > 1 the values, float64
    of the shape of x, stay below 1/(t - 1); at 0 they are -inf if t >= 1. Near t = 1 no digits are
    lost.
    """
    with np.errstate(divide="ignore", over="ignore"):
        return log_t_of_exp(np.log(np.asarray(x, dtype=float)), t)


def log_t_of_exp(r, t):
    """Compute log_t of e^r."""
    return r if t == 1 else np.expm1((1 - t) * r) / (1 - t)


def exp_t(x, t):
    """Deformed exponential, the inverse of log_t: [1 + (1-t) x]_+^(1/(1-t)). t-ETE Eq. (4).

    Float64 of the shape of x: 0 where t < 1 and x <= -1/(1-t), infinite where t > 1 and x >=
    1/(t-1). exp_t(-x) falls like x^(-1/(t-1)) for t > 1, slower than e^-x.
    """
    x = np.asarray(x, dtype=float)
    if t == 1:
        return np.exp(x)
    with np.errstate(divide="ignore", over="ignore"):
        return np.exp(np.log1p(np.maximum(-1.0, (1 - t) * x)) / (1 - t))


def robust_transformation(loss, t):
    """ρ_t(ℓ) = log_t(1 + ℓ), capped at 1/(t-1); log(1 + ℓ) for t = 1. t-ETE Eqs. (5), (6).

    ``loss`` is not negative; nor is this, float64 of its shape, which is 0 at 0.
    """
    return log_t_of_exp(np.log1p(np.asarray(loss, dtype=float)), t)


def forgetting_factor(loss, t):
    """(1 + ℓ)^-t: what is left of a triplet's pull when it is far from satisfied. t-ETE Eq. (9)."""
    return (1 + np.asarray(loss, dtype=float)) ** -t


def check_temperature(t, name, least=1, most=2):
    """Return a temperature between two bounds: 1 and 2, as the paper has them, or others."""
    t = check_real(t, name)
    if not least <= t <= most:
        raise ValueError(f"{name} must be between {least} and {most}, got {t}")
    return t


def authors_temperature(n_components):
    """Return the t = t' of the authors' code, min(1.45 + 1.1/d, 2): 2 in two dimensions.

    The paper says of Fig. 3 that t is smaller in more dimensions, and does not say how.
    """
    return min(1.45 + 1.1 / n_components, 2.0)
