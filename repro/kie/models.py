"""The estimators of Kernel Information Embedding, and their annealing. KIE Secs. 2–4."""

from dataclasses import KW_ONLY
from functools import partial

import numpy as np
from sklearn.utils.validation import check_is_fitted

from repro.core.checks import (
    check_count,
    check_distances,
    check_finite,
    check_not_negative,
    check_points,
    check_positive,
    check_same_columns,
)
from repro.core.distances import distances_within, squared_distances, squared_distances_by
from repro.core.estimator import (
    DescentEstimator,
    DistanceEstimator,
    EmbeddingTransformer,
    all_or_nothing,
    as_estimator,
)
from repro.core.kernel_matrices import exponential, gaussian_kernel, likelihood_bandwidth
from repro.core.memory import check_memory
from repro.kie.entropies import KernelMatrix, check_power
from repro.kie.losses import CONDITIONAL, JOINT, PLAIN, kie_value_and_gradient
from repro.kie.out_of_sample import backward_map, forward_map


@np.errstate(under="ignore")
def annealing_schedule(start=0.1, factor=0.8, n_steps=20):
    """Return penalties, start · factor^k for k = 0…n_steps. KIE Sec. 2.1.

    The array is (n_steps + 1,) float64; the penalties decrease if factor < 1. The defaults are
    those of the paper's Figure 1.
    """
    start, factor = check_positive(start, "start"), check_positive(factor, "factor")
    return start * factor ** np.arange(check_count(n_steps, "n_steps", 0) + 1)


@as_estimator
class InformationEmbedding(EmbeddingTransformer, DescentEstimator):
    """Base class of the three models.

    Parameters
    ----------
    bandwidth : float, optional
        h of the data's kernel exp(-|y - y'|² / h), in squared units of the data. Default: chosen
        by `repro.likelihood_bandwidth` for d dimensions, a heuristic that assumes the data to lie
        near a surface with the dimension of the latent space.
    penalty : float or sequence of float, optional
        λ, or the λ of each annealing step; the last one defines the final objective. Default:
        `annealing_schedule()`.
    power : int
        Even power of the penalty on |z_l|^power. A power of 4 or more aligns the axes.
    max_iter : int
        Maximum number of iterations per step.
    init_scale : float
        Standard deviation of the normal start ("small random values" in the paper).

    Attributes
    ----------
    loss_ : float
        The objective at the last λ, in nats.
    loss_history_ : float64 array
        The objective at the start of each step and after each iteration.
    penalties_ : float64 array
        λ of each step.
    """

    n_components: int = 2
    _: KW_ONLY
    bandwidth: float | None = None
    penalty: object = None
    power: int = 2
    optimizer: str = "l-bfgs"
    init_scale: float | None = 0.01
    n_init: int = 1
    backend: str | None = None

    _cause = "bandwidth or penalty may be too large, or all distances may be nearly equal"
    _peak = 4, 8.2  # with pairs, the first kernel stays in memory while the second is computed

    def _kernel_of(self, Y, bandwidth, name, data="X", metric="euclidean"):
        """Return the kernel of the data, or of their distances, and its bandwidth."""
        check_count(self.n_components, "n_components")
        check_memory(len(Y), self._n_matrices(), "fewer points: KIE needs all pairs")
        D2 = squared_distances_by(metric, Y, data)
        if bandwidth is None:
            bandwidth = likelihood_bandwidth(D2=D2, dimension=self.n_components, name=data)
        bandwidth = check_positive(bandwidth, "bandwidth")
        K = gaussian_kernel(D2=D2, bandwidth=bandwidth, name=f"bandwidth (of {data})")
        del D2  # not needed while the kernel is checked
        return KernelMatrix(K, name, copy=False), bandwidth

    def _objectives(self, parts):
        """Return the objective of each annealing step.

        Each part of an objective, (signs, kernels, rows of Z), is a loss of its own rows.
        """
        backend, power = self._choose_backend(), check_power(self.power)

        def objective(Z, penalty):
            value, gradient = 0.0, np.zeros_like(Z)
            for signs, kernels, rows in parts:
                of_rows, slopes = kie_value_and_gradient(
                    signs, Z[rows], kernels, penalty, power, backend
                )
                value += of_rows
                gradient[rows] += slopes
            return value, gradient

        given = annealing_schedule() if self.penalty is None else np.atleast_1d(self.penalty)
        if np.ndim(given) != 1 or not np.size(given):
            raise ValueError(f"penalty must be a number or a sequence of numbers, got {given!r}")
        penalties = [check_not_negative(value, "penalty") for value in given.tolist()]
        self.penalties_ = np.array(penalties)
        return [partial(objective, penalty=penalty) for penalty in penalties]


