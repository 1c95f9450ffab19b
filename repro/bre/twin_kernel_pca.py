"""Twin kernel PCA (Gaussian process latent variable model), the Gaussian case of BRE's framework.

The latent variable of the relation is a draw from a Gaussian process; its covariance is a kernel
matrix R of the data, or S of the embedding. BRE Sec. 2 minimises KL(q(S) ‖ p(R)); the model of
N. D. Lawrence (NIPS 16, 2004) minimises the divergence in the other direction.
"""

from contextlib import suppress
from dataclasses import KW_ONLY
from functools import cached_property, partial

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky
from scipy.spatial.distance import cdist

from repro.bre.model import ScaledEstimator
from repro.core.blas import one_blas_thread
from repro.core.checks import (
    as_prepared,
    check_choice,
    check_count,
    check_covariance,
    check_outcome,
    check_points,
    check_positive,
    check_square,
    copied_if_shared,
)
from repro.core.distances import centred, distances_within, near_origin
from repro.core.estimator import EmbeddingTransformer, all_or_nothing, as_estimator
from repro.core.kernel_matrices import (
    ALIKE,
    gaussian_kernel,
    likelihood_bandwidth,
    warn_of_one_value,
)
from repro.core.memory import check_memory
from repro.core.warn import warn_user

DIRECTIONS = ("printed", "lawrence")
# Added to the diagonal, as fractions of its mean, until the Cholesky factorisation succeeds.
JITTERS = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4)


def factorise(K, name):
    """Return the lower Cholesky factor of a kernel matrix, with jitter and a warning if needed."""
    with suppress(LinAlgError):
        return cholesky(K, lower=True)
    mean = np.mean(np.diagonal(K))
    for jitter in JITTERS:
        with suppress(LinAlgError):
            L = cholesky(K + jitter * mean * np.eye(len(K)), lower=True)
            warn_user(
                f"{name} is not positive definite; {jitter:g} of its mean diagonal was added to "
                "the diagonal. A larger diagonal, or more noise, would make that unnecessary."
            )
            return L
    raise ValueError(
        f"{name} is not positive definite, even with {jitter} of its mean diagonal added to it"
    )


def log_determinant(L):
    """Return the log-determinant of L Lᵀ."""
    return 2 * float(np.log(np.diagonal(L)).sum())


def inverse(L):
    """Return the inverse of L Lᵀ, (n, n)."""
    return cho_solve((L, True), np.eye(len(L), order="F"), overwrite_b=True)


class CovarianceMatrix:
    """Kernel matrix K of the data, (n, n), with what a fit reuses precomputed.

    K is symmetric and positive definite; ``name`` is its name in error messages. Unless ``copy`` is
    False, later changes of K have no effect.
    """

    def __init__(self, K, name="K", copy=True):
        self.K = copied_if_shared(check_covariance(K, name), K, copy)
        self.name = name

    def __len__(self):
        return len(self.K)

    @cached_property
    def factor(self):
        """Lower Cholesky factor of K."""
        return factorise(self.K, self.name)

    @cached_property
    def inverse(self):
        """Inverse of K."""
        return inverse(self.factor)


def twin_kernel_loss(Y, K, gamma=1.0, noise=1e-2, direction="printed"):
    """Compute the divergence of zero-mean Gaussians with kernels of data and embedding. BRE Sec. 2.

    Parameters
    ----------
    Y : (n, d) array
        The embedding; its kernel is S_ij = exp(-|y_i - y_j|²/γ) + noise δ_ij.
    K : (n, n) array or CovarianceMatrix
        Kernel matrix of the data, R in the paper. For repeated calls, wrap an array once. Jitter is
        added to the diagonals of K and S, with a warning, if it is needed to factorise them.
    gamma : float
        The width γ, in squared units of Y.
    noise : float
        Variance added to the diagonal of S.
    direction : {"printed", "lawrence"}
        KL(q(S) ‖ p(R)) = ½ (log|R| - log|S| + tr R⁻¹S - n) as in BRE Sec. 2, or the other
        direction, ½ (log|S| - log|R| + tr S⁻¹R - n), which gives the GPLVM.

    Returns
    -------
    loss : float
        In nats.
    gradient : (n, d) float64 array
    """
    Y = check_points(Y, "Y", min_points=2)
    K = as_prepared(K, CovarianceMatrix, Y, "Y")
    check_choice(direction, "direction", DIRECTIONS)
    gamma, noise = check_positive(gamma, "gamma"), check_positive(noise, "noise")
    with one_blas_thread(), np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return check_outcome(twin_kernel_value_and_gradient(Y, K, gamma, noise, direction), "Y")


