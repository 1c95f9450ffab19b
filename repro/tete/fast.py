"""A fast preset of weighted t-ETE: the same loss, with other triplets, weights and descent."""

from dataclasses import KW_ONLY

import numpy as np
from sklearn.decomposition import PCA

from repro.core import optimize
from repro.core.blas import one_blas_thread
from repro.core.checks import check_choice, check_count, check_not_negative
from repro.core.distances import center_of
from repro.core.estimator import all_or_nothing, as_estimator, fill_flat_axes
from repro.core.neighbors import distinct_rows
from repro.core.warn import warn_user
from repro.kernels.threads import in_ranges
from repro.tete.deformed import check_temperature
from repro.tete.groups import (
    MOST,
    TripletGroups,
    grouped_loss,
    outlier_pairs,
    soft_ratios,
    soft_weights,
)
from repro.tete.losses import TripletLoss
from repro.tete.sampling import draw_outliers
from repro.tete.weighted import NeighborTETE, place
from repro.tete.weights import near_items, neighbors_of_new

# Above this many columns, a randomised method finds the principal axes.
MOST_COLUMNS = 2000
# Points whose squared norm exceeds this many times the usual one are left out of the axes.
FAR_OUT = 1e4
# Float32 data with larger entries are converted to float64.
LARGEST = np.float32(1e18)
# Step length per optimiser, for triplets of mean weight 1 and a map of size 1; and its factor in
# the second half of the rounds.
STEP, NEAR_STEP = {"momentum": 0.067, "gd": 0.067}, 0.3
# Share of outliers that are neighbours of neighbours, in the second half of the rounds.
LOCAL = 0.3
# ``longest`` of `repro.core.methods.momentum_descent`.
LONGEST = 5.0


