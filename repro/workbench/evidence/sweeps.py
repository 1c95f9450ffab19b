"""Running experiments over seeds and readings, on one machine or a cluster."""

import ast
import sys
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from repro import __version__, datasets, experiments
from repro.core import environment
from repro.core.blas import one_blas_thread
from repro.core.errors import UserError
from repro.experiments.claims import fitting, readings_of
from repro.kernels.threads import using
from repro.workbench.commit import this_commit
from repro.workbench.ending import end_with_parent
from repro.workbench.evidence.answers import N_RUNS, N_RUNS_MOST
from repro.workbench.evidence.protocol import seeds_of_record
from repro.workbench.evidence.reproduction import (
    DIFFERS,
    EXACT,
    KINDS,
    OPTIMUM,
    ROUNDING,
    UNEXPLAINED,
    kind_of,
    load_record,
    rounding,
)
from repro.workbench.evidence.rows import (
    CLOCK,
    ON_STANDINS,
    RUN,
    as_text,
    load_rows,
    load_runs,
    measures_of_run,
    median_seed,
)
from repro.workbench.evidence.scorecard import judge_experiment
from repro.workbench.last_digits import moving_last_digits
from repro.workbench.names import find_names

N_OTHERS = 5  # runs of readings that turn no answer: values that the text rules out, other data
N_MOVED = 10  # runs with moved last digits
FAILED = "could not be made"


@dataclass(frozen=True)
class Run:
    """A run to be made: the name of the experiment, the choices, the seed.

    ``moved`` asks for other last digits, see `repro.workbench.last_digits`. A run that is
    ``explored`` is no evidence, and may use stand-in data.
    """

    name: str
    choices: object
    seed: int
    moved: bool = False
    explored: bool = False


def declared_runs(figures, name, repeats=None, others=None):
    """List the runs of record of an experiment, in the order of their seeds.

    ``repeats`` is the number of runs of the primary reading (default: the experiment's
    ``REPEATS``), ``others`` that of each other single reading and other data set (default: six for
    a reading that may turn an answer, else five); each combination has one run.
    """
    experiment = experiments.load(name)
    counts = {"primary": repeats or experiment.REPEATS, "combination": 1}
    counts |= dict.fromkeys(("open", "equal"), N_RUNS if others is None else others)
    n_others = N_OTHERS if others is None else others
    runs = [
        Run(name, reading.choices, seed)
        for reading in readings_of(experiment.Choices())
        for seed in seeds_of_record(figures, name, counts.get(reading.kind, n_others))
    ]
    return sorted(runs, key=lambda run: run.seed)


def doubtful_runs(figures, name):
    """List runs of the open readings that are still undecided, up to `N_RUNS_MOST` of each."""
    judged = judge_experiment(figures, name)
    doubtful = dict.fromkeys(reading for of in judged for reading in of.answers.undecided)
    seeds = seeds_of_record(figures, name, N_RUNS_MOST)
    return [Run(name, of.choices, seed) for seed in seeds for of in doubtful]


def moved_runs(figures, name):
    """List the first runs of the primary reading, to be made with other last digits."""
    primary = experiments.load(name).Choices()
    return [Run(name, primary, s, moved=True) for s in seeds_of_record(figures, name, N_MOVED)]


def explored_runs(name, given, repeats):
    """List the runs of all combinations of given values of choices; to explore, not to judge.

    ``given`` holds texts ``"choice=value,value …"``, values as Python writes them. Raises UserError
    if the experiment has no such choice, or a value cannot be read or does not fit the choice.
    """
    primary = experiments.load(name).Choices()
    values = {}
    for text in given:
        choice, _, listed = text.partition("=")
        if choice not in vars(primary):
            known = ", ".join(vars(primary))
            raise UserError(f"{name} has no choice {choice!r}: it has {known}")
        if choice in values:
            raise UserError(f"--set {choice} is given twice: write {choice}=value,value …")
        try:
            candidates = ast.literal_eval(f"[{listed}]")
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise UserError(f"values are written as Python writes them, not {listed!r}") from None
        try:
            values[choice] = [fitting(primary, choice, value) for value in candidates]
        except ValueError as error:
            raise UserError(f"--set {text}: {error}") from None
        if not values[choice]:
            raise UserError(f"--set {text} gives no value: write {choice}=value,value …")
    return [
        Run(name, replace(primary, **dict(zip(values, taken, strict=True))), seed, explored=True)
        for seed in range(repeats)
        for taken in product(*values.values())
    ]


def missing_runs(path, runs):
    """Return the runs of one experiment that a table does not hold on real data."""
    if not runs:
        return []
    table = load_rows(path, type(runs[0].choices))
    columns = [*vars(runs[0].choices), "seed"]
    real = table.loc[table["commit"] != ON_STANDINS, columns]
    done = set(real.itertuples(index=False, name=None))
    return [run for run in runs if (*as_text(run.choices).values(), run.seed) not in done]


def find_experiments(patterns):
    """Find experiments by full or partial names, see `find_names`."""
    return find_names(patterns, experiments.names(), "experiment")


def make_run(run):
    """Make one run on one core; return its row and its embedding.

    The embedding is what the experiment draws of a run, or None. Raises UserError if the data are
    stand-ins, which are no evidence; the row of a run that explores says so in its ``commit``.
    """
    experiment = experiments.load(run.name)
    start = time.process_time()
    moving = _other_last_digits(run.seed) if run.moved else nullcontext()
    with using(1), one_blas_thread(), moving:
        fitted = experiment.run(run.choices, run.seed)
        measures = measures_of_run(experiment, experiment.measure(fitted))
    cpu = round(time.process_time() - start, 2)
    generated = datasets.standins_in_use()
    if generated and not run.explored:
        raise UserError("the data are stand-ins, which are no evidence")
    commit = ON_STANDINS if generated else this_commit()
    row = as_text(run.choices) | {"seed": run.seed, "cpu": cpu, "version": __version__}
    row |= {"commit": commit} | measures
    drawn = experiment.embedding(fitted) if hasattr(experiment, "embedding") else None
    return row, drawn