def twin_kernel_value_and_gradient(Y, K, gamma, noise, direction):
    """Compute `twin_kernel_loss` without checks, for optimisers."""
    Y = near_origin(Y)
    E = np.exp(cdist(Y, Y, "sqeuclidean") / -gamma)
    E.flat[:: len(E) + 1] = 1 + noise  # E holds S until the diagonal is reset
    L = factorise(E, "the kernel matrix of the embedding")
    log_ratio = log_determinant(K.factor) - log_determinant(L)
    slope = inverse(L)  # S⁻¹, later 2 dL/dS
    if direction == "printed":
        trace = np.vdot(K.inverse, E)
        np.subtract(K.inverse, slope, out=slope)
    else:
        log_ratio, trace = -log_ratio, np.vdot(slope, K.K)
        slope = slope - cho_solve((L, True), K.K) @ slope
    E.flat[:: len(E) + 1] = 1
    # dS_ij/dy_i = -(2/γ) E_ij (y_i - y_j), and y_i is in row i and in column i.
    W = np.multiply(slope, E, out=E)
    gradient = (-2 / gamma) * (W.sum(axis=1)[:, None] * Y - W @ Y)
    return 0.5 * (log_ratio + trace - len(Y)), gradient


@as_estimator
class TwinKernelPCA(EmbeddingTransformer, ScaledEstimator):
    """Twin kernel PCA: an embedding whose kernel matrix is near that of the data. BRE Sec. 2.

    Parameters
    ----------
    kernel : {"rbf", "linear", "precomputed"}
        The data's kernel: exp(-|x - x'|²/h); or the mean over features of x x' after centring, as
        in Lawrence's model; with "precomputed", ``fit`` takes the kernel matrix itself. ``noise``
        is added to the diagonal of the first two.
    bandwidth : float, optional
        h. Default: `repro.likelihood_bandwidth` for ``n_components`` dimensions.
    noise : float
        Variance added to the diagonal of the embedding's kernel.
    direction : {"printed", "lawrence"}
        The divergence KL(q(S) ‖ p(R)) as in BRE Sec. 2, or the other direction, which gives the
        GPLVM; see `twin_kernel_loss`.
    init_scale : float, optional
        Standard deviation of the start along its widest axis, in units of √γ; 1 in the model.

    Attributes
    ----------
    bandwidth_ : float or None
        h; None unless ``kernel`` is "rbf".
    """

    _random_scale, _peak = 1.0, (7.1, 7.1)
    _cause = "bandwidth or noise may be too large, or all distances may be nearly equal"

    n_components: int = 2
    _: KW_ONLY
    kernel: str = "rbf"
    bandwidth: float | None = None
    noise: float = 1e-2
    direction: str = "printed"
    init: object = "pca"
    init_scale: float | None = 1.0
    n_init: int = 1

    @all_or_nothing
    def fit(self, X, y=None):
        """Embed the rows of X, (n, D), at least three; or the kernel matrix, (n, n)."""
        check_choice(self.kernel, "kernel", ("rbf", "linear", "precomputed"))
        check_choice(self.direction, "direction", DIRECTIONS)
        noise = check_positive(self.noise, "noise")
        X = self._checked(X, dtype=float, ensure_min_samples=3)
        check_memory(len(X), max(self._peak), "BRE with a sparse relation needs less")

        with one_blas_thread():
            objective = partial(
                twin_kernel_value_and_gradient,
                K=CovarianceMatrix(self._kernel(X, noise), copy=False),
                gamma=1.0,  # the embedding is in units of √γ
                noise=noise,
                direction=self.direction,
            )
            return self._set_results(self._descend([objective], len(X), self._start(X)))

    def _kernel(self, X, noise):
        self.bandwidth_ = None
        if self.kernel == "precomputed":
            warn_of_one_value(check_square(X, "X"), "X")
            return X
        if self.kernel == "linear":
            moved = centred(X)
            K = moved @ moved.T / X.shape[1]
            if K.trace() < ALIKE * noise * len(X):
                warn_user(f"X is so small that it is lost in a noise of {noise:g}: scale it up")
            return K + noise * np.eye(len(X))
        D2 = distances_within(X, "X")
        self.bandwidth_ = self.bandwidth
        if self.bandwidth is None:
            dimension = check_count(self.n_components, "n_components")
            self.bandwidth_ = likelihood_bandwidth(D2=D2, dimension=dimension, name="X")
        return gaussian_kernel(D2=D2, bandwidth=self.bandwidth_) + noise * np.eye(len(X))