@as_estimator
class KIE(InformationEmbedding, DistanceEstimator):
    """Kernel Information Embedding, with its maps to and from unseen points. KIE Sec. 2.

    Attributes
    ----------
    X_fit_ : (n, D) float64 array
        The data; None if distances were given.
    bandwidth_ : float
        h of the data's kernel.
    """

    @all_or_nothing
    def fit(self, X, y=None):
        """Embed the rows of X, (n, D), the paper's Y, at least three; or distances (``metric``)."""
        is_kept = self.metric != "precomputed"  # for transform
        X = self._checked(X, dtype=float, ensure_min_samples=3, copy=is_kept)
        kernel, self.bandwidth_ = self._kernel_of(X, self.bandwidth, "K_y", metric=self.metric)
        self.X_fit_ = X if is_kept else None
        objectives = self._objectives([(PLAIN, [kernel], slice(None))])
        return self._set_results(self._descend(objectives, len(X)))

    def transform(self, X, penalty=None):
        """Place unseen points in the latent space by the backward map g of KIE Eq. (9).

        X holds points, (q, D), or their distances to those of the fit, (q, n), see ``metric``.
        Return latent points of maximum information content, (q, d). The default of the penalty λ is
        the last one of training, as in the paper. Half of it places points better in large samples:
        in training, the pull of the data counts twice, once in a point's own information content
        and once in those of its neighbours, but the penalty only once. For the same reason, a
        training point is not mapped to its row of ``embedding_``. Without a penalty there may be no
        maximum, see `repro.kie.out_of_sample.backward_map`. A point whose kernel with all points of
        the fit is zero raises a ValueError.
        """
        check_is_fitted(self)
        X = self._checked(X, dtype=float, reset=False)
        penalty = self.penalties_[-1] if penalty is None else check_not_negative(penalty, "penalty")
        if self.X_fit_ is None:
            D2 = check_distances(X, "X") ** 2
        else:
            D2 = squared_distances(X, self.X_fit_, name="X")
        K = exponential(D2, self.bandwidth_)
        return backward_map(K, self.embedding_, penalty, self.power)

    def inverse_transform(self, Z):
        """Map latent points to the data space by the forward map f of KIE Eq. (10).

        For each row of Z, (q, d), return the most likely data point, (q, D): the highest mode that
        climbs from several starts find. With a bandwidth far below the default a higher one may be
        missed. A fit to distances has no data space, and raises a ValueError; so does a row of Z
        whose kernel with all points of the embedding is zero.
        """
        check_is_fitted(self)
        if self.X_fit_ is None:
            raise ValueError("inverse_transform needs data, and metric='precomputed' has distances")
        K = exponential(squared_distances(Z, self.embedding_, name="Z"))
        return forward_map(K, self.X_fit_, self.bandwidth_)


