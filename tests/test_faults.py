"""Kills, disconnections, full disks, concurrency: no file is half-written, and work resumes."""

import errno
import os
import signal
import time

import psutil
import pytest
from command_line import interrupt, run_python, start_python, write_notebook
from matplotlib.figure import Figure

from repro import plots
from repro.core import files
from repro.workbench.lessons import execution
from repro.workbench.lessons.files import Notebook

FULL = errno.ENOSPC, "No space left on device"


def full(*_):
    raise OSError(*FULL)


@pytest.mark.parametrize("error", [ValueError(), KeyboardInterrupt(), OSError(*FULL), None])
def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch, error):
    path = tmp_path / "x.txt"
    files.write_text(path, "old")
    if not error:  # before the end, when the full disk is detected
        monkeypatch.setattr(os, "fsync", full)

    def fail():
        with files.replacing(path) as part:
            part.write_text("half")
            assert path.read_text() == "old"
            if error:
                raise error

    with pytest.raises(type(error or OSError())) as failed:
        fail()
    assert getattr(failed.value, "filename", str(path)) == str(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_two_writers_at_once_both_succeed(tmp_path):
    path = tmp_path / "x.txt"
    code = (
        "import sys\n"
        "from repro.core.files import write_text\n"
        "for k in range(60):\n"
        "    write_text(sys.argv[1], str(k % 10) * 2_000_000)\n"
    )
    with start_python(code, path) as one, start_python(code, path) as other:
        while one.poll() is None or other.poll() is None:
            text = path.read_text() if path.exists() else ""
            assert text == text[:1] * len(text)
    assert one.returncode == other.returncode == 0
    assert os.listdir(tmp_path) == ["x.txt"]


def test_two_that_add_rows_to_a_table_lose_nothing(tmp_path):
    path = tmp_path / "x.csv"
    code = (
        "import sys\n"
        "from dataclasses import make_dataclass\n"
        "from pathlib import Path\n"
        "from repro.workbench.evidence import rows\n"
        "path, first = Path(sys.argv[1]), int(sys.argv[2])\n"
        "for seed in range(first, first + 15):\n"
        "    row = {'seed': seed, 'cpu': 1.0, 'version': '1', 'commit': 'unknown', 'a: it': 1.0}\n"
        "    rows.add_rows(path, make_dataclass('Choices', []), [row])\n"
    )
    for process in [start_python(code, path, first) for first in (0, 15)]:
        with process:
            assert process.wait(60) == 0
    assert len(path.read_text().splitlines()) == 31


def test_a_disk_that_is_full_when_a_notebook_is_written(tmp_path, monkeypatch):
    path = write_notebook(tmp_path, "pass")
    before = path.read_bytes()
    monkeypatch.setattr(execution.NotebookClient, "execute", lambda self, **_: None)
    monkeypatch.setattr(os, "fsync", full)
    outcome = execution.run_notebook(Notebook.read(path))
    assert "cannot be written" in outcome.error
    assert "No space left" in outcome.error
    assert path.read_bytes() == before
    with pytest.raises(OSError, match="No space left"):
        plots.write_figure(Figure(), tmp_path / "x.png")
    assert not (tmp_path / "x.png").exists()
    assert not list(tmp_path.rglob("*.part"))


# Each worker writes a file once all work, then sleeps; later files must never appear.
WORK = """
import os, pathlib, time
started = pathlib.Path({started!r})
started.with_name(f"begun {{os.getpid()}}").touch()
while len(list(started.parent.glob("begun *"))) < {workers}:
    time.sleep(0.02)
started.touch()
time.sleep(3)
pathlib.Path({late!r}).touch()
"""
COMMAND = """
import sys
work = sys.argv.pop()
def attempt(run):
    exec(work, {})
if sys.argv[1] == "sweep":
    from repro.workbench.evidence import sweeps
    sweeps._attempt = attempt
from repro.workbench.command_line import main
main()
"""


@pytest.mark.parametrize(
    ("command", "name", "status"),
    [
        (["run", "--write"], "SIGTERM", 143),
        (["sweep", "tete_fig2", "--jobs", "2"], "SIGTERM", 143),
        (["run"], "SIGHUP", 129),
        (["run", "--write"], "SIGKILL", -9),  # which no process can handle
        (["sweep", "tete_fig2", "--jobs", "2"], "SIGKILL", -9),
    ],
)
def test_a_signal_ends_a_command_with_all_that_works_for_it(project, command, name, status):
    started, late = project / "started", project / "late"
    work = WORK.format(started=str(started), late=str(late), workers=1 + (command[0] == "sweep"))
    path = write_notebook(project, work)
    before = path.read_bytes()
    arguments = *command, work

    def begun():
        return [int(path.name.split()[1]) for path in project.glob("begun *")]

    whole_group = name == "SIGHUP"  # as sent by a terminal that closes
    said = interrupt(
        COMMAND, *arguments, when=started, name=name, status=status, whole_group=whole_group
    )
    if status > 0:
        assert said.startswith(f"Ended by {name}; finished work is kept.\n")
        assert whole_group or "Traceback" not in said  # a resource tracker may complain about it
        assert not any(map(psutil.pid_exists, begun()))
    time.sleep(3.5)
    assert not any(map(psutil.pid_exists, begun()))
    assert not late.exists()
    assert path.read_bytes() == before
    assert not list(project.rglob("*.csv")) + list(project.glob("reproduced/**/*.ipynb"))


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP on this system")
def test_an_end_whose_terminal_is_gone_ends_all_the_same(tmp_path):
    code = (
        "import os, signal, subprocess, sys, time\n"
        "from repro.workbench.ending import end_when_told\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # nohup switches it off
        "end_when_told()\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open(sys.argv[1], 'w').write(str(child.pid))\n"
        "os.close(2)\n"
        "signal.raise_signal(signal.SIGHUP)\n"
    )
    run_python("-c", code, tmp_path / "child", status=129)
    assert not psutil.pid_exists(int((tmp_path / "child").read_text()))


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP on this system")
def test_under_nohup_it_goes_on():
    code = (
        "import signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from repro.workbench.ending import end_when_told\n"
        "end_when_told()\n"
        "signal.raise_signal(signal.SIGHUP)\n"
        "print('on')"
    )
    assert run_python("-c", code).stdout == "on\n"


def test_ctrl_c_does_not_disturb_the_end_of_children():
    """Children stopped meanwhile would stay stopped, and the command would wait for them."""
    code = (
        "import os, signal, subprocess, sys, psutil\n"
        "from repro.core import ending\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "suspend = psutil.Process.suspend\n"
        "def interrupted(process):\n"
        "    suspend(process)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "psutil.Process.suspend = interrupted\n"
        "ending.end_children()\n"
        "assert not psutil.pid_exists(child.pid)\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    )
    if os.name == "nt":
        pytest.skip("no signal to another process")
    run_python("-c", "import signal; signal.signal(2, signal.default_int_handler)\n" + code)
