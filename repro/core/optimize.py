"""Generic optimisers of f(x) -> (value, gradient), with x of any shape.

All return a `Result`. Ctrl-C raises `FitInterrupted`, which carries the best point so far.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from inspect import signature

import numpy as np
import scipy.optimize

from repro.core.blas import one_blas_thread
from repro.core.checks import (
    check_choice,
    check_count,
    check_finite,
    check_flag,
    check_not_negative,
    check_positive,
)
from repro.core.scaled_conjugate import ScaledConjugateSearch

# Largest gradient at the start: the optimisers multiply four gradients, which must not overflow.
STEEPEST = 1e70
# Momentum in the early and late iterations; the fraction of iterations that are early.
MOMENTUM, EARLY = (0.5, 0.95), 0.2


@dataclass(frozen=True)
class Result:
    """Result of an optimiser.

    Attributes
    ----------
    x : array of the start's shape
        The best point evaluated: an iterate, or a point at which a search probed.
    value : float
        The objective there.
    trace : (n_iter + 1,) float64 array
        The objective at the start and after each iteration; its minimum may exceed ``value``.
    evaluations : (n_iter + 1,) int array
        The number of evaluations of value and gradient up to each entry of ``trace``.
    message : str
        Why the optimiser stopped.
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
    """Wrapper of f that counts evaluations, keeps best point and trace, and reports iterations.

    The optimisers see f divided by ``unit``; the records keep f itself.
    """

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
            self._report(n_iter, float(value), x.reshape(self.shape).copy())

    def _report(self, n_iter, value, x):
        try:
            self.callback(n_iter, value, x)
        except StopIteration as error:  # SciPy would take it for its own, and other methods not
            raise RuntimeError("to stop a fit, a callback raises KeyboardInterrupt") from error

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
    """Minimise f from x0.

    Parameters
    ----------
    f : callable
        Maps an array of the shape of x0 to (value, gradient of that shape), both finite at x0.
    x0 : array
        Start, finite.
    method : {"cg", "scg", "conditional-scg", "l-bfgs", "gd", "momentum"}
        See `conjugate_gradients`, `scaled_conjugate_gradients`, `conditional_scg`, `lbfgs`,
        `gradient_descent` and `momentum_descent`, which take the options.
    max_iter : int
        Maximum number of iterations.
    unit : float
        Size of f, such as the mean weight of its terms. The optimisers see f and its gradient
        divided by it, so that constants such as ``gtol`` do not depend on the scale of f.
    progress : bool
        Whether to show a progress bar.
    callback : callable, optional
        ``callback(n_iter, value, x)`` is called after each iteration with a copy of the iterate.

    Returns
    -------
    result : Result

    Raises
    ------
    FitInterrupted
        On Ctrl-C, or if the callback raises KeyboardInterrupt, after the first evaluation.
    """
    check_choice(method, "method", tuple(METHODS))
    check_options(method, options)
    check_count(max_iter, "max_iter")
    if "step" in options:  # it multiplies the gradient of f itself
        options["step"] *= unit
    x0 = checked_start(x0)
    # Values that overflow on the way are not finite and are not accepted.
    quiet = np.errstate(over="ignore", divide="ignore", invalid="ignore")
    with _bar(max_iter) if progress else nullcontext() as bar, one_blas_thread(), quiet:
        recorder = Recorder(f, x0, bar, unit, callback)
        try:
            value, gradient = recorder(x0.ravel())
            if not (np.isfinite(value) and np.isfinite(gradient).all()):
                raise ValueError(
                    "the objective or its gradient is not finite at the start, x0 or init: "
                    "it, init_scale or penalty may be too large"
                )
            if np.abs(gradient).max(initial=0.0) > STEEPEST:
                raise ValueError(
                    "the objective is too steep at the start, x0 or init: start elsewhere, "
                    "or give another init_scale or penalty"
                )
            recorder.record(value, x0.ravel())
            message = METHODS[method](recorder, x0.ravel(), value, gradient, max_iter, **options)
        except KeyboardInterrupt:
            if not recorder.trace:
                raise
            raise FitInterrupted(recorder.result("interrupted")) from None
    return recorder.result(message)


