"""Code shared by the estimators: parameters, starts, descent and fitted attributes."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from functools import wraps
from inspect import Signature, get_annotations, signature
from typing import dataclass_transform

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data

from repro.core import backend, optimize
from repro.core.blas import one_blas_thread
from repro.core.checks import (
    check_choice,
    check_count,
    check_data,
    check_flag,
    check_points,
    check_positive,
    check_size,
)
from repro.core.distances import centred, principal_coordinates, upright
from repro.core.docstrings import inherit_entries
from repro.core.memory import check_memory
from repro.core.warn import warn_user

# Noise of a start on axes along which the data are flat, relative to the spread on the widest axis.
NOISE = 1e-4
# A fit has not settled if more than this fraction of its decrease came in the last tenth of steps.
UNSETTLED = 0.01
# A fit has collapsed if all its points lie within this fraction of the kernel's bandwidth.
COLLAPSED = 0.05
# Largest number of arrays of the size of the embedding that a descent holds.
ARRAYS = 16


def options_of(estimator, choices):
    """Return the choices that are parameters of an estimator class; TypeError if none is."""
    known = estimator().get_params()
    options = {name: value for name, value in vars(choices).items() if name in known}
    if not options:
        raise TypeError(f"no choice of {type(choices).__name__} is a parameter of {estimator}")
    return options


def principal_scores(X, n_components):
    """Compute scores of the rows of X on the first principal axes, (n, n_components).

    The largest score of each axis is positive; axes beyond the rank of X are zero.
    """
    X = check_points(X, "X", min_points=2)
    with one_blas_thread():
        U, s, _ = np.linalg.svd(centred(X), full_matrices=False)
    return upright((U * s)[:, :n_components], n_components)


def fill_flat_axes(start):
    """Add noise, always the same, along flat axes of a start, which would stay flat by symmetry.

    If all points coincide, nothing is changed.
    """
    spread = start.std(axis=0)
    flat = spread <= 1e-10 * spread.max()
    if not flat.any() or flat.all():
        return start
    noise = np.random.default_rng(0).standard_normal((len(start), int(flat.sum())))
    start = start.copy()
    start[:, flat] = NOISE * spread.max() * noise
    return start


def part_copies(start, gradient):
    """Add noise, always the same, to a start in which points of one place are moved alike.

    By symmetry, they would stay together. If all points coincide, nothing is changed.
    """
    spread, steepest = start.std(axis=0).max(), np.abs(gradient).max()
    if not spread or not steepest:
        return start
    both = np.hstack([start / spread, gradient / steepest])
    if len(np.unique(np.round(1e8 * both), axis=0)) == len(start):
        return start
    return start + NOISE * spread * np.random.default_rng(0).standard_normal(start.shape)


def all_or_nothing(fit):
    """Let a fit that fails leave the estimator as it was: data and embedding belong together."""

    @wraps(fit)
    def whole(self, *data, **options):
        before = vars(self).copy()
        try:
            with np.errstate(under="ignore"):
                return fit(self, *data, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return whole


# The parameters of the descent, in the order in which signatures and docstrings end.
OF_DESCENT = (
    *("init", "init_scale", "n_init", "optimizer", "optimizer_options", "max_iter"),
    *("callback", "backend", "progress", "random_state"),
)


@dataclass_transform()
def as_estimator(cls):
    """Turn a class whose annotations are its parameters, with defaults, into an estimator.

    In its signature, which scikit-learn reads, and its docstring, its own parameters come first.
    """
    cls = dataclass(eq=False, repr=False)(cls)
    known = signature(cls.__init__).parameters
    names = [name for base in cls.__mro__ for name in get_annotations(base)]
    names = [name for name in dict.fromkeys(names) if name in known]
    place = {name: number for number, name in enumerate(OF_DESCENT)}
    names.sort(key=lambda name: (known[name].kind, place.get(name, -1)))
    cls.__init__.__signature__ = Signature([known[name] for name in ("self", *names)])
    inherit_entries(cls, names)
    return cls


@as_estimator
class DescentEstimator(BaseEstimator):
    """Base class of embeddings found by descent, usually from a small normal start.

    An estimator has ``n_components``, and those of ``init``, ``n_init`` and ``backend`` that its
    docstring names.

    Units. A loss is computed where its kernel has bandwidth 1: in units of ``_length``, which is √γ
    for BRE and 1 for most. ``init_scale`` counts in that unit, and ``embedding_`` is converted from
    it; rows after the first ``n_points``, such as MRE's metrics, have no unit. ``unit`` is the size
    of the loss, by which the optimisers divide it.

    Parameters
    ----------
    n_components : int
        Number of dimensions d of the embedding.
    init : {"pca", "random"} or (n, d) array
        Start: the scores on the first principal axes, where flat ones get a little noise (or
        the classical scaling of distances, if these are given); a normal one; or a given one.
    init_scale : float
        Standard deviation of the normal start.
    n_init : int
        Number of random starts, of which the fit with the lowest loss is kept; 1 for other starts.
    optimizer : {"cg", "scg", "l-bfgs", "gd", "momentum"}
        Conjugate gradients, plain or scaled; L-BFGS; or gradient descent, with an adaptive step or
        with momentum.
    optimizer_options : dict, optional
        Further options of the optimiser: ``gtol``, the largest gradient at which it stops (1e-8);
        for "gd" and "momentum" ``step``, the first step length; for "gd" also ``grow`` and
        ``shrink``, its factors after a step that lowers the loss and one that does not, and
        ``keep_rises``, whether to keep the latter. Their defaults: `repro.core.methods`.
    max_iter : int
        Maximum number of iterations.
    callback : callable, optional
        ``callback(n_iter, loss, embedding)`` is called after each iteration; the count begins anew
        with each start. A KeyboardInterrupt that it raises ends the fit as Ctrl-C does, with a
        `repro.FitInterrupted` that carries the best embedding.
    backend : {"numba", "numpy"}, optional
        Code that computes the loss: compiled loops, or a few lines of NumPy. Default: the
        compiled loops, if numba is installed. More than 16 dimensions always use NumPy.
    progress : bool
        Whether to show a progress bar.
    random_state : int, numpy.random.Generator or None
        Seed or generator of all that is drawn at random.

    Attributes
    ----------
    embedding_ : (n, d) float64 array
    loss_ : float
        The loss at the embedding.
    loss_history_ : (n_iter_ + 1,) float64 array
        The loss at the start and after each iteration.
    n_iter_ : int
        Number of iterations.
    result_ : repro.core.optimize.Result
        Result of the optimiser, of its last run if there are several in turn.
    """

    _: KW_ONLY
    init_scale: float | None = 0.1
    optimizer: str = "cg"
    optimizer_options: dict | None = None
    max_iter: int = 200
    callback: Callable | None = None
    progress: bool = False
    random_state: int | np.random.Generator | None = None

    # For estimators without these parameters.
    n_init = 1
    init = None

    _random_scale = None  # scale of a random start, for estimators whose ``init_scale`` may be None
    _length = 1.0  # see "Units" above
    _cause = "all distances may be nearly equal"  # of a fit that puts all points in one place
    _conditional = False  # whether points may be moved one at a time
    # Most (n, n) float64 matrices that a fit holds: with compiled loops, and with NumPy.
    _peak = None

    def fit_transform(self, *data, **options):
        """Fit, with the arguments of ``fit``, and return a copy of the embedding, (n, d)."""
        return self.fit(*data, **options).embedding_.copy()

    def __sklearn_tags__(self):
        """Declare that what is precomputed, distances, affinities or a kernel, is square."""
        tags = super().__sklearn_tags__()
        words = [value for value in vars(self).values() if isinstance(value, str)]
        tags.input_tags.pairwise = "precomputed" in words
        return tags

    def _checked(self, X, **options):
        """Return data after our checks and scikit-learn's."""
        if issparse(X):
            X = X.tocsr()  # other formats hold their entries in other ways
        else:
            check_data(X, "X")
        X = validate_data(self, X, **options)
        check_size(X.data if issparse(X) else X, "X")
        return X

    def _get_params_html(self, *arguments, **options):
        """Show sparse matrices by name: scikit-learn cannot compare them with a default."""
        shown = self.get_params(deep=False)
        shown = {name: repr(v) if issparse(v) else v for name, v in shown.items()}
        return super(DescentEstimator, type(self)(**shown))._get_params_html(*arguments, **options)

    def _descend(self, objectives, n_rows, start=None, *, n_points=None, unit=1.0, **options):
        """Minimise the objectives in turn, each from the last result; keep the best of the starts.

        Objectives take an array (n_rows, d), in units of ``_length``; its first ``n_points`` rows,
        by default all, are the embedding. The start is random unless it is given. The options go
        to `repro.core.optimize.anneal`; ``optimizer_options`` override them. Return one result per
        objective, with the embedding in the user's units.
        """
        n_init = check_count(self.n_init, "n_init")
        if start is not None and n_init > 1:
            raise ValueError(f"n_init must be 1 unless the start is random, got {n_init}")
        known = [k for k in optimize.METHODS if self._conditional or k != "conditional-scg"]
        check_choice(self.optimizer, "optimizer", known)
        given = {} if self.optimizer_options is None else self.optimizer_options
        optimize.check_options(self.optimizer, given, "optimizer_options")
        check_flag(self.progress, "progress")
        if not (self.callback is None or callable(self.callback)):
            raise TypeError(f"callback must be callable or None, got {self.callback!r}")
        self._start_scale()  # raise errors before anything is computed
        length = self._length
        units = np.ones((n_rows, 1))
        units[:n_points] = length

        def draw(rng):
            return (self._random_start(n_rows, rng) if start is None else start) / length

        def report(n_iter, value, x):
            self.callback(n_iter, value, self._rows_of(x * units)[:n_points])

        try:
            results = optimize.anneal(
                objectives,
                draw,
                n_init=n_init,
                rng=optimize.as_generator(self.random_state),
                method=self.optimizer,
                max_iter=check_count(self.max_iter, "max_iter"),
                unit=unit,
                progress=self.progress,
                callback=None if self.callback is None else report,
                **{**options, **given},
            )
        except optimize.FitInterrupted as interrupt:
            result = replace(interrupt.result, x=self._rows_of(interrupt.result.x * units))
            raise optimize.FitInterrupted(result, result.x[:n_points]) from None
        self._warn_of_end(results, n_points)
        return [replace(result, x=self._rows_of(result.x * units)) for result in results]

    def _rows_of(self, x):
        """Return the embedding, and rows after it, from what a descent has reached."""
        return x

    def _set_results(self, results, n_points=None):
        """Set the fitted attributes from the results of `_descend`; return self."""
        self.result_ = results[-1]
        self.embedding_ = self.result_.x[:n_points].copy()
        self.loss_ = self.result_.value
        self.loss_history_ = np.concatenate([result.trace for result in results])
        self.n_iter_ = sum(result.n_iter for result in results)
        return self

    def _warn_of_end(self, results, n_points=None):
        """Warn if a fit has not settled, has not left its start, or has collapsed.

        A start that is not scaled by ``init_scale`` may be an optimum, which is no cause for a
        warning unless all points coincide.
        """
        message, last = "", results[-1]
        is_given = not isinstance(self.init, str | None)
        is_given = is_given or (self.init == "pca" and self.init_scale is None)
        collapsed = np.ptp(last.x[:n_points], axis=0).max() < COLLAPSED
        falls = [result.trace[0] - result.value for result in results]
        if max(falls) <= 1e-12 * abs(results[0].trace[0]):
            if not is_given or collapsed or any(result.n_iter for result in results):
                scale = "" if is_given else "init_scale may be too small or too large, or "
                message = f"the fit ended at its start: {last.message}; {scale}{self._cause}"
        elif last.n_iter == self.max_iter and _still_falls(last.trace):
            message = f"the loss was still falling after max_iter = {self.max_iter} iterations"
        elif collapsed:
            message = f"the fit put all points in one place: {self._cause}"
        if message:
            warn_user(message, ConvergenceWarning)

    def _start_scale(self):
        """Return the standard deviation of a random start."""
        scale = self._random_scale if self.init_scale is None else self.init_scale
        scale = np.float64(check_positive(scale, "init_scale"))
        return check_size(scale, "init_scale") * self._length

    def _dimension(self, n):
        """Return n_components, after a check of the memory that a descent of n points takes."""
        d = check_count(self.n_components, "n_components")
        check_memory(n, ARRAYS, "fewer n_components need less", columns=d)
        return d

    def _random_start(self, n_rows, rng):
        """Draw a normal start, (n_rows, n_components)."""
        d = self._dimension(n_rows)
        return self._start_scale() * rng.standard_normal((n_rows, d))

    def _choose_backend(self):
        """Return the backend to use for ``n_components`` dimensions."""
        n_components = check_count(self.n_components, "n_components")
        return backend.choose_backend(self.backend, n_components)

    def _n_matrices(self, peak=None):
        """Return how many (n, n) matrices a fit holds, one of the two numbers of ``_peak``."""
        chosen = self.backend or backend.backends()[0]
        unrolled = self.n_components <= backend.MOST_DIMENSIONS
        with_loops, with_numpy = peak or self._peak
        return with_loops if chosen == "numba" and unrolled else with_numpy

    def _start(self, X, distances=False):
        """Return the start, (n, d), that ``init`` specifies; None for a random one.

        X holds points, or ``distances`` of all pairs. The standard deviation along the widest axis
        is ``init_scale`` in units of ``_length``, unless that is None.
        """
        d = self._dimension(X.shape[0])
        if isinstance(self.init, str):
            if check_choice(self.init, "init", ("pca", "random")) == "random":
                return None
            scores = principal_coordinates(X**2, d) if distances else principal_scores(X, d)
            start = fill_flat_axes(scores)
        else:
            start = check_points(self.init, "init")
            if start.shape != (X.shape[0], d):
                raise ValueError(f"init must have shape {(X.shape[0], d)}, got {start.shape}")
        widest = start.std(axis=0).max()
        if self.init_scale is None or widest == 0:
            return start
        return start * (self._start_scale() / widest)


