"""Optimisers of f(x) -> (value, gradient). They know no objective, and take x of any shape.

All return a `Result`, and all return the best iterate so far, with a warning, on Ctrl-C.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from inspect import signature

import numpy as np
import scipy.optimize

from repro.core.blas import one_blas_thread
from repro.core.checks import (
    check_choice,
    check_count,
    check_finite,
    check_not_negative,
    check_positive,
)
from repro.core.interrupts import only_whole_fits
from repro.core.last_digits import moved_if_asked
from repro.core.scaled_conjugate import ScaledConjugateSearch
from repro.core.warn import warn_user

# With larger gradients than this the optimisers' products of four of them overflow.
STEEPEST = 1e70
# Momentum in the early and in the late iterations; the share of iterations that counts as early.
MOMENTUM, EARLY = (0.5, 0.95), 0.2


@dataclass(frozen=True)
class Result:
    """What an optimiser found.

    Attributes
    ----------
    x : array of the start's shape
        The best iterate.
    value : float
        The objective there.
    trace : (n_iter + 1,) float64 array
        The objective at the start and after each iteration.
    evaluations : (n_iter + 1,) int array
        The number of evaluations of value and gradient up to each entry of ``trace``.
    message : str
        Why it stopped.
    interrupted : bool
        Whether Ctrl-C stopped it.
    """

    x: np.ndarray
    value: float
    trace: np.ndarray
    evaluations: np.ndarray
    message: str
    interrupted: bool = False

    @property
    def n_iter(self):
        """Number of iterations."""
        return len(self.trace) - 1

    @property
    def n_evaluations(self):
        """Number of evaluations of value and gradient up to the last iterate."""
        return int(self.evaluations[-1])

    def evaluations_to(self, target):
        """Return the number of evaluations until the objective was at most ``target``, or None."""
        reached = np.flatnonzero(self.trace <= target)
        return int(self.evaluations[reached[0]]) if len(reached) else None


class Recorder:
    """Wraps f: counts evaluations, keeps the best iterate and the trace, moves the bar.

    The optimisers see f in its ``unit``; what is kept is f as it is.
    """

    def __init__(self, f, x0, bar, unit=1.0):
        self.f, self.bar, self.unit = f, bar, unit
        self.shape = np.shape(x0)
        self.n_evaluations = 0
        self.best_value, self.best_x = np.inf, np.array(x0, dtype=float)
        self.trace, self.evaluations = [], []

    def __call__(self, x):
        """Evaluate at the flat vector x."""
        value, gradient = self.f(x.reshape(self.shape))
        self.n_evaluations += 1
        if value < self.best_value:
            self.best_value, self.best_x = float(value), x.reshape(self.shape).copy()
        return float(value) / self.unit, np.ravel(gradient) / self.unit

    def record(self, value):
        """Note the value of an accepted iterate, in the unit."""
        value *= self.unit
        if self.bar and self.trace:
            self.bar.set_postfix_str(f"loss {value:.5g}", refresh=False)
            self.bar.update()
        self.trace.append(float(value))
        self.evaluations.append(self.n_evaluations)

    def result(self, message, interrupted=False):
        """Return what was found."""
        trace, evaluations = np.array(self.trace), np.array(self.evaluations)
        return Result(self.best_x, self.best_value, trace, evaluations, message, interrupted)


def _bar(max_iter):
    from tqdm.auto import tqdm

    return tqdm(total=max_iter, unit="it", leave=False)


def unit_of(size):
    """Return the power of two nearest to the size of a loss: to divide by it changes no digit."""
    return 2.0 ** np.round(np.log2(size))


def minimize(f, x0, method="cg", *, max_iter=200, unit=1.0, progress=False, **options):
    """Minimise f from x0.

    Parameters
    ----------
    f : callable
        Takes an array of the shape of x0, returns (value, gradient of that shape), finite at x0.
    x0 : array
        The start, finite.
    method : {"cg", "scg", "conditional-scg", "l-bfgs", "gd", "momentum"}
        See `conjugate_gradients`, `scaled_conjugate_gradients`, `conditional_scg`, `lbfgs`,
        `gradient_descent` and `momentum_descent`, which take the options.
    max_iter : int
        Most iterations.
    unit : float
        The size of f, such as the mean weight of its terms. What the optimisers compare with a
        constant, such as ``gtol`` with the gradient, is f and its gradient divided by it: then what
        they find does not depend on how f is scaled.
    progress : bool
        Show a progress bar.

    Returns
    -------
    result : Result
    """
    check_choice(method, "method", tuple(METHODS))
    check_options(method, options)
    check_count(max_iter, "max_iter")
    if "step" in options:  # a factor of the gradient as it is
        options["step"] *= unit
    x0 = moved_if_asked(check_finite(x0, "x0").astype(float))
    # What overflows on the way is not finite, and is not accepted.
    quiet = np.errstate(over="ignore", divide="ignore", invalid="ignore")
    with _bar(max_iter) if progress else nullcontext() as bar, one_blas_thread(), quiet:
        recorder = Recorder(f, x0, bar, unit)
        try:
            value, gradient = recorder(x0.ravel())
            if not (np.isfinite(value) and np.isfinite(gradient).all()):
                raise ValueError("the objective or its gradient is not finite at the start x0")
            if np.abs(gradient).max(initial=0.0) > STEEPEST:
                raise ValueError(
                    "the objective is too steep at the start x0: "
                    "start elsewhere, or give init_scale"
                )
            recorder.record(value)
            message = METHODS[method](recorder, x0.ravel(), value, gradient, max_iter, **options)
        except KeyboardInterrupt:
            if not recorder.trace or only_whole_fits():
                raise
            iterations = len(recorder.trace) - 1
            warn_user(f"interrupted after {iterations} iterations; the best iterate is kept")
            return recorder.result("interrupted", interrupted=True)
    return recorder.result(message)


def conjugate_gradients(f, x, value, gradient, max_iter, gtol=1e-8):
    """Nonlinear conjugate gradients (Polak–Ribière) with a strong Wolfe line search, by SciPy.

    Where the line search fails before ``max_iter``, the search starts again along the steepest
    descent, and stops when that fails at once: so does the "minimize" that the papers of 2004 used.
    """
    return _scipy(f, x, value, max_iter, "CG", {"gtol": gtol})


def lbfgs(f, x, value, gradient, max_iter, gtol=1e-8):
    """Limited-memory BFGS, by SciPy."""
    options = {"gtol": gtol, "ftol": 1e-15, "maxfun": 20 * max_iter, "maxcor": 20}
    return _scipy(f, x, value, max_iter, "L-BFGS-B", options)


def _scipy(f, x, value, max_iter, method, options):
    while (left := max_iter + 1 - len(f.trace)) > 0:
        before = len(f.trace)
        found = scipy.optimize.minimize(
            f,
            x,
            jac=True,
            method=method,
            callback=lambda intermediate_result: f.record(intermediate_result.fun),
            options={**options, "maxiter": left},
        )
        x = f.best_x.ravel()
        if found.success or len(f.trace) == before:
            return str(found.message)
    return f"{max_iter} iterations"


def gradient_descent(
    f, x, value, gradient, max_iter, step=1.0, grow=1.1, shrink=0.5, keep_rises=False, gtol=1e-8
):
    """Gradient descent whose step grows after a success and shrinks after a failure.

    Parameters
    ----------
    step : float
        The first step length.
    grow, shrink : float
        Factors of the step after a step that lowers the objective, and after one that does not.
    keep_rises : bool
        Whether a step that does not lower the objective is taken all the same, as in the t-ETE
        authors' code (there with ``grow=1.01``); by default it is undone. The best iterate is
        returned either way.
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
        f.record(value)
        if step < 1e-300:
            return "the step has vanished"
    return f"{max_iter} iterations"


