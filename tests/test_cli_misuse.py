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
    for block in ("scorecard", "claims", "gallery", "lessons", "equations")
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


def assert_refused(arguments, *words):
    said = " ".join(call(*arguments, status=2).split())
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
    assert_refused(arguments, MARKUP)


def test_names_of_folders_and_titles_are_no_markup(swept, monkeypatch):
    write_notebook(swept, "print(1)", title=f"from {MARKUP} to [bold]")
    assert f"from {MARKUP} to [bold]" in call("list")
    cache = swept / "[bold]"
    monkeypatch.setenv("REPRO_CACHE_DIR", str(cache))
    assert f"neither in {cache}" in call("verify")
    monkeypatch.setenv("REPRO_DATA_DIR", MARKUP)
    assert str(Path(MARKUP).absolute()) in call("fetch", "letters", status=2)
    monkeypatch.delenv("REPRO_DATA_DIR")
    damaged = cache / "coil20" / "obj3__0.png"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"no picture")
    assert f"{damaged}: damaged" in call("verify", status=1)


@pytest.mark.parametrize("name", ["nosuch", MARKUP])
@pytest.mark.parametrize("command", [("fetch", "letters"), ("run", "x_fig1")])
def test_an_unknown_stand_in_is_named(swept, monkeypatch, name, command):
    write_notebook(swept, "print(1)", datasets={"letters": {}})
    monkeypatch.setenv("REPRO_STANDIN", name)
    assert_refused(command, "REPRO_STANDIN", name)


@pytest.mark.parametrize("variable", ["REPRO_DATA_DIR", "REPRO_CACHE_DIR"])
@pytest.mark.parametrize("command", [("fetch", "letters"), ("verify",)])
def test_the_home_of_nobody_is_named(swept, monkeypatch, variable, command):
    monkeypatch.setenv(variable, "~nobody of this name")
    assert_refused(command, variable, "~nobody of this name")


def test_a_report_without_runs_writes_nothing(swept):
    (swept / "figures").rename(swept / "elsewhere")
    assert_refused(["report"], "there are no runs", "repro sweep")
    assert Path("README.md").read_text(encoding="utf-8") == README
    assert not Path("figures").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("sweep", "a_fig1", "--minutes", "-1"),
        *(("run", "--formats", formats) for formats in ("exe", "", "png,,pdf", MARKUP)),
    ],
)
def test_a_wrong_option_is_named_before_anything_runs(swept, arguments):
    assert_refused(arguments, arguments[-2])


def test_formats_may_have_blanks(swept, monkeypatch):
    seen = []
    monkeypatch.setattr(
        runner, "run_notebooks", lambda *_: seen.append(os.environ["REPRO_FORMATS"]) or ()
    )
    call("run", "--formats", "png, PDF")
    assert seen == ["png,pdf"]


DAMAGED = {
    "timings.json": ["", "x"],
    "sweeps/a_fig1.csv": ["", "x", "a,b\n1,2\n", "seed,cpu,code,size\n0,0,x,y\n"],
}


@pytest.mark.parametrize(
    ("file", "command"),
    [
        *(("timings.json", command) for command in (("report",), ("run",))),
        *(("sweeps/a_fig1.csv", c) for c in (("report",), ("sweep", "a_fig1"), ("site",))),
    ],
)
def test_a_damaged_file_is_named_before_anything_runs(swept, file, command):
    for content in DAMAGED[file]:
        (swept / "figures" / file).write_text(content, encoding="utf-8")
        assert_refused(command, f"{file.rpartition('/')[2]} is damaged")


@pytest.mark.parametrize("command", [("list",), ("report",), ("run",)])
@pytest.mark.parametrize("content", [[], {}, {"metadata": {}}])
def test_what_is_no_notebook_is_named(swept, command, content):
    Path("notebooks/x_fig1.ipynb").write_text(json.dumps(content), encoding="utf-8")
    assert_refused(command, "x_fig1.ipynb is damaged")


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"datasets": {"lettres": {}}}, "Did you mean 'letters'"),
        ({"datasets": {"names": {}}}, "unknown data set 'names'"),
        ({"datasets": {"coil20": {"object": [3]}}}, "'object'"),
        ({"datasets": {"coil20": {"objects": [99]}}}, "99"),
    ],
)
def test_what_metadata_ask_for_must_be_there(swept, about, words):
    write_notebook(swept, "print(1)", **about)
    assert_refused(["run"], "x_fig1.ipynb", words)


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
