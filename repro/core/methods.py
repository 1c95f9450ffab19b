"""The methods of `repro.core.optimize`: each minimises a recorded function from a flat vector.

A method is called as ``method(f, x, value, gradient, max_iter, **options)`` with a `Recorder` f and
its value and gradient at x. It records each iterate, and returns why it ended.
"""

from collections.abc import Mapping
from inspect import signature

import numpy as np
import scipy.optimize

from repro.core.checks import check_flag, check_not_negative, check_positive
from repro.core.scaled_conjugate import ScaledConjugateSearch

# Momentum in the early and late iterations; the fraction of iterations that are early.
MOMENTUM, EARLY = (0.5, 0.95), 0.2


def by_scipy(name, **fixed):
    """Return a method of `scipy.optimize.minimize`, with fixed options, restarted where it fails.

    If its line search fails before ``max_iter``, it restarts along the steepest descent, and stops
    if that fails at once. The "minimize" code that the papers of 2004 used does the same.
    """

    def method(f, x, value, gradient, max_iter, *, gtol=1e-8):
        while (left := max_iter + 1 - len(f.trace)) > 0:
            before = len(f.trace)
            outcome = scipy.optimize.minimize(
                f,
                x,
                jac=True,
                method=name,
                callback=lambda intermediate_result: f.record(
                    intermediate_result.fun, intermediate_result.x
                ),
                options={"gtol": gtol, "maxiter": left, **fixed},
            )
            x = f.best_x.ravel()
            if outcome.success or len(f.trace) == before:
                return str(outcome.message)
        return f"{max_iter} iterations"

    return method


def gradient_descent(
    f, x, value, gradient, max_iter, *, step=1.0, grow=1.1, shrink=0.5, keep_rises=False, gtol=1e-8
):
    """Minimise by gradient descent with a step that grows after success and shrinks after failure.

    ``step`` is the first step length; ``grow`` and ``shrink`` are its factors. ``keep_rises`` keeps
    a step that does not lower the objective, as in the t-ETE authors' code (there with
    ``grow=1.01``), instead of undoing it. The best iterate is returned either way.
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


def momentum_descent(f, x, value, gradient, max_iter, *, step=1.0, longest=np.inf, gtol=1e-8):
    """Minimise with momentum and a gain per coordinate, as in t-SNE and TriMap.

    A gain grows while its coordinate keeps its direction and shrinks when it reverses (delta-bar-
    delta; Jacobs, 1988). The gradient is evaluated where the momentum leads. No row moves by more
    than ``longest`` times the median row, or a hub would be thrown to where forces are too weak to
    bring it back. Each step costs one evaluation, and some raise the objective. The best iterate is
    returned.
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
        if longest < np.inf:
            length = np.linalg.norm(new_move.reshape(f.shape), axis=1, keepdims=True)
            bound = longest * np.median(length)
            if bound > 0:
                shorter = new_move.reshape(f.shape) * (bound / np.maximum(length, bound))
                new_move = shorter.ravel()
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


def conditional_scg(f, x, value, gradient, max_iter, *, conditional, gtol=1e-8):
    """Minimise over each row given the others, all rows at once, and repeat. BRE Sec. 3.

    ``conditional(T, X)`` returns, for each row, value and gradient of the objective as a function
    of that row alone, at row T, with the other rows from X. A repetition takes a step of scaled
    conjugate gradients. All rows move at once, so the objective may rise. The best iterate is
    returned.
    """
    X = x.reshape(f.shape)
    for _ in range(max_iter):
        if np.abs(gradient).max() <= gtol:
            return f"the gradient is below {gtol}"
        search = ScaledConjugateSearch(X, *conditional(X, X))
        search.step(lambda T, X=X: conditional(T, X))
        X = search.x
        value, gradient = f(X.ravel())
        f.record(value, X)
    return f"{max_iter} iterations"


METHODS = {
    "cg": by_scipy("CG"),  # Polak–Ribière, strong Wolfe
    "scg": scaled_conjugate_gradients,
    "conditional-scg": conditional_scg,
    "l-bfgs": by_scipy("L-BFGS-B", ftol=1e-15, maxcor=20, maxfun=10**9),
    "gd": gradient_descent,
    "momentum": momentum_descent,
}


CHECKS = {
    **dict.fromkeys(("step", "grow", "shrink", "longest"), check_positive),
    "keep_rises": check_flag,
    "gtol": check_not_negative,
}


def check_options(method, options, name="options"):
    """Raise an error if an option is unknown to the method or has an invalid value."""
    if not isinstance(options, Mapping):
        raise TypeError(f"{name} must be a dict, got {options!r}")
    parameters = signature(METHODS[method]).parameters
    known = [option for option, p in parameters.items() if p.kind is p.KEYWORD_ONLY]
    for option, value in options.items():
        if option not in known:
            raise ValueError(f"{name} of {method!r} may be {', '.join(known)}, got {option!r}")
        if option in CHECKS:
            CHECKS[option](value, option)
    if options.get("grow", 1) < 1 or options.get("shrink", 1) > 1:
        raise ValueError(f"grow must be at least 1 and shrink at most 1, got {options}")
