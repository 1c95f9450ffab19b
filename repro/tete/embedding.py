"""The estimator of all methods that embed triplets."""

from dataclasses import KW_ONLY

from sklearn.utils.validation import check_is_fitted

from repro.core.checks import check_choice, check_count, check_not_negative, check_points
from repro.core.estimator import DescentEstimator, as_estimator
from repro.core.warn import warn_of_gaps
from repro.tete.deformed import authors_temperature
from repro.tete.losses import TripletLoss, authors_steps, triplets_value_and_gradient
from repro.tete.triplets import as_triplet_set, fraction_satisfied

LOSSES = ("tete", "tste", "ste", "ckl", "gnmds")


@as_estimator
class TripletEmbedding(DescentEstimator):
    """Embedding of items from triplets "i is more similar to j than to k": t-ETE and its rivals.

    Parameters
    ----------
    loss : {"tete", "tste", "ste", "ckl", "gnmds"}
        The method; see `repro.tete.losses`.
    n_components : int
        Dimensions d.
    t, t_prime : float in [1, 2], optional
        Temperatures of t-ETE. Default of t: that of its authors' code, min(1.45 + 1.1/d, 2), which
        is 2 in two dimensions; of t_prime: t.
    alpha : float
        Degrees of freedom of t-STE.
    mu : float
        The μ of CKL.
    penalty : float
        The trade-off λ of GNMDS.
    init : (n, d) array, optional
        The start. Default: normal, with standard deviation ``init_scale``.
    optimizer : {"gd", "l-bfgs", "cg", "scg"}
        Gradient descent with an adaptive step, as by the t-ETE authors' code: the first step is
        2 n / Σ ω times the gradient, a step grows by 1.01 after the loss fell and shrinks by 0.5
        after it did not, and the best iterate is kept. Or L-BFGS, or conjugate gradients.
    <shared>

    Attributes
    ----------
    loss_ : float
        The sum over triplets at the embedding.
    <shared>

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
    t: float | None = None
    t_prime: float | None = None
    alpha: float = 1.0
    mu: float = 0.05
    penalty: float = 0.0
    init: object = None
    optimizer: str = "gd"
    max_iter: int = 1000
    init_scale: float | None = 1e-4
    n_init: int = 1
    backend: str | None = None

    def fit(self, triplets, y=None, weights=None, n_items=None):
        """Embed the items that triplets name.

        Parameters
        ----------
        triplets : (T, 3) integer array or TripletSet
            Rows (i, j, k) of three different items, counted from 0.
        y : None
            Nothing; weights are given by name.
        weights : (T,) array, optional
            Not negative; all 1 if not given.
        n_items : int, optional
            Number of items. Default: that of ``init``, or the largest a triplet names plus one.
            An item without triplets stays at its start.

        Warns
        -----
        RuntimeWarning
            If the number of items is not given, and no triplet names some of them.
        """
        if y is not None:
            raise ValueError("weights must be given by name: fit(triplets, weights=…)")
        d = check_count(self.n_components, "n_components")
        start = None if self.init is None else check_points(self.init, "init", min_points=3)
        triplets = as_triplet_set(triplets, weights, n_items)
        n = n_items or triplets.n_items
        if start is not None:
            n = n_items or max(n, len(start))
            if start.shape != (n, d):
                raise ValueError(f"init must have shape {(n, d)}, got {start.shape}")
        elif n_items is None:
            warn_of_gaps(triplets.triplets, "triplets name items", "n_items")
        loss, backend = self._triplet_loss(), self.choose_backend()
        penalty = check_not_negative(self.penalty, "penalty") if self.loss == "gnmds" else 0.0

        def objective(Y):
            value, gradient = triplets_value_and_gradient(Y, triplets, loss, backend)
            if penalty:
                value, gradient = value + penalty * (Y**2).sum(), gradient + 2 * penalty * Y
            return value, gradient

        self.descend([objective], n, start, **authors_steps(self.optimizer, n, triplets))
        return self

    def score(self, triplets, y=None):
        """Share of triplets that the embedding satisfies; chance is 0.5. t-ETE Eq. (1)."""
        check_is_fitted(self)
        return fraction_satisfied(self.embedding_, triplets)

    def _triplet_loss(self):
        check_choice(self.loss, "loss", LOSSES)
        t = authors_temperature(self.n_components) if self.t is None else self.t
        arguments = {"tete": (t, self.t_prime), "tste": (self.alpha,), "ckl": (self.mu,)}
        return getattr(TripletLoss, self.loss)(*arguments.get(self.loss, ()))
