"""The estimator for all methods that embed triplets."""

from dataclasses import KW_ONLY

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from repro.core.checks import (
    check_choice,
    check_count,
    check_not_negative,
    check_points,
    check_positive,
)
from repro.core.estimator import ARRAYS, DescentEstimator, all_or_nothing, as_estimator
from repro.core.memory import check_memory
from repro.core.warn import warn_of_gaps, warn_user
from repro.tete.losses import TripletLoss, authors_steps, triplets_value_and_gradient
from repro.tete.triplets import as_triplet_set, fraction_satisfied

USUAL_MU = 0.05
LOSSES = ("tete", "tste", "ste", "ckl", "gnmds")
# Largest number of arrays of the size of the embedding that a fit by L-BFGS holds.
ARRAYS_OF_LBFGS = 62
# A fit warns if the radius of its farthest item exceeds FAR times the median radius, or FAR · WIDE.
# Observed: with gradient descent, 27 times the median and a radius of 90; with L-BFGS, 300 times
# and, in the paper's figures, a radius of ten million.
FAR, WIDE = 1e3, 3e4


@as_estimator
class TripletEmbedding(DescentEstimator):
    """Embedding of items from triplets "i is more similar to j than to k": t-ETE and others.

    Parameters
    ----------
    loss : {"tete", "tste", "ste", "ckl", "gnmds"}
        The method: t-ETE, t-STE, STE, CKL or GNMDS.
    t : float in [1, 2]
        Temperature of t-ETE. 1.4 suits answers about randomly drawn items with a tenth to a fifth
        of them wrong: in one to five dimensions, no other t satisfied 0.01 more of the correct
        triplets, and t = 2, as in the paper's maps, satisfied 0.02 to 0.13 fewer. For triplets
        with a near neighbour, as in the paper, t = 1.7 or 2 preserves more neighbours.
    t_prime : float in [1, 2], optional
        Temperature of the tails. Default: t.
    alpha : float, optional
        Degrees of freedom of t-STE. Default: max(1, d - 1).
    mu : float
        The μ of CKL, a squared unit of length: the embedding, its start and the steps scale as √μ.
    penalty : float
        The trade-off λ of GNMDS.
    init : "random" or (n, d) array, optional
        Start. Default: "random", normal with standard deviation ``init_scale``.
    optimizer : {"gd", "l-bfgs", "cg", "scg", "momentum"}
        Gradient descent with an adaptive step, as in the t-ETE authors' code: the first step is
        2 n / Σ ω times the gradient; the factor is multiplied by 1.01 if the loss falls and by 0.5
        otherwise; the best iterate is kept. Or L-BFGS, or conjugate gradients.

    Attributes
    ----------
    loss_ : float
        The weighted sum over triplets at the embedding, for GNMDS with the penalty.

    Examples
    --------
    >>> import numpy as np
    >>> from repro import TripletEmbedding, sample_per_point
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2))
    >>> triplets = sample_per_point(X, 30, 5, rng=rng)
    >>> model = TripletEmbedding("tete", random_state=0).fit(triplets)
    >>> model.embedding_.shape, model.score(triplets) > 0.9
    ((60, 2), True)
    """

    loss: str = "tete"
    n_components: int = 2
    _: KW_ONLY
    t: float = 1.4
    t_prime: float | None = None
    alpha: float | None = None
    mu: float = USUAL_MU
    penalty: float = 0.0
    init: object = None
    optimizer: str = "gd"
    max_iter: int = 1000
    init_scale: float | None = 1e-4
    n_init: int = 1
    backend: str | None = None

    _is_weighted = False  # whether the last fit had weights
    _cause = "penalty may be too large or alpha too small, or the triplets contradict each other"

    @all_or_nothing
    def fit(self, triplets, y=None, weights=None, n_items=None):
        """Embed the items that triplets name.

        Parameters
        ----------
        triplets : (T, 3) integer array or TripletSet
            Rows (i, j, k) of three different items, counted from 0.
        y : None
            Must be None; pass weights by name.
        weights : (T,) array, optional
            Not negative. Default: all 1. A TripletSet has its own, and takes none beside it.
        n_items : int, optional
            Number of items. Default: that of ``init`` or of the TripletSet, or the largest index in
            the triplets plus one. An item without triplets stays at its start, unless a penalty
            moves it. Required for cross-validation, since a fold may contain an item that occurs in
            no other.
        """
        if y is not None:
            raise ValueError("weights must be given by name: fit(triplets, weights=…)")
        d = check_count(self.n_components, "n_components")
        start = None
        if isinstance(self.init, str):
            check_choice(self.init, "init", ("random",))
        elif self.init is not None:
            start = check_points(self.init, "init", min_points=3)
        triplets = as_triplet_set(triplets, weights, n_items)
        n = n_items or triplets.n_items
        if start is not None:
            n = n_items or max(n, len(start))
            if start.shape != (n, d):
                raise ValueError(f"init must have shape {(n, d)}, got {start.shape}")
        elif n_items is None:
            counted = slice(None) if triplets.weights is None else triplets.weights > 0
            warn_of_gaps(triplets.triplets[counted], "triplets name items", "n_items")
        loss, backend = self._triplet_loss(), self._choose_backend()
        penalty = check_not_negative(self.penalty, "penalty") if self.loss == "gnmds" else 0.0

        def objective(Y):
            value, gradient = triplets_value_and_gradient(Y, triplets, loss, backend)
            if penalty:
                value, gradient = value + penalty * (Y**2).sum(), gradient + 2 * penalty * Y
            return value, gradient

        arrays = ARRAYS_OF_LBFGS if str(self.optimizer) == "l-bfgs" else ARRAYS
        check_memory(n, arrays, "items that no triplet names need not be counted", columns=d)
        unit = triplets.total_weight / len(triplets)
        steps = authors_steps(self.optimizer, n, triplets)
        self._is_weighted = triplets.weights is not None
        self._set_results(self._descend([objective], n, start, unit=unit, **steps))
        warn_of_far_items(self.embedding_, triplets.triplets, self._length)
        return self

    def score(self, triplets, y=None, weights=None):
        """Return the weighted fraction of triplets that the embedding satisfies. t-ETE Eq. (1)."""
        check_is_fitted(self)
        if y is not None:
            raise ValueError("weights must be given by name: score(triplets, weights=…)")
        n, triplets = len(self.embedding_), as_triplet_set(triplets, weights)
        if self._is_weighted and triplets.weights is None:
            warn_user(
                "the fit had weights, and the score has none: give score weights, too, or fit and "
                "score TripletSets, whose weights go with them through splitters and searches"
            )
        if triplets.n_items > n:
            raise ValueError(
                f"triplets name {triplets.n_items} items, but the fit knew {n}: pass n_items to fit"
            )
        return fraction_satisfied(self.embedding_, triplets)

    @property
    def _length(self):
        """Unit of length of the embedding; for CKL, proportional to √μ."""
        mu = check_positive(self.mu, "mu") if self.loss == "ckl" else USUAL_MU
        return np.sqrt(mu / USUAL_MU)

    def _triplet_loss(self):
        check_choice(self.loss, "loss", LOSSES)
        alpha = max(1.0, self.n_components - 1.0) if self.alpha is None else self.alpha
        arguments = {"tete": (self.t, self.t_prime), "tste": (alpha,), "ckl": (USUAL_MU,)}
        return getattr(TripletLoss, self.loss)(*arguments.get(self.loss, ()))


def warn_of_far_items(Y, triplets, unit):
    """Warn if an item in the triplets lies so far out that they do not determine its place."""
    is_named = np.zeros(len(Y), bool)
    is_named[triplets] = True
    named = np.flatnonzero(is_named)
    radii = np.linalg.norm(Y[named] - np.median(Y[named], axis=0), axis=1)
    far, half = radii.max(), np.median(radii)
    if far > FAR * min(half, WIDE * unit):
        warn_user(
            f"item {named[radii.argmax()]} is {far:.2g} from the middle, and half of all are within"
            f" {half:.2g}: the triplets do not say how far; optimizer='gd' ends nearer, and more "
            "triplets help",
            ConvergenceWarning,
        )
