"""Kernel smoother (Nadaraya–Watson regression), as in MRE Sec. 3.1."""

import numpy as np

from repro.core.checks import check_finite, check_points, check_positive, within_range
from repro.core.distances import UNDERFLOW, differ
from repro.core.parallel import one_blas_thread


def kernel_weights(Z, queries, sigma2):
    """Weights of the smoother: Gaussian in latent distance, normalised for each query.

    Parameters
    ----------
    Z : (n, d) array
        Points at which values are known.
    queries : (q, d) array
        Points at which values are asked.
    sigma2 : float
        Bandwidth, in squared units of Z: weights are proportional to exp(-|q - z|² / σ²).

    Returns
    -------
    W : (q, n) float64 array
        Rows sum to 1; the nearest point keeps its weight however small the bandwidth.
    """
    Z, queries = check_points(Z, "Z"), check_points(queries, "queries")
    if Z.shape[1] != queries.shape[1]:
        raise ValueError(f"queries must have {Z.shape[1]} columns, got shape {queries.shape}")
    return _weights(_squared_distances(queries, Z), check_positive(sigma2, "sigma2"))


def _squared_distances(A, B):
    with np.errstate(over="ignore"):
        D2 = ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)
    if not np.isfinite(D2).all():
        raise ValueError("Z or queries are too large: their squared distances overflow")
    if D2.max() < UNDERFLOW and differ(A, B):
        raise ValueError("Z and queries are too small: their squared distances underflow")
    return D2


def _weights(D2, sigma2):
    with np.errstate(over="ignore"):  # weights that far off underflow to 0
        W = np.exp((D2.min(axis=1, keepdims=True) - D2) / sigma2)
    return W / W.sum(axis=1, keepdims=True)


def kernel_smoother(Z, Y, queries, sigma2=None):
    """Estimate values at queries as kernel-weighted means of known values. MRE Sec. 3.1.

    Parameters
    ----------
    Y : (n, …) array
        The values: numbers, vectors or images.
    Z, queries, sigma2
        See `kernel_weights`. Default of the bandwidth: `leave_one_out_bandwidth`.

    Returns
    -------
    estimate : (q, …) float64 array
    """
    Y = _check_values(Y, Z)
    sigma2 = leave_one_out_bandwidth(Z, Y) if sigma2 is None else sigma2
    with one_blas_thread():
        return np.tensordot(kernel_weights(Z, queries, sigma2), Y, axes=1)


def leave_one_out_bandwidth(Z, Y, candidates=None):
    """Choose the bandwidth that best predicts each value from the others.

    Parameters
    ----------
    Z, Y
        See `kernel_smoother`; at least three points, not all in one place.
    candidates : sequence of float, optional
        Bandwidths to try. Default: 60 from a hundredth of the smallest squared distance to the
        largest.

    Returns
    -------
    sigma2 : float
        The candidate of least mean squared error; the smallest of several.
    """
    Z, Y = check_points(Z, "Z", min_points=3), _check_values(Y, Z)
    D2 = _squared_distances(Z, Z)
    np.fill_diagonal(D2, np.inf)  # a point is not predicted from itself
    if candidates is None:
        apart = D2[(D2 > 0) & np.isfinite(D2)]
        if not apart.size:
            raise ValueError("Z must not be one and the same point n times")
        candidates = np.geomspace(max(apart.min() / 100, 1e-300), apart.max(), 60)
    candidates = np.atleast_1d(np.asarray(candidates, dtype=float))
    if not candidates.size:
        raise ValueError("candidates must not be empty")
    (Y,) = within_range(Y)
    weights = (_weights(D2, check_positive(s, "candidates")) for s in candidates.tolist())
    with one_blas_thread():
        errors = [np.mean((np.tensordot(W, Y, axes=1) - Y) ** 2) for W in weights]
    return float(candidates[np.argmin(errors)])


def _check_values(Y, Z):
    Y = check_finite(Y, "Y").astype(float)
    if Y.ndim == 0 or len(Y) != len(Z) or not Y.size:
        raise ValueError(f"Y must have one value for each point of Z, {len(Z)}, got {Y.shape}")
    return Y
