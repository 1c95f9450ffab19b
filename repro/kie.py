"""Kernel Information Embedding (Memisevic, ICML 2006): plain, conditional and joint, Eqs. (7)–(12).

Latent points are placed so that a kernel estimate of information is greatest. The entropies it is
made of, Eqs. (1)–(6), are in `repro.entropies`, the annealing of Sec. 2.1 in `repro.kie_annealing`,
the maps to and from unseen points, Eqs. (9) and (10), in `repro.kie_maps`.
"""

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from repro._check import (
    as_array,
    check_data,
    check_finite,
    check_outcome,
    check_points,
    check_positive,
)
from repro.affinities import gaussian_kernel, squared_distances
from repro.entropies import (
    KernelMatrix,
    as_kernel,
    check_penalty,
    check_power,
    entropy_sum,
    power_penalty,
)
from repro.kie_annealing import InformationEmbedding, annealing_schedule, with_parameters
from repro.kie_maps import backward_map, forward_map
from repro.sne import choose_backend

__all__ = [
    "KIE",
    "ConditionalKIE",
    "JointKIE",
    "annealing_schedule",
    "conditional_kie_loss",
    "joint_kie_loss",
    "kie_loss",
]

# The signs of Ĥ(Z), Ĥ(A, Z), Ĥ(B, Z) and Ĥ(A, B, Z) in each loss.
PLAIN = (-1.0, 1.0)
CONDITIONAL = (0.0, -1.0, 0.0, 1.0)
JOINT = (-1.0, 1.0, 1.0, -1.0)


def kie_loss(Z, K_y, penalty=0.0, power=2, backend=None):
    """Minus the information between data and latent points. KIE Eqs. (7), (8).

    Parameters
    ----------
    Z : (n, d) array
        Latent points; their kernel is exp(-|z - z'|²), bandwidth 1.
    K_y : (n, n) array or KernelMatrix
        Kernel of the data. Wrap an array once in `KernelMatrix` when calling more than once:
        checking and preparing it costs more than a call.
    penalty : float
        λ of Sec. 2.1: λ times the mean over points of Σ_l |z_l|^power is added. Read literally,
        the paper's (λ/N) tr C_Z is N times weaker; then it bounds nothing.
    power : int
        2 or a larger even number.
    backend : {"numba", "numpy"}, optional
        The compiled loops, or the same in a few lines of NumPy. Default: compiled, if numba is
        there. More than 16 latent dimensions are always left to NumPy.

    Returns
    -------
    loss : float
        -Ĥ(Z) + Ĥ(Y, Z) + penalty, in nats; Ĥ(Y), which does not depend on Z, is dropped.
    gradient : (n, d) float64 array

    Raises
    ------
    ValueError, TypeError
        If shapes do not agree, entries are not finite, K_y is no kernel matrix, or a parameter is
        out of range.
    """
    return _checked(PLAIN, Z, [as_kernel(K_y, "K_y")], penalty, power, backend)


def conditional_kie_loss(Z, K_y, K_x, penalty=0.0, power=2, backend=None):
    """Minus the information between data and latent points, given X. KIE Eq. (11).

    Parameters
    ----------
    Z : (n, d) array
        Latent points.
    K_y, K_x : (n, n) array or KernelMatrix
        Kernels of the data and of what is known about them and is to be factored out.
    penalty, power, backend
        See `kie_loss`.

    Returns
    -------
    loss : float
        -Ĥ(X, Z) + Ĥ(X, Y, Z) + penalty, in nats; Ω_1 of Eq. (11) is dropped.
    gradient : (n, d) float64 array

    Raises
    ------
    ValueError, TypeError
        See `kie_loss`.
    """
    kernels = [as_kernel(K_x, "K_x"), as_kernel(K_y, "K_y")]
    return _checked(CONDITIONAL, Z, kernels, penalty, power, backend)


def joint_kie_loss(Z, K_x, K_y, penalty=0.0, power=2, backend=None):
    """Information between two sets of data that is left when Z is given. KIE Eq. (12).

    Parameters
    ----------
    Z : (n, d) array
        Latent points, one for each pair.
    K_x, K_y : (n, n) array or KernelMatrix
        Kernels of the two members of the pairs.
    penalty, power, backend
        See `kie_loss`.

    Returns
    -------
    loss : float
        Ĥ(X, Z) + Ĥ(Y, Z) - Ĥ(Z) - Ĥ(X, Y, Z) + penalty, in nats.
    gradient : (n, d) float64 array

    Raises
    ------
    ValueError, TypeError
        See `kie_loss`.
    """
    kernels = [as_kernel(K_x, "K_x"), as_kernel(K_y, "K_y")]
    return _checked(JOINT, Z, kernels, penalty, power, backend)


