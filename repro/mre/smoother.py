"""Kernel smoother (Nadaraya–Watson regression), as in MRE Sec. 3.1."""

import numpy as np
from scipy.spatial.distance import cdist

from repro.core.blas import one_blas_thread
from repro.core.checks import (
    check_finite,
    check_points,
    check_positive,
    check_same_columns,
    check_size,
)
from repro.core.kernel_matrices import warn_of_bandwidth
from repro.core.memory import check_memory


@np.errstate(over="ignore")  # overflow here means a weight of 0
def _weights(D2, sigma2):
    W = np.exp((D2.min(axis=1, keepdims=True) - D2) / sigma2)
    return W / W.sum(axis=1, keepdims=True)


@np.errstate(under="ignore")
def kernel_smoother(Z, Y, queries, sigma2=None):
    """Estimate values at queries as kernel-weighted means of known values. MRE Sec. 3.1.

    Y, (n, …), holds numbers, vectors or images at the points Z, (n, d). Their means at the queries,
    (q, d), have weights proportional to exp(-|q - z|² / σ²), with a bandwidth σ² in squared units
    of Z, by default `leave_one_out_bandwidth`. Return (q, …) float64.
    """
    check_same_columns(Z, queries, "queries")
    Z, queries, Y = check_points(Z, "Z"), check_points(queries, "queries"), _check_values(Y, Z)
    if Z.shape[1] != queries.shape[1]:
        raise ValueError(f"queries must have {Z.shape[1]} columns, got shape {queries.shape}")
    sigma2 = leave_one_out_bandwidth(Z, Y) if sigma2 is None else check_positive(sigma2, "sigma2")
    check_memory(len(queries), 5, "fewer queries need less", columns=len(Z))
    D2 = cdist(queries, Z, "sqeuclidean")
    warn_of_bandwidth(D2.reshape(1, -1), sigma2, "sigma2")  # a small one may interpolate
    with one_blas_thread():
        return np.tensordot(_weights(D2, sigma2), Y, axes=1)


@np.errstate(under="ignore")
def leave_one_out_bandwidth(Z, Y):
    """Choose the bandwidth that best predicts each value from the others.

    Of 60 bandwidths, from a hundredth of the smallest squared distance to the largest one, return
    that with the least mean squared error; ties go to the smallest. For Z and Y see
    `kernel_smoother`; there are at least three points, which do not all coincide.
    """
    Z, Y = check_points(Z, "Z", min_points=3), _check_values(Y, Z)
    check_memory(len(Z), 6)
    D2 = cdist(Z, Z, "sqeuclidean")
    np.fill_diagonal(D2, np.inf)  # a point is not predicted from itself
    apart = D2[(D2 > 0) & np.isfinite(D2)]
    if not apart.size:
        raise ValueError("Z must contain at least two distinct points")
    candidates = np.geomspace(apart.min() / 100, apart.max(), 60)
    weights = (_weights(D2, sigma2) for sigma2 in candidates.tolist())
    with one_blas_thread():
        errors = [np.mean((np.tensordot(W, Y, axes=1) - Y) ** 2) for W in weights]
    return float(candidates[np.argmin(errors)])


def _check_values(Y, Z):
    Y = check_size(check_finite(Y, "Y"), "Y").astype(float)
    if Y.ndim == 0 or len(Y) != len(Z) or not Y.size:
        raise ValueError(f"Y must have one value for each point of Z, {len(Z)}, got {Y.shape}")
    return Y
