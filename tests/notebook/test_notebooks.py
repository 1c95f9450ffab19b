"""What nbval cannot see: it passes on a notebook without outputs."""

import ast
import base64
import json
import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import nbformat
import pytest

from repro.datasets import FETCHERS
from repro.evidence.readings import parse_settings
from repro.kie.models import annealing_schedule
from repro.notebook.display import show_source
from repro.notebook.runner import Notebook

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# One is no experiment of a paper: it shows what a benchmark recorded.
EXPERIMENTS = [path for path in PATHS if path.stem != "benchmark_peers"]
MARK = "# NBVAL_CHECK_OUTPUT"
# Seeds of the committed and of the longer run; others, whose runs take many minutes, have fewer.
SEEDS, FEWER_SEEDS = (5, 20), {"tete_fig6_dimensionality_reduction": (1, 5)}
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
        assert path.stem.startswith(about.paper.lower().replace("-", "") + "_")
    assert about.readings
    assert set(about.datasets) <= set(FETCHERS)


def test_its_record_is_of_real_data_and_agrees(experiment):
    path, notebook = experiment, nbformat.read(experiment, as_version=4)
    record = json.loads((ROOT / "figures" / f"{path.stem}.json").read_text(encoding="utf-8"))
    assert record["data"] == "real"
    assert record["readings"] == dict(notebook.metadata.repro.readings)
    assert record["item"] == notebook.metadata.repro.item
    shown = "".join(
        output.get("text", "") for cell in code_cells(notebook) for output in cell.outputs
    )
    for claim in record["claims"]:
        timed = any(part.get("timed") for part in claim["parts"])
        assert f"{claim['id']}: {'by the clock' if timed else claim['verdict']}" in shown
        assert len(record["seeds"]) >= FEWER_SEEDS.get(path.stem, SEEDS)[0]


def test_a_longer_run_of_it_is_recorded(experiment):
    path = experiment
    short, longer = (
        json.loads((ROOT / "figures" / folder / f"{path.stem}.json").read_text(encoding="utf-8"))
        for folder in ("", "recorded")
    )
    assert len(longer["seeds"]) >= FEWER_SEEDS.get(path.stem, SEEDS)[1]
    assert [c["id"] for c in longer["claims"]] == [c["id"] for c in short["claims"]]
    assert longer["readings"] == short["readings"]
    assert longer["errata"] == short["errata"]
    asked = [
        [
            (c["says"], c["where"], part["quantity"], part["criterion"])
            for c in record["claims"]
            for part in c["parts"]
        ]
        for record in (short, longer)
    ]
    assert asked[0] == asked[1]


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


def parameters_cell(notebook):
    (cell,) = [c for c in code_cells(notebook) if "parameters" in c.metadata.get("tags", [])]
    return cell.source


def exercises(notebook):
    """Yield the names and the settings in backticks of each exercise."""
    (cell,) = [c for c in notebook.cells if re.search("^## Try it$", c.source, re.M)]
    for text in re.findall(r"^\d\. (.*)", cell.source.split("## Try it")[1], re.M):
        quoted = re.findall(r"`([^`]+)`", text)
        yield [part for part in quoted if re.match(r"[A-Z][A-Z0-9_]*(?: = .+)?$", part)]


def test_each_exercise_is_a_matter_of_the_parameters_cell(experiment):
    notebook = nbformat.read(experiment, as_version=4)
    known, found = parameters_cell(notebook), list(exercises(notebook))
    assert 2 <= len(found) <= 3
    for settings in found:
        assert settings, "an exercise names no parameter"
        for setting in settings:
            name, _, value = setting.partition(" = ")
            # At the start of a line, so that `repro run -p` reaches it, too.
            assert re.search(f"^{name} = ", known, re.M), name
            assert not value or ast.parse(value, mode="eval")


def test_no_exercise_asks_for_what_is_already_set(experiment):
    notebook = nbformat.read(experiment, as_version=4)
    lines = [line.split("  #")[0] for line in parameters_cell(notebook).splitlines()]
    for settings in exercises(notebook):
        assert not set(settings) & set(lines)


def test_the_last_checks_are_made_with_the_committed_parameters(experiment):
    """A check that asks for other values than those of the parameters cell would never be made."""
    notebook = nbformat.read(experiment, as_version=4)
    (last,) = [c.source for c in code_cells(notebook) if "ledger.verdicts()" in c.source]
    guard = re.findall(r"^as_committed &?= .*", last, re.M)
    assert bool(guard) == ("if as_committed" in last)
    seeds = "seeds = range(FIRST_SEED, FIRST_SEED + N_SEEDS)"
    lines = [parameters_cell(notebook), seeds]
    assert as_committed([*lines, *guard])
    for texts in Notebook.read(experiment).alternatives.values() if guard else ():
        for text in texts:  # under another reading they would be made, and fail
            assert not as_committed([*lines, text, *guard]), text


def as_committed(lines):
    names = {"annealing_schedule": annealing_schedule, "as_committed": True}
    exec("\n".join(lines), names)
    return names["as_committed"]


def test_each_other_reading_is_a_matter_of_the_parameters_cell(experiment):
    about = Notebook.read(experiment)
    known = parameters_cell(nbformat.read(experiment, as_version=4))
    for texts in about.alternatives.values():
        assert texts
        for text in texts:
            for name in parse_settings(text):
                assert re.search(f"^{name}, |^{name} = |, {name} = ", known, re.M), name


def test_the_seeds_are_a_matter_of_the_parameters_cell(experiment):
    notebook = nbformat.read(experiment, as_version=4)
    assert {"FIRST_SEED", "N_SEEDS"} <= Notebook.read(experiment).parameters
    source = "\n".join(cell.source for cell in code_cells(notebook))
    assert "seeds = range(FIRST_SEED, FIRST_SEED + N_SEEDS)" in source


def functions_shown(notebook, cell):
    """Import what the cell's show_source names, as the notebook imports it."""
    module_of = {}
    for other in code_cells(notebook):
        for node in ast.walk(ast.parse(other.source)):
            if isinstance(node, ast.ImportFrom):
                module_of |= {alias.name: node.module for alias in node.names}
    for dotted in re.search(r"show_source\((.*)\)", cell.source)[1].split(", "):
        name, *attributes = dotted.split(".")
        module = import_module(module_of[name])
        if not hasattr(module, name):
            import_module(f"{module_of[name]}.{name}")
        yield reduce(getattr, attributes, getattr(module, name))


def test_its_figure_is_there(path):
    figure = ROOT / "figures" / f"{path.stem}.png"
    assert 10_000 < figure.stat().st_size < 300_000
