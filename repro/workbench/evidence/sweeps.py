"""Running experiments over seeds and settings, on one machine or a cluster."""

import ast
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from repro import __version__, datasets, experiments
from repro.core import environment
from repro.core.blas import one_blas_thread
from repro.core.errors import UserError
from repro.experiments.claims import fitting, settings_of
from repro.kernels.threads import using
from repro.workbench.commit import this_commit
from repro.workbench.ending import end_with_parent
from repro.workbench.evidence import reproduction, rows
from repro.workbench.evidence.rows import as_text, name_of
from repro.workbench.evidence.rule import CONTESTED, N_MORE, N_RUNS
from repro.workbench.evidence.verdicts import concerns, observed
from repro.workbench.last_digits import moving_last_digits

N_OTHERS = 5  # runs of what is no setting: values that the text rules out, other data
N_MOVED = 10  # runs with moved last digits
FAILED = "could not be made"


@dataclass(frozen=True)
class Run:
    """A run to be made: the name of the experiment, the choices, the seed.

    ``folder`` is that of its row, see `repro.workbench.evidence.rows.path_of`; only a run that is
    "explored" may use stand-in data.
    """

    name: str
    choices: object
    seed: int
    folder: str = "sweeps"


def declared_runs(experiment, first, repeats=None, others=None):
    """List the runs of record of an experiment, in the order of their seeds, from the first one.

    ``repeats`` is the number of runs of our setting, ``others`` that of each other setting and data
    set; without them the numbers of the protocol are made. A combination has one run. If a claim
    is about several starts, its settings have as many times the runs.
    """
    counts = {"settings": N_RUNS, "sensitivity": N_OTHERS, "other_data": N_OTHERS}
    if others is not None:
        counts = dict.fromkeys(counts, others)
    counts |= {"ours": repeats or experiment.REPEATS, "combination": 1}
    runs = [
        Run(name_of(experiment), setting.choices, first + k)
        for setting in settings_of(experiment.Choices())
        for k in range(counts[setting.kind] * _group_of(experiment, setting))
    ]
    return sorted(runs, key=lambda run: run.seed)


def _group_of(experiment, setting):
    """Return the most starts that a claim which counts a setting asks for at once."""
    if setting.kind not in ("ours", "settings"):
        return 1
    ours = setting.kind == "ours"
    return max((c.group for c in experiment.CLAIMS if ours or concerns(c, setting)), default=1)


def more_runs(judged, first):
    """List the runs of the settings of which six do not decide for one of the judged claims."""
    contested = {}
    for entry, setting in ((e, s) for e in judged for s in e.verdict.of_kind("settings")):
        if sum(observed(entry.claim, entry.runs[setting])[:N_RUNS]) in CONTESTED:
            key = entry.name, setting.choices
            contested[key] = max(entry.claim.group, contested.get(key, 1))
    runs = [
        Run(*setting, first + k)
        for setting, group in contested.items()
        for k in range(N_MORE * group)
    ]
    return sorted(runs, key=lambda run: run.seed)  # so that those of a seed share their fits


def moved_runs(experiment, first):
    """List the first runs of our setting, to be made with other last digits."""
    name, ours = name_of(experiment), experiment.Choices()
    return [Run(name, ours, first + k, "last_digits") for k in range(N_MOVED)]


def explored_runs(experiment, given, repeats):
    """List the runs of all combinations of given values of choices; to explore, not to judge.

    ``given`` holds texts ``"choice=value,value …"``, values as Python writes them. Raises UserError
    if the experiment has no such choice, or a value cannot be read or does not fit the choice.
    """
    ours = experiment.Choices()
    values = {}
    for text in given:
        choice, _, listed = text.partition("=")
        if choice not in vars(ours):
            known = ", ".join(vars(ours))
            raise UserError(f"{name_of(experiment)} has no choice {choice!r}: it has {known}")
        try:
            listed = ast.literal_eval(f"[{listed}]")
        except (ValueError, SyntaxError):
            wanted = 'write values as Python writes them, such as 2, 0.5, None or "text"'
            raise UserError(f"--set {text}: {wanted}") from None
        try:
            fitted = [fitting(ours, choice, value) for value in listed]
        except ValueError as error:
            raise UserError(f"--set {text}: {error}") from None
        if not listed:
            raise UserError(f"--set {text} gives no value: write {choice}=value,value …")
        values[choice] = values.get(choice, []) + fitted
    combined = [dict(zip(values, taken, strict=True)) for taken in product(*values.values())]
    return [
        Run(name_of(experiment), replace(ours, **taken), seed, "explored")
        for seed in range(repeats)
        for taken in combined
    ]


def missing_runs(path, runs):
    """Return the runs of one experiment that a table does not hold on real data."""
    if not runs:
        return []
    choices = type(runs[0].choices)
    table = rows.load_rows(path, choices)
    real = table.loc[table["commit"] != rows.ON_STANDINS, [*vars(choices()), "seed"]]
    done = set(real.itertuples(index=False, name=None))
    return [run for run in runs if (*as_text(run.choices).values(), run.seed) not in done]


