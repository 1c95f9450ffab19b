"""Checks beyond nbval, which passes a notebook without outputs."""

import base64
import html
import json
import os
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import nbformat
import pytest

from repro import datasets, experiments
from repro.datasets import FETCHERS
from repro.workbench.evidence.reproduction import EXACT, ROUNDING, compare, rounding
from repro.workbench.evidence.rows import as_text, load_moved, load_runs, ours_of
from repro.workbench.evidence.scorecard import judge_experiment
from repro.workbench.lessons.execution import fetch_data
from repro.workbench.lessons.exercises import solutions
from repro.workbench.lessons.files import Notebook, notebook_files
from repro.workbench.lessons.live import script

ROOT = Path(__file__).parents[3]
PATHS = notebook_files(ROOT / "notebooks")[0]
# Lessons without an experiment: those that begin the course, and one on claims of another's.
STARTS = [path for path in PATHS if path.stem.startswith("start_")]
EXPERIMENTS = [path for path in PATHS if path.stem in experiments.names()]
SHARED = [path for path in PATHS if path.stem == "tete_sec6_weights"]
MARK = "# NBVAL_CHECK_OUTPUT"
LIVE = '<div class="live"'
# The parts of a lesson, in order.
STORY = ["Predict", "The idea", "The figure", "Turn a knob", "Does it hold?"]
STORY += ["Conclusion", "Try it", "Solutions", "For the sceptic"]
# Parts of the lessons that begin the course, among others.
OF_STARTS = ["Predict", "Turn a knob", "Conclusion", "Try it", "Solutions", "For the sceptic"]


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def chosen(paths):
    """Choose the notebooks of a test; without it, these are all."""
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


def code_cells(cells):
    return [cell for cell in cells if cell.cell_type == "code"]


def test_it_was_executed_from_top_to_bottom_without_a_complaint(notebook):
    cells = code_cells(notebook.cells)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert "error" not in {output.output_type for output in outputs}
    assert "stderr" not in {output.get("name") for output in outputs}


def test_nbval_runs_each_notebook_whole_before_the_next():
    """The order is total, or two workers would collect different orders."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", str(ROOT / "notebooks")]
    environment = {**os.environ, "REPRO_STANDIN": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
    cells = [line.split("::")[0] for line in run.stdout.splitlines() if "::" in line]
    files = [file for file, _ in groupby(cells)]
    assert sorted(files) == sorted(f"notebooks/{path.name}" for path in PATHS)


def test_a_data_set_that_cannot_be_had_is_asked_for_once(monkeypatch):
    """Without network an attempt takes seconds, and six notebooks ask for COIL-20."""
    asked = []
    monkeypatch.setattr(datasets, "prefetch", lambda name, **_: asked.append(name) or "no network")
    missing = fetch_data([Notebook.read(path) for path in PATHS])
    assert "coil20" in missing
    assert sorted(asked) == sorted(missing)


def test_checked_cells_have_something_to_check(notebook):
    checked = [cell for cell in code_cells(notebook.cells) if MARK in cell.source]
    assert checked
    for cell in checked:
        assert cell.source.startswith(MARK + "\n"), "the mark counts alone on the first line only"
        assert "".join(output.get("text", "") for output in cell.outputs).strip()


def test_it_keeps_nothing_of_the_run_or_of_the_machine(notebook):
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info == {"name": "python"}
    for cell in notebook.cells:
        assert not {"execution", "ExecuteTime"} & set(cell.metadata)
    for cell in code_cells(notebook.cells):
        assert not re.search(r" at 0x[0-9a-f]{6}|Path\(", json.dumps(cell.outputs)), cell.source


def test_it_describes_itself_and_has_a_figure(path):
    about = Notebook.read(path)
    if path in EXPERIMENTS:
        module = experiments.load(path.stem)
        assert (about.paper, about.item) == (module.PAPER, module.ITEM)
    assert set(about.datasets) <= set(FETCHERS)
    assert 10_000 < (ROOT / "figures" / f"{path.stem}.png").stat().st_size < 300_000


@chosen(EXPERIMENTS)
def test_its_record_is_of_real_data_and_of_runs_among_the_evidence(path):
    """The notebook and the sweep ran the same code on the same seeds, with the same numbers.

    They may differ by rounding, since processors may differ.
    """
    record = json.loads((ROOT / "figures" / f"{path.stem}.json").read_text(encoding="utf-8"))
    module = experiments.load(path.stem)
    assert record["data"] == "real"
    assert record["choices"] == as_text(module.Choices())
    assert set(record["claims"]) == {of.id for of in module.CLAIMS if of.kind != "cost"}
    runs = load_runs(ROOT / "figures", module)
    rows = ours_of(runs).set_index("seed").loc[record["seeds"]]
    evidence = record | {
        "measures": rows.to_dict("records"),
        "claims": {
            claim.id: claim.observations(rows)
            for claim in module.CLAIMS
            if claim.measures <= set(rows)  # of a draft, some claims were never measured
        },
    }
    allowed = rounding(runs, load_moved(ROOT / "figures", module))
    for claim in compare(path.stem, record, evidence, allowed):
        assert claim.kind in (EXACT, ROUNDING), claim


@chosen(EXPERIMENTS)
def test_its_picture_of_the_evidence_tells_the_verdicts_of_today_and_why(path, notebook):
    judged = judge_experiment(ROOT / "figures", experiments.load(path.stem))
    assert re.match(r"# \w", notebook.cells[0].source)
    words = [(f"{entry.claim.id} {entry.verdict.words}", entry.conclusion) for entry in judged]
    cells = [cell for cell in code_cells(notebook.cells) if "show_evidence(" in cell.source]
    shown = [output.data["text/html"] for cell in cells for output in cell.outputs]
    told = [
        (html.unescape(alt), html.unescape(said))
        for text in shown
        for alt, said in re.findall('<img alt="([^"]*)" [^>]*><p>(.*?)</p>', text)
    ]
    assert sorted(told) == sorted(words)  # those that decide before the others
    if len(shown) == 1:
        assert told == words


def text_of(cells):
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def parts(notebook):
    """Return the cells of a lesson's parts, by heading; "" for cells before the first."""
    found, heading = {"": []}, ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            headings = re.findall(r"^## (.*)$", cell.source, re.M)
            heading = headings[-1] if headings else heading
            found |= {name: [] for name in headings}
        found[heading].append(cell)
    return found


