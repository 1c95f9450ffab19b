"""The hard constraint tr C_Z ≤ R on the power of the latent points. KIE Sec. 2.1.

The paper mentions it and uses a penalty instead. Information grows as points move apart, so the
constraint is active at the optimum: it suffices to search among points with tr C_Z = R.
"""

import numpy as np

from repro.core.checks import check_points, check_positive


def scaled_to_power(Z, power):
    """Rescale Z, (n, d), so that tr C_Z, the mean of Σ_l z_l² over points, equals ``power``."""
    Z = check_points(Z, "Z")
    if not Z.any():
        raise ValueError("Z must not be zero everywhere")
    return Z * np.sqrt(check_positive(power, "power") * len(Z)) / np.linalg.norm(Z)


def constrained(loss, power):
    """Turn a loss into a function of any Z ≠ 0, evaluated at Z rescaled to tr C_Z = ``power``.

    The loss takes Z, (n, d), and returns value and gradient, such as `repro.kie.kie_loss` without a
    penalty; so does the returned function. Its minimiser, after `scaled_to_power`, is the
    constrained one.
    """

    def f(Z):
        size = np.linalg.norm(Z)
        value, gradient = loss(scaled_to_power(Z, power))
        outward = Z / size
        along = gradient - (gradient * outward).sum() * outward
        return value, np.sqrt(power * len(Z)) / size * along

    return f


def multiplier(loss, Z):
    """Compute the λ for which a constrained optimum is also the penalised optimum.

    At an optimum of the loss plus λ tr C_Z, the gradient of the loss is -2λZ / n, so its product
    with Z, (n, d), is -2λ tr C_Z. A positive λ means that the constraint is active.
    """
    _, gradient = loss(Z)
    return float(-(gradient * Z).sum() * len(Z) / (2 * (Z**2).sum()))
