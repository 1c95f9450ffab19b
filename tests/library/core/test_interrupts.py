"""Ctrl-C in a fit raises everywhere, and the error carries the best embedding so far."""

import multiprocessing

import numpy as np
import pytest
from estimators import FITS, TRIPLETS, X
from processes import run_python
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from test_optimize import START, interrupted_at

import repro
from repro import FitInterrupted
from repro.core.optimize import minimize

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def stop_at(k):
    """Return a callback that interrupts the fit in which it is called for the k-th time."""
    calls = []

    def callback(n_iter, loss, embedding):
        calls.append((n_iter, loss, embedding))
        if len(calls) == k:
            raise KeyboardInterrupt

    callback.calls = calls
    return callback


@pytest.mark.parametrize("name", FITS)
def test_a_fit_that_is_interrupted_raises_with_its_embedding_and_changes_nothing(name):
    model, *data = FITS[name]
    model = clone(model).fit(*data)
    before = vars(model).copy()
    callback = stop_at(3)
    model.callback = before["callback"] = callback
    with pytest.raises(FitInterrupted, match=r"interrupted; \.embedding holds the best") as stop:
        model.fit(*data)
    assert vars(model) == before
    assert [call[0] for call in callback.calls] == [1, 2, 3]
    assert stop.value.embedding.shape == model.embedding_.shape
    if name != "FastTETE":  # whose momentum depends on max_iter
        # It is what three iterations give, in the units of the user.
        short = clone(model).set_params(callback=None, max_iter=3).fit(*data)
        np.testing.assert_array_equal(stop.value.embedding, short.embedding_)


def test_in_annealing_the_embedding_is_that_of_the_step_that_was_reached():
    kie = repro.KIE(max_iter=9, random_state=0, penalty=[0.1, 0.05])
    n_first = clone(kie).set_params(penalty=0.1).fit(X).n_iter_
    h = kie.fit(X).bandwidth_
    with pytest.raises(FitInterrupted) as stop:
        kie.set_params(callback=stop_at(n_first + 2)).fit(X)
    loss = repro.kie_loss(stop.value.embedding, repro.gaussian_kernel(X, h), 0.05)[0]
    assert stop.value.result.value == pytest.approx(loss, rel=1e-12)


def test_of_several_starts_the_best_finished_one_is_kept():
    sne = repro.SNE(max_iter=9, random_state=0)
    one = clone(sne).fit(X)
    with pytest.raises(FitInterrupted) as stop:
        sne.set_params(n_init=3, callback=stop_at(one.n_iter_ + 2)).fit(X)
    np.testing.assert_array_equal(stop.value.embedding, one.embedding_)


@pytest.mark.parametrize("name", FITS)
def test_a_callback_sees_every_iteration_and_changes_nothing(name):
    model, *data = FITS[name]
    silent = clone(model).fit(*data)
    callback = stop_at(0)
    heard = clone(model).set_params(callback=callback).fit(*data)
    np.testing.assert_array_equal(heard.embedding_, silent.embedding_)
    assert [call[0] for call in callback.calls] == list(range(1, heard.n_iter_ + 1))
    losses = [call[1] for call in callback.calls]
    assert set(losses) <= set(heard.loss_history_)
    if heard.loss_ in losses:  # the last round's lowest point may be one that a search probed
        best = callback.calls[len(losses) - 1 - losses[::-1].index(heard.loss_)][2]
        np.testing.assert_array_equal(best, heard.embedding_)


def test_a_search_of_scikit_learn_ends():
    model = repro.TripletEmbedding(max_iter=5, callback=stop_at(7))
    search = GridSearchCV(model, {"n_components": [1, 2]}, cv=3)
    with pytest.raises(KeyboardInterrupt):
        search.fit(TRIPLETS, n_items=60)
    assert not hasattr(search, "best_estimator_")


SIGNALLED = """
import signal
import numpy as np
import repro

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have switched it off
X = np.random.default_rng(0).normal(size=(60, 3))
done = []
try:
    for seed in range(3):
        interrupt = lambda n_iter, *rest: n_iter == 4 and signal.raise_signal(signal.SIGINT)
        done.append(repro.KIE(penalty=0.1, callback=interrupt, random_state=seed).fit(X))
except repro.FitInterrupted as stop:
    print(len(done), stop.result.n_iter >= 3, stop.embedding.shape)
"""


def test_the_signal_of_ctrl_c_ends_a_loop_at_its_first_fit():
    assert run_python("-c", SIGNALLED).stdout == "0 True (60, 2)\n"


def test_the_error_survives_a_pipe_between_processes():
    with pytest.raises(FitInterrupted) as stop:
        minimize(interrupted_at(5), START, "gd")
    here, there = multiprocessing.Pipe()
    here.send(stop.value)
    copy = there.recv()
    assert str(copy) == str(stop.value)
    np.testing.assert_array_equal(copy.embedding, stop.value.embedding)
