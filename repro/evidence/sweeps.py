"""Running experiments over seeds and readings, on one machine or a cluster."""

import ast
import sys
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from repro import datasets, experiments
from repro.claims import fitting, readings_of
from repro.claims.answers import N_RUNS, N_RUNS_MOST
from repro.core.blas import one_blas_thread
from repro.core.ending import end_with_parent
from repro.core.last_digits import moving_last_digits
from repro.core.names import find_names
from repro.core.records import UserError
from repro.evidence import digest
from repro.evidence.protocol import seeds_of_record, stamp
from repro.evidence.rows import (
    CLOCK,
    ON_STANDINS,
    add_rows,
    as_text,
    load_rows,
    load_runs,
    measures_of_run,
    median_seed,
    path_of,
    paths_of_moved,
)
from repro.evidence.scorecard import judge_experiment
from repro.kernels.threads import using

N_OTHERS = 5  # runs of readings that turn no answer: values that the text rules out, other data
N_MOVED = 10  # runs with moved last digits


@dataclass(frozen=True)
class Run:
    """A run to be made: the name of the experiment, the choices, the seed.

    ``moved`` asks for other last digits, see `repro.core.last_digits`. A run that is ``explored``
    is no evidence, and may use stand-in data.
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
    primary, values = experiments.load(name).Choices(), {}
    for text in given:
        choice, _, listed = text.partition("=")
        if choice not in vars(primary):
            known = ", ".join(vars(primary))
            raise UserError(f"{name} has no choice {choice!r}: it has {known}")
        if choice in values:
            raise UserError(f"--set {choice} is given twice: write {choice}=value,value …")
        try:
            found = ast.literal_eval(f"[{listed}]")
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise UserError(f"values are written as Python writes them, not {listed!r}") from None
        try:
            values[choice] = [fitting(primary, choice, value) for value in found]
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
    """Return the runs of one experiment that a table does not hold with today's code."""
    if not runs:
        return []
    table = load_rows(path, type(runs[0].choices))
    of_today = table[table["code"] == digest.code_of(runs[0].name)]
    columns = [*vars(runs[0].choices), "seed"]
    done = set(of_today[columns].itertuples(index=False, name=None))
    return [run for run in runs if (*as_text(run.choices).values(), run.seed) not in done]


def find_experiments(patterns):
    """Find experiments by full or partial names, see `find_names`."""
    return find_names(patterns, experiments.names(), "experiment")


def make_run(run):
    """Make one run on one core; return its row, see `repro.evidence.rows`, and its embedding.

    The embedding is what the experiment draws of a run, or None. Raises UserError if the data are
    stand-ins, which are no evidence; the row of a run that explores says so in its ``code``.
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
    code = ON_STANDINS if generated else digest.code_of(run.name)
    row = as_text(run.choices) | {"seed": run.seed, "cpu": cpu, "code": code}
    row |= measures
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

    Within ``joblib.parallel_config("dask")`` they are made on a Dask cluster. Yields the run, what
    `make_run` returned or None, and the error as text or "". Raises UserError if a worker died.
    """
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    at_once = Parallel(n_jobs, return_as="generator_unordered", batch_size=1)
    try:
        yield from at_once(delayed(_in_worker)(_attempt, run) for run in runs)
    except TerminatedWorkerError:
        raise UserError("a worker died: is there enough memory? What was done is kept") from None


@contextmanager
def on_cluster(address):
    """Let `make_runs` use the Dask cluster at an address; None means this machine."""
    if address is None:
        yield
        return
    from joblib import parallel_config

    try:
        from distributed import Client

        client = Client(address, timeout="10s")
    except (ImportError, OSError, ValueError, TypeError) as error:
        raise UserError(f"no cluster at {address!r}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield


def check_again(figures, name, n_jobs=-1):
    """Repeat one run of each reading, keep its embedding, and re-stamp rows that are still valid.

    After a change of the code the rows of a reading are valid if its median run, made again, has
    the same bits; times are not compared. Returns what differs, by the words of the reading.
    """
    experiment, path = experiments.load(name), path_of(figures, name)
    runs = {
        reading.choices: (reading, rows) for reading, rows in load_runs(figures, experiment).items()
    }
    again = [
        Run(name, choices, median_seed(experiment, rows)) for choices, (_, rows) in runs.items()
    ]
    changed, kept = {}, {}
    for run, made, error in make_runs(again, n_jobs):
        reading, old = runs[run.choices]
        difference = error or _difference(old[old["seed"] == run.seed].iloc[0], made[0])
        if difference:
            changed[reading.words] = difference
            continue
        if made[1] is not None:
            kept[reading.words] = np.asarray(made[1])
        tables = {path: old}
        if reading.kind == "primary":  # made by the same code
            moved = paths_of_moved(figures, name)
            tables |= {path: load_rows(path, experiment.Choices) for path in moved}
        for file, table in tables.items():  # without measures that are no longer made
            stands = table[[column for column in table if column in made[0]]]
            add_rows(file, experiment.Choices, stands.assign(code=digest.code_of(name)))
    write_embeddings(figures, name, kept)
    if not changed:
        stamp(figures, name)
    return changed


def _difference(old, new):
    """Name the first measure that differs between an old row and a new one."""
    for measure in new:
        if measure in ("seed", "cpu", "code") or CLOCK in measure or isinstance(new[measure], str):
            continue
        if measure not in old or not np.array_equal(old[measure], new[measure], equal_nan=True):
            return f"{measure}: {old.get(measure, 'not there')} before, {new[measure]} now"
    return ""


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


def outdated(figures, name):
    """Count the runs made with other code than today's, including those with moved last digits."""
    choices = experiments.load(name).Choices
    paths = path_of(figures, name), *paths_of_moved(figures, name)
    tables = [load_rows(path, choices) for path in paths]
    return sum(int((table["code"] != digest.code_of(name)).sum()) for table in tables)