def _checked(signs, Z, kernels, penalty, power, backend):
    Z = check_points(Z, "Z", min_points=2)
    for kernel in kernels:
        if len(kernel) != len(Z):
            raise ValueError(f"{kernel.name} relates {len(kernel)} points, but Z has {len(Z)} rows")
    penalty, power = check_penalty(penalty), check_power(power)
    backend = choose_backend(backend)
    with np.errstate(over="ignore", invalid="ignore"):
        value, gradient = entropy_sum(signs, Z, kernels, backend)
        more, slope = power_penalty(Z, penalty, power)
        return check_outcome((value + more, gradient + slope), "Z")


@with_parameters
class KIE(TransformerMixin, InformationEmbedding):
    """Kernel Information Embedding, with its maps to and from unseen points. KIE Sec. 2."""

    def fit(self, X, y=None):
        """Embed the rows of X.

        Parameters
        ----------
        X : (n, D) array
            One data point per row, at least three; the paper's Y.
        y : ignored

        Raises
        ------
        ValueError
            If X is not finite, has too few points, or a parameter is out of range.
        """
        X = check_data(self, X, dtype=float, ensure_min_samples=3)
        kernel, self.bandwidth_ = self.kernel_of(X, self.bandwidth, "K_y")
        self.X_fit_ = X
        return self.anneal([(PLAIN, [kernel], slice(None))], len(X))

    def fit_transform(self, X, y=None):
        """Embed the rows of X and return the embedding (n, d)."""
        return self.fit(X).embedding_

    def transform(self, X, penalty=None):
        """Place unseen points in the latent space, the backward map g of KIE Eq. (9).

        Parameters
        ----------
        X : (q, D) array
        penalty : float, optional
            λ. Default: the last of training, as in the paper. Half of it places points better
            where they are many: in training the pull of the data counts twice, once in a point's
            own information content and once in those of its neighbours, the penalty only once.

        Returns
        -------
        Z : (q, d) float64 array
            Where the information content of each is greatest. For the same reason a training
            point does not come back to its place in ``embedding_``.
        """
        check_is_fitted(self)
        X = check_data(self, X, dtype=float, reset=False)
        penalty = self.penalties_[-1] if penalty is None else check_penalty(penalty)
        D2 = squared_distances(X, self.X_fit_, name="X")
        K = gaussian_kernel(D2=D2, bandwidth=self.bandwidth_)
        return backward_map(K, self.embedding_, penalty, self.power)

    def inverse_transform(self, Z):
        """Map latent points to the data space, the forward map f of KIE Eq. (10).

        Parameters
        ----------
        Z : (q, d) array

        Returns
        -------
        X : (q, D) float64 array
            The most likely data given each latent point.
        """
        check_is_fitted(self)
        K = gaussian_kernel(D2=squared_distances(Z, self.embedding_, name="Z"))
        return forward_map(K, self.X_fit_, self.bandwidth_)


