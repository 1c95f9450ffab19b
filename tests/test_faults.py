"""Killed, cut off, disk full, two at once: nothing is half-written, and all goes on."""

import errno
import json
import os
import subprocess
import time

import nbformat
import pytest
from command_line import start_python, write_notebook
from PIL import Image

from repro.core import files
from repro.notebook import runner

FULL = OSError(errno.ENOSPC, "No space left on device")


def full(*_):
    raise FULL


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "x.txt"
    files.write_text(path, "one\n")
    with files.replacing(path) as part:
        part.write_text("two\n")
        assert path.read_text() == "one\n"
    assert path.read_bytes() == b"two\n"
    assert os.listdir(tmp_path) == ["x.txt"]


@pytest.mark.parametrize("error", [ValueError(), KeyboardInterrupt(), FULL, None])
def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch, error):
    path = tmp_path / "x.txt"
    path.write_text("old")
    if not error:  # before the end, where the disk is found to be full
        monkeypatch.setattr(os, "fsync", full)

    def fail():
        with files.replacing(path) as part:
            part.write_text("half")
            if error:
                raise error

    with pytest.raises(type(error or FULL)):
        fail()
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


@pytest.mark.skipif(files.fcntl is None, reason="there are no locks on this system")
def test_two_that_read_a_file_and_change_it_lose_nothing(tmp_path):
    (tmp_path / "n.json").write_text("0")
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from repro.core import files\n"
        "folder = Path(sys.argv[1])\n"
        "for _ in range(30):\n"
        "    with files.alone_in(folder):\n"
        "        n = int((folder / 'n.json').read_text())\n"
        "        time.sleep(0.002)\n"
        "        files.write_text(folder / 'n.json', str(n + 1))\n"
    )
    for process in [start_python(code, tmp_path) for _ in range(2)]:
        with process:
            assert process.wait(60) == 0
    assert (tmp_path / "n.json").read_text() == "60"


DRAWS = """
from repro.core.files import write_text
from repro import plots
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
open('begun', 'w').close()
for k in range(3):
    plots.save(fig, 'x_fig1', colors=16)
    write_text(plots.figures_dir() / 'x_fig1.json', str(k))
"""


def check_outputs(folder):
    """Whatever files there are, they are whole."""
    for path in (folder / "figures").rglob("*"):
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        if path.suffix == ".png":
            with Image.open(path) as picture:
                picture.load()
    for path in folder.rglob("[!.]*.ipynb"):
        nbformat.validate(nbformat.read(path, as_version=4))


def test_of_two_runs_at_once_one_is_killed_and_the_other_is_good(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    monkeypatch.delenv("REPRO_FIGURES_DIR", raising=False)
    path = write_notebook(tmp_path, DRAWS)
    run = "from repro.__main__ import app; app(['run'])"
    options = {"cwd": tmp_path, "stderr": subprocess.STDOUT}
    with start_python(run, **options) as one, start_python(run, **options) as two:
        while not (path.parent / "begun").exists() and one.poll() is None:
            time.sleep(0.05)
        time.sleep(0.3)
        one.kill()
        check_outputs(tmp_path)
        said = two.communicate(timeout=300)[0]
    assert two.returncode == 0, said
    check_outputs(tmp_path)
    assert nbformat.read(path, as_version=4).cells[0].execution_count == 1
    assert set(os.listdir(tmp_path / "figures")) >= {"x_fig1.json", "x_fig1.png"}


def test_a_disk_that_is_full_when_a_notebook_is_written(tmp_path, monkeypatch):
    path = write_notebook(tmp_path, DRAWS)
    before = path.read_bytes()
    monkeypatch.setattr(runner.NotebookClient, "execute", lambda self, **_: None)
    monkeypatch.setattr(os, "fsync", full)
    outcome = runner.run_notebook(runner.Notebook.read(path))
    assert "cannot be written" in outcome.error
    assert "No space left" in outcome.error
    assert path.read_bytes() == before
    assert not list(tmp_path.rglob("*.part"))