@contextmanager
def _other_last_digits(seed):
    """Move last digits; data are loaded anew before and after, since experiments cache them."""
    _forget_data()
    try:
        with moving_last_digits(seed):
            yield
    finally:
        _forget_data()


def _forget_data():
    loaded = [m for name, m in sys.modules.items() if name.startswith(experiments.__name__)]
    for kept in (value for module in loaded for value in vars(module).values()):
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()


def _in_worker(attempt, run):
    end_with_parent()
    return attempt(run)


def _attempt(run):
    """Make a run; return it, its result or None, and the error as text or ""."""
    try:
        return run, make_run(run), ""
    except Exception as error:
        return run, None, f"{type(error).__name__}: {error}"


def make_runs(runs, n_jobs=-1):
    """Make runs with joblib in parallel processes, and yield each as soon as it is done.

    Within ``joblib.parallel_config`` its backend makes them, such as a Dask cluster. Yields the
    run, what `make_run` returned or None, and the error as text or "". Raises UserError if a worker
    died.
    """
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    at_once = Parallel(n_jobs, return_as="generator_unordered", batch_size=1)
    try:
        yield from at_once(delayed(_in_worker)(_attempt, run) for run in runs)
    except TerminatedWorkerError:
        raise UserError("a worker died: is there enough memory? What was done is kept") from None


@dataclass(frozen=True)
class CheckedRun:
    """The median run of a reading, made again and compared with its row.

    ``reading`` holds the words of the reading. ``kind`` is the worst kind among its measures, see
    `repro.workbench.evidence.reproduction.kind_of`, or `FAILED`; ``difference`` describes the first
    measure of this kind, or is the error with which the run ended.
    """

    reading: str
    kind: str
    difference: str


def check_again(figures, name, n_jobs=-1):
    """Repeat the median run of each reading, and compare its values with its row.

    In the environment of the experiment's record they have to be equal; in another, rounding or
    another optimum may explain a difference, see `repro.workbench.evidence.reproduction.kind_of`.
    Times are not compared. No row changes. If all values are equal, the embeddings of the runs are
    written. Returns a `CheckedRun` per reading.
    """
    experiment = experiments.load(name)
    runs = load_runs(figures, experiment)
    if not runs:
        raise UserError(f"{name} has no runs to check: repro sweep {name} makes them")
    readings = {reading.choices: reading for reading in runs}
    again = [
        Run(name, choices, median_seed(experiment, runs[reading]))
        for choices, reading in readings.items()
    ]
    allowed = rounding(figures, experiment, runs)
    exact = _in_environment_of_record(figures, name)
    checked, embeddings = {}, {}
    for run, made, error in make_runs(again, n_jobs):
        reading = readings[run.choices]
        row = runs[reading].set_index("seed", drop=False).loc[run.seed]
        row = row.drop([*vars(run.choices), *RUN])
        kind, difference = (FAILED, error) if error else _compare(made[0], row, allowed)
        if kind == UNEXPLAINED or (exact and kind in (ROUNDING, OPTIMUM)):
            kind = DIFFERS
        checked[reading] = CheckedRun(reading.words, kind, difference)
        if made and made[1] is not None:
            embeddings[reading.words] = np.asarray(made[1])
    if all(run.kind == EXACT for run in checked.values()):
        ordered = [reading.words for reading in runs if reading.words in embeddings]
        write_embeddings(figures, name, {words: embeddings[words] for words in ordered})
    return [checked[reading] for reading in runs]


def _in_environment_of_record(figures, name):
    """Return whether bits depend on nothing here that was otherwise for the experiment's record."""
    path = figures / f"{name}.json"
    recorded = load_record(path).get("environment", {}) if path.exists() else {}
    return environment.this_environment().items() <= recorded.items()


def _compare(made, row, allowed):
    """Compare the measures of a row, except times, with those of the same run made again.

    ``allowed`` is what `rounding` returns. Returns the worst kind among the measures, and a
    description of the first measure of that kind.
    """
    old = row.dropna().to_dict()
    new = pd.Series(made).reindex(row.index).dropna().to_dict()
    kinds = {name: kind_of(name, new, old, allowed) for name in row.index if CLOCK not in name}
    measure = max(kinds, key=lambda name: KINDS.index(kinds[name]))
    before, now = (values.get(measure, "no number") for values in (old, new))
    return kinds[measure], f"{measure}: {before} on record, {now} now"


def count_kinds_of_runs(checked):
    """Count the runs of each kind in words; if kinds differ, name the readings not exact."""
    parts = []
    for kind in (*KINDS, FAILED):
        readings = [run.reading for run in checked if run.kind == kind]
        some = kind != EXACT and len(readings) < len(checked)
        named = f" ({'; '.join(readings)})" if some else ""
        if readings:
            parts.append(f"{len(readings)} {kind}{named}")
    return f"{len(checked)} median runs: {', '.join(parts)}"


def write_embeddings(figures, name, embeddings):
    """Write one embedding per reading, by its words, to figures/sweeps.

    Each is scaled to ±1000 and rounded; three digits are more than a screen shows.
    """
    small = {}
    for words, Y in embeddings.items():
        Y = Y - Y.mean(axis=0)
        small[words] = np.round(1000 * Y / (np.abs(Y).max() or 1.0)).astype(np.int16)
    if small:
        np.savez_compressed(figures / "sweeps" / f"{name}.npz", **small)
