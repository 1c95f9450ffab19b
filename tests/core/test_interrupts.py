"""Ctrl-C in a fit: an interactive fit keeps the best iterate; runs of evidence are discarded."""

from contextlib import nullcontext
from types import FunctionType

import numpy as np
import pytest
import toy_experiment
from test_optimize import START, interrupted_at, rosenbrock

from repro import experiments
from repro.core import interrupts
from repro.core.optimize import anneal, minimize
from repro.evidence import sweeps

FITS = """

def run(choices, seed):
    from test_interrupts import FITTED
    return FITTED[choices.data]()
"""


def annealed():
    """Fit two objectives in turn; the second is interrupted at once."""
    options = {"n_init": 2, "rng": np.random.default_rng(0), "method": "gd", "max_iter": 1}
    objectives = [rosenbrock, interrupted_at(1)]
    return anneal(objectives, lambda rng: START, **options)[-1]


FITTED = {"digits": lambda: minimize(interrupted_at(3), START, "gd"), "faces": annealed}


@pytest.mark.parametrize(
    ("maker", "given_up"),
    [
        ("repro.answers.summary", True),
        ("sklearn.model_selection._validation", True),
        ("sklearn.pipeline", False),
    ],
)
@pytest.mark.filterwarnings("ignore:interrupted:RuntimeWarning")
def test_a_fit_among_many_is_given_up(maker, given_up, monkeypatch):
    monkeypatch.delenv(interrupts.VARIABLE, raising=False)
    module = {"__name__": maker, "fit": FITTED["digits"]}
    with pytest.raises(KeyboardInterrupt) if given_up else nullcontext():
        FunctionType(compile("fit()", maker, "exec"), module)()


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.filterwarnings("ignore:interrupted:RuntimeWarning")
def test_a_fit_that_is_cut_short_is_kept_by_hand_and_given_up_in_an_experiment(
    project, monkeypatch, name
):
    monkeypatch.delenv(interrupts.VARIABLE, raising=False)
    assert FITTED[name]().interrupted
    toy_experiment.install(project, monkeypatch, toy_experiment.SOURCE + FITS)
    experiment = experiments.load(toy_experiment.STEM)
    choices = experiment.Choices(data=name)
    with pytest.raises(KeyboardInterrupt):  # as in Jupyter
        experiment.run(choices, 0)
    with pytest.raises(KeyboardInterrupt):
        list(sweeps.make_runs([sweeps.Run(toy_experiment.STEM, choices, 0)], n_jobs=1))
    monkeypatch.setenv(interrupts.VARIABLE, "1")  # as in a kernel of `repro run`
    with pytest.raises(KeyboardInterrupt):
        FITTED[name]()
