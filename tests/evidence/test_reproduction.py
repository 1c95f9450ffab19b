"""How a run reproduces the record: exactly, by rounding, in another optimum, or not."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
import toy_experiment
from command_line import call, run_python, write_notebook
from toy_experiment import STEM

from repro import experiments
from repro.claims import at_least
from repro.core.environment import this_environment
from repro.evidence import reproduction, rows
from repro.evidence.reproduction import (
    DIFFERS,
    EXACT,
    OPTIMUM,
    ROUNDING,
    Rounding,
    item_of,
    kind_of,
)


@pytest.fixture
def toy(project, monkeypatch):
    """Make a project with the toy experiment, its runs of record, and ten with moved digits."""
    toy_experiment.install(project, monkeypatch)
    toy_experiment.sweep(project / "figures")
    call("sweep", STEM, "--last-digits", "--jobs", "1")
    return experiments.load(STEM)


def moved(figures, **columns):
    """Change columns of the runs with moved last digits."""
    path, choices = rows.path_of_moved(figures, STEM), experiments.load(STEM).Choices
    columns = {k if k == "noise" else f"{k}: it": values for k, values in columns.items()}
    rows.add_rows(path, choices, rows.load_rows(path, choices).assign(**columns))


def test_rounding_is_ten_times_what_moved_digits_do(toy, project):
    figures = project / "figures"
    assert len(rows.load_rows(rows.path_of_moved(figures, STEM), toy.Choices)) == 10
    assert reproduction.rounding(figures, toy).most["third: it"] == 0
    moved(figures, third=1 / 3 + 1e-7)
    allowed = reproduction.rounding(figures, toy)
    assert allowed.most["third: it"] == pytest.approx(1e-6)
    assert not allowed.strays


def test_rounding_is_what_the_processor_that_differs_most_does(toy, project):
    figures = project / "figures"
    moved(figures, third=1 / 3 + 1e-7)
    here = rows.path_of_moved(figures, STEM)
    here.rename(here.with_name("another.csv"))
    moved_here = rows.load_rows(here.with_name("another.csv"), toy.Choices)
    rows.add_rows(here, toy.Choices, moved_here.assign(**{"third: it": 1 / 3 + 1e-8}))
    assert reproduction.rounding(figures, toy).most["third: it"] == pytest.approx(1e-6)


def test_what_last_digits_change_as_much_as_another_start_does_is_adrift(toy, project):
    figures = project / "figures"
    moved(figures, third=0.9, size=5.0)
    allowed = reproduction.rounding(figures, toy)
    assert allowed.adrift == {"third: it", "size: it"}
    assert allowed.most["third: it"] == 0


def test_runs_of_another_reading_are_no_part_of_rounding(toy, project):
    figures = project / "figures"
    before = reproduction.rounding(figures, toy)
    moved(figures, noise="0.5", size=100.0)
    assert len(rows.load_rows(rows.path_of_moved(figures, STEM), toy.Choices)) == 20
    assert reproduction.rounding(figures, toy) == before


def stray(figures, experiment):
    """Give the runs losses; with moved digits, seed 2 ends in another optimum."""
    experiment.ORDER = "loss", "it"
    path = rows.path_of(figures, STEM)
    table = rows.load_rows(path, experiment.Choices)
    rows.add_rows(path, experiment.Choices, table.assign(**{"loss: it": 1.0}))
    found = rows.load_rows(rows.path_of_moved(figures, STEM), experiment.Choices)
    there = found["seed"] == 2
    moved(figures, loss=np.where(there, 1.1, 1.0), third=np.where(there, 0.9, 1 / 3 + 1e-7))


def test_runs_in_another_optimum_say_nothing_of_rounding(toy, project):
    stray(project / "figures", toy)
    allowed = reproduction.rounding(project / "figures", toy)
    assert allowed.most["third: it"] == pytest.approx(1e-6)
    assert allowed.strays


@pytest.mark.parametrize(
    ("values", "item"),
    [
        ([0.5, 0.75, 0.9], 1 / 20),
        ([7 / 300, 299 / 300, 0.0], 1 / 300),
        ([np.nan, 1 / 7, 3 / 7], 1 / 7),
        ([1.0, 2.0, 3.0], 0),  # integers are not shares
        ([0.25, 0.25], 0),  # one value is not enough
        (np.random.default_rng(0).random(20), 0),
        ([], 0),
    ],
)
def test_a_share_counts_items_and_other_measures_do_not(values, item):
    assert item_of(values) == pytest.approx(item)


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        ({}, EXACT),
        ({"share": 0.5 + 4e-10}, ROUNDING),  # below 1e-9 of the number
        ({"share": 0.509}, ROUNDING),
        ({"left": 4e-16}, ROUNDING),
        ({"share": 0.52}, DIFFERS),
        ({"share": 0.52, "loss": 1.0 + 1e-6}, DIFFERS),  # the loss is equal but for rounding
        ({"share": 0.52, "loss": 1.0005}, OPTIMUM),
        ({"share": np.nan}, DIFFERS),
        ({"other": 1.0}, EXACT),
    ],
)
def test_the_kinds_of_difference(found, kind):
    record = {"share": 0.5, "loss": 1.0, "left": 2e-16}
    most, name = {"share": 0.01, "loss": 1e-5}, "left" if "left" in found else "share"
    assert kind_of(name, record | found, record, Rounding(most, strays=True, loss="loss")) == kind
    assert (
        kind_of("share", {"loss": 1.0}, record, Rounding({}, strays=True, loss="loss")) == DIFFERS
    )
    adrift = Rounding(most, adrift=frozenset(["share"]))
    assert kind_of(name, record | found, record, adrift) in (kind, OPTIMUM)
    assert kind_of("nothing", record, record, Rounding({})) == EXACT  # not a number in either
    # If last digits do not lead to another optimum, it explains no difference.
    settled = kind_of(name, record | found, record, Rounding(most))
    assert settled == (DIFFERS if kind == OPTIMUM else kind)


RECORD = """
import json
from dataclasses import replace
from repro.core.environment import this_environment
from repro.plots import figures_dir
content = json.loads({content!r})
content["environment"] = this_environment()
(figures_dir() / "a_fig1.json").write_text(json.dumps(content))
"""


def record_of(size, loss=1.0, met=True):
    measures = [{"size: it": size, "third: it": 1 / 3, "loss: it": loss}]
    claims = {"a-1a": [met], "a-1b": [False]}
    return {"seeds": [0], "measures": measures, "claims": claims, "environment": this_environment()}


@pytest.mark.parametrize(
    ("made", "says", "unexplained"),
    [
        (record_of(1.0), ["2 to the last bit, 0 within rounding", "on record: none"], False),
        (record_of(1.0 + 1e-12), ["0 to the last bit, 2 within", "on record: none"], False),
        (record_of(0.4, 1.1, met=False), ["2 in another", "a-1a (in another optimum)"], False),
        (record_of(0.9), ["2 differs", "on record: none"], False),
        (record_of(0.4, met=False), ["on record: a-1a (differs)"], True),
        # Another criterion was applied to the same numbers.
        (record_of(1.0, met=False), ["on record: a-1a (to the last bit)"], True),
    ],
)
def test_a_claim_met_otherwise_is_explained_by_rounding_or_another_optimum_alone(
    toy, project, made, says, unexplained
):
    stray(project / "figures", toy)
    allowed = reproduction.rounding(project / "figures", toy)
    compared = reproduction.compare(STEM, made, record_of(1.0), allowed)
    said = reproduction.conclusion({STEM: compared})
    for words in (*says, "The environment is that of the record."):
        assert words in said
    assert any(again.unexplained for again in compared.claims) == unexplained


def test_a_difference_that_turns_nothing_needs_no_explanation(toy, monkeypatch):
    claim = toy.CLAIMS[0]
    both = replace(claim, asks=[*claim.asks, at_least("third", "it", 0.0)])
    monkeypatch.setattr(toy, "CLAIMS", [both])
    made = record_of(0.4, met=False)
    made["measures"][0]["third: it"] = 0.4  # unexplained, but its bound is met anyway
    for adrift, unexplained in ((["size: it"], False), ([], True)):
        allowed = Rounding({}, adrift=frozenset(adrift))
        (beside,) = reproduction.compare(STEM, made, record_of(1.0), allowed).claims
        assert (beside.kind, beside.turned, beside.unexplained) == (DIFFERS, True, unexplained)


@pytest.mark.parametrize(("made", "status"), [(record_of(1.0 + 1e-12), 0), (record_of(0.4), 1)])
def test_a_run_ends_with_what_it_gives_again_and_fails_where_nothing_explains_it(
    toy, project, made, status
):
    record = record_of(1.0, met=status == 0) | {"environment": {"numpy": "0.1"}}
    (project / "figures" / f"{STEM}.json").write_text(json.dumps(record))
    write_notebook(project, RECORD.format(content=json.dumps(made)), stem=STEM)
    said = call("run", status=status)
    for words in ("seconds", "2 claims beside the record", f"numpy: {np.__version__}, not 0.1"):
        assert words in said
    report = json.loads((project / "reproduced" / "report.json").read_text(encoding="utf-8"))
    assert set(report["notebooks"][STEM]["claims"]) == {"a-1a", "a-1b"}
    assert report["environment"] == this_environment()


def test_a_notebook_that_fails_after_its_record_is_reported_and_the_others_go_on(toy, project):
    (project / "figures" / f"{STEM}.json").write_text(json.dumps(record_of(1.0)))
    record = RECORD.format(content=json.dumps(record_of(0.4, met=False)))
    write_notebook(project, record, "1 / 0", stem=STEM)
    write_notebook(project, "1 / 1")
    said = call("run", status=1)
    assert f"{STEM} failed" in said
    assert "ZeroDivisionError" in said
    report = json.loads((project / "reproduced" / "report.json").read_text(encoding="utf-8"))
    assert list(report["notebooks"]) == ["x_fig1"]


def test_the_environment_shows_what_a_variable_holds_back():
    code = "from repro.core import environment as e; print(e.this_environment()['processor'])"
    done = run_python("-c", code, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert done.stdout == "generic\n"
    assert this_environment()["numpy"] == np.__version__
    assert sys.version.startswith(this_environment()["python"])
