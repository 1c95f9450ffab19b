"""What nbval cannot see: it passes on a notebook without outputs."""

import ast
import base64
import json
import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import nbformat
import numpy as np
import pytest

from repro import experiments
from repro.claims import judge
from repro.datasets import FETCHERS
from repro.evidence.rows import load_runs, primary_of
from repro.notebook.display import show_source
from repro.notebook.runner import Notebook

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# One is no experiment of a paper: it shows what a benchmark recorded.
EXPERIMENTS = [path for path in PATHS if path.stem != "benchmark_peers"]
MARK = "# NBVAL_CHECK_OUTPUT"
SECTIONS = ["The data", "The idea", "The fit", "The figure", "The claims"]
SECTIONS += ["What the paper leaves open", "Try it"]


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(params=EXPERIMENTS, ids=lambda path: path.stem)
def experiment(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert PATHS


def test_it_was_executed_from_top_to_bottom(notebook):
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


def test_it_holds_no_error_and_no_stderr(notebook):
    for cell in code_cells(notebook):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"


def test_checked_cells_have_something_to_check(notebook):
    checked = [cell for cell in code_cells(notebook) if MARK in cell.source]
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
        assert (about.paper, about.item, about.title) == (module.PAPER, module.ITEM, module.TITLE)
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


def test_its_links_lead_to_notebooks_or_elsewhere(notebook, path):
    """The site has no other files of the project."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert "://" in target or (path.parent / target.partition("#")[0]).suffix == ".ipynb"


def test_its_title_says_whether_it_is_reproduced(experiment):
    """[Re] if more than half of the paper's empirical claims hold in half of the primary runs."""
    module = experiments.load(experiment.stem)
    claims = [c for c in module.CLAIMS if c.kind == "empirical" and c.by == "paper"]
    runs = load_runs(ROOT / "figures", module)
    if not claims or not runs:
        pytest.skip("it has no such claims, or no runs")
    held = sum(judge(claim, runs).primary >= 1 / 2 for claim in claims)
    title = nbformat.read(experiment, as_version=4).cells[0].source
    assert title.startswith("# [Re] " if 2 * held > len(claims) else "# [¬Re] ")


def test_its_sections_stand_in_order(notebook):
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    places = [text.find(f"## {name}") for name in SECTIONS]
    assert -1 not in places
    assert places == sorted(places)
    assert notebook.cells[0].source.startswith(("# [Re] ", "# [¬Re] ", "# How fast"))
    tags = [cell.metadata.get("tags", []) for cell in code_cells(notebook)]
    assert ["parameters"] in tags[:3]


def test_cells_are_short_and_pictures_small(notebook):
    cells = code_cells(notebook)
    assert len(cells) <= 20
    for cell in cells:
        assert len(cell.source.splitlines()) <= 20, cell.source
        for output in cell.outputs:
            picture = output.get("data", {}).get("image/png")
            assert picture is None or len(base64.b64decode(picture)) < 300_000


def test_its_outputs_name_no_path_of_the_machine_that_ran_it(notebook):
    for cell in code_cells(notebook):
        assert "Path(" not in json.dumps(cell.outputs), cell.source


def test_the_source_it_shows_is_that_of_the_library(notebook):
    for cell in code_cells(notebook):
        if "show_source(" in cell.source:
            (shown,) = (output.data["text/plain"] for output in cell.outputs)
            assert shown == show_source(*functions_shown(notebook, cell)).data


def exercises(notebook):
    """Yield the settings in backticks of each exercise, as (name, value as text)."""
    (cell,) = [c for c in notebook.cells if re.search("^## Try it$", c.source, re.M)]
    for text in re.findall(r"^\d\. (.*)", cell.source.split("## Try it")[1], re.M):
        yield re.findall(r"`(\w+)=([^`]+)`", text)


def test_each_exercise_sets_a_choice_to_something_else(experiment):
    found = list(exercises(nbformat.read(experiment, as_version=4)))
    primary = vars(experiments.load(experiment.stem).Choices())
    assert 2 <= len(found) <= 3
    for settings in found:
        assert settings, "an exercise sets no choice"
        for name, value in settings:
            assert ast.literal_eval(value) != primary[name], name


def test_the_last_checks_are_made_on_the_primary_reading(experiment):
    """A check under a condition that the committed run does not meet would never be made."""
    notebook = nbformat.read(experiment, as_version=4)
    (last,) = [c.source for c in code_cells(notebook) if "met_here(" in c.source]
    assert "choices = experiment.Choices()" in "".join(c.source for c in code_cells(notebook))
    assert ("assert " in last) == ("if choices == experiment.Choices()" in last)


def functions_shown(notebook, cell):
    """Import what the cell's show_source names, as the notebook imports it."""
    module_of = {}
    for other in code_cells(notebook):
        for node in ast.walk(ast.parse(other.source)):
            if isinstance(node, ast.ImportFrom):
                module_of |= {a.asname or a.name: (node.module, a.name) for a in node.names}
    for dotted in re.search(r"show_source\((.*)\)", cell.source)[1].split(", "):
        shown, *attributes = dotted.split(".")
        module, name = module_of[shown]
        found = getattr(import_module(module), name, None) or import_module(f"{module}.{name}")
        yield reduce(getattr, attributes, found)


def test_its_figure_is_there(path):
    figure = ROOT / "figures" / f"{path.stem}.png"
    assert 10_000 < figure.stat().st_size < 300_000
