"""The command line, on small projects made here."""

import json
import os
import re
import shlex
import shutil
import signal
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from command_line import call, write_notebook
from processes import interrupt, run_python
from typer.testing import CliRunner

import repro
from repro.workbench.command_line import app
from repro.workbench.evidence import sweeps
from repro.workbench.lessons import execution

RECORD = """
from repro.workbench.lessons.figures import figures_dir
(figures_dir() / "x_fig1.json").write_text("{}")
for word in ("x-1a:", "met", "here"):
    print(word, flush=True)
"""
MADE = Path("reproduced")  # where a run puts its output
COIL = """
from repro import datasets
print(datasets.fetch_coil20(objects=3, views=0).is_standin)
"""
COIL_NEEDED = {"coil20": {"objects": [3], "views": [0]}}


@pytest.fixture
def write(project):
    """Return a function that writes a notebook into the project."""
    return partial(write_notebook, project)


@pytest.fixture
def opened(monkeypatch):
    """Collect the commands that would start JupyterLab."""
    commands, done = [], SimpleNamespace(returncode=0)
    monkeypatch.setattr("repro.core.extras.find_spec", bool)
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr("subprocess.run", lambda command: commands.append(command) or done)
    return commands


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def printed(folder="notebooks"):
    """Return what the cells of the executed notebook have printed."""
    cells = cells_of(MADE / folder / "x_fig1.ipynb")
    return [output.text for cell in cells for output in cell.outputs]


def test_a_run_leaves_what_is_committed_and_a_second_run_changes_no_byte(write):
    warning = "import sys, warnings\nwarnings.warn('beware')\n_ = sys.stderr.write('1%\\r2%\\r\\n')"
    path = write(RECORD, "print('x' * 3_000_000)", warning)
    before = path.read_bytes()
    assert "x_fig1: ran in" in call("run")
    assert path.read_bytes() == before
    assert not list(Path("figures").iterdir())
    executed, record = MADE / "notebooks" / path.name, MADE / "figures" / "x_fig1.json"
    assert cells_of(executed)[0].execution_count == 1
    words, long, warned = printed()  # the pieces of a stream are joined
    assert words == "x-1a:\nmet\nhere\n"
    assert len(long) == 3_000_001  # in short time
    assert warned.startswith("<cell>:2: UserWarning: beware\n")
    assert warned.endswith("\n2%\n")
    first = executed.read_bytes(), record.read_bytes()
    call("run")
    assert (executed.read_bytes(), record.read_bytes()) == first


def test_who_maintains_the_committed_files_writes_them(write, monkeypatch):
    path = write(RECORD)
    assert "needs --write" in call("run", "--record", status=2)
    for folder, options in [("figures", []), ("figures/sweeps", []), ("figures/x", ["--write"])]:
        monkeypatch.setenv("REPRO_FIGURES_DIR", folder)
        assert "needs --write" in call("run", *options, status=2)
    monkeypatch.delenv("REPRO_FIGURES_DIR")
    call("run", "--write", "--record")
    assert cells_of(path)[0].execution_count == 1
    assert {p.name for p in Path("figures").iterdir()} == {"x_fig1.json", "timings.json"}
    assert json.loads(Path("figures/timings.json").read_text(encoding="utf-8"))["x_fig1"] >= 0
    assert not (MADE / "notebooks").exists()


def test_a_notebook_that_fails_is_left_as_it_was_and_the_others_go_on(write):
    write(RECORD)
    failing = write("1 / 0", stem="x_fig2")
    damaged = write("print(2)", stem="y_fig1")
    content = json.loads(damaged.read_text(encoding="utf-8"))
    content["cells"][0]["outputs"] = 5
    damaged.write_text(json.dumps(content), encoding="utf-8")
    before = failing.read_bytes()
    said = " ".join(call("run", "--jobs", "2", status=1).split())
    assert "x_fig1: ran" in said
    assert "ZeroDivisionError" in said
    assert f"y_fig1 failed; its file was left unchanged. {damaged} is damaged: " in said
    assert failing.read_bytes() == before


@pytest.mark.parametrize("why", ["missing", "option", "variable"])
def test_a_run_on_stand_ins_keeps_the_notebook_and_the_last_line_says_so(write, monkeypatch, why):
    path = write(COIL, RECORD, datasets=COIL_NEEDED)
    before = path.read_bytes()
    if why == "variable":
        monkeypatch.setenv("REPRO_STANDIN", "1")
        assert "not fetched: REPRO_STANDIN asks for a stand-in\n" in call("fetch", "coil20")
    said = call("run", *(["--standin"] if why == "option" else []))
    assert ("REPRO_OFFLINE" in said) == (why == "missing")
    assert "stand-in" in said.strip().splitlines()[-1]
    assert path.read_bytes() == before
    assert printed("figures/standin")[0] == "True\n"
    assert not (MADE / "figures" / "x_fig1.json").exists()


