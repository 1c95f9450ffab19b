"""User errors: arguments, variables, damaged files. Each is reported in one line."""

import json
import re
from itertools import product
from pathlib import Path

import pytest
import toy_experiment
from command_line import ABOUT, call, write_notebook
from processes import run_python

from repro.core.errors import UserError
from repro.workbench.evidence import sweeps
from repro.workbench.lessons import execution

MARKUP = "[/x]"  # rich would read it as the end of a style
BLOCKS = ["scorecard", "changes", "carries over", "decides", "evidence", "anchors", "rounding"]
BLOCKS += ["second reading", "lessons", "equations"]
README = "".join(f"<!-- {block}: generated -->\n<!-- /{block} -->\n" for block in BLOCKS)


@pytest.fixture
def swept(project, monkeypatch):
    """Make a project with two notebooks and a sweep, in which nothing may run."""
    monkeypatch.setattr(execution, "execute", lambda *_: pytest.fail("a notebook was run"))
    (project / "README.md").write_text(README, encoding="utf-8")
    toy_experiment.install(project, monkeypatch)
    toy_experiment.sweep(project / "figures")
    monkeypatch.setattr(sweeps, "make_runs", lambda *_: pytest.fail("a sweep was run"))
    for stem in ("a_fig1", "x_fig1", "x_fig2"):
        write_notebook(project, "print(1)", stem=stem)
    return project


@pytest.fixture
def ran(swept, monkeypatch):
    """Collect the names of the notebooks that would be run."""
    names = []

    def run(notebooks, *_):
        names.extend(notebook.stem for notebook in notebooks)
        return [execution.Outcome(notebook, 1.0, ()) for notebook in notebooks]

    monkeypatch.setattr(execution, "run_notebooks", run)
    return names


