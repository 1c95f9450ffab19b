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


def test_a_line_says_what_became_of_the_claims_and_on_what_they_depend(project, monkeypatch):
    figures = install(project, monkeypatch, toy_experiment.SOURCE)
    assert scorecard.line_of(scorecard.judge_all(figures)) == ("1 of 2 claims reproduced, 1 not")


def test_the_line_names_the_choice_that_decides(project, monkeypatch):
    source = toy_experiment.SOURCE.replace("sensitivity={0.0", "settings={0.0")
    judged = scorecard.judge_all(install(project, monkeypatch, source))
    assert scorecard.line_of(judged) == ("0 of 2 claims reproduced, 1 depends on level, 1 not")
    line = scorecard.line_of(judged, causes=False)
    assert line == "0 of 2 claims reproduced, 1 depends, 1 not"
    ours = [entry for entry in judged if entry.claim.kind == "cost"]
    assert scorecard.line_of(ours) == "1 confirmed"