def test_without_stand_ins_a_run_fails_where_data_are_missing(write):
    write(COIL, datasets=COIL_NEEDED)
    assert "obj3__0.png" in call("run", "--no-standin", status=2)
    assert not MADE.exists()


def test_the_doors_of_the_readme_open(project, opened, monkeypatch):
    """Each command under "Where to start" works as written; no run is made."""
    root = Path(repro.__file__).parents[1]
    shutil.copytree(root / "notebooks", project / "notebooks", dirs_exist_ok=True)
    swept = []
    monkeypatch.setattr(sweeps, "make_runs", lambda runs, jobs: swept.extend(runs) or ())
    readme = (root / "README.md").read_text(encoding="utf-8")
    doors = readme.split("## Where to start")[1].split("\n## ")[0]
    for command in re.findall(r"`repro (.*?)`", doors):
        call(*shlex.split(command))
    copied = project / "reproduced" / "opened" / "start_six_points.ipynb"
    assert opened == [[sys.executable, "-m", "jupyterlab", str(copied)]]
    assert cells_of(copied) == cells_of(root / "notebooks" / copied.name)
    assert len(swept) == 2 * 5


def test_jupyterlab_starts_for_root_as_in_a_container_and_without_a_browser(
    write, opened, monkeypatch
):
    write("print(1)")
    for user, option, options in [
        (1000, "--browser", []),
        (1000, "--no-browser", ["--no-browser"]),
        (0, "--browser", ["--allow-root"]),
    ]:
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        call("open", "x_fig1", option)
        assert opened.pop()[3:-1] == options


def test_a_copy_that_is_open_is_the_readers_own(write, opened):
    path = write("print(1)")
    copy = MADE / "opened" / path.name
    (path.parent / "Untitled.ipynb").write_text('{"cells": [], "metadata": {}}', encoding="utf-8")
    assert "has changed" not in call("open", "x_fig1")
    assert [of.name for of in (MADE / "opened").iterdir()] == [path.name]
    write("print(0)")
    assert "has changed" not in call("open", "x_fig1")  # an unedited copy is replaced
    assert "print(0)" in copy.read_text(encoding="utf-8")
    write("print(1)")
    assert "has changed" not in call("open", "x_fig1")
    mine = copy.read_text(encoding="utf-8").replace("print(1)", "print('my answer')")
    copy.write_text(mine, encoding="utf-8")
    call("run", "x_fig1")
    assert "has changed" not in call("open", "x_fig1")
    write("print(2)")
    assert "has changed" in call("open", "x_fig1")
    assert copy.read_text(encoding="utf-8") == mine
    kept = copy.with_name("x_fig1_1.ipynb")
    assert f"is now {kept.absolute()}" in call("open", "x_fig1", "--fresh")
    assert kept.read_text(encoding="utf-8") == mine
    assert "print(2)" in copy.read_text(encoding="utf-8")
    assert "is now" not in call("open", "x_fig1", "--fresh")  # it is unedited


def test_a_full_disk_is_told_in_a_line(write, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "figures/timings.json")

    write(RECORD)
    monkeypatch.setattr("repro.workbench.lessons.timings.write_text", full)
    assert "No space left on device" in call("run", "--write", "--record", status=2)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_process_that_dies_is_told_in_a_line(write):
    write("import os, signal; os.kill(os.getppid(), signal.SIGKILL)")
    assert "a process that ran a notebook died" in call("run", status=2)


def test_ctrl_c_is_left_to_jupyter_which_may_ask_and_save(write, monkeypatch):
    write("print(1)")
    Path("jupyterlab").mkdir()
    Path("jupyterlab/__init__.py").touch()
    Path("jupyterlab/__main__.py").write_text(
        "import pathlib, signal, sys, time\n"
        "def asks(*_):\n    time.sleep(1)\n    sys.exit(3)\n"
        "signal.signal(signal.SIGINT, asks)\n"
        "pathlib.Path('started').touch()\n"
        "time.sleep(60)"
    )
    monkeypatch.syspath_prepend(Path.cwd())
    opening = "from repro.workbench.command_line import app; app(['open', 'x_fig1'])"
    interrupt(opening, when=Path("started"), whole_group=True, status=3)


