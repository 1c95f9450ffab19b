import json
from dataclasses import replace

import pytest
import toy_experiment

from repro import experiments
from repro.workbench.evidence import (
    answer_criterion,
    judged,
    met_here,
    record,
    seeds,
    show_evidence,
)


@pytest.fixture
def experiment(figures):
    return experiments.load(toy_experiment.STEM)


def measures_of(experiment):
    choices = experiment.Choices()
    return {seed: experiment.measure(experiment.run(choices, seed)) for seed in range(3)}


def test_before_a_sweep_there_is_no_picture(experiment, capsys):
    assert show_evidence(experiment, measures_of(experiment)) is None
    assert "no runs of record yet: repro sweep a_fig1" in capsys.readouterr().out


def test_the_record_has_choices_seeds_and_measures_in_full_precision(experiment, tmp_path):
    measures = measures_of(experiment)
    record(experiment, experiment.Choices(), measures)
    path = tmp_path / "reproduced" / "figures" / "a_fig1.json"
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["data"] == "real"
    assert written["choices"] == {"level": "1.0", "noise": "0.1", "data": "'digits'"}
    sizes = [table.loc["size", "it"] for table in measures.values()]
    assert [run["size: it"] for run in written["measures"]] == sizes
    assert "seconds: it" not in written["measures"][0]  # it would differ at every run
    assert written["claims"] == {"a-1a": [True] * 3, "a-1b": [False] * 3}


def test_runs_are_shown_as_recorded_unless_an_answer_rests_on_what_nothing_explains(
    experiment, swept
):
    measures = measures_of(experiment)
    recorded = met_here(experiment, measures)
    assert "a-1a: met in 3 of 3 here" in recorded
    for table in measures.values():
        table.loc["size", "it"] *= 1.001
    assert met_here(experiment, measures) == recorded
    for table in measures.values():
        table.loc["size", "it"] = 0.4
    assert "a-1a: met in 0 of 3 here; size: it = 0.4" in met_here(experiment, measures)


def test_neither_other_choices_nor_stand_ins_are_recorded(experiment, tmp_path, monkeypatch):
    measures = measures_of(experiment)
    record(experiment, replace(experiment.Choices(), level=3.0), measures)
    monkeypatch.setattr("repro.workbench.evidence.in_lessons.standins_in_use", lambda: {"coil20"})
    record(experiment, experiment.Choices(), measures)
    assert not list(tmp_path.rglob("*.json"))


def test_a_lesson_takes_the_first_seeds_of_record_and_counts_with_our_choices(experiment):
    assert list(seeds(experiment, 3)) == [0, 1, 2]
    assert judged(experiment, experiment.Choices())
    assert not judged(experiment, replace(experiment.Choices(), level=3.0))


def test_the_readers_criterion_is_answered_beside_ours(experiment, swept):
    said = answer_criterion(experiment, "a-1a", "size: it")
    assert said == "Our bound, ≥ 0.5, is met by 4 of 4 recorded runs."
    said = answer_criterion(experiment, "a-1a", "size: it", 9)
    assert said.startswith("Your bound, ≥ 9, is met by 0 of 4 recorded runs. Our bound")


def test_a_criterion_is_asked_of_the_runs_that_count(experiment, swept, monkeypatch):
    monkeypatch.setattr("repro.workbench.evidence.rule.N_OURS", 3)
    said = answer_criterion(experiment, "a-1a", "size: it")
    assert said == "Our bound, ≥ 0.5, is met by 3 of 3 recorded runs."


def test_without_runs_no_criterion_is_answered(experiment):
    assert answer_criterion(experiment, "a-1a", "size: it") == (
        "There are no runs of record yet: repro sweep a_fig1"
    )


def test_the_claims_that_decide_can_be_shown_alone(experiment, swept):
    shown = show_evidence(experiment, measures_of(experiment), claims=["a-1b"]).data
    assert "a-1b" in shown
    assert "a-1a" not in shown
