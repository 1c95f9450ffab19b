"""Kernel estimates of entropies, the terms of all objectives of KIE. Eqs. (1)–(7)."""

from functools import cached_property
from operator import attrgetter

import numpy as np
from scipy.spatial.distance import cdist

from repro.core.checks import (
    as_prepared,
    check_count,
    check_kernel,
    check_square,
    copied_if_shared,
    within_bounds,
)
from repro.core.distances import near_origin, squared_distances
from repro.core.kernel_matrices import exponential
from repro.kernels.tiles import pack, to_tiles


class KernelMatrix:
    """Kernel matrix K of the data, (n, n), with what a fit reuses precomputed.

    K is symmetric, not negative, and positive on the diagonal; ``name`` is its name in error
    messages. Unless ``copy`` is False, later changes of K have no effect.
    """

    def __init__(self, K, name="K", copy=True):
        self.K = copied_if_shared(check_kernel(K, name), K, copy)
        self.name = name

    def __len__(self):
        return len(self.K)

    @cached_property
    def packed(self):
        """K in tiles, for the compiled loops; negligible entries are zero."""
        return pack(np.where(self.K < 1e-150, 0.0, self.K))


def entropy(*kernels):
    """Estimate an entropy, in nats, from kernels at the points themselves. KIE Eqs. (3)–(6).

    The density at a point is the sum over all points, including itself, of products of kernels
    (Eq. 3); the entropy is minus the mean of its logarithm (Eqs. 4–6). Each variable has a kernel
    matrix, (n, n), such as `repro.core.kernel_matrices.gaussian_kernel` returns. As in the paper,
    kernels are not normalised, so a constant is missing.
    """
    name = "a kernel matrix"
    kernels = [within_bounds(check_square(K, name), name) for K in kernels]
    if len({K.shape for K in kernels}) > 1:
        raise ValueError(f"kernel matrices must have one shape, got {[K.shape for K in kernels]}")
    return float(-np.log(np.prod(kernels, axis=0).sum(axis=1)).mean())


def mutual_information(Z, K_y):
    """Estimate the mutual information of data and latent points. KIE Eqs. (1), (2), (7).

    Ĥ(Y) + Ĥ(Z) - Ĥ(Y, Z), in nats, for Z, (n, d), and the kernel matrix K_y, (n, n). Since Eq. (3)
    is not divided by n, log n must be added. The estimate is at most Ĥ(Y) for kernels of at
    most 1, and approaches it as the latent points move apart.
    """
    K_z = exponential(squared_distances(Z, name="Z"))
    K_y = as_prepared(K_y, KernelMatrix, K_z, "Z", "K_y").K
    return entropy(K_y) + entropy(K_z) - entropy(K_y, K_z)


def check_power(power):
    """Return the power of the penalty, an even number."""
    if check_count(power, "power", 2) % 2:
        raise ValueError(f"power must be even, got {power}")
    return int(power)


def power_penalty(Z, penalty, power):
    """Compute the penalty λ/n Σ_il z_il^power on Z, (n, d), and its gradient. KIE Sec. 2.1."""
    slopes = penalty / len(Z) * Z ** (power - 1)
    return float((slopes * Z).sum()), power * slopes


def entropy_sum_numpy(signs, Z, kernels):
    """Compute the sum as in the paper, with full kernels and the gradient below Eq. (8)."""
    n, Z = len(Z), near_origin(Z)
    K_z = np.exp(-cdist(Z, Z, "sqeuclidean"))
    A, B = kernels[0].K, kernels[-1].K
    factors = (1.0, A) if len(kernels) == 1 else (1.0, A, B, A * B)
    value, W = 0.0, np.zeros((n, n))
    for sign, K in zip(signs, factors, strict=True):
        products = K * K_z
        sums = products.sum(axis=1)
        value -= sign * np.log(sums).mean()
        W += sign * products * (1 / sums[:, None] + 1 / sums)  # κ^l + κ^j of the paper
    return value, (2 / n) * (W.sum(axis=1)[:, None] * Z - W @ Z)


def entropy_sum_numba(signs, Z, kernels):
    """Compute the sum in two sweeps over the pairs: first kernel sums, then forces."""
    from repro.kernels import kie_pairs

    n, tiles = len(Z), to_tiles(Z)
    signs, packed = np.array(signs), tuple(map(attrgetter("packed"), kernels))
    sums = kie_pairs.product_sums(tiles, n, packed)
    value = -float(signs @ (np.log(sums).sum(axis=1) / n))
    force = kie_pairs.product_forces(tiles, n, packed, signs[:, None] / sums)
    return value, (2 / n) * force


# A signed sum of entropies, the core of all KIE objectives. The arguments are the signs of Ĥ(Z),
# Ĥ(A, Z) and, for two kernels, Ĥ(B, Z) and Ĥ(A, B, Z); Z, (n, d); and one or two `KernelMatrix`.
# Returned are the sum and its gradient, (n, d).
ENTROPY_SUMS = {"numba": entropy_sum_numba, "numpy": entropy_sum_numpy}