def test_the_kernel_looks_in_the_same_folders(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name, folder in (("DATA", "data"), ("FIGURES", "figures"), ("CACHE", "")):
        monkeypatch.setenv(f"REPRO_{name}_DIR", folder)
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    figures = execution.folders_of_a_run()[1]
    environment = execution.kernel_environment(figures, ["coil20"], threads=1)
    assert "PYTHONOPTIMIZE" not in environment  # assertions are made
    wanted = {f"REPRO_{name}_DIR": str(tmp_path / name.lower()) for name in ("DATA", "FIGURES")}
    wanted |= {"REPRO_CACHE_DIR": "", "REPRO_STANDIN": "coil20", "NUMBA_NUM_THREADS": "1"}
    assert environment.items() >= wanted.items()


def test_what_a_user_has_set_for_python_jupyter_and_matplotlib_is_left_out_of_lessons(
    write, monkeypatch, tmp_path
):
    startup = tmp_path / "user" / "profile_default" / "startup" / "first.py"
    startup.parent.mkdir(parents=True)
    startup.write_text("print('startup')")
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 7\nno such key: 1\n")
    kernel = tmp_path / "user" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text('{"argv": ["false"], "display_name": "another Python", "language": "python"}')
    for name, value in {
        "IPYTHONDIR": tmp_path / "user",
        "PYTHONSTARTUP": startup,
        "JUPYTER_PATH": tmp_path / "user",
        "JUPYTER_PREFER_ENV_PATH": "0",
        "MATPLOTLIBRC": tmp_path / "matplotlibrc",
        "MPLBACKEND": "agg",
        "PYTHONWARNINGS": "error",
        "COLUMNS": 20,
    }.items():
        monkeypatch.setenv(name, str(value))
    write(
        "import shutil, sys\nfrom matplotlib import rcParams\nassert not sys.warnoptions\n"
        "assert 'inline' in rcParams['backend']\n"
        "print(rcParams['lines.linewidth'], shutil.get_terminal_size()[0])"
    )
    call("run")
    assert printed() == ["1.5 80\n"]


def test_a_terminal_that_is_too_narrow_hides_no_word(write):
    write("print(1)", datasets={"letters": {}}, title="A test of extraordinarily narrow terminals")
    said = CliRunner().invoke(app, ["list"], env={"COLUMNS": "20"}).output
    words = "x_fig1", "paper", "Fig.", "extraordi", "terminals", "letters"
    assert all(word in said for word in words), said
    assert "…" not in said


def test_a_reader_that_has_seen_enough_gets_no_error(write, monkeypatch):
    write("print(1)")
    enough = "import os, sys\nr, w = os.pipe()\nos.close(r)\nos.dup2(w, 1)\n"
    command = "sys.argv[1:] = ['list']\nfrom repro.__main__ import main\nmain()"
    assert run_python("-c", enough + command, status=1).stderr == ""


def test_a_signal_during_imports_ends_without_a_traceback(tmp_path):
    (tmp_path / "rich.py").write_text(
        "import pathlib, time\npathlib.Path(__file__).with_name('begun').touch()\ntime.sleep(60)"
    )
    first = f"import sys\nfrom repro.__main__ import main\nsys.path.insert(0, {str(tmp_path)!r})"
    assert interrupt(f"{first}\nmain()", when=tmp_path / "begun") == ""


def test_the_version_is_shown():
    assert call("--version") == f"repro {repro.__version__}\n"


def test_a_kernel_that_does_not_start_is_reported_in_one_line(write, tmp_path):
    write("print(1)")
    (tmp_path / "ipykernel_launcher.py").write_text("raise SystemExit")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    found = run_python("-m", "repro", "run", status=1, PYTHONPATH=path)
    assert "Kernel died before" in found.stderr.replace("\n", " ")
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("damaged", ["", '{"cells": [5], "metadata": {"repro": null}}'])
def test_a_damaged_copy_is_left_until_a_fresh_one_is_asked_for(write, opened, damaged):
    copy = MADE / "opened" / write("print(1)").name
    copy.parent.mkdir(parents=True)
    copy.write_text(damaged, encoding="utf-8")
    assert "--fresh replaces it" in call("open", "x_fig1", status=2)
    copy.write_text(damaged.replace("5", ""), encoding="utf-8")
    call("open", "x_fig1", status=0 if damaged else 2)
    call("open", "x_fig1", "--fresh")
    assert "print(1)" in copy.read_text(encoding="utf-8")
