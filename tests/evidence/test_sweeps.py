"""Sweeps over seeds and readings: what is run, kept, counted and drawn."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
import pytest
from typer.testing import CliRunner

from repro.__main__ import app
from repro.evidence import sweeps
from repro.evidence.readings import PRIMARY, grid_of_readings, parse_settings
from repro.evidence.sweeps import Run
from repro.notebook import runner

ROOT = Path(__file__).parents[2]
# How often a sweep is killed; more for a longer campaign, as in tests/test_faults.py.
KILLS = max(1, int(os.environ.get("REPRO_KILLS", 3)) // 3)
ALTERNATIVES = {"scale": ["SCALE = 2.0"], "shift": ["SHIFT = -1", "SHIFT = 1"]}
PARAMETERS = "N_SEEDS = 3\nFIRST_SEED = 0\nSCALE = 1.0\nSHIFT = 0\nSLEEP = 0.0"
CODE = """
import time
from repro.claims import Claim, Ledger, Part
time.sleep(SLEEP)
seeds = range(FIRST_SEED, FIRST_SEED + N_SEEDS)
ledger = Ledger("x_fig1", "X", "Fig. 1", seeds, {"scale": "1"})
values = [SCALE * seed + SHIFT for seed in seeds]
parts = [Part("value", values, "≥", 1.0), Part("of all", [SCALE], "<", 2)]
ledger.add(Claim("x-1a", "it is large", "Sec. 1", parts))
ledger.add(Claim("x-1b", "always", "Sec. 1", [Part("one", [1.0] * len(values), ">", 0)]))
ledger.record()
ledger.spot_check()
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a project of one notebook, and go there."""
    for name in ("REPRO_FIGURES_DIR", "REPRO_STANDIN"):
        monkeypatch.delenv(name, raising=False)
    for folder in ("notebooks", "figures"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    write_notebook(tmp_path, CODE)
    return tmp_path


def write_notebook(root, code):
    cells = [nbformat.v4.new_code_cell(source) for source in (PARAMETERS, code.strip())]
    for k, cell in enumerate(cells):
        cell["id"] = f"cell-{k}"
    cells[0].metadata["tags"] = ["parameters"]
    notebook = nbformat.v4.new_notebook(cells=cells)
    about = {"paper": "X", "item": "Fig. 1", "title": "t", "datasets": {}, "readings": {}}
    notebook.metadata["repro"] = about | {"alternatives": ALTERNATIVES}
    nbformat.write(notebook, root / "notebooks" / "x_fig1.ipynb")
    return runner.Notebook.read(root / "notebooks" / "x_fig1.ipynb")


def text_of(project):
    return (project / "notebooks" / "x_fig1.ipynb").read_text(encoding="utf-8")


def call(*arguments):
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def rows_of(reading, seeds, values, code="c"):
    parts = [
        {"values": values, "median": None, "criterion": "≥ 1"},
        {"values": [0.5, 1.0, 3.0], "median": 1.0, "criterion": "< 2"},
    ]
    return sweeps.rows_of_record(
        {"claims": [{"id": "x-1a", "parts": parts}]}, Run(reading, seeds), code
    )


def test_a_run_gives_a_row_a_seed_and_part_and_leaves_the_project_as_it_was(project):
    before = sorted(project.rglob("*"))
    rows, error = sweeps.execute_reading(text_of(project), Run("SCALE = 2.0", range(4, 6)))
    assert error == ""
    assert sorted(project.rglob("*")) == before
    found = [(r["seed"], r["claim"], r["part"], r["value"], r["met"]) for r in rows]
    assert found == [
        (4, "x-1a", 0, 8.0, True),
        (5, "x-1a", 0, 10.0, True),
        (4, "x-1a", 1, 2.0, False),  # of all seeds together, so it counts for each
        (5, "x-1a", 1, 2.0, False),
        (4, "x-1b", 0, 1.0, True),
        (5, "x-1b", 0, 1.0, True),
    ]


def test_a_run_that_fails_gives_its_error_and_no_rows(project):
    write_notebook(project, CODE.replace("ledger.record()", "1 / 0"))
    rows, error = sweeps.execute_reading(text_of(project), Run("", range(1)))
    assert rows == []
    assert "ZeroDivisionError" in error


def test_a_run_on_stand_ins_is_no_evidence(project, monkeypatch):
    monkeypatch.setenv("REPRO_STANDIN", "wine")
    code = "from repro import datasets\ndatasets.load_wine()\n" + CODE
    write_notebook(project, code.replace("load_wine", "fetch_letters"))
    monkeypatch.setenv("REPRO_STANDIN", "letters")
    rows, error = sweeps.execute_reading(text_of(project), Run("", range(1)))
    assert rows == []
    assert "data could not be had" in error


def test_only_what_is_missing_is_run_the_first_seeds_of_each_reading_first(project):
    notebook = runner.Notebook.read(project / "notebooks" / "x_fig1.ipynb")
    wanted = {"": range(5), "SCALE = 2.0": range(2)}
    runs = sweeps.missing(project / "figures", notebook, wanted, 2)
    assert runs == [
        Run("", range(2)),
        Run("SCALE = 2.0", range(2)),
        Run("", range(2, 4)),
        Run("", range(4, 5)),
    ]
    code = sweeps.code_of(text_of(project))
    path = sweeps.path_of(project / "figures", "x_fig1")
    sweeps.add(path, rows_of("", range(3), [1.0, 2.0, 3.0], code))
    sweeps.add(path, rows_of("SCALE = 2.0", range(2), [1.0, 2.0], "other"))
    runs = sweeps.missing(project / "figures", notebook, wanted, 2)
    assert runs == [Run("", range(2, 4)), Run("SCALE = 2.0", range(2)), Run("", range(4, 5))]
    with pytest.raises(ValueError, match="no parameter 'SIZE'"):
        sweeps.missing(project / "figures", notebook, {"SIZE = 3": range(1)}, 1)


def code_of(*cells):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return sweeps.code_of(nbformat.writes(made))


def test_neither_comments_nor_the_borders_of_cells_make_other_code_of_it():
    one = code_of("a = '# no comment'", "b = f'{a}'")
    assert one == code_of("# why\na = '# no comment'  # because\n\nb = f'{a}'")
    assert one != code_of("a = '# a comment'", "b = f'{a}'")
    assert one != code_of("a = '# no comment'", "b = f'{a}'", "print(b)")
    assert one == "223e86c8"  # whatever the version of Python that reads it


def test_rows_take_the_place_of_older_ones_of_the_same_run(tmp_path):
    path = tmp_path / "sweeps" / "x.csv"
    sweeps.add(path, rows_of("", range(2), [1.0, np.pi]))
    sweeps.add(path, rows_of("A = 1", range(1), [None]))
    before = path.read_bytes()
    sweeps.add(path, rows_of("", range(1, 2), [np.pi]))
    assert path.read_bytes() == before
    table = sweeps.load_rows(path)
    assert list(table["reading"].unique()) == ["", "A = 1"]
    assert table.loc[(table["reading"] == "") & (table["part"] == 0), "value"].tolist() == [
        1,
        3.142,
    ]
    missed = table[(table["reading"] == "A = 1") & (table["part"] == 0)].iloc[0]
    assert np.isnan(missed["value"])
    assert not missed["met"]
    assert table["met"].dtype == bool


def test_a_claim_holds_in_a_run_if_all_its_parts_are_met(tmp_path):
    path = tmp_path / "x.csv"
    sweeps.add(path, rows_of("", range(38), [1.0] * 38))
    sweeps.add(path, rows_of("A = 1", range(2), [2.0, 0.5]))
    row = sweeps.firmness(sweeps.load_rows(path)).loc["x-1a"]
    assert (row.runs, row.readings, row.share, row.word) == (40, 2, 39 / 40, "robust")
    assert row.agree == 1  # one run of two is not most of them
    sweeps.add(path, rows_of("A = 1", range(2), [0.5, 0.5]))
    assert sweeps.firmness(sweeps.load_rows(path)).loc["x-1a", "word"] == "robust"  # just 95 %
    sweeps.add(path, rows_of("A = 2", range(1), [0.5]))
    assert sweeps.firmness(sweeps.load_rows(path)).loc["x-1a", "word"] == "fragile"
    sweeps.add(path, rows_of("", range(38), [0.0] * 38))
    assert sweeps.firmness(sweeps.load_rows(path)).loc["x-1a", "word"] == "fails"


def test_the_longer_run_is_evidence_for_the_seeds_that_no_sweep_ran(project):
    sweeps.add(sweeps.path_of(project / "figures", "x_fig1"), rows_of("", range(1), [9.0]))
    assert call("run", "-p", "N_SEEDS=4").exit_code == 0
    table = sweeps.evidence_of(project / "figures", "x_fig1")
    values = table[(table["claim"] == "x-1a") & (table["part"] == 0)].set_index("seed")["value"]
    assert values.sort_index().tolist() == [9.0, 1.0, 2.0, 3.0]


def test_sweep_runs_readings_keeps_them_and_does_not_repeat_them(project):
    assert call("run").exit_code == 0
    result = call("sweep", "x_fig", "--readings", "--seeds", "0:3", "--jobs", "2")
    assert result.exit_code == 0, result.output
    path = project / "figures" / "sweeps" / "x_fig1.csv"
    table = sweeps.load_rows(path)
    counts = table[["reading", "seed"]].drop_duplicates().groupby("reading").size()
    assert counts.to_dict() == {"": 3, "SCALE = 2.0": 3, "SHIFT = -1": 3, "SHIFT = 1": 3}
    assert "x-1a" in result.output
    held = sweeps.runs_that_hold(table).unstack("claim")["x-1a"]
    assert held.groupby("reading").sum().to_dict() == {
        "": 2,
        "SCALE = 2.0": 0,
        "SHIFT = -1": 1,
        "SHIFT = 1": 3,
    }
    for name in ("x_fig1.png", "strip.png"):
        assert (path.parent / name).read_bytes().startswith(b"\x89PNG")
    before, pictures = path.read_bytes(), (path.parent / "x_fig1.png").read_bytes()
    begun = time.perf_counter()
    assert call("sweep", "x_fig", "--readings", "--seeds", "0:3").exit_code == 0
    assert time.perf_counter() - begun < 20  # nothing was run, but for the picture
    assert (path.read_bytes(), (path.parent / "x_fig1.png").read_bytes()) == (before, pictures)


def test_sweep_takes_values_of_parameters_and_tells_of_failures(project):
    call("run")
    result = call(
        "sweep", "x_fig1", "--set", "SCALE=3.0,1/0", "--seeds", "0:1", "--other-seeds", "0:1"
    )
    assert result.exit_code == 1
    assert "failed: SCALE = 1 / 0" in result.output
    assert "ZeroDivisionError" in result.output
    table = sweeps.load_rows(project / "figures" / "sweeps" / "x_fig1.csv")
    assert set(table["reading"]) == {"", "SCALE = 3.0"}
    for arguments, words in {
        ("--set", "SIZE=1"): "no parameter 'SIZE'",
        ("--seeds", "3:1"): "FIRST:END",
        ("--set", "SCALE"): "NAME=value",
    }.items():
        result = call("sweep", "x_fig1", *arguments)
        assert result.exit_code == 2
        assert words in result.output
    assert call("sweep", "y_fig1").exit_code == 2


def test_no_run_is_begun_when_the_time_is_over(project):
    call("run")
    assert call("sweep", "x_fig1", "--minutes", "0").exit_code == 0
    assert not (project / "figures" / "sweeps" / "x_fig1.csv").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_a_sweep_at_once_and_keeps_what_was_done(project, jobs):
    call("run")
    path = sweeps.path_of(project / "figures", "x_fig1")
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "from repro.__main__ import main; main()"
    asked = ["sweep", "x_fig1", "--set", "SLEEP=0.0,600.0", "--seeds", "0:1", "--other-seeds"]
    command = [sys.executable, "-c", code, *asked, "0:1", "--jobs", jobs]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, **options) as process:
        for _ in range(600):
            if len(sweeps.load_rows(path)) == 6:  # all but the run that sleeps
                break
            time.sleep(0.1)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0].decode()
    assert process.returncode == 130, said
    assert "the same command goes on" in " ".join(said.split())
    assert "__main__.py" not in said  # no traceback of the command, whatever asyncio logs
    assert set(sweeps.load_rows(path)["reading"]) == {"", "SLEEP = 0.0"}


def test_a_killed_sweep_goes_on_at_the_next(project):
    call("run")
    path, rng = sweeps.path_of(project / "figures", "x_fig1"), random.Random(0)
    asked = ("sweep", "x_fig1", "--set", "SCALE=3.0", "--other-seeds", "0:2", "--block", "1")
    code = "from repro.__main__ import main; main()"
    command, kept = [sys.executable, "-c", code, *asked, "--seeds", "0:99", "--jobs", "2"], 0
    for _ in range(KILLS):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            for _ in range(300):
                if process.poll() is not None or len(sweeps.load_rows(path)) > kept:
                    break
                time.sleep(0.1)
            time.sleep(rng.uniform(0, 1))
            process.kill()
        kept = len(sweeps.load_rows(path))  # a whole table, whenever it was killed
    result = call(*asked, "--seeds", "0:3")
    assert result.exit_code == 0, result.output
    table = sweeps.load_rows(path)
    assert not table.duplicated(["reading", "seed", "claim", "part"]).any()
    assert set(table.loc[table["reading"] == "SCALE = 3.0", "seed"]) == {0, 1}
    assert set(table.loc[table["reading"] == "", "seed"]) >= {0, 1, 2}
    assert not list(path.parent.glob("*.part"))


def test_on_a_cluster_a_killed_worker_loses_no_run_and_none_counts_twice(project):
    distributed = pytest.importorskip("distributed")
    call("run")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        runs = [Run("SLEEP = 1.0", range(k, k + 1)) for k in range(6)]
        path, seen = project / "sweep.csv", []
        with sweeps.on_cluster(cluster.scheduler_address):
            for run, (rows, error) in sweeps.run_missing(text_of(project), runs, n_jobs=2):
                assert error == ""
                seen.append(run)
                sweeps.add(path, rows)
                if len(seen) == 1:  # the other worker, or this one in its next run, is killed
                    next(iter(cluster.workers.values())).process.process._process.kill()
    assert sorted(run.seeds[0] for run in seen) == list(range(6))
    table = sweeps.load_rows(path)
    of_part = table[(table["claim"] == "x-1a") & (table["part"] == 0)]
    assert of_part["seed"].tolist() == list(range(6))


def test_the_committed_sweeps_are_of_known_readings():
    for path in sorted((ROOT / "figures" / "sweeps").glob("*.csv")):
        table, notebook = sweeps.load_rows(path), ROOT / "notebooks" / f"{path.stem}.ipynb"
        known = runner.Notebook.read(notebook)
        record = json.loads((ROOT / "figures" / f"{path.stem}.json").read_text(encoding="utf-8"))
        assert set(table["claim"]) <= {claim["id"] for claim in record["claims"]}
        for reading in table["reading"].unique():
            assert set(parse_settings(reading)) <= known.parameters


# Of the primary reading, with the longer recorded run, and of each other one.
PRIMARY_SEEDS, OTHER_SEEDS = 10, 3


@pytest.mark.parametrize(
    "notebook",
    [nb for nb in runner.find_notebooks(ROOT / "notebooks") if nb.alternatives],
    ids=lambda nb: nb.stem,
)
def test_every_reading_that_a_notebook_lists_was_swept(notebook):
    table = sweeps.evidence_of(ROOT / "figures", notebook.stem)
    seeds = table.groupby("reading")["seed"].nunique()
    assert seeds[PRIMARY] >= PRIMARY_SEEDS
    for reading in grid_of_readings(notebook.alternatives):
        assert seeds.get(reading, 0) >= OTHER_SEEDS, reading


def test_a_report_tells_of_sweeps_of_other_code(project):
    call("run")
    sweeps.add(sweeps.path_of(project / "figures", "x_fig1"), rows_of("", range(1), [9.0]))
    notebooks = runner.find_notebooks(project / "notebooks")
    assert sweeps.outdated(project / "figures", notebooks) == ["x_fig1"]
    call("sweep", "x_fig1", "--seeds", "0:1")
    assert sweeps.outdated(project / "figures", notebooks) == []