@dataclass(frozen=True)
class ScipyMethod:
    """A method of `scipy.optimize.minimize`, restarted where its line search fails.

    If the line search fails before ``max_iter``, the method restarts along the steepest descent,
    and stops if that fails at once. The "minimize" code that the papers of 2004 used does the same.

    Parameters
    ----------
    name : str
        SciPy's name of the method.
    options : dict
        SciPy's options.
    evaluations : int, optional
        Most evaluations, as a multiple of ``max_iter``.
    """

    name: str
    options: dict
    evaluations: int | None = None

    def __call__(self, f, x, value, gradient, max_iter, *, gtol=1e-8):
        """Minimise f from the flat vector x; return why it ended."""
        options = {"gtol": gtol, **self.options}
        if self.evaluations:
            options["maxfun"] = self.evaluations * max_iter
        while (left := max_iter + 1 - len(f.trace)) > 0:
            before = len(f.trace)
            found = scipy.optimize.minimize(
                f,
                x,
                jac=True,
                method=self.name,
                callback=lambda intermediate_result: f.record(
                    intermediate_result.fun, intermediate_result.x
                ),
                options={**options, "maxiter": left},
            )
            x = f.best_x.ravel()
            if found.success or len(f.trace) == before:
                return str(found.message)
        return f"{max_iter} iterations"


# Nonlinear conjugate gradients (Polak–Ribière, strong Wolfe), and limited-memory BFGS.
conjugate_gradients = ScipyMethod("CG", {})
lbfgs = ScipyMethod("L-BFGS-B", {"ftol": 1e-15, "maxcor": 20}, evaluations=20)


def gradient_descent(
    f, x, value, gradient, max_iter, *, step=1.0, grow=1.1, shrink=0.5, keep_rises=False, gtol=1e-8
):
    """Minimise by gradient descent with a step that grows after success and shrinks after failure.

    Parameters
    ----------
    step : float
        The first step length.
    grow, shrink : float
        Factors of the step length after a step that lowers the objective, and after one that
        does not.
    keep_rises : bool
        Whether to keep a step that does not lower the objective, as in the t-ETE authors' code
        (there with ``grow=1.01``), instead of undoing it. The best iterate is returned either way.
    """
    for _ in range(max_iter):
        if np.abs(gradient).max() <= gtol:
            return f"the gradient is below {gtol}"
        new_x = x - step * gradient
        new_value, new_gradient = f(new_x)
        lower = new_value < value
        step *= grow if lower else shrink
        if lower or (keep_rises and np.isfinite(new_value)):
            x, value, gradient = new_x, new_value, new_gradient
        f.record(value, x)
        if step < 1e-300:
            return "the step has vanished"
    return f"{max_iter} iterations"


def momentum_descent(f, x, value, gradient, max_iter, *, step=1.0, gtol=1e-8):
    """Minimise with momentum and a gain per coordinate, as in t-SNE and TriMap.

    A gain grows while its coordinate keeps its direction and shrinks when it reverses (delta-bar-
    delta; Jacobs, 1988). The gradient is evaluated where the momentum leads. Without a line search,
    each step costs one evaluation, and some raise the objective. The best iterate is returned.
    """
    move, gain, lead = np.zeros_like(x), np.ones_like(x), 0.0
    n_early = round(EARLY * max_iter)
    for iteration in range(max_iter):
        if np.abs(gradient).max() <= gtol:
            return f"the gradient is below {gtol}"
        turned = move * gradient > 0
        gain = np.where(turned, np.maximum(0.8 * gain, 0.01), gain + 0.2)
        # x is where the gradient was evaluated, lead · move ahead of the last iterate.
        new_move = lead * move - step * gain * gradient
        new_lead = MOMENTUM[0] if iteration + 1 < n_early else MOMENTUM[1]
        x = x - lead * move + new_move + new_lead * new_move
        move, lead = new_move, new_lead
        value, gradient = f(x)
        if not np.isfinite(value):
            return "the objective is not finite: the step is too long"
        f.record(value, x)
    return f"{max_iter} iterations"


