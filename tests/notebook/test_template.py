"""`repro new`: the skeleton has the standard cells, runs as it is, and overwrites nothing."""

import json
import os

import nbformat
import pytest
import test_notebooks as checks
from typer.testing import CliRunner

from repro.__main__ import app
from repro.notebook import runner, template

STEM = "tete_fig12_example"


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("REPRO_FIGURES_DIR", "REPRO_STANDIN"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "figures").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments):
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})


def test_it_runs_as_it_is_and_passes_the_checks_of_the_others(project):
    assert call("new", STEM).exit_code == 0
    assert STEM in call("list").output
    result = call("run", STEM)
    assert result.exit_code == 0, result.output
    assert "tete-12a" in result.output
    path = project / "notebooks" / f"{STEM}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for check in (
        checks.test_it_was_executed_from_top_to_bottom,
        checks.test_it_holds_no_error_and_no_stderr,
        checks.test_checked_cells_have_something_to_check,
        checks.test_the_kernel_is_python3_and_nothing_of_the_run_is_kept,
        checks.test_its_sections_stand_in_order,
        checks.test_cells_are_short_and_pictures_small,
        checks.test_the_source_it_shows_is_that_of_the_library,
    ):
        check(notebook)
    for check in (
        checks.test_its_outputs_hold_nothing_that_changes_from_run_to_run,
        checks.test_each_exercise_is_a_matter_of_the_parameters_cell,
        checks.test_no_exercise_asks_for_what_is_already_set,
        checks.test_the_last_checks_are_made_with_the_committed_parameters,
    ):
        check(path)
    assert 10_000 < (project / "figures" / f"{STEM}.png").stat().st_size < 300_000
    record = json.loads((project / "figures" / f"{STEM}.json").read_text(encoding="utf-8"))
    assert (record["paper"], record["item"], record["data"]) == ("t-ETE", "Fig. 12", "real")
    assert [claim["verdict"] for claim in record["claims"]] == ["holds"]
    assert record["readings"] == dict(notebook.metadata.repro.readings)


def test_it_describes_itself_and_is_the_same_each_time(project):
    path = template.write_new("umap_sec3_why", project / "notebooks")
    about = runner.Notebook.read(path)
    assert (about.paper, about.item, about.datasets) == ("UMAP", "Sec. 3", {})
    first = path.read_bytes()
    path.unlink()
    assert template.write_new("umap_sec3_why", project / "notebooks").read_bytes() == first
    assert "«" not in first.decode("utf-8")


def test_it_overwrites_nothing(project):
    path = project / "notebooks" / f"{STEM}.ipynb"
    path.write_text("mine", encoding="utf-8")
    result = call("new", STEM)
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert path.read_text(encoding="utf-8") == "mine"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "name",
    [
        *("", "faces", "KIE_fig1_x", "kie_fig_x", "kie_fig1", "kie_fig1_", "kie_fig1_a-b"),
        *(
            "kie fig1_x",
            "../kie_fig1_x",
            "kie_fig1_x\n",
            "kie_fig1_é",
            "1kie_fig1_x",
            "kie_fig1_x/y",
        ),
    ],
)
def test_a_bad_name_is_refused_with_a_good_one(project, name):
    result = call("new", "--", name)
    assert result.exit_code == 2
    assert "kie_fig7_faces" in result.output
    assert not list((project / "notebooks").iterdir())


def test_it_works_from_a_subfolder_and_with_the_suffix(project, monkeypatch):
    below = project / "figures" / "deep"
    below.mkdir()
    monkeypatch.chdir(below)
    assert call("new", f"{STEM}.ipynb").exit_code == 0
    assert (project / "notebooks" / f"{STEM}.ipynb").is_file()


def test_outside_a_project_it_says_where_to_go(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("new", STEM)
    assert result.exit_code == 2
    assert "project's folder" in result.output


def test_a_failed_write_leaves_nothing(project, monkeypatch):
    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    result = call("new", STEM)
    assert result.exit_code == 2
    assert "the disk is full" in result.output
    assert not list((project / "notebooks").iterdir())
