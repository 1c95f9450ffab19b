"""What nbval cannot see: it passes on a notebook without outputs."""

import base64
import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from repro import experiments
from repro.claims import judge
from repro.datasets import FETCHERS
from repro.evidence.rows import load_runs, primary_of
from repro.notebook.knobs import knob_in, knob_path, read_states
from repro.notebook.runner import Notebook

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# One is no experiment of a paper: it shows what a benchmark recorded.
EXPERIMENTS = [path for path in PATHS if path.stem != "benchmark_peers"]
MARK = "# NBVAL_CHECK_OUTPUT"
# The parts of a lesson, in their order.
SECTIONS = ["The data", "Predict", "The method", "The figure", "Turn a knob", "Does it hold?"]
SECTIONS += ["What the paper leaves open", "Try it", "Solutions"]


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(params=EXPERIMENTS, ids=lambda path: path.stem)
def experiment(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture
def lesson(experiment):
    return nbformat.read(experiment, as_version=4)


def code_cells(cells):
    return [cell for cell in cells if cell.cell_type == "code"]


def test_it_was_executed_from_top_to_bottom(notebook):
    cells = code_cells(notebook.cells)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


def test_it_holds_no_error_and_no_stderr(notebook):
    for cell in code_cells(notebook.cells):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"


def test_checked_cells_have_something_to_check(notebook):
    checked = [cell for cell in code_cells(notebook.cells) if MARK in cell.source]
    assert checked
    for cell in checked:
        assert cell.source.startswith(MARK + "\n"), "the mark counts alone on the first line only"
        assert "".join(output.get("text", "") for output in cell.outputs).strip()


def test_the_kernel_is_python3_and_nothing_of_the_run_is_kept(notebook):
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info == {"name": "python"}
    for cell in notebook.cells:
        assert not {"execution", "ExecuteTime"} & set(cell.metadata)


def test_its_outputs_hold_nothing_that_changes_from_run_to_run(path):
    assert not re.search(r" at 0x[0-9a-f]{6}", path.read_text(encoding="utf-8"))


def test_it_describes_itself(path):
    about = Notebook.read(path)
    if path in EXPERIMENTS:
        module = experiments.load(path.stem)
        assert (about.paper, about.item) == (module.PAPER, module.ITEM)
    assert set(about.datasets) <= set(FETCHERS)


def test_its_record_is_of_real_data_and_of_the_primary_reading(experiment):
    record = json.loads((ROOT / "figures" / f"{experiment.stem}.json").read_text(encoding="utf-8"))
    module = experiments.load(experiment.stem)
    assert record["data"] == "real"
    assert record["choices"] == {k: repr(v) for k, v in vars(module.Choices()).items()}
    assert len(record["measures"]) == len(record["seeds"])
    empirical = {claim.id for claim in module.CLAIMS if claim.kind != "cost"}
    assert set(record["claims"]) == empirical


def test_its_runs_are_among_the_evidence(experiment):
    """The notebook and the sweep ran the same code on the same seeds: the same numbers."""
    record = json.loads((ROOT / "figures" / f"{experiment.stem}.json").read_text(encoding="utf-8"))
    runs = load_runs(ROOT / "figures", experiments.load(experiment.stem))
    rows = primary_of(runs).set_index("seed")
    for seed, measures in zip(record["seeds"], record["measures"], strict=True):
        for name, value in measures.items():
            assert np.isclose(rows.loc[seed, name], value, rtol=1e-6, equal_nan=True), (seed, name)


def test_its_links_lead_to_what_the_site_has(notebook, path):
    """Notebooks, the glossary, or the web."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(notebook.cells)):
        linked = path.parent / target.partition("#")[0]
        known = linked.suffix == ".ipynb" or linked.name == "glossary.md"
        assert "://" in target or (known and linked.exists())


def test_its_title_says_whether_it_is_reproduced(experiment):
    """[Re] if more than half of the paper's empirical claims hold in half of the primary runs.

    Nothing is reproduced, or not, where the paper claims nothing: no mark.
    """
    module = experiments.load(experiment.stem)
    title = nbformat.read(experiment, as_version=4).cells[0].source
    of_paper = [c for c in module.CLAIMS if c.by == "paper"]
    claims = [c for c in of_paper if c.kind == "empirical"]
    runs = load_runs(ROOT / "figures", module)
    if not of_paper:
        assert "Re]" not in title.splitlines()[0]
        return
    if not claims or not runs:
        pytest.skip("it has no such claims, or no runs")
    held = sum(judge(claim, runs).primary >= 1 / 2 for claim in claims)
    assert title.startswith("# [Re] " if 2 * held > len(claims) else "# [¬Re] ")


def text_of(cells):
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def parts(notebook):
    """Return the cells of a lesson's parts, by heading; "" is what stands before the first."""
    found, heading = {"": []}, ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            headings = re.findall(r"^## (.*)$", cell.source, re.M)
            heading = headings[-1] if headings else heading
            found |= {name: [] for name in headings}
        found[heading].append(cell)
    return found


def test_its_parts_stand_in_order(lesson):
    assert list(parts(lesson)) == ["", *SECTIONS]
    assert re.match(r"# (\[¬?Re\] )?\w", lesson.cells[0].source)
    tags = [cell.metadata.get("tags", []) for cell in code_cells(lesson.cells)]
    assert ["parameters"] in tags[:3]


def test_it_is_short(lesson):
    """But for the exercises, and for sliders, which show what a cell above shows."""
    taught = lesson.cells[: lesson.cells.index(parts(lesson)["Try it"][0])]
    code = "\n".join(cell.source for cell in code_cells(taught) if not knob_in(cell.source))
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 140
    assert len(re.sub(r"\$+[^$]*\$+", "x", text_of(taught)).split()) <= 1000


def test_cells_are_short_and_pictures_small(notebook):
    for cell in code_cells(notebook.cells):
        assert len(cell.source.splitlines()) <= 20, cell.source
        for output in cell.outputs:
            picture = output.get("data", {}).get("image/png")
            assert picture is None or len(base64.b64decode(picture)) < 300_000


def test_its_knob_shows_a_picture_without_a_kernel(lesson):
    still, turned = code_cells(parts(lesson)["Turn a knob"])[-2:]
    assert any("image/png" in output.get("data", {}) for output in still.outputs)
    assert "@interact(" in turned.source
    assert not turned.outputs


def test_each_of_its_knobs_turns_on_the_site(experiment, lesson):
    for knob in filter(None, (knob_in(cell.source) for cell in code_cells(lesson.cells))):
        names, first, _ = read_states(knob_path(ROOT / "figures", experiment.stem, knob))
        assert len(set(names)) == len(names) >= 5
        assert 0 <= first < len(names)


def test_its_exercises_are_unanswered_and_its_solutions_right(lesson):
    """Each solution was executed, and holds itself to the check of its exercise."""
    asked = code_cells(parts(lesson)["Try it"])
    solved = [c for c in code_cells(lesson.cells) if "solution" in c.metadata.get("tags", [])]
    assert 2 <= len(asked) == len(solved) <= 3
    for k, (question, solution) in enumerate(zip(asked, solved, strict=True), start=1):
        assert f"answer_{k} = ..." in question.source
        assert "Not answered yet" in question.outputs[0].text
        assert f"assert is_right_{k}(answer_{k})" in solution.source
        assert solution.metadata.jupyter == {"outputs_hidden": True, "source_hidden": True}


def test_its_outputs_name_no_path_of_the_machine_that_ran_it(notebook):
    for cell in code_cells(notebook.cells):
        assert "Path(" not in json.dumps(cell.outputs), cell.source


def test_the_last_checks_are_made_on_the_primary_reading(experiment):
    """A check under a condition that the committed run does not meet would never be made."""
    notebook = nbformat.read(experiment, as_version=4)
    (last,) = [c.source for c in code_cells(notebook.cells) if "met_here(" in c.source]
    assert "choices = experiment.Choices()" in "".join(c.source for c in code_cells(notebook.cells))
    assert ("assert " in last) == ("if choices == experiment.Choices()" in last)


def test_its_figure_is_there(path):
    figure = ROOT / "figures" / f"{path.stem}.png"
    assert 10_000 < figure.stat().st_size < 300_000