@as_estimator
class FastTETE(NeighborTETE):
    """Fast weighted t-ETE: 100,000 points in half a minute. After t-ETE Sec. 6.

    The loss is that of Eq. (12) with t = 2, as in `repro.WeightedTETE`. The rest is ours, chosen on
    scikit-learn's digits; the longest step and the last two points below were also looked at on
    MNIST's test digits, Letters and made-up sets:

    - The data are reduced to principal components, and the neighbours of more than 5,000 points
      are found approximately if faiss is installed.
    - The neighbours of a point share its outliers, so that m + r distances serve m r triplets.
      Outliers are drawn anew in each round, so that the embedding does not depend on one draw.
    - Weights are log(1 + ω), as in later work by the same author: ω of Eq. (13), divided by its
      maximum, vanishes for nearly all triplets.
    - Pairs of outliers form triplets too, which preserve the order of large distances.
    - The first half of the rounds uses t' = 2 and sets the global layout. The second half uses a
      larger t', beyond the paper's, and shorter steps, and refines near neighbours: 1/κ grows more
      slowly with distance, and a neighbour's pull fades less at short distances.
    - In the second half, 3 of 10 outliers are neighbours of neighbours. They give groups a width,
      because others lie so far away that a group could shrink to a dot at no cost.
    - The size of the map is fixed, because the loss would fall without end as it grows: points
      spread evenly would lie some two units apart, where the kernel begins to fall.

    New points are placed by ``transform``, see `repro.tete.weighted.NeighborTETE`.

    Parameters
    ----------
    n_outliers : int
        r, outliers per point, at least 2.
    outlier_weight : float
        Weight of a triplet of two outliers; the mean weight of the others is 1, but for those of
        neighbours of neighbours.
    t_prime : float in [2, 3]
        t', the temperature of the kernel, in the second half of the rounds.
    metric : {"euclidean", "cosine"}
        The distance between rows of X; with "cosine", rows are scaled to length 1 first.
    reduce_to : int
        Number of principal components for data with more dimensions.
    init_scale : float, optional
        Root mean square of the coordinates of the map from their means, at the start and at the
        end. In a smaller map groups are wider, and keep fewer neighbours. Default: n^(1/d) / 2.
    max_iter : int
        Maximum number of iterations per round.
    n_rounds : int
        Each round continues from the last one; a single round counts as second half.

    Attributes
    ----------
    groups_ : repro.tete.groups.TripletGroups
        The triplets of the last round and their weights.
    points_ : (n, k) float32 array
        The data on their principal axes, divided by the range of the widest column.
    loss_ : float
        The weighted sum over these triplets at the embedding.
    loss_history_ : (n_iter_ + n_rounds,) float64 array
        Each round begins with the loss at its start.
    """

    _random_scale = 1.0
    _dtype = (np.float64, np.float32)

    n_components: int = 2
    _: KW_ONLY
    n_neighbors: int = 8
    n_outliers: int = 20
    outlier_weight: float = 1.0
    t_prime: float = 2.5
    metric: str = "euclidean"
    reduce_to: int = 50
    init: object = "pca"
    init_scale: float | None = None
    optimizer: str = "momentum"
    max_iter: int = 75
    n_rounds: int = 4

    @all_or_nothing
    def fit(self, X, y=None):
        """Embed the rows of X, (n, D), at least four; of float32, the embedding is float32 too."""
        X = self._checked(X, dtype=self._dtype, ensure_min_samples=4)
        dtype = X.dtype
        X = self._directions(X)
        if X.dtype == np.float32 and np.abs(X).max() > LARGEST:
            X = X.astype(float)
        rng, n = optimize.as_generator(self.random_state), len(X)
        r = check_count(self.n_outliers, "n_outliers", 2)
        check_not_negative(self.outlier_weight, "outlier_weight")
        rounds, backend = self._rounds(), self._choose_backend()
        self.points_ = Z = self._reduced(X)
        start = self._first_places(Z, rng)
        if not np.ptp(start, axis=0).any():
            raise ValueError("init must hold at least two distinct points: a map has a size")
        size = self._size(n)
        start = resized(start, size)
        search = self.n_neighbors, self.neighbors, rng, self._rounding(Z)
        *near, self.scales_ = near_items(Z, *search)

        def objectives():
            for t_prime, _, n_local in rounds:
                self.groups_ = None  # free memory before the next draw
                far = outlier_pairs(Z, near[0], r, rng, n_local)
                weights = soft_weights(Z, near, far, self.scales_, n_local)
                self.groups_ = TripletGroups(near[0], far, weights, float(self.outlier_weight))
                loss = grouped_loss(self.groups_, self.n_components, backend, t_prime)
                yield of_size(size, loss)

        name = str(self.optimizer)
        options = {"longest": LONGEST} if name == "momentum" else {}
        if name in STEP:
            # Divide by the weight per point, so that steps do not depend on the number of triplets.
            step = STEP[name] * size**2 / (near[0].shape[1] * r)
            options["steps"] = [factor * step for _, factor, _ in rounds]
        self._set_results(self._descend(objectives(), n, start, **options))
        self.embedding_ = self.embedding_.astype(dtype)
        return self

    def _rows_of(self, x):
        return resized(x, self._size(len(x)))

    def _size(self, n):
        """Return the root mean square of the coordinates of the map."""
        if self.init_scale is None:
            return 0.5 * n ** (1 / self._dimension(n))
        return self._start_scale()

    def _directions(self, X):
        """Return rows of length 1 for the metric "cosine", and other rows as they are."""
        check_choice(self.metric, "metric", ("euclidean", "cosine"))
        if self.metric == "euclidean":
            return X
        if not X.any(axis=1).all():
            raise ValueError("X must not have a row of zeros, which has no direction for cosine")
        X = X / np.abs(X).max(axis=1, keepdims=True)  # the squares of what is left do not overflow
        return X / np.linalg.norm(X, axis=1, keepdims=True)

    def _placed(self, X):
        # Use float64, so that a row's float32 result does not depend on the other rows.
        X = self._directions(X)
        if np.abs(X - self._mean).max() > float(LARGEST) * self._unit:
            raise ValueError("X is too large: it lies too far from the points of the fit")
        Z = (self._scaled(X).astype(float) @ self._axes.T).astype(np.float32)
        n, (m, r) = len(self.points_), self.groups_.weights.shape[1:]
        rounding = self._rounding(Z)
        neighbors, D2, scales = neighbors_of_new(Z, self.points_, self.scales_, m, rounding)
        near = neighbors[:, :m]
        far = draw_outliers(near, n, r, np.random.default_rng(0))
        weights = soft_ratios(Z, scales, near, D2[:, :m], far, self.points_, self.scales_)
        weights = weights.reshape(len(Z), -1)
        weights = np.minimum(weights, MOST * np.quantile(weights, 0.25, axis=1, keepdims=True))
        loss = TripletLoss(c=self._t_prime() - 1, s=1.0, t=2.0)
        j, k = np.repeat(near, r, axis=1), np.tile(far, m)
        places = place(self.embedding_.astype(float), neighbors, j, k, weights, loss)
        return places.astype(self.embedding_.dtype)

    def _t_prime(self):
        return check_temperature(self.t_prime, "t_prime", 2, 3)

    def _rounds(self):
        """Return t', the factor of the step length and the number of local outliers per round."""
        n = check_count(self.n_rounds, "n_rounds")
        second_half = self._t_prime(), NEAR_STEP, 2 * round(LOCAL * self.n_outliers / 2)
        return [(2.0, 1.0, 0)] * (n // 2) + [second_half] * (n - n // 2)

    def _reduced(self, X):
        """Return the scores on at most ``reduce_to`` principal axes, as float32."""
        self._mean = center_of(X).astype(X.dtype)
        self._unit = float(np.ptp(X, axis=0).max())  # prevents overflow in float32
        if self._unit == 0:
            raise ValueError("X must contain at least two distinct points")
        kept = min(check_count(self.reduce_to, "reduce_to"), *X.shape)
        scaled = np.empty(X.shape, np.float32)

        def scale(start, stop):
            scaled[start:stop] = self._scaled(X[start:stop])

        in_ranges(scale, len(X))
        # Computing all axes of many columns would take minutes, and few are kept.
        solver = "covariance_eigh" if X.shape[1] <= MOST_COLUMNS else "randomized"
        with one_blas_thread():
            usual = scaled[self._usual(scaled)]
            pca = PCA(min(kept, len(usual)), svd_solver=solver, random_state=0).fit(usual)
            self._axes = pca.components_.astype(np.float32)
            Z = scaled @ self._axes.T
        # Rows that are copies may differ in the last bits of a matrix product.
        place, first = distinct_rows(X)
        lost = len(first) - len(distinct_rows(Z[first])[1])
        if lost > 0.1 * len(first):
            warn_user(
                f"{lost} of {len(first)} points that differ are one in float32, in which FastTETE "
                "works: groups lie too far apart for it; WeightedTETE works in float64"
            )
        return Z if len(first) == len(X) else Z[first[place]]

    def _usual(self, Z):
        """Return which points are not so far out that they would dominate in float32."""
        norms2 = np.einsum("ij,ij->i", Z, Z, dtype=float)
        usual = np.sort(norms2)[int(0.9 * (len(Z) - 1))] or norms2.max()  # the 0.9 quantile
        return norms2 <= FAR_OUT * usual

    def _rounding(self, Z):
        """Return the largest distance between copies of a point after the reduction, (q,)."""
        norms = np.sqrt(np.einsum("ij,ij->i", Z, Z))
        return 4 * np.finfo(np.float32).eps * np.sqrt(self.n_features_in_) * norms

    def _scaled(self, X):
        return ((X - self._mean) / self._unit).astype(np.float32)

    def _first_places(self, Z, rng):
        """Return the start: the first principal scores, the given start, or a random one."""
        d = self._dimension(len(Z))
        if isinstance(self.init, str) and self.init == "pca":
            start = np.zeros((len(Z), d))
            start[:, : Z.shape[1]] = Z[:, :d]
            usual = start[self._usual(Z)]
            start = np.clip(start, usual.min(axis=0), usual.max(axis=0))
            # An isolated point does not begin, and so stay, far outside the map.
            edge = 2 * np.quantile(np.abs(start), 0.95, axis=0)
            start = np.clip(start, -edge, edge, where=edge > 0, out=start)
            return fill_flat_axes(start * (self._start_scale() / start[:, 0].std()))
        start = self._start(Z)
        return self._random_start(len(Z), rng) if start is None else start


def resized(Y, size):
    """Center points, (n, d), and scale them to a root mean square of the coordinates."""
    Y = Y - Y.mean(axis=0)
    return Y * (size / np.sqrt((Y**2).mean()))


def of_size(size, loss):
    """Turn a loss of points into one of their shape alone: they are `resized` before."""

    def of_shape(Y):
        centered = Y - Y.mean(axis=0)
        factor = size / np.sqrt((centered**2).mean())
        value, gradient = loss(factor * centered)
        gradient -= gradient.mean(axis=0)
        gradient -= (gradient * centered).sum() / (centered**2).sum() * centered
        return value, factor * gradient

    return of_shape