def _still_falls(trace):
    """Return whether a loss has fallen much in the last tenth of its iterations."""
    lowest = np.minimum.accumulate(trace)
    late_fall = lowest[-1 - -(-(len(trace) - 1) // 10)] - lowest[-1]
    return late_fall / (lowest[0] - lowest[-1] or 1.0) > UNSETTLED


@as_estimator
class DistanceEstimator(DescentEstimator):
    """Base class of embeddings that see data only through the distances of all pairs.

    Parameters
    ----------
    metric : {"euclidean", "precomputed"}
        With "precomputed", ``fit`` takes distances of all pairs, (n, n), in place of the data: not
        squared, such as `scipy.spatial.distance.squareform` or a graph search returns. Widths and
        bandwidths are then in their squared unit, and there is no way back to data.
    """

    _: KW_ONLY
    metric: str = "euclidean"


class EmbeddingTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """A transformer whose ``fit_transform`` returns the embedding found in the fit.

    ``transform``, where it exists, places each point as if it were new, so the results differ.
    ``set_output(transform="pandas")`` names the columns after the method: sne0, sne1.
    """

    def fit_transform(self, X, y=None, **options):
        """Fit, with the arguments of ``fit``, and return a copy of the embedding, (n, d)."""
        return self.fit(X, y, **options).embedding_.copy()

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]