def assert_refused(command, *words):
    """Check that a command is refused in the given words, and writes no file."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    said = " ".join(call(*command.split(), status=2).split())
    for word in words:
        assert word in said, said
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("command", "says"),
    [
        *((f"{command} {MARKUP}", MARKUP) for command in ("run", "open", "sweep", "fetch", "new")),
        (f"sweep a_fig1 --set {MARKUP}=1", MARKUP),
        ("sweep b_fig1", "did you mean 'a_fig1'"),
        ("sweep a_fig1 --set size=1", "no choice 'size': it has level, noise, data"),
        *(
            (f"sweep a_fig1 --set level={v}", "as Python writes them")
            for v in ("open('x')", "high")
        ),
        *((f"sweep a_fig1 --set {given}", "gives no value") for given in ("level", "level=")),
        *(
            (f"sweep a_fig1 --set {given}", f"{given.split('=')[0]} cannot be")
            for given in ("level=True", "level='1'", "level=1e999", "level=None", "data='foo'")
        ),
        *((f"{command} .", "'.' names no") for command in ("run", "open", "sweep")),
        ("sweep a_fig1 --jobs 0", "--jobs 0 makes no run"),
        ("sweep a_fig1 --set level=5.0 --check", "give one of them"),
        ("course ~nobody-of-this-name/x", "FOLDER"),
        ("open x_", "fits several: x_fig1, x_fig2"),
        ("fetch coil21", "coil20"),
        *(
            (f"new {name}", "kie_fig7_faces")
            for name in ("faces", "KIE_fig1_x", "kie_fig1", "kie_fig1_a-b", "../kie_fig1_x")
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(swept, command, says):
    assert_refused(command, says)


def test_a_report_without_runs_writes_nothing(swept):
    (swept / "figures").rename(swept / "elsewhere")
    assert_refused("report", "there are no runs", "repro sweep")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (r"2\.0,0\.1,'digits'.*\n", "", "have no runs, first 'high': repro sweep a_fig1"),
        (r"1\.0,0\.1,'digits'.*\n", "", "have no runs, first 'ours': repro sweep a_fig1"),
        ("size: it", "size: that", "lacks 'size: it', which ORDER asks for"),
    ],
)
def test_a_table_that_lacks_runs_or_measures_is_not_reported(swept, old, new, says):
    table = swept / "figures" / "sweeps" / "a_fig1.csv"
    table.write_text(re.sub(old, new, table.read_text(encoding="utf-8")), encoding="utf-8")
    assert_refused("report", says)


@pytest.mark.parametrize("fails", ["evidence.report.render_reports", "article.writing.fill_in"])
def test_a_report_that_fails_has_written_nothing(swept, monkeypatch, fails):
    def fail(*_):
        raise UserError("in the middle")

    (swept / "ANSWERS.md").touch()
    monkeypatch.setattr(f"repro.workbench.{fails}", fail)
    assert_refused("report", "in the middle")


def test_outside_a_project_it_says_where_to_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in ("list", "run", "new kie_fig1_x", "sweep tete_fig2"):
        assert_refused(command, "project's folder")


def test_names_of_folders_and_titles_are_no_markup(swept, monkeypatch):
    write_notebook(swept, "print(1)", title=f"from {MARKUP} to [bold]")
    assert f"from {MARKUP} to [bold]" in call("list")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(swept / "[bold]"))
    assert f"into {swept / '[bold]'}" in call("fetch", "letters", status=1)
    monkeypatch.setenv("REPRO_DATA_DIR", MARKUP)
    assert_refused("fetch letters", str(Path(MARKUP).absolute()))


@pytest.mark.parametrize(
    ("command", "variable", "value"),
    [
        ("run x_fig1", "REPRO_STANDIN", MARKUP),
        *(("fetch letters", f"REPRO_{name}_DIR", "~nobody of this") for name in ("DATA", "CACHE")),
        ("fetch letters", "REPRO_STANDIN", "nosuch"),
    ],
)
def test_a_variable_that_means_nothing_is_named(swept, monkeypatch, variable, value, command):
    write_notebook(swept, "print(1)", datasets={"letters": {}})
    monkeypatch.setenv(variable, value)
    assert_refused(command, variable, value)


def notebook(about, cells=()):
    """Return the text of a notebook with the given metadata."""
    return json.dumps({"metadata": {"repro": about}, "cells": cells})


ABOUTS = {}, None, {"paper": 1}, ABOUT | {"lesson": {}}
TABLES = "", "x", "a,b\n1,2\n", "seed,cpu,version,commit\n0,0,1.0,x\n"  # see also test_rows
NOTEBOOKS = "[]", "{", "{}", "[" * 100_000, *map(notebook, ABOUTS)


@pytest.mark.parametrize(
    ("file", "contents", "commands"),
    [
        ("figures/timings.json", ("", "x", "[]", '{"x_fig1": "x"}'), ("report", "run")),
        ("figures/a_fig1.json", ("", "[]", '{"seeds": []}'), ("run",)),
        ("figures/protocol.json", ("", "[]"), ("run", "sweep a_fig1")),
        ("figures/sweeps/a_fig1.csv", TABLES, ("report", "sweep a_fig1", "site")),
        ("notebooks/x_fig1.ipynb", NOTEBOOKS, ("report", "run x_fig1", "open x_fig1")),
    ],
)
def test_a_damaged_file_is_named_before_anything_runs(swept, file, contents, commands):
    for content, command in product(contents, commands):
        (swept / file).write_text(content, encoding="utf-8")
        assert_refused(command, f"{Path(file).name} is damaged")


def test_the_first_notebook_tells_how_long_the_others_take_here(swept, monkeypatch):
    times = {"x_fig1": 60, "x_fig2": 40, "a_fig1": 20}
    (swept / "figures" / "timings.json").write_text(json.dumps(times))
    ended = lambda of, *_: [execution.Outcome(notebook, 180.0, ()) for notebook in of]  # noqa: E731
    monkeypatch.setattr(execution, "run_notebooks", ended)
    says = call("run", "--jobs", "1")
    assert "x_fig1: ran in 180 s. The others will take about 6 min here." in says  # thrice as long
    assert says.count("The others") == 1
    assert "about 3 min" in call("run")  # two at a time


@pytest.mark.parametrize("command", ["list", "run", "run ALL"])
def test_a_damaged_notebook_is_named_and_the_others_go_on(swept, ran, command):
    (swept / "notebooks" / "x_fig1.ipynb").write_text("{", encoding="utf-8")
    assert "x_fig1.ipynb is damaged" in call(*command.split(), status=1)
    assert "x_fig2" in call("list", status=1)
    assert {*ran} == (set() if command == "list" else {"a_fig1", "x_fig2"})


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"lettres": {}}, "name must be one of 'brendan'"),
        ({"coil20": {"object": [3]}}, "'object'"),
        ({"coil20": {"objects": [99]}}, "99"),
    ],
)
def test_what_metadata_ask_for_must_be_there(swept, asked, says):
    write_notebook(swept, "print(1)", datasets=asked)
    assert_refused("run", "x_fig1.ipynb", says)


@pytest.mark.parametrize("command", ["list", "run x_fig1", "run", "report"])
def test_other_notebooks_in_the_folder_do_no_harm(swept, ran, command):
    folder = swept / "notebooks"
    for name in ("x_fig1-Copy1", "Untitled", "Untitled1"):
        write_notebook(swept, "1 / 0", stem=name, number=1)
    (folder / ".ipynb_checkpoints").mkdir()
    copied = (folder / "x_fig1.ipynb").read_text(encoding="utf-8")
    (folder / ".ipynb_checkpoints" / "x_fig1-checkpoint.ipynb").write_text(copied, encoding="utf-8")
    for name in ("Untitled", "Untitled1"):
        content = json.loads(copied) | {"metadata": {}}
        (folder / f"{name}.ipynb").write_text(json.dumps(content), encoding="utf-8")
    said = call(*command.split())
    named = "Left out, as they are not the project's: Untitled.ipynb, Untitled1.ipynb, "
    assert (f"{named}x_fig1-Copy1.ipynb" in said) == (command != "report")
    assert {*ran} <= {"a_fig1", "x_fig1", "x_fig2"}
    assert "Copy1" not in (swept / "README.md").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_named_before_a_run(swept, monkeypatch):
    (swept / "full").touch()
    monkeypatch.setenv("REPRO_FIGURES_DIR", "full")
    assert_refused("run x_fig1", f"nothing can be written to {swept / 'full'}")


def test_a_run_without_a_record_says_so(ran):
    said = call("run")
    assert said.count("no record to compare with") == len(ran) == 3


def test_the_code_of_another_copy_is_refused(swept):
    (swept / "repro").mkdir()
    (swept / "repro" / "__init__.py").touch()
    for command in ("list", "run", "sweep a_fig1", "report", "new kie_fig7_x", "open x_fig1"):
        assert_refused(command, f"this folder is {swept}, but the code that runs is that of")


def test_a_terminal_that_lacks_a_sign_shows_another(swept):
    write_notebook(swept, "print(1)", title="σ ↦ ρ")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    unset = {"PYTHONIOENCODING": None}
    done = run_python("-m", "repro", "list", COLUMNS="200", **ascii_only, **unset)
    assert "? ? ?" in done.stdout
