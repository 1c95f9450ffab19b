import json

import pandas as pd
import pytest
import toy_experiment
from command_line import call
from toy_experiment import STEM

from repro import experiments
from repro.workbench.evidence import protocol, rows, rule
from repro.workbench.folders import project_dir

COMMITTED = project_dir() / "figures"


@pytest.fixture
def figures(project, monkeypatch):
    toy_experiment.install(project, monkeypatch)
    folder = project / "figures"
    protocol.freeze(folder, STEM, "the first")
    return folder


def entry(figures):
    return json.loads((figures / "protocol.json").read_text(encoding="utf-8"))[STEM]


@pytest.mark.parametrize("name", experiments.names())
def test_committed_runs_are_those_of_the_frozen_protocol(name):
    frozen = protocol.load_protocol(COMMITTED)[name]
    assert frozen["seed"] == protocol.first_seed(name, frozen)
    experiment = experiments.load(name)
    if frozen["rule"] == protocol.rule_digest():  # else what is declared is not frozen yet
        assert protocol.seed_of_record(COMMITTED, experiment) == frozen["seed"]
    if protocol.is_preview(COMMITTED, experiment, rows.load_runs(COMMITTED, experiment)):
        pytest.skip("the runs that stand are of an earlier version")
    for path in (rows.path_of(COMMITTED, name), *rows.paths_of_moved(COMMITTED, name)):
        table = rows.load_rows(path, experiment.Choices)
        assert table["seed"].between(frozen["seed"], frozen["seed"] + protocol.LONGEST).all()
        assert not table["commit"].str.contains(r"\+|unknown|stand-in").any()  # it was committed


def test_the_seeds_of_record_follow_from_what_is_frozen(figures):
    first = entry(figures)["seed"]
    assert 100_000 <= first < 1_000_000
    assert list(protocol.seeds(experiments.load(STEM), 2)) == [first, first + 1]
    for make, n in ((toy_experiment.sweep, 5), (toy_experiment.sweep_moved, 10)):
        table = rows.load_rows(make(figures), experiments.load(STEM).Choices)
        assert {*table["seed"]} == {*range(first, first + n)}


CHANGES = {
    "a bound": ('"it", 0.5', '"it", 0.4'),
    "a value": ("sensitivity={0.0:", "sensitivity={0.5: 'half', 0.0:"),
    "a kind of values": ("sensitivity=", "settings="),
    "our value": ("choice(0.1", "choice(0.2"),
    "the number of runs": ('"Fig. 1", 4', '"Fig. 1", 5'),
}


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_what_decides_cannot_change_after_the_freeze(old, new, figures, monkeypatch):
    toy_experiment.install(figures.parent, monkeypatch, toy_experiment.SOURCE.replace(old, new))
    message = call("sweep", STEM, status=2)
    assert "declared changed after the freeze of version 1" in message
    assert f"new version: repro freeze {STEM} --why" in message
    assert not (figures / "sweeps").exists()


def test_a_new_version_sets_the_runs_of_the_old_one_aside_and_says_what_is_left(figures):
    paths = toy_experiment.sweep(figures), toy_experiment.sweep_moved(figures)
    call("sweep", STEM, "--check", "--jobs", "1")
    paths += (paths[0].with_suffix(".npz"),)
    before = {path: path.read_bytes() for path in paths}
    seed = entry(figures)["seed"]
    output = call("freeze", STEM, "--why", "a reason")
    assert entry(figures)["version"] == 2
    assert entry(figures)["why"] == "a reason"
    assert entry(figures)["seed"] != seed
    assert entry(figures)["known"] == ["ours", "the level is zero", "high", "data = faces"]
    assert all(path.read_bytes() == content for path, content in before.items())
    protocol.set_earlier_runs_aside(figures, experiments.load(STEM))
    for path, content in before.items():
        assert not path.exists()
        assert (figures / "version1" / path.relative_to(figures)).read_bytes() == content
    assert rows.paths_of_moved(figures, STEM) == []
    commands = [line.split() for line in output.splitlines() if line.startswith("  repro sweep")]
    assert len(commands) == 3
    for _, *arguments in commands:
        call(*arguments, "--jobs", "1")
    assert all(path.exists() for path in paths)
    assert len(rows.load_rows(paths[1], experiments.load(STEM).Choices)) == 10


