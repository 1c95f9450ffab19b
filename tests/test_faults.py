"""Killed, cut off, disk full, two at once: nothing is half-written, and all goes on.

REPRO_KILLS says how often each kind of writer is killed, for a longer campaign.
"""

import errno
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from command_line import write_notebook

from repro.core import files
from repro.notebook import runner

ROOT = Path(__file__).parents[1]
KILLS = int(os.environ.get("REPRO_KILLS", 3))


def start(code, *arguments, **options):
    """Run Python code in a process of its own, which finds this package and these tests."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, **options)


# Written in one step


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "x.txt"
    files.write_text(path, "one\n")
    with files.replacing(path) as part:
        part.write_text("two\n")
        assert path.read_text() == "one\n"
    assert path.read_bytes() == b"two\n"
    assert os.listdir(tmp_path) == ["x.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError(errno.ENOSPC, "full")])
def test_a_failure_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "x.txt"
    path.write_text("old")

    def fail():
        with files.replacing(path) as part:
            part.write_text("half")
            raise error

    with pytest.raises(error if isinstance(error, type) else OSError):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_a_full_disk_found_at_the_end_leaves_what_was_there(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "x.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        files.write_text(tmp_path / "nowhere" / "x.txt", "x")


WRITER = """
import sys
from repro.core.files import write_text
print("begun", flush=True)
for k in range(10**9):
    write_text(sys.argv[1], str(k % 10) * 2_000_000)
"""


def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    path, rng = tmp_path / "x.txt", random.Random(0)
    for _ in range(KILLS):
        with start(WRITER, path) as process:
            process.stdout.readline()
            time.sleep(rng.uniform(0, 0.2))
            process.kill()
        text = path.read_text() if path.exists() else ""
        assert text == text[:1] * len(text)
        assert len(text) in (0, 2_000_000)


def test_two_writers_at_once_both_succeed(tmp_path):
    path = tmp_path / "x.txt"
    code = WRITER.replace("10**9", "60")
    both = [start(code, path) for _ in range(2)]
    while any(process.poll() is None for process in both):
        text = path.read_text() if path.exists() else ""
        assert text == text[:1] * len(text)
    assert [process.wait() for process in both] == [0, 0]
    for process in both:
        process.stdout.close()
    assert os.listdir(tmp_path) == ["x.txt"]


# Runs of notebooks


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
    for process in [start(code, tmp_path) for _ in range(2)]:
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


def run_there(folder, *arguments):
    code = "from repro.__main__ import main; main()"
    return start(code, "run", *arguments, cwd=folder, stderr=subprocess.STDOUT)


def check_outputs(folder):
    """Whatever files there are, they are whole."""
    from PIL import Image

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
    path, rng = write_notebook(tmp_path / "p", DRAWS), random.Random(2)
    for _ in range(max(1, KILLS // 3)):
        begun = path.parent / "begun"
        begun.unlink(missing_ok=True)
        with run_there(tmp_path / "p") as one, run_there(tmp_path / "p") as two:
            while not begun.exists() and one.poll() is None:
                time.sleep(0.05)
            time.sleep(rng.uniform(0, 1))
            one.kill()
            check_outputs(tmp_path / "p")
            said = two.communicate(timeout=300)[0].decode()
        assert two.returncode == 0, said
        check_outputs(tmp_path / "p")
        assert nbformat.read(path, as_version=4).cells[0].execution_count == 1
        assert set(os.listdir(tmp_path / "p" / "figures")) >= {"x_fig1.json", "x_fig1.png"}


def test_a_disk_that_is_full_when_a_notebook_is_written(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = write_notebook(tmp_path / "p", DRAWS)
    before = path.read_bytes()
    monkeypatch.setattr(runner.NotebookClient, "execute", lambda self, **_: None)
    monkeypatch.setattr(os, "fsync", full)
    outcome = runner.run_notebook(runner.Notebook.read(path))
    assert "cannot be written" in outcome.error
    assert "No space left" in outcome.error
    assert path.read_bytes() == before
    assert not list((tmp_path / "p").rglob("*.part"))
