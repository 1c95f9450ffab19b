import weakref

import numpy as np
import pytest
from scipy.optimize import rosen, rosen_der

from repro.core import optimize
from repro.core.optimize import METHODS, FitInterrupted, minimize
from repro.core.scaled_conjugate import ScaledConjugateSearch

# These choose their own steps, or undo them.
DESCENTS = [method for method in METHODS if method not in ("conditional-scg", "momentum")]
STEPS = {"gd": {"step": 1e-3}, "momentum": {"step": 1e-3}}
START = np.array([[-1.2, 1.0], [0.5, 2.0]])


def rosenbrock(x):
    assert x.shape == START.shape
    return rosen(x.ravel()), rosen_der(x.ravel()).reshape(x.shape)


def bowl(x):
    scales = np.array([[1.0, 10.0], [3.0, 0.5]])
    return float(np.sum(scales * x**2)), 2 * scales * x


@pytest.mark.parametrize("method", DESCENTS)
def test_a_bowl_has_its_bottom_at_zero(method):
    result = minimize(bowl, START, method, max_iter=2000)
    assert result.value < 1e-10
    assert result.value == bowl(result.x)[0]
    assert result.evaluations_to(result.trace[0]) == 1
    assert result.evaluations_to(-1.0) is None
    first = np.flatnonzero(result.trace <= 1e-3)[0]
    assert result.evaluations_to(1e-3) == result.evaluations[first]
    at_the_bottom = minimize(bowl, np.zeros((2, 2)), method)
    assert at_the_bottom.value == 0
    assert not at_the_bottom.x.any()


@pytest.mark.parametrize("method", DESCENTS)
def test_the_trace_falls_and_counts_evaluations(method):
    result = minimize(rosenbrock, START, method, max_iter=50)
    assert len(result.trace) == len(result.evaluations) == result.n_iter + 1
    assert result.trace[0] == rosenbrock(START)[0]
    assert (np.diff(result.trace) <= 1e-12).all()
    assert (np.diff(result.evaluations) >= 0).all()
    assert result.evaluations[0] == 1
    assert result.n_iter <= 50
    assert method != "scg" or (np.diff(result.evaluations) <= 2).all()


@pytest.mark.parametrize("method", [*DESCENTS, "momentum"])
def test_the_result_is_the_lowest_point_evaluated(method):
    values = []

    def told(x):
        values.append(rosenbrock(x)[0])
        return rosenbrock(x)

    result = minimize(told, START, method, max_iter=10, **STEPS.get(method, {}))
    assert result.value == rosenbrock(result.x)[0] == min(values)
    assert set(result.trace) <= set(values)
    assert result.evaluations[-1] <= len(values)


@pytest.mark.parametrize("method", [*DESCENTS, "momentum"])
@pytest.mark.parametrize("size", [1e-12, 1e9])
def test_what_is_found_does_not_depend_on_the_unit_of_the_objective(method, size):
    def scaled(x):
        value, gradient = rosenbrock(x)
        return size * value, size * gradient

    step = STEPS.get(method, {})
    one = minimize(rosenbrock, START, method, max_iter=30, **step)
    step = {"step": 1e-3 / size} if step else {}
    other = minimize(scaled, START, method, max_iter=30, unit=size, **step)
    assert other.value == scaled(other.x)[0]
    assert other.n_iter == one.n_iter
    np.testing.assert_allclose(other.x, one.x, rtol=1e-6)
    np.testing.assert_allclose(other.trace, size * one.trace, rtol=1e-6)


def test_momentum_reaches_the_bottom_sooner_than_plain_descent():
    options = {"step": 1e-3, "max_iter": 400}
    momentum = minimize(bowl, START, "momentum", **options)
    assert momentum.value == bowl(momentum.x)[0] == momentum.trace.min()
    assert momentum.evaluations[-1] == momentum.n_iter + 1
    plain = minimize(bowl, START, "gd", grow=1.0, **options)
    assert momentum.value < 1e-2 * plain.value
    assert not minimize(bowl, np.zeros((2, 2)), "momentum").x.any()


def test_no_row_moves_much_farther_than_the_others_if_steps_are_bounded():
    steep = np.ones((9, 1))
    steep[0] = 100.0  # a row whose forces are a hundred times those of the others

    def moves(**options):
        path = []
        start = np.ones((9, 2))
        minimize(
            lambda x: ((steep * x**2).sum(), 2 * steep * x),
            start,
            "momentum",
            step=1e-3,
            max_iter=1,
            callback=lambda n, value, x: path.append(x - start),
            **options,
        )
        return np.linalg.norm(path[0], axis=1)

    assert moves()[0] == pytest.approx(100 * moves()[1])
    assert moves(longest=5.0)[0] == pytest.approx(5 * moves()[1])
    np.testing.assert_array_equal(moves(longest=5.0)[1:], moves()[1:])


def test_rises_are_undone_unless_kept():
    options = {"step": 1.0, "max_iter": 30, "shrink": 0.9}
    undone = minimize(bowl, START, "gd", **options)
    kept = minimize(bowl, START, "gd", keep_rises=True, **options)
    assert (np.diff(undone.trace) <= 0).all()
    assert (np.diff(kept.trace) > 0).any()
    assert kept.value == min(kept.trace)


