"""Unsupervised kernel regression, mentioned in KIE Sec. 2.3.

P. Meinicke, S. Klanke, R. Memisevic and H. Ritter, Principal surfaces from unsupervised kernel
regression, IEEE PAMI 27, 2005: latent points minimise the error of predicting each data point from
the others by a kernel-weighted mean. KIE maximises a likelihood instead.
"""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax

from repro.core.blas import one_blas_thread
from repro.core.checks import check_points
from repro.core.distances import near_origin


@one_blas_thread()
def reconstruction_loss(Z, Y):
    """Compute the mean squared error of reconstruction from the other points, and its gradient.

    The mean of |y_i - Σ_j P_ij y_j|², with P_ij the kernels to the other points, which sum to 1:
    the leave-one-out error of a Nadaraya–Watson regression of the data Y, (n, D), on latent points
    Z, (n, d), with kernel exp(-|z - z'|²), bandwidth 1. The gradient is (n, d) float64.
    """
    Z, Y = check_points(Z, "Z", min_points=2), check_points(Y, "Y")
    if len(Z) != len(Y):
        raise ValueError(f"Y must have one row per row of Z, {len(Z)}, got {len(Y)}")
    n, Z = len(Z), near_origin(Z)
    log_k = -cdist(Z, Z, "sqeuclidean")
    np.fill_diagonal(log_k, -np.inf)
    P = softmax(log_k, axis=1)
    residuals = Y - P @ Y
    slopes = -2 / n * residuals @ Y.T  # in P
    S = P * (slopes - (P * slopes).sum(axis=1, keepdims=True))  # in log_k
    S += S.T
    return (residuals**2).sum() / n, -2 * (S.sum(axis=1)[:, None] * Z - S @ Z)
