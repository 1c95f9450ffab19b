"""What a user can get wrong: options, variables, damaged files. Each is told in a line."""

import json
import os
from pathlib import Path

import pytest
import toy_experiment
from command_line import call, run_python, write_notebook

from repro.evidence import sweeps
from repro.notebook import runner

MARKUP = "[/x]"  # rich would take it for the end of a style
README = "".join(
    f"<!-- {block}: generated -->\n<!-- /{block} -->\n"
    for block in ("scorecard", "errata", "lessons", "equations")
)


@pytest.fixture
def swept(project, monkeypatch):
    """Make a project of one notebook and of a sweep, in which nothing may be run."""
    monkeypatch.setattr(runner, "execute", lambda *_: pytest.fail("a notebook was run"))
    (project / "README.md").write_text(README, encoding="utf-8")
    toy_experiment.install(project, monkeypatch)
    toy_experiment.sweep(project / "figures")
    monkeypatch.setattr(sweeps, "make_runs", lambda *_: pytest.fail("a sweep was run"))
    write_notebook(project, "print(1)")
    return project


def assert_told(result, *words):
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2, result.output
    said = " ".join(result.output.split())
    for word in words:
        assert word in said, said


@pytest.mark.parametrize(
    "arguments",
    [
        *(("run", MARKUP), ("sweep", MARKUP), ("fetch", MARKUP), ("new", MARKUP)),
        ("sweep", "a_fig1", "--set", f"{MARKUP}=1"),
        ("sweep", "a_fig1", "--shard", MARKUP),
    ],
)
def test_what_a_user_wrote_is_no_markup(swept, arguments):
    assert_told(call(*arguments), MARKUP)


def test_names_of_folders_are_no_markup(swept, monkeypatch):
    cache = swept / "[bold]"
    monkeypatch.setenv("REPRO_CACHE_DIR", str(cache))
    assert f"neither in {cache}" in call("verify").output
    monkeypatch.setenv("REPRO_DATA_DIR", MARKUP)
    result = call("fetch", "letters")
    assert result.exit_code == 2
    assert str(Path(MARKUP).absolute()) in result.output
    monkeypatch.delenv("REPRO_DATA_DIR")
    damaged = cache / "coil20" / "obj3__0.png"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"no picture")
    result = call("verify")
    assert result.exit_code == 1
    assert f"{damaged}: damaged" in result.output


def test_titles_are_no_markup(swept):
    write_notebook(swept, "print(1)", title=f"from {MARKUP} to [bold]")
    assert f"from {MARKUP} to [bold]" in call("list").output


@pytest.mark.parametrize("name", ["nosuch", MARKUP])
@pytest.mark.parametrize("command", ["fetch", "run"])
def test_an_unknown_stand_in_is_named(swept, monkeypatch, name, command):
    write_notebook(swept, "print(1)", datasets={"letters": {}})
    monkeypatch.setenv("REPRO_STANDIN", name)
    assert_told(call(command, "letters" if command == "fetch" else "x_fig1"), "REPRO_STANDIN", name)


@pytest.mark.parametrize("variable", ["REPRO_DATA_DIR", "REPRO_CACHE_DIR"])
@pytest.mark.parametrize("command", [("fetch", "letters"), ("verify",)])
def test_the_home_of_nobody_is_named(swept, monkeypatch, variable, command):
    monkeypatch.setenv(variable, "~nobody of this name")
    assert_told(call(*command), variable, "~nobody of this name")


def test_a_report_without_runs_writes_nothing(swept):
    (swept / "figures").rename(swept / "elsewhere")
    assert_told(call("report"), "there are no runs", "repro sweep")
    assert Path("README.md").read_text(encoding="utf-8") == README
    assert not Path("figures").exists()


def test_a_number_that_is_none_is_refused(swept):
    assert_told(call("sweep", "a_fig1", "--minutes", "-1"), "--minutes")


@pytest.mark.parametrize("formats", ["exe", "", "png,,pdf", MARKUP])
def test_a_format_is_refused_before_a_notebook_runs(swept, formats):
    assert_told(call("run", "--formats", formats), "--formats")


def test_formats_may_be_written_with_blanks(swept, monkeypatch):
    seen = []
    monkeypatch.setattr(
        runner, "run_notebooks", lambda *_: seen.append(os.environ["REPRO_FORMATS"]) or ()
    )
    assert call("run", "--formats", "png, PDF").exit_code == 0
    assert seen == ["png,pdf"]


@pytest.mark.parametrize("content", ["", "x", "[]", '{"x_fig1": "long"}'])
@pytest.mark.parametrize("command", [("report",), ("run", "--record")])
def test_damaged_times_are_named_before_a_notebook_runs(swept, content, command):
    Path("figures/timings.json").write_text(content, encoding="utf-8")
    assert_told(call(*command), "timings.json is damaged")


def test_damaged_times_keep_nobody_from_running(swept, monkeypatch):
    Path("figures/timings.json").write_text("x", encoding="utf-8")
    monkeypatch.setattr(runner, "run_notebooks", lambda *_: ())
    assert call("run").exit_code == 0


@pytest.mark.parametrize("content", ["", "x", "a,b\n1,2\n", "seed\nx\n"])
@pytest.mark.parametrize("command", [("report",), ("sweep", "a_fig1"), ("site",)])
def test_a_damaged_sweep_is_named(swept, content, command):
    Path("figures/sweeps/a_fig1.csv").write_text(content, encoding="utf-8")
    assert_told(call(*command), "a_fig1.csv is damaged")


@pytest.mark.parametrize("command", [("list",), ("report",), ("run",)])
@pytest.mark.parametrize("damage", ["list", "nothing", "worksheets", "no metadata"])
def test_what_is_no_notebook_is_named(swept, command, damage):
    path = Path("notebooks/x_fig1.ipynb")
    content = json.loads(path.read_text(encoding="utf-8"))
    if damage in ("list", "nothing"):
        content = [] if damage == "list" else {}
    elif damage == "worksheets":  # as of nbformat 3
        content |= {"nbformat": 3, "worksheets": [{"cells": content.pop("cells")}]}
    else:
        del content["cells"][0]["metadata"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert_told(call(*command), "x_fig1.ipynb is damaged")


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"datasets": ["letters"]}, "repro.datasets"),
        ({"datasets": {"letters": 3}}, "repro.datasets.letters"),
        ({"datasets": {"lettres": {}}}, "Did you mean 'letters'"),
        ({"datasets": {"names": {}}}, "unknown data set 'names'"),
        ({"datasets": {"coil20": {"object": [3]}}}, "'object'"),
        ({"datasets": {"coil20": {"objects": [99]}}}, "99"),
        ({"title": None}, "repro.title"),
    ],
)
def test_what_metadata_ask_for_must_be_there(swept, about, words):
    write_notebook(swept, "print(1)", **about)
    assert_told(call("run"), "x_fig1.ipynb", words)


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_a_terminal_that_lacks_a_sign_shows_another(swept, variables):
    write_notebook(swept, "print(1)", title="σ ↦ ρ")
    others = dict.fromkeys(("PYTHONUTF8", "PYTHONIOENCODING", "LC_ALL"))
    done = run_python("-m", "repro", "list", COLUMNS="200", **others | variables)
    assert "? ? ?" in done.stdout
