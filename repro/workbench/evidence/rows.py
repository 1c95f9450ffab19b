"""The raw measures of the runs of an experiment: a table with one row per run."""

import io
import math
import re
from pathlib import Path

import pandas as pd
from filelock import FileLock

from repro.core.environment import this_environment
from repro.core.errors import UserError
from repro.core.files import write_text
from repro.experiments.claims import address, cells, readings_of
from repro.workbench.folders import project_dir

RUN = ("seed", "cpu", "version", "commit")  # columns after the choices, before the measures
ON_STANDINS = "stand-in"  # in place of the commit of a run that explored stand-in data
NUMBER = r"-?(\d+\.\d+|\d(\.\d+)?e[+-]\d+|inf)|nan"  # as Python writes a float
MEASURE = NUMBER + "|"  # empty if it was not made
CELLS = {
    "seed": r"\d+",
    "cpu": NUMBER,
    "version": r"\S+",
    "commit": rf"g[0-9a-f]{{7}}\+?|unknown|{ON_STANDINS}",  # see `this_commit`
}
CLOCK = "seconds"  # a measure with this word in its name is a time
LOSS = "loss"  # the score that shows which runs ended in one optimum


def name_of(experiment):
    """Return the name of an experiment, that of its module."""
    return experiment.__name__.rpartition(".")[2]


def order_of(experiment):
    """Return the address of the measure that orders an experiment's runs, see `median_seed`."""
    return address(*experiment.ORDER)


def loss_of(experiment):
    """Return the address of the loss that orders an experiment's runs; None if there is none."""
    return order_of(experiment) if experiment.ORDER[0] == LOSS else None


def measures_of_run(experiment, table):
    """Return the measures of a run by address; those that claims ask for may be NaN."""
    measures = cells(table)
    of_claims = {measure for claim in experiment.CLAIMS for measure in claim.measures}
    return measures | dict.fromkeys(sorted(of_claims - set(measures)), math.nan)