def momentum_descent(f, x, value, gradient, max_iter, step=1.0, gtol=1e-8):
    """Gradient descent with momentum and a gain for each coordinate, as for t-SNE and TriMap.

    Gains grow while a coordinate goes on in its direction and shrink when it turns back
    (delta-bar-delta; Jacobs, 1988). The gradient is taken where the momentum leads. Nothing is
    searched: each step costs one evaluation, and some raise the objective. The best iterate counts.
    """
    move, gain, lead = np.zeros_like(x), np.ones_like(x), 0.0
    n_early = round(EARLY * max_iter)
    for iteration in range(max_iter):
        if np.abs(gradient).max() <= gtol:
            return f"the gradient is below {gtol}"
        turned = move * gradient > 0
        gain = np.where(turned, np.maximum(0.8 * gain, 0.01), gain + 0.2)
        # x is where the gradient was taken: ahead of the last place by lead · move.
        new_move = lead * move - step * gain * gradient
        new_lead = MOMENTUM[0] if iteration + 1 < n_early else MOMENTUM[1]
        x = x - lead * move + new_move + new_lead * new_move
        move, lead = new_move, new_lead
        value, gradient = f(x)
        if not np.isfinite(value):
            return "the objective is not finite: the step is too long"
        f.record(value)
    return f"{max_iter} iterations"


