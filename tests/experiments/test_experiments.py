"""What every experiment declares, and what its committed runs must show."""

import ast
import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

from repro import experiments
from repro.claims import readings_of, sources
from repro.claims.verdicts import FEW, share_of
from repro.evidence.rows import load_runs, primary_of

ROOT = Path(__file__).parents[2]
ERRATUM = re.compile(
    r"- \*\*(?P<paper>.+?)\*\* \(\[(?P<item>.+?)\]\(notebooks/(?P<stem>\w+)\.ipynb\)\): "
    r"(?P<text>.+)"
)
FIGURES = ROOT / "figures"


@pytest.fixture(params=experiments.names())
def name(request):
    return request.param


@pytest.fixture
def experiment(name):
    return experiments.load(name)


@pytest.fixture
def runs(experiment):
    return load_runs(FIGURES, experiment)


def test_every_notebook_has_one():
    stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert set(experiments.names()) == stems - {"benchmark_peers"}


def test_it_declares_its_protocol(name, experiment):
    assert name.startswith(experiment.PAPER.lower().replace("-", "") + "_")
    assert experiment.REPEATS >= 10
    assert list(inspect.signature(experiment.run).parameters) == ["choices", "seed"]


def test_each_of_the_errata_leads_to_the_lesson_that_shows_it():
    lines = (ROOT / "ERRATA.md").read_text(encoding="utf-8").splitlines()
    headings = [line for line in lines if line.startswith("#")]
    assert headings[1:] == ["## Errors", "## Left open", "## Findings"]
    entries = [ERRATUM.fullmatch(line) for line in lines if line.startswith("- ")]
    assert len(entries) > 50
    assert len({entry["text"] for entry in entries}) == len(entries)
    for entry in entries:
        shown_by = experiments.load(entry["stem"])
        assert (entry["paper"], entry["item"]) == (shown_by.PAPER, shown_by.ITEM)


def test_it_says_where_each_choice_comes_from(experiment):
    names = [field.name for field in fields(experiment.Choices)]
    assert list(sources(experiment.Choices)) == names


def test_choices_are_kept_as_python_writes_them(experiment):
    for reading in readings_of(experiment.Choices()):
        for value in vars(reading.choices).values():
            assert ast.literal_eval(repr(value)) == value


def test_readings_differ_in_their_words(experiment):
    words = [reading.words for reading in readings_of(experiment.Choices())]
    assert len(set(words)) == len(words)


def test_claims_have_names_of_their_own():
    ids = [claim.id for name in experiments.names() for claim in experiments.load(name).CLAIMS]
    assert len(set(ids)) == len(ids)


def test_an_empirical_claim_names_its_chance_level(experiment):
    for claim in experiment.CLAIMS:
        if claim.kind == "empirical":
            assert any(ask.chance is not None for ask in claim.asks), claim.id


def test_chance_meets_no_empirical_claim(experiment, runs):
    for claim in experiment.CLAIMS:
        if claim.kind == "empirical":
            assert share_of(claim, primary_of(runs), by_chance=True) <= FEW, claim.id


def test_all_its_readings_were_run_often_enough(name, experiment, runs):
    least = {"primary": experiment.REPEATS, "other": 5, "combination": 1, "elsewhere": 5}
    for reading in readings_of(experiment.Choices()):
        assert len(runs.get(reading, ())) >= least[reading.kind], reading.words


def test_its_runs_have_all_that_its_claims_ask(experiment, runs):
    for claim in experiment.CLAIMS:
        for ask in claim.asks:
            for table in runs.values():
                assert ask.values(table).notna().any(), (claim.id, ask.measure)