def test_a_step_into_nowhere_is_undone_or_the_end():
    def cliff(x):
        return (np.nan if x[0] < -1 else x[0] ** 2), 2 * x

    start, options = np.array([3.0]), {"max_iter": 60}
    for keep_rises in (False, True):
        result = minimize(cliff, start, "gd", step=5.0, keep_rises=keep_rises, **options)
        assert np.isfinite(result.trace).all()
        assert result.value < 1e-3
    result = minimize(cliff, start, "momentum", step=2.0, **options)
    assert "step is too long" in result.message
    assert np.isfinite(result.x).all()
    assert result.value <= 9


def interrupted_at(k):
    """Return an objective that is interrupted at its k-th evaluation."""
    calls = []

    def f(x):
        calls.append(x)
        if len(calls) == k:
            raise KeyboardInterrupt
        return rosenbrock(x)

    return f


@pytest.mark.parametrize("method", DESCENTS)
def test_ctrl_c_carries_the_best_so_far(method):
    with pytest.raises(FitInterrupted) as stop:
        minimize(interrupted_at(20), START, method, max_iter=500)
    result = stop.value.result
    assert result.value <= result.trace.min() <= rosenbrock(START)[0]
    assert result.value == rosenbrock(result.x)[0]


def test_ctrl_c_before_anything_is_known_is_passed_on():
    with pytest.raises(KeyboardInterrupt) as stop:
        minimize(interrupted_at(1), START)
    assert type(stop.value) is KeyboardInterrupt


def bowl_at(centre):
    return lambda x: (((x - centre) ** 2).sum(), 2 * (x - centre))


def anneal(objectives, method, max_iter, n_init=2):
    """Anneal from random starts near START."""
    options = {"method": method, "max_iter": max_iter, "n_init": n_init}
    rng = np.random.default_rng(0)
    return optimize.anneal(objectives, lambda rng: rng.normal(START), rng=rng, **options)


def test_annealing_starts_each_step_where_the_last_ended():
    centres = [np.full_like(START, c) for c in (1.0, 2.0, 3.0)]
    results = anneal([bowl_at(c) for c in centres], "l-bfgs", 50)
    assert len(results) == 3
    for result, last, centre in zip(results[1:], centres, centres[1:], strict=False):
        np.testing.assert_allclose(result.x, centre, atol=1e-6)
        assert result.trace[0] == pytest.approx(((last - centre) ** 2).sum(), rel=1e-6)


@pytest.mark.parametrize(("k", "reached"), [(1, bowl_at(0.0)), (3, rosenbrock)])
def test_ctrl_c_between_annealing_steps_keeps_what_was_found(k, reached):
    with pytest.raises(FitInterrupted) as stop:
        anneal([bowl_at(0.0), interrupted_at(k)], "gd", 5)
    assert stop.value.result.value == reached(stop.value.embedding)[0]


def test_an_objective_is_built_when_it_is_reached_and_dropped_before_the_next():
    order, alive = [], []

    def objectives():
        for c in (1.0, 2.0):
            order.append(f"built {c}")
            assert not [reference for reference in alive if reference() is not None]

            def f(x, c=c):
                order.append(f"used {c}")
                return bowl_at(c)(x)

            alive.append(weakref.ref(f))
            yield f
            del f

    anneal(objectives(), "gd", 1, n_init=1)
    assert list(dict.fromkeys(order)) == ["built 1.0", "used 1.0", "built 2.0", "used 2.0"]


def test_the_bar_changes_nothing(capsys):
    plain = minimize(bowl, START, "cg")
    shown = minimize(bowl, START, "cg", progress=True)
    assert shown.value == plain.value
    assert "it" in capsys.readouterr().err


# Scaled conjugate gradients


def test_scg_solves_a_quadratic_in_as_many_steps_as_it_has_dimensions():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 6))
    A = A @ A.T + np.eye(6)
    b = rng.normal(size=6)
    result = minimize(lambda x: (x @ A @ x / 2 - b @ x, A @ x - b), np.zeros(6), "scg", max_iter=8)
    np.testing.assert_allclose(result.x, np.linalg.solve(A, b), atol=1e-4)


def test_scg_leaves_a_saddle_and_a_cliff():
    def saddle(x):  # negative curvature at the start, minima at ±1
        return float((x**4).sum() / 4 - (x**2).sum() / 2), x**3 - x

    result = minimize(saddle, np.array([0.05, -0.02]), "scg", max_iter=100)
    np.testing.assert_allclose(np.abs(result.x), 1, atol=1e-5)

    def cliff(x):
        return (np.inf if x[0] < 0.1 else x[0] - np.log(x[0])), 1 - 1 / x

    with np.errstate(all="ignore"):
        result = minimize(cliff, np.array([30.0]), "scg", max_iter=100)
    assert result.value == pytest.approx(1, abs=1e-9)
    assert np.isfinite(result.trace).all()


def test_many_searches_at_once_are_the_same_as_one_by_one():
    def f(X):
        return np.array([rosen(x) for x in X]), np.array([rosen_der(x) for x in X])

    together = ScaledConjugateSearch(START, *f(START))
    alone = [ScaledConjugateSearch(START[k : k + 1], *f(START[k : k + 1])) for k in (0, 1)]
    for _ in range(30):
        for search in (together, *alone):
            search.step(f)
    np.testing.assert_allclose(together.x, np.vstack([search.x for search in alone]), rtol=1e-12)
