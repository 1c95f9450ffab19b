"""Kills, disconnections, full disks, concurrency: no file is half-written, and work resumes."""

import errno
import os
import signal
import time

import psutil
import pytest
from command_line import write_notebook
from matplotlib.figure import Figure
from processes import interrupt, run_python, start_python

from repro.core import files
from repro.workbench.lessons import execution
from repro.workbench.lessons.figures import write_figure
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


WRITE = """
import sys
from repro.core.files import write_text
for k in range(20):
    write_text(sys.argv[1], str(k % 10) * 2_000_000)
"""
ADD_ROWS = """
import sys
from dataclasses import make_dataclass
from pathlib import Path
from repro.workbench.evidence import rows
for seed in range(int(sys.argv[2]), 30, 2):
    row = {"seed": seed, "cpu": 1.0, "version": "1", "commit": "unknown", "a: it": 1.0}
    rows.add_rows(Path(sys.argv[1]), make_dataclass("Choices", []), [row])
"""


def test_two_writers_at_once_both_succeed(tmp_path):
    path = tmp_path / "x.txt"
    with start_python(WRITE, path) as one, start_python(WRITE, path) as other:
        while one.poll() is None or other.poll() is None:
            text = path.read_text() if path.exists() else ""
            assert text == text[:1] * len(text)
    assert one.returncode == other.returncode == 0
    assert os.listdir(tmp_path) == ["x.txt"]


def test_two_that_add_rows_to_a_table_lose_nothing(tmp_path):
    path = tmp_path / "x.csv"
    with start_python(ADD_ROWS, path, 0) as one, start_python(ADD_ROWS, path, 1) as other:
        assert one.wait(60) == other.wait(60) == 0
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
        write_figure(Figure(), tmp_path / "x.png")
    assert not (tmp_path / "x.png").exists()
    assert not list(tmp_path.rglob("*.part"))


# Each worker writes a file with its number; the last one to begin says that all work.
WORK = """
import os, pathlib, time
folder = pathlib.Path({folder!r})
(folder / f"begun {{os.getpid()}}").touch()
while len(list(folder.glob("begun *"))) < {workers}:
    time.sleep(0.02)
(folder / "started").touch()
time.sleep(60)
"""
COMMAND = """
import sys
work = sys.argv.pop()
def make_run(run):
    exec(work, {})
if sys.argv[1] == "sweep":
    from repro.workbench.evidence import sweeps
    sweeps.make_run = make_run
from repro.workbench.command_line import main
main()
"""


@pytest.mark.parametrize(
    ("command", "name", "status"),
    [
        (["run", "--write"], "SIGINT", 130),
        (["sweep", "tete_fig2", "--jobs", "2"], "SIGTERM", 130),
        (["run", "--write"], "SIGKILL", -9),  # which no process can handle
        (["sweep", "tete_fig2", "--jobs", "2"], "SIGKILL", -9),
    ],
)
def test_a_signal_ends_a_command_with_all_that_works_for_it(project, command, name, status):
    work = WORK.format(folder=str(project), workers=1 + (command[0] == "sweep"))
    path = write_notebook(project, work)
    before = path.read_bytes()
    output = interrupt(
        *(COMMAND, *command, work),
        when=project / "started",
        name=name,
        status=status,
        whole_group=name == "SIGINT",  # as a terminal sends Ctrl-C
    )
    assert ("Interrupted: finished work is kept." in output) == (status > 0)
    workers = [int(path.name.split()[1]) for path in project.glob("begun *")]
    end = time.monotonic() + 10
    while any(map(psutil.pid_exists, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(psutil.pid_exists, workers))
    assert path.read_bytes() == before
    assert not list(project.rglob("*.csv"))


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP on this system")
@pytest.mark.parametrize(("before", "status"), [("SIG_DFL", 130), ("SIG_IGN", 0)])
def test_the_end_of_a_terminal_interrupts_a_command_unless_nohup_ignores_it(before, status):
    code = (
        "import signal\n"
        f"signal.signal(signal.SIGHUP, signal.{before})\n"
        "from repro.workbench import command_line\n"
        "command_line.app = lambda: signal.raise_signal(signal.SIGHUP)\n"
        "command_line.main()\n"
    )
    run_python("-c", code, status=status)
