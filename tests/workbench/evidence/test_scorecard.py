import re

import pytest
import toy_experiment

from repro import experiments
from repro.core.errors import UserError
from repro.workbench.evidence import scorecard


def install(project, monkeypatch, source):
    toy_experiment.install(project, monkeypatch, source)
    toy_experiment.sweep(project / "figures")
    return project / "figures"


def test_an_example_counts_nowhere(project, monkeypatch):
    source = re.sub(r'("a-1[ab]".*)\)', r'\1, by="example")', toy_experiment.SOURCE)
    figures = install(project, monkeypatch, source)
    (entry,) = scorecard.judge_all(figures)
    assert entry.claim.id == "a-1c"
    assert len(scorecard.judge_experiment(figures, experiments.load(toy_experiment.STEM))) == 3


def test_what_orders_the_runs_must_be_measured(project, monkeypatch):
    figures = install(
        project, monkeypatch, toy_experiment.SOURCE.replace('("size", "it")', '("x", "y")')
    )
    with pytest.raises(UserError, match="lacks 'x: y', which ORDER asks for"):
        scorecard.judge_all(figures)
