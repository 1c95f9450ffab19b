import json
import re
from dataclasses import replace

import pytest
import toy_experiment

from repro import experiments
from repro.evidence import met_here, record, show_claims, show_open_choices


@pytest.fixture
def experiment(project, monkeypatch):
    toy_experiment.install(project, monkeypatch)
    return experiments.load(toy_experiment.STEM)


def measures_of(experiment):
    choices = experiment.Choices()
    return {seed: experiment.measure(experiment.run(choices, seed)) for seed in range(3)}


def words(table):
    text = re.sub(r"<style.*?</style>|<[^>]+>", " ", table.data, flags=re.S)
    return " ".join(text.split())


def test_the_card_has_what_was_measured_here_and_the_verdict_of_all_runs(experiment, tmp_path):
    measures = measures_of(experiment)
    assert "not swept yet" in words(show_claims(experiment, measures))
    toy_experiment.sweep(tmp_path / "figures")
    shown = words(show_claims(experiment, measures))
    assert "depends 100% of 4 runs not if the level is zero" in shown
    assert "chance 0" in shown
    assert "seconds it took, by the clock holds" in shown  # a number would differ at every run
    assert "&lt;b&gt;tiny" in shown  # no markup of a claim comes through


def test_the_table_of_choices_names_the_verdicts_they_turn(experiment, tmp_path):
    toy_experiment.sweep(tmp_path / "figures")
    shown = words(show_open_choices(experiment))
    assert "level = 1 Eq. (1) the same the level is zero; high a-1a" in shown
    assert "noise" not in shown  # nothing else was defensible


def test_the_record_has_choices_seeds_and_measures_in_full_precision(experiment, tmp_path):
    measures = measures_of(experiment)
    record(experiment, experiment.Choices(), measures)
    written = json.loads((tmp_path / "figures" / "a_fig1.json").read_text(encoding="utf-8"))
    assert written["data"] == "real"
    assert written["choices"] == {"level": "1.0", "noise": "0.1", "data": "'digits'"}
    assert [run["size"] for run in written["measures"]] == [m["size"] for m in measures.values()]
    assert "seconds it took" not in written["measures"][0]  # it would differ at every run
    assert written["claims"] == {"a-1a": [True] * 3, "a-1b": [False] * 3}


def test_neither_other_choices_nor_stand_ins_are_recorded(experiment, tmp_path, monkeypatch):
    measures = measures_of(experiment)
    record(experiment, replace(experiment.Choices(), level=3.0), measures)
    monkeypatch.setattr("repro.evidence.cards.standins_in_use", lambda: {"coil20"})
    record(experiment, experiment.Choices(), measures)
    assert not list((tmp_path / "figures").glob("*.json"))


def test_what_is_met_here_is_said_of_all_but_costs(experiment):
    assert met_here(experiment, measures_of(experiment)) == "a-1a: met here\na-1b: not met here"