def make_run(run):
    """Make one run on one core; return its row, and its embedding if there is one, else None.

    Raises UserError if the data are stand-ins, unless it explores; then the ``commit`` says so.
    """
    experiment = experiments.load(run.name)
    start = time.process_time()
    moving = moving_last_digits(run.seed) if run.folder == "last_digits" else nullcontext()
    with using(1), one_blas_thread(), moving:
        fitted = experiment.run(run.choices, run.seed)
        measures = rows.measures_of_run(experiment, experiment.measure(fitted))
    cpu = round(time.process_time() - start, 2)
    generated = datasets.standins_in_use()
    if generated and run.folder != "explored":
        raise UserError("the data are stand-ins, which are no evidence")
    commit = rows.ON_STANDINS if generated else this_commit()
    row = as_text(run.choices) | {"seed": run.seed, "cpu": cpu, "version": __version__}
    row |= {"commit": commit} | measures
    drawn = experiment.embedding(fitted) if hasattr(experiment, "embedding") else None
    return row, drawn


def _attempt(make, run):
    """Make a run in a worker; return it, its result or None, and the error as text or ""."""
    end_with_parent()
    try:
        return run, make(run), ""
    except Exception as error:
        return run, None, f"{type(error).__name__}: {error}"


def make_runs(runs, n_jobs=-1):
    """Make runs with joblib in parallel processes, and yield each as soon as it is done.

    Within ``joblib.parallel_config`` its backend makes them, such as a Dask cluster. Yields the
    run, what `make_run` returned or None, and the error as text or "". Raises UserError if a worker
    died.
    """
    from joblib import Parallel, delayed
    from joblib.externals.loky import BrokenProcessPool

    at_once = Parallel(n_jobs, return_as="generator_unordered", batch_size=1)
    try:
        yield from at_once(delayed(_attempt)(make_run, run) for run in runs)
    except BrokenProcessPool:
        raise UserError("a worker died: is there enough memory? What was done is kept") from None


def check_again(figures, experiment, n_jobs=-1):
    """Repeat the median run of each setting, and compare its measures, except times, with its row.

    Returns for each setting, by its words, the worst kind among its measures, see
    `repro.workbench.evidence.reproduction.kind_of`, and the first measure of that kind, or `FAILED`
    and the error. In the environment of the experiment's record all kinds but `EXACT` count as
    `DIFFERS`. If all values are equal, the embeddings of the runs are written.
    """
    name = name_of(experiment)
    runs, moved = rows.load_runs(figures, experiment), rows.load_moved(figures, experiment)
    if not runs:
        raise UserError(f"{name} has no runs to check: repro sweep {name} makes them")
    again = {
        Run(name, setting.choices, rows.median_seed(experiment, made)): setting
        for setting, made in runs.items()
    }
    allowed = reproduction.rounding(runs, moved)
    recorded = reproduction.load_record(figures, name)
    # Whether bits depend on nothing here that was otherwise for the experiment's record.
    exact = recorded and environment.this_environment().items() <= recorded["environment"].items()
    checked = {setting.words: None for setting in runs}
    embeddings = {}
    for run, made, error in make_runs(again, n_jobs):
        setting = again[run]
        if error:
            checked[setting.words] = FAILED, error
            continue
        row = runs[setting].set_index("seed").loc[run.seed]
        kind, difference = _compare(made[0], row[rows.measures_in(row.index)], allowed)
        if kind == reproduction.UNEXPLAINED or (exact and kind != reproduction.EXACT):
            kind = reproduction.DIFFERS
        checked[setting.words] = kind, difference
        embeddings[setting.words] = made[1]
    if all(kind == reproduction.EXACT for kind, _ in checked.values()):
        write_embeddings(figures, name, {words: embeddings[words] for words in checked})
    return checked


def _compare(made, row, allowed):
    """Compare the measures of a run made again with its row; see `check_again`."""
    old = row.dropna().to_dict()
    new = pd.Series(made).reindex(row.index).dropna().to_dict()
    kinds = {name: reproduction.kind_of(name, new, old, allowed) for name in row.index}
    measure = max(kinds, key=lambda name: reproduction.KINDS.index(kinds[name]))
    before, now = (values.get(measure, "no number") for values in (old, new))
    return kinds[measure], f"{measure}: {before} on record, {now} now"


def write_embeddings(figures, name, embeddings):
    """Write one embedding per setting, by its words, to figures/sweeps; None is left out.

    Each is scaled to ±1000 and rounded; three digits are more than a screen shows.
    """
    small = {}
    for words, Y in embeddings.items():
        if Y is not None:
            Y = np.asarray(Y)
            Y = Y - Y.mean(axis=0)
            small[words] = np.round(1000 * Y / (np.abs(Y).max() or 1.0)).astype(np.int16)
    if small:
        np.savez_compressed(figures / "sweeps" / f"{name}.npz", **small)