def scaled_conjugate_gradients(f, x, value, gradient, max_iter, *, gtol=1e-8):
    """Minimise one problem by `ScaledConjugateSearch`; a failed step counts as an iteration."""
    search = ScaledConjugateSearch(x[None], [value], gradient[None])
    for _ in range(max_iter):
        if np.abs(search.downhill).max() <= gtol:
            return f"the gradient is below {gtol}"
        if search.stuck:
            return "no step lowers the objective"
        search.step(f)
        f.record(search.values[0], search.x[0])
    return f"{max_iter} iterations"


def conditional_scg(f, x, value, gradient, max_iter, *, conditional, inner=1, gtol=1e-8):
    """Minimise over each row given the others, all rows at once, and repeat. BRE Sec. 3.

    All rows move simultaneously, so the objective may rise, and more so with more inner steps. The
    best iterate is returned.

    Parameters
    ----------
    conditional : callable
        ``conditional(T, X)`` returns, for each row, value and gradient of the objective as a
        function of that row alone, at row T, with the other rows from X.
    inner : int
        Steps of scaled conjugate gradients per repetition.
    """
    X = x.reshape(f.shape)
    for _ in range(max_iter):
        if np.abs(gradient).max() <= gtol:
            return f"the gradient is below {gtol}"
        search = ScaledConjugateSearch(X, *conditional(X, X))
        for _ in range(inner):
            search.step(lambda T, X=X: conditional(T, X))
        X = search.x
        value, gradient = f(X.ravel())
        f.record(value, X)
    return f"{max_iter} iterations"


METHODS = {
    "cg": conjugate_gradients,
    "scg": scaled_conjugate_gradients,
    "conditional-scg": conditional_scg,
    "l-bfgs": lbfgs,
    "gd": gradient_descent,
    "momentum": momentum_descent,
}


def check_options(method, options, name="options"):
    """Raise an error if an option is unknown to the method or has an invalid value."""
    if not isinstance(options, Mapping):
        raise TypeError(f"{name} must be a dict, got {options!r}")
    parameters = signature(METHODS[method]).parameters
    known = [name for name, of in parameters.items() if of.kind is of.KEYWORD_ONLY]
    for option, value in options.items():
        if option not in known:
            raise ValueError(f"{name} of {method!r} may be {', '.join(known)}, got {option!r}")
        if option in ("step", "grow", "shrink"):
            check_positive(value, option)
        if (option == "grow" and value < 1) or (option == "shrink" and value > 1):
            raise ValueError(
                f"grow must be at least 1 and shrink at most 1, got {option}={value!r}"
            )
        if option == "keep_rises":
            check_flag(value, option)
        if option == "inner":
            check_count(value, option)
        if option == "gtol":
            check_not_negative(value, option)


def anneal(objectives, start, *, n_init, rng, method, steps=None, callback=None, **options):
    """Minimise the objectives in turn, each from the last result, from each of ``n_init`` starts.

    Parameters
    ----------
    objectives : iterable of callable
        Each is built when it is reached, if the iterable is a generator, and dropped before the
        next; several starts need an iterable that can be iterated again.
    start : callable
        Draws a start from the generator ``rng``.
    steps : sequence of float, optional
        The step length per objective, if they differ.
    callback : callable, optional
        As for `minimize`; iterations are counted from the start on.
    n_init, rng, method, options
        Number of starts, and their generator; for the others see `minimize`.

    Returns
    -------
    results : list of Result
        One per objective, for the start with the lowest final value.

    Raises
    ------
    FitInterrupted
        On Ctrl-C, with the best finished result; before the first, with what there is.
    """
    best = None
    for _ in range(n_init):
        x, results = start(rng), []
        try:
            for f in objectives:
                own = {} if steps is None else {"step": steps[len(results)]}
                report = _counted(callback, sum(result.n_iter for result in results))
                results.append(minimize(f, x, method, callback=report, **{**own, **options}))
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
    """Return a NumPy Generator for None, an int, a Generator or a legacy RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise type(error)(
            "random_state must be None, an integer that is not negative, or a "
            f"numpy.random.Generator, got {random_state!r}"
        ) from None
