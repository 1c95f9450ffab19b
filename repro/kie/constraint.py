"""The hard constraint tr C_Z ≤ R on the power of the latent points. KIE Sec. 2.1.

The paper names it and puts a penalty in its place. Information grows as points move apart, so that
at the optimum the constraint binds: the search is for the best of all points with tr C_Z = R.
"""

import numpy as np


def scaled_to_power(Z, power):
    """Rescale latent points so that tr C_Z, the mean of Σ_l z_l² over points, is a power R."""
    return Z * np.sqrt(power * len(Z)) / np.linalg.norm(Z)


def constrained(loss, power):
    """Make a loss of latent points one of their directions, under tr C_Z = ``power``, R.

    The loss takes Z and returns value and gradient, such as `repro.kie.kie_loss` without a penalty.
    So does what is made of it, for any Z but 0: those of the rescaled Z. Its minimum is the
    constrained one, up to `scaled_to_power`.
    """

    def f(Z):
        size = np.linalg.norm(Z)
        value, gradient = loss(scaled_to_power(Z, power))
        outward = Z / size
        along = gradient - (gradient * outward).sum() * outward
        return value, np.sqrt(power * len(Z)) / size * along

    return f


def multiplier(loss, Z):
    """Compute the λ of which a constrained optimum is the penalised one, too.

    At an optimum of the loss plus λ tr C_Z the gradient of the loss is -2λZ / n, so that its
    product with Z is -2λ tr C_Z. A positive λ says that the constraint binds.
    """
    _, gradient = loss(Z)
    return float(-(gradient * Z).sum() * len(Z) / (2 * (Z**2).sum()))