@with_parameters
class ConditionalKIE(InformationEmbedding):
    """Conditional Kernel Information Embedding: what is known is factored out. KIE Sec. 3.

    One parameter more: ``condition_bandwidth``, h of the kernel of what is known, 1 in the paper.
    """

    def __init__(
        self,
        n_components=2,
        *,
        bandwidth=None,
        condition_bandwidth=1.0,
        penalty=None,
        power=2,
        optimizer="l-bfgs",
        optimizer_options=None,
        max_iter=200,
        init_scale=0.01,
        n_init=1,
        backend=None,
        progress=False,
        random_state=None,
    ):
        self.condition_bandwidth = condition_bandwidth
        super().__init__(
            n_components,
            bandwidth=bandwidth,
            penalty=penalty,
            power=power,
            optimizer=optimizer,
            optimizer_options=optimizer_options,
            max_iter=max_iter,
            init_scale=init_scale,
            n_init=n_init,
            backend=backend,
            progress=progress,
            random_state=random_state,
        )

    def fit(self, X, y):
        """Embed the rows of X, given y.

        Parameters
        ----------
        X : (n, D) array
            One data point per row, at least three; the paper's Y.
        y : (n,) or (n, q) array
            What is known about each point, as a place in a space of its own; the paper's X. Numbers
            are taken as they are: for classes without an order pass a one-hot code.

        Raises
        ------
        ValueError
            If entries are not finite, shapes do not agree, or a parameter is out of range.
        """
        X = check_data(self, X, dtype=float, ensure_min_samples=3)
        y = check_finite(as_array(y, "y"), "y")
        if y.ndim == 0 or len(y) != len(X):
            raise ValueError(f"y must have one row per row of X, {len(X)}, got shape {y.shape}")
        y = check_points(y.reshape(len(y), -1), "y")
        given = check_positive(self.condition_bandwidth, "condition_bandwidth")
        kernel, self.bandwidth_ = self.kernel_of(X, self.bandwidth, "K_y")
        kernels = [KernelMatrix(gaussian_kernel(y, given), "K_x"), kernel]
        return self.anneal([(CONDITIONAL, kernels, slice(None))], len(X))

    def fit_transform(self, X, y):
        """Embed the rows of X, given y, and return the embedding (n, d)."""
        return self.fit(X, y).embedding_


@with_parameters
class JointKIE(InformationEmbedding):
    """Joint Kernel Information Embedding: one latent point for each pair. KIE Sec. 4.

    ``bandwidth`` may be a pair, one for each kind of data. With data of one kind that have no
    partner, Eq. (7) is added to Eq. (12): both kinds share one space, and the pairs align them.
    """

    def fit(self, X, Y, x_only=None, y_only=None):
        """Embed pairs, and points without a partner among them.

        Parameters
        ----------
        X, Y : (n, D) and (n, E) array
            The members of each pair, at least three pairs.
        x_only : (p, D) array, optional
            Further points of the first kind. Eq. (7) is then taken over them and the pairs.
        y_only : (q, E) array, optional
            Further points of the second kind.

        Returns
        -------
        self
            Beside the shared attributes: ``x_embedding_`` (p, d) and ``y_embedding_`` (q, d), the
            latent points of those without a partner; ``bandwidths_``, a pair.

        Raises
        ------
        ValueError
            If entries are not finite, shapes do not agree, or a parameter is out of range.
        """
        X, Y = check_points(X, "X", min_points=3), check_points(Y, "Y", min_points=3)
        if len(X) != len(Y):
            raise ValueError(f"Y must have one row per row of X, {len(X)}, got {len(Y)}")
        X, Y = _append(X, x_only, "x_only"), _append(Y, y_only, "y_only")
        h_x, h_y = self.bandwidth if np.size(self.bandwidth) == 2 else [self.bandwidth] * 2
        (of_x, h_x), (of_y, h_y) = self.kernel_of(X, h_x, "K_x"), self.kernel_of(Y, h_y, "K_y", "Y")
        self.bandwidths_ = (h_x, h_y)

        n = len(X) if x_only is None else len(X) - len(x_only)
        pairs, x_rows = np.arange(n), np.arange(len(X))
        y_rows = np.concatenate([pairs, len(X) + np.arange(len(Y) - n)])
        kernels = [KernelMatrix(k.K[:n, :n], k.name) for k in (of_x, of_y)]
        parts = [(JOINT, kernels, pairs)]
        parts += [(PLAIN, [of_x], x_rows)] if len(X) > n else []
        parts += [(PLAIN, [of_y], y_rows)] if len(Y) > n else []
        self.anneal(parts, len(X) + len(Y) - n)
        self.x_embedding_ = self.embedding_[n : len(X)]
        self.y_embedding_ = self.embedding_[len(X) :]
        self.embedding_ = self.embedding_[:n]
        return self

    def fit_transform(self, X, Y, x_only=None, y_only=None):
        """Embed pairs and return their latent points (n, d)."""
        return self.fit(X, Y, x_only, y_only).embedding_


def _append(X, more, name):
    if more is None:
        return X
    more = check_points(more, name)
    if more.shape[1] != X.shape[1]:
        raise ValueError(f"{name} must have {X.shape[1]} columns, got shape {more.shape}")
    return np.vstack([X, more])