def scaled_conjugate_gradients(f, x, value, gradient, max_iter, gtol=1e-8):
    """`ScaledConjugateSearch` in one problem; a failed step is an iteration too."""

    def rows(x):
        value, gradient = f(x[0])
        return np.array([value]), gradient[None]

    search = ScaledConjugateSearch(x[None], [value], gradient[None])
    for _ in range(max_iter):
        if np.abs(search.downhill).max() <= gtol:
            return f"the gradient is below {gtol}"
        if search.stuck:
            return "no step lowers the objective"
        search.step(rows)
        f.record(search.values[0])
    return f"{max_iter} iterations"


def conditional_scg(f, x, value, gradient, max_iter, conditional, inner=1, gtol=1e-8):
    """Minimise over each row given the others, all rows at once, and repeat. BRE Sec. 3.

    The rows move without knowing of each other's moves, so that the objective may rise: the more,
    the more steps each takes before it looks at the others again. The best iterate is returned.

    Parameters
    ----------
    conditional : callable
        ``conditional(T, X)`` gives, for each row, value and gradient of the objective as a
        function of that row alone, at its place in T, the other rows as in X.
    inner : int
        Steps of scaled conjugate gradients in each repetition.
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
        f.record(value)
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
    """Say which options of a method there are not, or are no numbers that it can use."""
    if not isinstance(options, Mapping):
        raise TypeError(f"{name} must be a dict, got {options!r}")
    known = list(signature(METHODS[method]).parameters)[5:]
    for option, value in options.items():
        if option not in known:
            raise ValueError(f"{name} of {method!r} may be {', '.join(known)}, got {option!r}")
        if option in ("step", "grow", "shrink"):
            check_positive(value, option)
        if option == "inner":
            check_count(value, option)
        if option == "gtol":
            check_not_negative(value, option)


def anneal(objectives, start, *, n_init, rng, method, steps=None, **options):
    """Minimise each objective from where the last one ended, from each of ``n_init`` starts.

    ``start`` draws one from the generator; for the options see `minimize`; ``steps`` are those of
    the objectives, where they differ. Return one result per objective (fewer after Ctrl-C), of the
    start with the lowest last value.
    """
    own = [{}] * len(objectives) if steps is None else [{"step": step} for step in steps]
    best = None
    for _ in range(n_init):
        x, results = start(rng), []
        try:
            for f, of_f in zip(objectives, own, strict=True):
                results.append(minimize(f, x, method, **{**of_f, **options}))
                x = results[-1].x
                if results[-1].interrupted:
                    break
        except KeyboardInterrupt:  # before a first evaluation: what was found is not lost
            results = results or best
            if not results or only_whole_fits():
                raise
            results[-1] = replace(results[-1], interrupted=True)
        complete = len(results) == len(objectives)
        if best is None or (complete and results[-1].value < best[-1].value):
            best = results
        if results[-1].interrupted:
            break
    return best


def as_generator(random_state):
    """Return a numpy Generator for None, an int, a Generator or a legacy RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise type(error)(
            "random_state must be None, an integer that is not negative, or a "
            f"numpy.random.Generator, got {random_state!r}"
        ) from None