def test_runs_that_were_set_aside_are_never_replaced(figures):
    path = toy_experiment.sweep(figures)
    text = (figures / "protocol.json").read_bytes()
    protocol.freeze(figures, STEM, "again")
    call("sweep", STEM, "--jobs", "1")
    path.unlink()
    (figures / "protocol.json").write_bytes(text)  # as if the freeze had been taken back
    toy_experiment.sweep(figures)
    protocol.freeze(figures, STEM, "once more")
    assert "version1" in call("sweep", STEM, "--jobs", "1", status=2)
    assert path.exists()


def test_a_sweep_that_ended_before_any_run_of_ours_goes_on(figures):
    path, experiment = toy_experiment.sweep(figures), experiments.load(STEM)
    _, *others = (runs := rows.load_runs(figures, experiment)).values()
    pd.concat(others).to_csv(path, index=False)
    call("sweep", STEM, "--jobs", "1")
    assert list(rows.load_runs(figures, experiment)) == list(runs)


def test_two_freezes_without_a_run_between_set_the_runs_of_the_first_aside(figures):
    content = toy_experiment.sweep(figures).read_bytes()
    protocol.freeze(figures, STEM, "again")
    protocol.freeze(figures, STEM, "and again")
    assert entry(figures)["version"] == 3
    call("sweep", STEM, "--jobs", "1")
    assert (figures / "version1" / "sweeps" / f"{STEM}.csv").read_bytes() == content


def test_another_rule_is_a_change_and_the_same_rule_written_otherwise_is_none(monkeypatch):
    digest = protocol.rule_digest.__wrapped__
    before = digest()
    assert digest() == before
    changes = {"N_OURS": 17, "N_RUNS": 5, "CONTESTED": range(1, 5), "turns": lambda *_: False}
    for name, value in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(rule, name, value)
            assert digest() != before, name


def test_runs_are_a_preview_of_what_is_declared_until_those_of_its_version_are_made(figures):
    toy_experiment.sweep(figures)
    experiment = experiments.load(STEM)

    def is_preview():
        return protocol.is_preview(figures, experiment, rows.load_runs(figures, experiment))

    assert not is_preview()
    entries = protocol.load_protocol(figures)
    changed = {STEM: entries[STEM] | {"rule": "another"}}
    (figures / "protocol.json").write_text(json.dumps(changed), encoding="utf-8")
    assert is_preview()
    (figures / "protocol.json").write_text(json.dumps(entries), encoding="utf-8")
    protocol.freeze(figures, STEM, "again")
    assert is_preview()
    call("sweep", STEM, "--jobs", "1")
    assert not is_preview()


def test_a_lesson_shows_the_median_run_of_record(figures, monkeypatch):
    path = toy_experiment.sweep(figures)
    experiment = experiments.load(STEM)
    monkeypatch.setattr(protocol, "project_dir", lambda: figures.parent)
    made = rows.runs_of(rows.load_rows(path, experiment.Choices), experiment.Choices())
    first = entry(figures)["seed"]
    shown = rows.median_seed(experiment, made)
    others = [first + k for k in range(4) if first + k != shown]
    assert protocol.seeds(experiment, 4) == [shown, *others]
    protocol.freeze(figures, STEM, "again")  # these runs are now of an earlier version
    assert protocol.seeds(experiment, 2) == [first, first + 1]


def test_words_can_change_after_the_freeze(figures, monkeypatch):
    source = toy_experiment.SOURCE.replace('"it is large"', '"it is very large"')
    toy_experiment.install(figures.parent, monkeypatch, source)
    assert protocol.seed_of_record(figures, experiments.load(STEM)) == entry(figures)["seed"]


def test_nothing_is_frozen_before_it_is(figures):
    (figures / "protocol.json").unlink()
    assert protocol.seed_of_record(figures, experiments.load(STEM)) == 0
    message = call("sweep", STEM, "--last-digits", status=2)
    assert message.endswith(f"needs a frozen version: repro freeze {STEM} --why TEXT\n")
    assert not (figures / "last_digits").exists()
