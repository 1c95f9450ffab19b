"""A fast experiment to sweep and judge."""

import sys

import repro.experiments
from repro.workbench.evidence import protocol, rows, sweeps

STEM, COMMIT = "a_fig1", "g0a0b0c0"
SOURCE = '''"""A toy: numbers at random."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro.experiments.claims import Claim, at_least, at_most, choice

PAPER, ITEM, REPEATS, ORDER = "A", "Fig. 1", 4, ("size", "it")
UNIT = "sample"


@dataclass(frozen=True)
class Choices:
    level: float = choice(1.0, paper="Eq. (1)", sensitivity={0.0: "the level is zero", 2.0: "high"})
    noise: float = choice(0.1, ours="little")
    data: str = choice("digits", paper="digits", other_data=["faces"])


def run(choices, seed):
    if choices.noise < 0:
        raise ValueError("noise must not be negative")
    return choices.level + choices.noise * np.random.default_rng(seed).normal(size=(5, 2))


def measure(run):
    scores = {"size": run.mean(), "third": 1 / 3, "seconds": np.random.rand()}
    return pd.DataFrame({"it": scores, "shuffled": {"size": 0.0}})


def embedding(run):
    return run


CLAIMS = [
    Claim("a-1a", "Sec. 1", "it is large", [at_least("size", "it", 0.5)]),
    Claim("a-1b", "Sec. 1", "it is tiny", [at_most("size", "it", -1.0)]),
    Claim("a-1c", "Sec. 1", "it takes no time", [at_most("seconds", "it", 2.0)], kind="cost"),
]
'''


def install(folder, monkeypatch, source=SOURCE):
    """Make `repro.experiments` find this experiment and no others."""
    (folder / f"{STEM}.py").write_text(source, encoding="utf-8")
    monkeypatch.setattr(repro.experiments, "__path__", [str(folder)])
    monkeypatch.delitem(sys.modules, f"repro.experiments.{STEM}", raising=False)
    monkeypatch.setattr("repro.workbench.evidence.sweeps.this_commit", lambda: COMMIT)
    # Other tests may have used some.
    for place in ("datasets", "workbench.evidence.in_lessons", "plots.style"):
        monkeypatch.setattr(f"repro.{place}.standins_in_use", set)


def sweep(figures):
    """Make all declared runs and write them; return the path of the table."""
    return _make(figures, sweeps.declared_runs)


def sweep_moved(figures):
    """Make ten runs with moved last digits and write them; return the path of the table."""
    return _make(figures, sweeps.moved_runs)


def _make(figures, runs_of):
    experiment = repro.experiments.load(STEM)
    runs = runs_of(experiment, protocol.seed_of_record(figures, experiment))
    path = rows.path_of(figures, STEM, runs[0].folder)
    for _, made, error in sweeps.make_runs(runs, n_jobs=1):
        assert not error
        rows.add_rows(path, experiment.Choices, [made[0]])
    return path
