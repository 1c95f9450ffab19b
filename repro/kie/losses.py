"""The losses of Kernel Information Embedding: plain, conditional and joint. KIE Eqs. (7)–(12).

Latent points maximise a kernel estimate of information.
"""

import numpy as np

from repro.core.backend import choose_backend
from repro.core.checks import as_prepared, check_not_negative, check_outcome, check_points
from repro.kie.entropies import ENTROPY_SUMS, KernelMatrix, check_power, power_penalty

# The signs of Ĥ(Z), Ĥ(A, Z), Ĥ(B, Z) and Ĥ(A, B, Z) in each loss.
PLAIN = (-1.0, 1.0)
CONDITIONAL = (0.0, -1.0, 0.0, 1.0)
JOINT = (-1.0, 1.0, 1.0, -1.0)


def kie_loss(Z, K_y, penalty=0.0, power=2, backend=None):
    """Compute minus the mutual information of data and latent points. KIE Eqs. (7), (8).

    Parameters
    ----------
    Z : (n, d) array
        Latent points; their kernel is exp(-|z - z'|²), bandwidth 1.
    K_y : (n, n) array or KernelMatrix
        Kernel matrix of the data. For repeated calls, wrap an array once in `KernelMatrix`.
    penalty : float
        λ of Sec. 2.1: λ times the mean over points of Σ_l |z_l|^power is added. Taken literally,
        the paper's (λ/N) tr C_Z is N times weaker, too weak to bound the latent points.
    power : int
        2 or a larger even number.
    backend : {"numba", "numpy"}, optional
        See `repro.sne_loss`.

    Returns
    -------
    loss : float
        -Ĥ(Z) + Ĥ(Y, Z) + penalty, in nats; Ĥ(Y), which does not depend on Z, is dropped.
    gradient : (n, d) float64 array
    """
    return _loss(PLAIN, Z, {"K_y": K_y}, penalty, power, backend)


def conditional_kie_loss(Z, K_y, K_x, penalty=0.0, power=2, backend=None):
    """Compute minus the mutual information of data and latent points given X. KIE Eq. (11).

    K_x, (n, n), is the kernel matrix of X, the known variables to factor out. The loss is
    -Ĥ(X, Z) + Ĥ(X, Y, Z) + penalty, in nats; Ω_1 of Eq. (11) is dropped. All else is as in
    `kie_loss`.
    """
    return _loss(CONDITIONAL, Z, {"K_x": K_x, "K_y": K_y}, penalty, power, backend)


def joint_kie_loss(Z, K_x, K_y, penalty=0.0, power=2, backend=None):
    """Compute the mutual information of two data sets that remains given Z. KIE Eq. (12).

    Z has a latent point per pair; K_x and K_y, (n, n), are the kernel matrices of the members of
    the pairs. The loss is Ĥ(X, Z) + Ĥ(Y, Z) - Ĥ(Z) - Ĥ(X, Y, Z) + penalty, in nats. All else is as
    in `kie_loss`.
    """
    return _loss(JOINT, Z, {"K_x": K_x, "K_y": K_y}, penalty, power, backend)


def _loss(signs, Z, given, penalty, power, backend):
    Z = check_points(Z, "Z", min_points=2)
    kernels = [as_prepared(K, KernelMatrix, Z, "Z", name) for name, K in given.items()]
    penalty, power = check_not_negative(penalty, "penalty"), check_power(power)
    backend = choose_backend(backend, Z.shape[1])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        outcome = kie_value_and_gradient(signs, Z, kernels, penalty, power, backend)
        return check_outcome(outcome, "Z")


def kie_value_and_gradient(signs, Z, kernels, penalty, power, backend):
    """Compute the signed sum of entropies plus the penalty without checks, for optimisers."""
    value, gradient = ENTROPY_SUMS[backend](signs, Z, kernels)
    more, slopes = power_penalty(Z, penalty, power)
    return value + more, gradient + slopes