@as_estimator
class ConditionalKIE(InformationEmbedding, DistanceEstimator):
    """Conditional Kernel Information Embedding: factor out known variables. KIE Sec. 3.

    Parameters
    ----------
    condition_bandwidth : float
        h of the kernel of the known variables; 1 in the paper.

    Attributes
    ----------
    bandwidth_ : float
        h of the data's kernel.
    """

    _: KW_ONLY
    condition_bandwidth: float = 1.0

    _cause = "condition_bandwidth may be too small for y, or bandwidth or penalty too large"

    @all_or_nothing
    def fit(self, X, y):
        """Embed the rows of X, (n, D), at least three; or distances, see ``metric``.

        y, (n,) or (n, q), holds the known variables of each point, the paper's X, which calls the
        data Y. Values are used without scaling; one-hot encode classes without an order.
        """
        X = self._checked(X, dtype=float, ensure_min_samples=3)
        if y is None:
            raise ValueError("y must be given: what is known about each row of X")
        y = check_finite(y, "y")
        if y.ndim == 0 or len(y) != len(X):
            raise ValueError(f"y must have one row per row of X, {len(X)}, got shape {y.shape}")
        y = check_points(y.reshape(len(y), -1), "y")
        kernel, self.bandwidth_ = self._kernel_of(X, self.bandwidth, "K_y", metric=self.metric)
        options = {"bandwidth": self.condition_bandwidth, "name": "condition_bandwidth"}
        K_x = gaussian_kernel(D2=distances_within(y, "y"), **options)
        kernels = [KernelMatrix(K_x, "K_x", copy=False), kernel]
        objectives = self._objectives([(CONDITIONAL, kernels, slice(None))])
        return self._set_results(self._descend(objectives, len(X)))


@as_estimator
class JointKIE(InformationEmbedding):
    """Joint Kernel Information Embedding: one latent point per pair. KIE Sec. 4.

    For data of one kind without a partner, Eq. (7) is added to Eq. (12): both kinds share one
    latent space, and the pairs align them.

    Parameters
    ----------
    bandwidth : float, pair of float, optional
        h of both kernels exp(-|y - y'|² / h), or one h for each, in squared units of the data.
        Default: each chosen by `repro.likelihood_bandwidth` for d dimensions.

    Attributes
    ----------
    bandwidths_ : (float, float)
        h of each kind of data.
    x_embedding_ : (p, d) float64 array
        The latent points of data of the first kind without a partner.
    y_embedding_ : (q, d) float64 array
        Those of the second kind.
    """

    @all_or_nothing
    def fit(self, X, Y, x_only=None, y_only=None):
        """Embed at least three pairs, X, (n, D), and Y, (n, E), with points without a partner.

        ``x_only``, (p, D), and ``y_only``, (q, E), are further points of the two kinds. Eq. (7) is
        evaluated over each and the pairs.
        """
        if Y is None:
            raise ValueError("Y must be given: the partner of each row of X")
        check_same_columns(X, x_only, "x_only")
        check_same_columns(Y, y_only, "y_only")
        X, Y = check_points(X, "X", min_points=3), check_points(Y, "Y", min_points=3)
        if len(X) != len(Y):
            raise ValueError(f"Y must have one row per row of X, {len(X)}, got {len(Y)}")
        n = len(X)
        X, Y = _append(X, x_only, "x_only"), _append(Y, y_only, "y_only")
        h_x, h_y = self.bandwidth if np.shape(self.bandwidth) == (2,) else [self.bandwidth] * 2
        of_x, h_x = self._kernel_of(X, h_x, "K_x")
        of_y, h_y = self._kernel_of(Y, h_y, "K_y", "Y")
        self.bandwidths_ = (h_x, h_y)

        pairs, x_rows = np.arange(n), np.arange(len(X))
        y_rows = np.concatenate([pairs, len(X) + np.arange(len(Y) - n)])
        kernels = [KernelMatrix(k.K[:n, :n], k.name) for k in (of_x, of_y)]
        parts = [(JOINT, kernels, pairs)]
        parts += [(PLAIN, [of_x], x_rows)] if len(X) > n else []
        parts += [(PLAIN, [of_y], y_rows)] if len(Y) > n else []
        results = self._descend(self._objectives(parts), len(X) + len(Y) - n, n_points=n)
        self.x_embedding_ = results[-1].x[n : len(X)]
        self.y_embedding_ = results[-1].x[len(X) :]
        return self._set_results(results, n)

    def fit_transform(self, X, Y, x_only=None, y_only=None):
        """Fit, with the arguments of ``fit``, and return a copy of the pairs' embedding, (n, d)."""
        return self.fit(X, Y, x_only, y_only).embedding_.copy()


def _append(X, more, name):
    if more is None:
        return X
    more = check_points(more, name)
    if more.shape[1] != X.shape[1]:
        raise ValueError(f"{name} must have {X.shape[1]} columns, got shape {more.shape}")
    return np.vstack([X, more])
