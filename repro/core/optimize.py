"""Minimisation of f(x) -> (value, gradient), with x of any shape, by `repro.core.methods`.

The outcome is a `Result`. Ctrl-C raises `FitInterrupted`, which carries the best point so far.
"""

from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from repro.core.blas import one_blas_thread
from repro.core.checks import check_choice, check_count, check_finite
from repro.core.methods import METHODS, check_options

# Largest gradient at the start: the optimisers multiply four gradients, which must not overflow.
STEEPEST = 1e70


@dataclass(frozen=True)
class Result:
    """Result of an optimiser.

    ``x``, of the start's shape, is the best point evaluated, an iterate or a point at which a
    search probed, and ``value`` the objective there. ``trace``, (n_iter + 1,) float64, is the
    objective at the start and after each iteration; its minimum may exceed ``value``.
    ``evaluations``, (n_iter + 1,) int, counts those of value and gradient of all points up to
    each entry of ``trace``; ``message`` says why the optimiser stopped.
    """

    x: np.ndarray
    value: float
    trace: np.ndarray
    evaluations: np.ndarray
    message: str

    @property
    def n_iter(self):
        """Number of iterations."""
        return len(self.trace) - 1

    def evaluations_to(self, target):
        """Return the number of evaluations until the objective was at most ``target``, or None."""
        reached = np.flatnonzero(self.trace <= target)
        return int(self.evaluations[reached[0]]) if len(reached) else None


class FitInterrupted(KeyboardInterrupt):
    """Ctrl-C during a fit, which is given up; the estimator stays as it was before.

    Attributes
    ----------
    embedding : (n, d) float64 array
        The embedding of the best finished start; before one is finished, that with the lowest loss
        of the round or annealing step that was reached.
    result : repro.core.optimize.Result
        The result of the optimiser there.
    """

    def __init__(self, result, embedding=None):
        super().__init__(result, embedding)  # what pickle gives back to a constructor
        self.result = result
        self.embedding = result.x if embedding is None else embedding

    def __str__(self):
        return f"interrupted; .embedding holds the best so far, of loss {self.result.value:.5g}"


class Recorder:
    """f divided by ``unit``, with records of f itself: evaluations, best point and trace."""

    def __init__(self, f, x0, bar=None, unit=1.0, callback=None):
        self.f = f
        self.bar = bar
        self.unit = unit
        self.callback = callback
        self.shape = np.shape(x0)
        self.n_evaluations = 0
        self.best_value = np.inf
        self.best_x = np.array(x0, dtype=float)
        self.trace = []
        self.evaluations = []

    def __call__(self, x):
        """Evaluate at x, a flat vector, or one row, (1, N), of `ScaledConjugateSearch`."""
        value, gradient = self.f(x.reshape(self.shape))
        self.n_evaluations += 1
        if value < self.best_value:
            self.best_value, self.best_x = float(value), x.reshape(self.shape).copy()
        value, gradient = float(value) / self.unit, np.ravel(gradient) / self.unit
        return (value, gradient) if x.ndim == 1 else (np.array([value]), gradient[None])

    def record(self, value, x):
        """Record an accepted iterate, the flat vector x, and its value in units of ``unit``."""
        value *= self.unit
        self.trace.append(float(value))
        self.evaluations.append(self.n_evaluations)
        n_iter = len(self.trace) - 1
        if self.bar and n_iter:
            self.bar.set_postfix_str(f"loss {value:.5g}", refresh=False)
            self.bar.update()
        if self.callback and n_iter:
            self.callback(n_iter, float(value), x.reshape(self.shape).copy())

    def result(self, message):
        """Return the `Result`."""
        trace = np.array(self.trace)
        return Result(self.best_x, self.best_value, trace, np.array(self.evaluations), message)


def _bar(max_iter):
    from tqdm.auto import tqdm

    return tqdm(total=max_iter, unit="it", leave=False)


