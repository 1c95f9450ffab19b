import json
import os
import signal
from collections import Counter

import joblib
import numpy as np
import pandas as pd
import pytest
import toy_experiment
from command_line import call
from processes import interrupt, run_python
from toy_experiment import COMMIT, STEM

from repro import __version__, experiments
from repro.core import environment
from repro.core.errors import UserError
from repro.workbench.evidence import rows, sweeps
from repro.workbench.evidence.scorecard import judge_experiment


def repro(*arguments, status=0):
    return call(*arguments, "--jobs", "1", status=status)


def table(figures, folder="sweeps"):
    return rows.load_rows(rows.path_of(figures, STEM, folder), experiments.load(STEM).Choices)


def test_a_sweep_makes_what_is_declared_and_judges_it(figures):
    output = repro("sweep", STEM.removesuffix("1"))  # a partial name suffices
    assert "reproduced" in output
    assert "not reproduced" in output
    kept = table(figures)
    # Four runs of ours, five of each of two others and of the other data.
    assert len(kept) == 4 + 3 * 5
    assert (kept["third: it"] == 1 / 3).all()  # to the last bit
    first = experiments.load(STEM).run(experiments.load(STEM).Choices(), 0)
    assert kept.query("level == '1.0' and seed == 0")["size: it"].iloc[0] == first.mean()
    assert set(kept["version"]) == {__version__}
    assert set(kept["commit"]) == {COMMIT}
    assert (kept["cpu"] >= 0).all()
    # Nothing is made twice, and the first seeds of all settings come first.
    runs = sweeps.declared_runs(experiments.load(STEM), 0, repeats=6)
    assert [run.seed for run in runs] == sorted(run.seed for run in runs)
    assert len(sweeps.missing_runs(rows.path_of(figures, STEM), runs)) == 2


def test_where_two_to_four_of_six_runs_meet_a_claim_eighteen_are_made(project, monkeypatch):
    source = toy_experiment.SOURCE.replace('ours="little"', 'ours="little", settings=[0.2, 40.0]')
    toy_experiment.install(project, monkeypatch, source)
    figures = project / "figures"
    repro("sweep", STEM, "--jobs", "1")
    by_noise = table(figures).query("level == '1.0' and data == \"'digits'\"").groupby("noise")
    assert dict(by_noise.size()) == {"0.1": 4, "0.2": 6, "40.0": 18}
    asked = sweeps.more_runs(judge_experiment(figures, experiments.load(STEM)), 0)
    assert sweeps.missing_runs(rows.path_of(figures, STEM), asked) == []


def test_of_a_claim_about_several_starts_a_run_is_as_many_starts(figures, project, monkeypatch):
    source = toy_experiment.SOURCE.replace('ours="little"', 'ours="little", settings=[0.2]')
    source = source.replace('"it", 0.5)]', '"it", 0.5, pool="min")], group=3')
    toy_experiment.install(project, monkeypatch, source)
    runs = sweeps.declared_runs(experiments.load(STEM), 0)
    by_noise = Counter((run.choices.noise, run.choices.level) for run in runs)
    assert by_noise[0.1, 1.0] == 4 * 3 + 5  # ours, and other data, which have single runs
    assert by_noise[0.2, 1.0] == 6 * 3


def test_what_is_explored_is_kept_apart_and_never_judged(figures):
    output = repro("sweep", STEM, "--set", "level=5.0,6.0", "--set", "noise=0.2")
    assert f"the runs are in {figures / 'explored' / STEM}.csv" in output
    met = "claims met: a-1a 5 of 5, a-1b 0 of 5, a-1c 5 of 5"
    assert f"level=5.0, noise=0.2, {met}\nlevel=6.0, noise=0.2, {met}\n" in output
    assert len(table(figures, "explored")) == 2 * 5
    assert not (figures / "sweeps").exists()
    # It does not count among the others either: only declared readings do.
    rows.add_rows(
        rows.path_of(figures, STEM), experiments.load(STEM).Choices, table(figures, "explored")
    )
    assert rows.load_runs(figures, experiments.load(STEM)) == {}


def test_runs_go_to_the_folder_that_is_named_and_may_be_written(figures, tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path / "mine"))
    assert "reproduced" in repro("sweep", STEM)
    assert not list(figures.iterdir())
    assert len(table(tmp_path / "mine")) == 4 + 3 * 5
    (tmp_path / "full").touch()
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path / "full"))
    monkeypatch.setattr(sweeps, "make_runs", lambda *_: pytest.fail("a run was made"))
    assert "nothing can be written to" in repro("sweep", STEM, status=2)


def change_a_bit(figures, path):
    """Change the last bit of a measure in the rows of one reading."""
    changed = table(figures).query("level == '2.0'").replace({1 / 3: np.nextafter(1 / 3, 1)})
    rows.add_rows(path, experiments.load(STEM).Choices, changed)


def test_a_check_compares_the_median_run_of_each_reading_and_changes_no_row(figures):
    path = toy_experiment.sweep(figures)
    before = path.read_bytes()
    assert repro("sweep", STEM, "--check") == f"{STEM}: 4 median runs: 4 to the last bit\n"
    assert path.read_bytes() == before
    kept = np.load(figures / "sweeps" / f"{STEM}.npz")
    assert set(kept) == {"ours", "the level is zero", "high", "data = faces"}
    assert kept["ours"].shape == (5, 2)


