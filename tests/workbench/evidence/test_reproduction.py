"""How a run reproduces the record: exactly, by rounding, in another optimum, or not."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
import toy_experiment
from command_line import call, write_notebook
from processes import run_python
from toy_experiment import STEM

from repro import experiments
from repro.core.environment import this_environment
from repro.experiments.claims import at_least, more
from repro.workbench.evidence import reproduction, rows
from repro.workbench.evidence.reproduction import (
    DIFFERS,
    EXACT,
    OPTIMUM,
    ROUNDING,
    UNEXPLAINED,
    Rounding,
    item_of,
    kind_of,
)


@pytest.fixture
def toy(figures, swept):
    """Make runs of record of the toy experiment, and ten with moved digits; return its module."""
    toy_experiment.sweep_moved(figures)
    return experiments.load(STEM)


def allowed_in(figures, experiment):
    runs, moved = rows.load_runs(figures, experiment), rows.load_moved(figures, experiment)
    return reproduction.rounding(runs, moved)


def moved(figures, **columns):
    """Change columns of the runs with moved last digits."""
    path, choices = rows.path_of(figures, STEM, "last_digits"), experiments.load(STEM).Choices
    columns = {k if k == "noise" or ": " in k else f"{k}: it": v for k, v in columns.items()}
    rows.add_rows(path, choices, rows.load_rows(path, choices).assign(**columns))


def test_rounding_is_ten_times_what_moved_digits_do_on_the_processor_that_differs_most(
    toy, figures
):
    here = rows.path_of(figures, STEM, "last_digits")
    assert allowed_in(figures, toy).most["third: it"] == 0
    moved(figures, third=1 / 3 + 1e-7)
    other = here.rename(here.with_name("another.csv"))
    table = rows.load_rows(other, toy.Choices)
    assert len(table) == 10
    rows.add_rows(here, toy.Choices, table.assign(**{"third: it": 1 / 3 + 1e-8}))
    allowed = allowed_in(figures, toy)
    assert allowed.most["third: it"] == pytest.approx(1e-6)
    assert not allowed.strays


def test_what_last_digits_change_as_much_as_another_start_does_is_adrift(toy, figures):
    moved(figures, third=0.9, size=5.0)
    allowed = allowed_in(figures, toy)
    assert allowed.adrift == {"third: it", "size: it"}
    assert allowed.most["third: it"] == 0


def test_runs_of_another_reading_are_no_part_of_rounding(toy, figures):
    before = allowed_in(figures, toy)
    moved(figures, noise="0.5", size=100.0)
    assert len(rows.load_rows(rows.path_of(figures, STEM, "last_digits"), toy.Choices)) == 20
    assert allowed_in(figures, toy) == before


def stray(figures, experiment):
    """Give the runs losses; with moved digits, seed 2 ends in another optimum."""
    path = rows.path_of(figures, STEM)
    table = rows.load_rows(path, experiment.Choices)
    table = table.assign(**{"loss: it": 1.0, "third: like it": 1 / 3})
    rows.add_rows(path, experiment.Choices, table)
    found = rows.load_rows(rows.path_of(figures, STEM, "last_digits"), experiment.Choices)
    there = found["seed"] == 2
    third = np.where(there, 1 / 3 + 1e-5, 1 / 3 + 1e-7)
    moved(figures, loss=np.where(there, 1.1, 1.0), third=third, **{"third: like it": third})


def test_a_run_in_another_optimum_says_nothing_of_the_rounding_of_its_fit(toy, figures):
    stray(figures, toy)
    allowed = allowed_in(figures, toy)
    assert allowed.most["third: it"] == pytest.approx(1e-6)
    assert allowed.strays == {"loss: it"}
    # It tells nothing of another fit, whose name ends alike.
    assert allowed.most["third: like it"] == pytest.approx(1e-4)
    record = {"loss: it": 1.0, "third: it": 1 / 3, "third: like it": 1 / 3}
    run = {"loss: it": 1.1, "third: it": 0.4, "third: like it": 0.4}
    assert kind_of("third: it", run, record, allowed) == OPTIMUM
    assert kind_of("third: like it", run, record, allowed) == UNEXPLAINED


def test_a_share_counts_items_and_other_measures_do_not():
    assert item_of([np.nan, 7 / 300, 299 / 300, 0.0]) == pytest.approx(1 / 300)
    assert item_of(np.random.default_rng(0).random(20)) == 0
    assert item_of([]) == 0


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        ({}, EXACT),
        ({"share: it": 0.5 + 4e-7}, ROUNDING),  # below 1e-6 of the number
        ({"share: it": 0.509}, ROUNDING),
        ({"left: it": 4e-16}, ROUNDING),
        ({"share: it": 0.52}, UNEXPLAINED),
        ({"share: it": 0.52, "loss: it": 1.0 + 5e-6}, UNEXPLAINED),  # the same optimum
        ({"share: it": 0.52, "loss: it": 1.0005}, OPTIMUM),
        ({"share: it": np.nan}, UNEXPLAINED),
        ({"other: it": 1.0}, EXACT),
    ],
)
def test_the_kinds_of_difference(found, kind):
    record = {"share: it": 0.5, "loss: it": 1.0, "left: it": 2e-16}
    most, strays = {"share: it": 0.01, "loss: it": 1e-5}, frozenset(["loss: it"])
    name = "left: it" if "left: it" in found else "share: it"
    assert kind_of(name, record | found, record, Rounding(most, strays)) == kind
    assert kind_of("share: it", {"loss: it": 1.0}, record, Rounding({}, strays)) == UNEXPLAINED
    adrift = Rounding(most, adrift=frozenset(["share: it"]))
    assert kind_of(name, record | found, record, adrift) in (kind, OPTIMUM)
    assert kind_of("nothing: it", record, record, Rounding({})) == EXACT  # not a number in either
    # If last digits do not lead to another optimum, it explains no difference.
    settled = kind_of(name, record | found, record, Rounding(most))
    assert settled == (UNEXPLAINED if kind == OPTIMUM else kind)


RECORD = """
import json
from dataclasses import replace
from repro.core.environment import this_environment
from repro.workbench.lessons.figures import figures_dir
content = json.loads({content!r})
content["environment"] = this_environment()
(figures_dir() / "a_fig1.json").write_text(json.dumps(content))
"""


def record_of(size, loss=1.0, met=True):
    measures = [{"size: it": size, "third: it": 1 / 3, "loss: it": loss}]
    claims = {"a-1a": [met], "a-1b": [False]}
    return {"seeds": [0], "measures": measures, "claims": claims, "environment": this_environment()}


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (record_of(1.0), ["2 to the last bit, 0 within rounding", "on record: none"]),
        (record_of(1.0 + 1e-12), ["0 to the last bit, 2 within", "on record: none"]),
        (record_of(0.4, 1.1), ["2 in another", "a-1a (in another optimum)"]),
        (record_of(0.9), ["2 unexplained, 0 differs", "on record: none"]),
        (record_of(0.4), ["1 unexplained, 1 differs", "on record: a-1a (differs)"]),
    ],
)
def test_a_claim_differs_only_if_its_answer_rests_on_what_nothing_explains(
    toy, project, made, says
):
    stray(project / "figures", toy)
    allowed = allowed_in(project / "figures", toy)
    compared = reproduction.compare(STEM, made, record_of(1.0), allowed)
    said = reproduction.conclusion(compared, set())
    for words in (*says, "The environment is that of the record."):
        assert words in said


LARGE = at_least("size", "it", 0.5)
SIZE, THIRD, CHANCE = "size: it", "third: it", "size: shuffled"


@pytest.mark.parametrize(
    ("asks", "adrift", "met", "kind"),
    [
        # Its size turns the claim; its third is unexplained, but its bound is met anyway.
        ([LARGE, at_least("third", "it", 0.0)], [SIZE], False, UNEXPLAINED),
        ([LARGE, at_least("third", "it", 0.0)], [], False, DIFFERS),
        ([LARGE, at_least("third", "it", 0.0)], [SIZE, THIRD], False, OPTIMUM),
        # Its third turns the claim.
        ([LARGE, at_least("third", "it", 0.5)], [SIZE], False, DIFFERS),
        # Its size would turn the claim, but for a chance level that is explained.
        ([more("size", "it", than="shuffled", by=0.5)], [CHANCE], True, DIFFERS),
    ],
)
def test_an_answer_rests_on_what_would_turn_it_if_all_that_is_explained_were_as_recorded(
    toy, monkeypatch, asks, adrift, met, kind
):
    monkeypatch.setattr(toy, "CLAIMS", [replace(toy.CLAIMS[0], asks=asks)])
    made, record = record_of(0.4), record_of(1.0)
    made["measures"][0] |= {THIRD: 1 / 3, CHANCE: -0.5}
    record["measures"][0] |= {THIRD: 0.6, CHANCE: 0.0}
    allowed = Rounding({}, adrift=frozenset(adrift))
    (beside,) = reproduction.compare(STEM, made, record, allowed)
    assert (beside.kind, beside.met, beside.on_record) == (kind, [met], [True])


def test_another_criterion_for_the_same_numbers_makes_a_claim_differ(toy):
    record = record_of(1.0, met=False)
    beside, _ = reproduction.compare(STEM, record_of(1.0), record, Rounding({}))
    assert beside.kind == DIFFERS


@pytest.mark.parametrize(("made", "status"), [(record_of(0.9), 0), (record_of(0.4), 1)])
def test_a_run_ends_with_what_it_gives_again_and_fails_if_and_only_if_a_claim_differs(
    toy, project, made, status
):
    record = record_of(1.0) | {"environment": {"numpy": "0.1"}}
    (project / "figures" / f"{STEM}.json").write_text(json.dumps(record))
    write_notebook(project, RECORD.format(content=json.dumps(made)), stem=STEM)
    said = call("run", status=status)
    assert (", 0 differs." in said) == (status == 0)
    for words in ("seconds", "2 claims beside the record", f"numpy: {np.__version__}, not 0.1"):
        assert words in said


def test_a_notebook_that_fails_after_its_record_is_reported_and_the_others_go_on(toy, project):
    (project / "figures" / f"{STEM}.json").write_text(json.dumps(record_of(1.0)))
    record = RECORD.format(content=json.dumps(record_of(0.4)))
    write_notebook(project, record, "1 / 0", stem=STEM)
    write_notebook(project, "1 / 1")
    said = call("run", status=1)
    assert f"{STEM} failed" in said
    assert "ZeroDivisionError" in said
    assert "x_fig1: ran" in said
    assert "claims beside the record:" not in said  # only the head of a column


def test_the_environment_shows_what_a_variable_holds_back():
    code = "from repro.core import environment as e; print(e.this_environment()['processor'])"
    done = run_python("-c", code, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert done.stdout == "generic\n"
    assert this_environment()["numpy"] == np.__version__
    assert sys.version.startswith(this_environment()["python"])