def unit_of(size):
    """Return the power of two nearest to a loss's size; dividing by it changes no digit."""
    return 2.0 ** np.round(np.log2(size))


def checked_start(x0):
    """Return the start of a descent as a float64 array; raise an error if it is not finite."""
    return check_finite(x0, "x0").astype(float)


def minimize(
    f, x0, method="cg", *, max_iter=200, unit=1.0, progress=False, callback=None, **options
):
    """Minimise f from x0, a finite array, in at most ``max_iter`` iterations; return a `Result`.

    f maps an array of the shape of x0 to (value, gradient of that shape), both finite at x0. The
    methods, "cg", "scg", "conditional-scg", "l-bfgs", "gd" and "momentum", and their options are in
    `repro.core.methods`. They see f and its gradient divided by ``unit``, the size of f, such as
    the mean weight of its terms, so that constants such as ``gtol`` do not depend on its scale.
    ``progress`` shows a bar. ``callback(n_iter, value, x)`` is called after each iteration with a
    copy of the iterate. Raise `FitInterrupted` on Ctrl-C, or if the callback raises
    KeyboardInterrupt, after the first evaluation.
    """
    check_choice(method, "method", tuple(METHODS))
    check_options(method, options)
    check_count(max_iter, "max_iter")
    if "step" in options:  # it multiplies the gradient of f itself
        options["step"] *= unit
    x0 = checked_start(x0)
    # Values that overflow on the way are not finite and are not accepted.
    quiet = np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore")
    with _bar(max_iter) if progress else nullcontext() as bar, one_blas_thread(), quiet:
        recorder = Recorder(f, x0, bar, unit, callback)
        try:
            value, gradient = recorder(x0.ravel())
            if not (np.isfinite(value) and np.abs(gradient).max(initial=0.0) <= STEEPEST):
                raise ValueError(
                    "the objective or its gradient is not finite, or too large, at the start, x0 "
                    "or init: it, init_scale or penalty may be too large"
                )
            recorder.record(value, x0.ravel())
            message = METHODS[method](recorder, x0.ravel(), value, gradient, max_iter, **options)
        except KeyboardInterrupt:
            if not recorder.trace:
                raise
            raise FitInterrupted(recorder.result("interrupted")) from None
    return recorder.result(message)


def anneal(objectives, start, *, n_init, rng, method, steps=None, callback=None, **options):
    """Minimise the objectives in turn, each from the last result, from each of ``n_init`` starts.

    An objective that a generator yields is built when it is reached, and dropped before the next;
    several starts need an iterable that can be iterated again. ``start(rng)`` draws a start.
    ``steps`` are the step lengths of the objectives, if they differ. The callback counts iterations
    from the start on. Options go to `minimize`. Return a list of `Result`, one per objective, for
    the start with the lowest final value. On Ctrl-C, `FitInterrupted` carries the best finished
    result; before the first, what there is.
    """
    best = None
    for _ in range(n_init):
        x, results = start(rng), []
        try:
            for f in objectives:
                own = {} if steps is None else {"step": steps[len(results)]}
                report = _counted(callback, sum(result.n_iter for result in results))
                results.append(minimize(f, x, method, callback=report, **own | options))
                x = results[-1].x
                del f  # it may hold much memory while the next one is built
        except KeyboardInterrupt as error:
            so_far = [*results, error.result] if isinstance(error, FitInterrupted) else results
            if not (best or so_far):
                raise
            raise FitInterrupted((best or so_far)[-1]) from None
        if best is None or results[-1].value < best[-1].value:
            best = results
    return best


def _counted(callback, before):
    """Return a callback that counts the iterations before its own; None stays None."""
    if callback is None or not before:
        return callback
    return lambda n_iter, value, x: callback(before + n_iter, value, x)


def as_generator(random_state):
    """Return a NumPy Generator for None, an int or a Generator."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise type(error)(
            "random_state must be None, an integer that is not negative, or a "
            f"numpy.random.Generator, got {random_state!r}"
        ) from None