def test_in_another_environment_a_check_allows_what_rounding_explains(figures):
    change_a_bit(figures, toy_experiment.sweep(figures))
    counts = "4 median runs: 3 to the last bit, 1 within rounding (high)"
    assert repro("sweep", STEM, "--check") == f"{STEM}: {counts}\n"
    assert not (figures / "sweeps" / f"{STEM}.npz").exists()


def test_in_the_environment_of_the_record_a_check_allows_no_difference(figures):
    change_a_bit(figures, toy_experiment.sweep(figures))
    record = {"seeds": [], "measures": [], "claims": {}}
    record["environment"] = environment.this_environment()
    (figures / f"{STEM}.json").write_text(json.dumps(record), encoding="utf-8")
    output = repro("sweep", STEM, "--check", status=1)
    assert "high: third: it: 0.33333333333333337 on record, 0.3333333333333333 now" in output
    assert "3 to the last bit, 1 differs (high)" in output


def test_a_check_of_nothing_or_of_what_cannot_be_made_fails(figures, monkeypatch):
    assert "has no runs to check" in repro("sweep", STEM, "--check", status=2)
    toy_experiment.sweep(figures)
    monkeypatch.delattr(experiments.load(STEM), "measure")
    output = repro("sweep", STEM, "--check", status=1)
    assert "4 median runs: 4 could not be made (ours; " in output


def test_what_a_claim_asks_for_and_is_no_number_is_kept_as_such(figures, monkeypatch):
    nothing = lambda run: pd.DataFrame({"it": {"size": np.nan, "third": np.nan}})  # noqa: E731
    monkeypatch.setattr(experiments.load(STEM), "measure", nothing)
    row, _ = sweeps.make_run(sweeps.declared_runs(experiments.load(STEM), 0)[0])
    assert np.isnan(row["size: it"])
    assert "third: it" not in row


def test_a_run_that_fails_is_reported_and_the_others_go_on(figures):
    output = repro("sweep", STEM, "--set", "noise=-1.0,0.1", status=1)
    assert "noise must not be negative" in " ".join(output.split())
    assert len(table(figures, "explored")) == 5


def test_a_run_that_fails_leaves_the_doubts_of_other_experiments(figures, project, monkeypatch):
    fails = toy_experiment.SOURCE.replace("noise < 0", "noise > 0").replace("a-1", "b-1")
    (project / "a_fig0.py").write_text(fails, encoding="utf-8")
    asked = []
    monkeypatch.setattr(sweeps, "more_runs", lambda judged, _: asked.append(judged[0].name) or [])
    repro("sweep", "all", status=1)
    assert asked == [STEM]


def test_stand_ins_are_no_evidence(figures, monkeypatch):
    monkeypatch.setattr("repro.datasets.standins_in_use", lambda: {"coil20"})
    output = repro("sweep", STEM, status=1)
    assert output.count("failed, seed") == 1  # reported once
    assert "So did 18 more: UserError: the data are stand-ins, which are no evidence" in output
    assert not (figures / "sweeps" / f"{STEM}.csv").exists()


def test_what_is_explored_may_be_of_stand_ins_which_count_nowhere(figures, monkeypatch):
    monkeypatch.setattr("repro.datasets.standins_in_use", lambda: {"coil20"})
    output = repro("sweep", STEM, "--set", "level=2")  # an integer where a float is expected
    assert "Some runs were made on stand-in data." in output
    explored = table(figures, "explored")
    assert set(explored["commit"]) == {rows.ON_STANDINS}
    assert set(explored["level"]) == {"2.0"}


def test_a_worker_that_dies_is_reported(monkeypatch):
    def dies(run):
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(sweeps, "make_run", dies)
    with pytest.raises(UserError, match="enough memory"):
        list(sweeps.make_runs([0, 1], n_jobs=2))


SLOW = toy_experiment.SOURCE.replace(
    "    return choices.level", "    import time; time.sleep(0.2)\n    return choices.level"
)
SWEEP = """
import sys, repro.experiments.claims
repro.experiments.__path__ = [sys.argv[1]]
from repro.workbench.command_line import app
app(["sweep", "a_fig1", "--jobs", "1"])
"""


def test_ctrl_c_keeps_what_was_done_and_the_same_command_goes_on(figures, tmp_path):
    (tmp_path / f"{STEM}.py").write_text(SLOW, encoding="utf-8")
    path = rows.path_of(figures, STEM)
    assert "finished work is kept" in interrupt(SWEEP, tmp_path, when=path)
    assert 0 < len(table(figures)) < 4 + 3 * 5
    run_python("-c", SWEEP, tmp_path)
    assert len(table(figures)) == 4 + 3 * 5


def test_runs_are_made_by_the_backend_that_joblib_is_given(monkeypatch):
    monkeypatch.setattr(sweeps, "make_run", lambda run: os.getpid())
    with joblib.parallel_config(backend="threading"):
        made = list(sweeps.make_runs([0, 1], n_jobs=2))
    assert sorted(made) == [(0, os.getpid(), ""), (1, os.getpid(), "")]