def median_seed(experiment, rows):
    """Return the seed of the run that is shown: the median (the lower of two) by ``ORDER``."""
    ordered = rows.sort_values(order_of(experiment), kind="stable")
    return int(ordered["seed"].iloc[(len(ordered) - 1) // 2])


def path_of(figures, name):
    """Return the path of the runs of an experiment's declared readings."""
    return Path(figures) / "sweeps" / f"{name}.csv"


def path_of_explored(figures, name):
    """Return the path of the runs with other values of an experiment's choices."""
    return Path(figures) / "explored" / f"{name}.csv"


def path_of_moved(figures, name):
    """Return the path of the runs with moved last digits that are made on this processor."""
    processor = this_environment()["processor"]
    if not re.fullmatch(r"\w[\w.+-]*", processor):
        raise UserError(f"NUMBA_CPU_NAME is {processor!r}: it is no name of a processor")
    return Path(figures) / "last_digits" / name / f"{processor}.csv"


def paths_of_moved(figures, name):
    """List the tables of runs with moved last digits, one per processor."""
    return sorted((Path(figures) / "last_digits" / name).glob("*.csv"))


def set_runs_aside(figures, name, version):
    """Move the tables and embeddings of an experiment to folders that nothing reads: version_1."""
    table = path_of(figures, name)
    paths = [table, table.with_suffix(".npz"), *paths_of_moved(figures, name)]
    moves = {p: p.parent / f"version_{version}" / p.name for p in paths if p.exists()}
    for kept in moves.values():
        if kept.exists():
            raise UserError(f"{kept} exists: it would be replaced by runs of the same version")
    for path, kept in moves.items():
        kept.parent.mkdir(exist_ok=True)
        path.rename(kept)


def as_text(choices):
    """Return the values of choices as Python writes them, by name."""
    return {name: repr(value) for name, value in vars(choices).items()}


def load_rows(path, choices):
    """Read a table of runs, a DataFrame; an empty one if there is no file.

    It has a column per choice of the class ``choices`` (the value as Python writes it), those of
    `RUN` (``cpu`` is the processor time in seconds), and one per measure, in full precision. Raises
    UserError if a row is truncated, repeated, or lacks what others have.
    """
    table = _load_text(path, choices)
    measures = table.columns.difference([*vars(choices()), *RUN])
    return table.astype({"seed": int} | dict.fromkeys(["cpu", *measures], float))


def _load_text(path, choices):
    """Read a table of runs as text, and check it; see `load_rows`."""
    primary = as_text(choices())
    if not path.exists():
        return pd.DataFrame(columns=[*primary, *RUN], dtype=object)
    try:
        table = _read_text(path)
        # Rows older than a choice were made with its primary value.
        new = {name: value for name, value in primary.items() if name not in table}
        table = table.assign(**new)
        measures = [column for column in table if column not in (*primary, *RUN)]
        _check(table, list(primary), measures)
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}") from None
    table = table[[*primary, *RUN, *measures]].reset_index(drop=True)
    return table.where(table != "")  # an empty cell was not measured


def _read_text(path):
    """Read a table whose index has the numbers of the lines; a short line ends in None."""
    text = path.read_text(encoding="utf-8")
    if not text.endswith("\n"):
        raise ValueError("its last line is incomplete")
    options = {"header": None, "keep_default_na": False, "skip_blank_lines": False}
    # The other engine fills short lines with empty cells.
    lines = pd.read_csv(io.StringIO(text), dtype=str, engine="python", **options).astype(object)
    columns = pd.Index(lines.head(1).to_numpy().ravel())
    if lacks := [name for name in RUN if name not in columns]:
        raise ValueError(f"it has no column {', '.join(lacks)}")
    if columns.has_duplicates:
        raise ValueError(f"it has two columns {columns[columns.duplicated()][0]!r}")
    table = lines[1:].set_axis(columns, axis=1)
    return table.set_axis(table.index + 1)


def _check(table, primary, measures):
    """Check that lines are whole, cells can be read, no run is repeated, and no measure lost.

    Runs of different commits, or of code that is not committed, may differ in what they measure.
    """
    _refuse(table.isna().any(axis=1), "values are missing")
    for name in (*RUN, *measures):
        _refuse(~table[name].str.fullmatch(CELLS.get(name, MEASURE)), f"{name} cannot be read")
    _refuse(table.duplicated([*primary, "seed"]), "an earlier line is of the same run")
    committed = table[~table["commit"].str.endswith("+")]
    given = committed[measures] != ""
    first = given.groupby([committed[name] for name in (*primary, "commit")]).transform("first")
    for name in measures:
        _refuse(given[name] != first[name], f"{name!r} is given for some runs of a reading only")


def _refuse(wrong, message):
    """Raise a ValueError that names the first line that is wrong, if there is one."""
    if wrong.any():
        raise ValueError(f"line {wrong.idxmax()}: {message}")


def add_rows(path, choices, rows):
    """Add rows to a table of runs; they replace older ones of the same choices and seed.

    The file is replaced atomically, and processes that add rows concurrently lose nothing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    key = [*vars(choices()), "seed"]
    with FileLock(path.with_name(f".{path.name}.lock")):
        old = _load_text(path, choices)
        new = pd.DataFrame(rows).map(str)  # NaN becomes "nan"; a missing value stays empty
        both = pd.concat([old, new]) if len(old) else new
        both = both.drop_duplicates(key, keep="last").sort_values(
            key,
            kind="stable",
            key=lambda cells: cells.astype(int) if cells.name == "seed" else cells,
        )
        write_text(path, both.to_csv(index=False, lineterminator="\n"))


def load_runs(figures, experiment):
    """Read the runs of the readings that an experiment declares; other runs are left out.

    Returns a DataFrame per `Reading` that has runs, the primary one first; rows go by seed.
    """
    path = path_of(figures, name_of(experiment))
    table = load_rows(path, experiment.Choices)
    if (table["commit"] == ON_STANDINS).any():
        raise UserError(f"{path} has runs on stand-in data, which are no evidence")
    groups = dict(iter(table.groupby([*vars(experiment.Choices())], sort=False)))
    runs = {}
    for reading in readings_of(experiment.Choices()):
        rows = groups.get(tuple(as_text(reading.choices).values()))
        if rows is not None:
            runs[reading] = rows.sort_values("seed", ignore_index=True)
    return runs


def load_moved(figures, experiment):
    """Read the runs of the primary reading with moved last digits, of all processors, or None."""
    paths = paths_of_moved(figures, name_of(experiment))
    tables = [load_rows(path, experiment.Choices) for path in paths]
    return runs_of(pd.concat(tables), experiment.Choices()) if tables else None


def runs_of_record(experiment):
    """Read the committed runs of an experiment, the primary reading first; see `load_runs`."""
    return load_runs(project_dir() / "figures", experiment)


def runs_of(table, choices):
    """Return the rows of a table that were made with some choices, in the order of the seeds."""
    wanted = pd.Series(as_text(choices))
    return table[(table[wanted.index] == wanted).all(axis=1)].sort_values("seed")


def primary_of(runs):
    """Return the runs of the primary reading; see `load_runs`."""
    return next(rows for reading, rows in runs.items() if reading.kind == "primary")