@chosen(EXPERIMENTS + SHARED)
def test_its_parts_stand_in_order(notebook):
    assert list(parts(notebook)) == ["", *STORY]
    tags = [cell.metadata.get("tags", []) for cell in code_cells(notebook.cells)]
    assert any("parameters" in of_cell for of_cell in tags[:3])


@chosen(STARTS)
def test_the_parts_of_a_start_stand_in_order(notebook):
    assert [name for name in parts(notebook) if name in OF_STARTS] == OF_STARTS


@chosen(STARTS + EXPERIMENTS + SHARED)
def test_it_is_short(notebook):
    """Exercises do not count, nor folded code."""
    taught = notebook.cells[: notebook.cells.index(parts(notebook)["Try it"][0])]
    assert len(taught) <= 30
    code = "\n".join(
        cell.source
        for cell in code_cells(taught)
        if not cell.metadata.get("jupyter", {}).get("source_hidden")
    )
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 100
    words = re.sub(r"\$+[^$]*\$+", "x", text_of(taught)).split()
    assert len(words) <= 850


def test_cells_are_short_and_pictures_small(notebook):
    for cell in code_cells(notebook.cells):
        assert len(cell.source.splitlines()) <= 20, cell.source
        for output in cell.outputs:
            picture = output.get("data", {}).get("image/png")
            assert picture is None or len(base64.b64decode(picture)) < 300_000


@chosen(STARTS + EXPERIMENTS + SHARED)
def test_its_knob_is_a_live_picture(notebook):
    outputs = code_cells(parts(notebook)["Turn a knob"])[-1].outputs
    assert any(LIVE in output.get("data", {}).get("text/html", "") for output in outputs)


def test_its_live_picture_is_drawn_by_todays_script(notebook):
    outputs = [output for cell in code_cells(notebook.cells) for output in cell.outputs]
    for drawn in (output.get("data", {}).get("text/html", "") for output in outputs):
        if named := re.match(LIVE + r' id="live-(\w+)-\d+">', drawn):
            assert script(named[1]) in drawn
            assert script("make") in drawn


@chosen(STARTS + EXPERIMENTS + SHARED)
def test_what_a_sceptic_asks_is_folded_and_what_is_taught_has_no_marker_of_a_tool(notebook):
    folded = parts(notebook)["For the sceptic"]
    assert folded[0].source == "## For the sceptic"
    assert folded[0].metadata["jp-MarkdownHeadingCollapsed"] is True
    assert any("NBVAL_CHECK_OUTPUT" in cell.source for cell in folded)
    for cell in code_cells(notebook.cells[: notebook.cells.index(folded[0])]):
        assert "NBVAL" not in cell.source
        assert "assert " not in cell.source


@chosen(STARTS + EXPERIMENTS + SHARED)
def test_its_exercises_are_unanswered_and_its_solutions_right(notebook):
    """nbval runs the folded solutions."""
    asked = code_cells(parts(notebook)["Try it"])
    assert list(solutions(notebook.cells)) == list(range(1, len(asked) + 1))
    for k, question in enumerate(asked, start=1):
        assert question.source.startswith(f"answer_{k} = ...")
        assert "def " not in question.source  # the question does not contain the answer
        assert "Not answered yet" in question.outputs[0].text


@chosen(EXPERIMENTS)
def test_the_last_checks_are_made_on_the_primary_reading(notebook):
    """A check whose condition the committed run does not meet would never be made."""
    sources = [cell.source for cell in code_cells(notebook.cells)]
    (last,) = [source for source in sources if "met_here(" in source]
    assert "choices = experiment.Choices()" in "".join(sources)
    assert ("assert " in last) == ("if judged(experiment, choices)" in last)
