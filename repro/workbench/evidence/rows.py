"""The raw measures of the runs of an experiment: a table with one row per run."""

import csv
import math

import pandas as pd
from filelock import FileLock

from repro.core.environment import this_environment
from repro.core.errors import UserError
from repro.core.files import write_text
from repro.experiments.claims import address, cells, settings_of
from repro.experiments.claims.tables import BETWEEN
from repro.workbench.folders import project_dir

RUN = ("seed", "cpu", "version", "commit")  # columns after the choices, before the measures
ON_STANDINS = "stand-in"  # in place of the commit of a run that explored stand-in data
CLOCK = "seconds"  # a measure with this word in its name is a time


def name_of(experiment):
    """Return the name of an experiment, that of its module."""
    return experiment.__name__.rpartition(".")[2]


def order_of(experiment):
    """Return the address of the measure that orders an experiment's runs, see `median_seed`."""
    return address(*experiment.ORDER)


def measures_in(table):
    """List the names of the measures among the columns of a table of runs, except times."""
    return [name for name in table if BETWEEN in name and CLOCK not in name]


def measures_of_run(experiment, table):
    """Return the measures of a run by address; those that claims ask for may be NaN."""
    measures = cells(table)
    of_claims = {measure for claim in experiment.CLAIMS for measure in claim.measures}
    return measures | dict.fromkeys(sorted(of_claims - set(measures)), math.nan)


def median_seed(experiment, rows):
    """Return the seed of the run that is shown: the median (the lower of two) by ``ORDER``."""
    ordered = rows.sort_values(order_of(experiment), kind="stable")
    return int(ordered["seed"].iloc[(len(ordered) - 1) // 2])


def path_of(figures, name, folder="sweeps"):
    """Return the path of an experiment's runs of record, or of those in another folder.

    The folder is "explored" for runs with other values of choices, "last_digits" for those with
    moved last digits that are made on this processor.
    """
    processor = f"/{this_environment()['processor']}" if folder == "last_digits" else ""
    return figures / folder / f"{name}{processor}.csv"


def paths_of_moved(figures, name):
    """List the tables of runs with moved last digits, one per processor."""
    return sorted((figures / "last_digits" / name).glob("*.csv"))


def as_text(choices):
    """Return the values of choices as Python writes them, by name."""
    return {name: repr(value) for name, value in vars(choices).items()}


def load_rows(path, choices, text=False):
    """Read a table of runs, a DataFrame; an empty one if there is no file.

    It has a column per choice of the class ``choices`` (the value as Python writes it), those of
    `RUN` (``cpu`` is the processor time in seconds), and one per measure, in full precision; with
    ``text`` all are text. Raises UserError if a row is truncated, repeated, or lacks what others
    have; a choice that it does not name was declared later, and its rows have our value.
    """
    names = list(vars(choices()))
    if not path.exists():
        return pd.DataFrame(columns=[*names, *RUN], dtype=object)
    try:
        header, *lines, end = csv.reader(path.read_text(encoding="utf-8").split("\n"))
        if end:
            raise ValueError("its last line is incomplete")
        lacks = [name for name in RUN if name not in header]
        if lacks := lacks or (names if set(names).isdisjoint(header) else []):
            raise ValueError(f"it has no column {', '.join(lacks)}")
        for number, line in enumerate(lines, 2):
            if len(line) != len(header):
                raise ValueError(f"line {number}: it has {len(line)} cells, not {len(header)}")
        table = pd.DataFrame(lines, range(2, len(lines) + 2), header, dtype=object)
        later = {name: v for name, v in as_text(choices()).items() if name not in header}
        table = table.assign(**later)
        _check(table, names)
        table = table.where(table != "")  # an empty cell was not measured
        numbers = dict.fromkeys(["cpu", *(n for n in header if BETWEEN in n)], float)
        return table if text else table.astype({"seed": int} | numbers)
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}") from None


def _check(table, choices):
    """Check that no run is repeated, and no measure lost.

    Runs of different commits, or of code that is not committed, may differ in what they measure.
    """
    _refuse(table.duplicated([*choices, "seed"]), "an earlier line is of the same run")
    committed = table[~table["commit"].str.endswith("+")]
    given = committed != ""
    first = given.groupby([committed[name] for name in (*choices, "commit")]).transform("first")
    for name in given:
        _refuse(given[name] != first[name], f"{name!r} is given for some runs of a setting only")


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
        old = load_rows(path, choices, text=True)
        new = pd.DataFrame(rows).map(str)  # NaN becomes "nan"; a missing value stays empty
        both = pd.concat([old, new]) if len(old) else new
        both = both.drop_duplicates(key, keep="last").astype({"seed": int})
        both = both.sort_values(key, kind="stable")
        write_text(path, both.to_csv(index=False, lineterminator="\n"))


def load_runs(figures, experiment):
    """Read the runs of the settings that an experiment declares; other runs are left out.

    Returns a DataFrame per `Setting` that has runs, ours first; rows go by seed.
    """
    table = load_rows(path_of(figures, name_of(experiment)), experiment.Choices)
    settings = settings_of(experiment.Choices())
    runs = {setting: runs_of(table, setting.choices) for setting in settings}
    return {setting: rows for setting, rows in runs.items() if len(rows)}


def load_moved(figures, experiment):
    """Read the runs of our setting with moved last digits, of all processors, or None."""
    paths = paths_of_moved(figures, name_of(experiment))
    tables = [load_rows(path, experiment.Choices) for path in paths]
    return runs_of(pd.concat(tables), experiment.Choices()) if tables else None


def runs_of_record(experiment):
    """Read the committed runs of an experiment, our setting first; see `load_runs`."""
    return load_runs(project_dir() / "figures", experiment)


def runs_of(table, choices):
    """Return the rows of a table that were made with some choices, in the order of the seeds."""
    wanted = pd.Series(as_text(choices))
    made = (table[wanted.index] == wanted).all(axis=1)
    return table[made].sort_values("seed", ignore_index=True)


def ours_of(runs):
    """Return the runs of our setting; see `load_runs`."""
    return next(rows for setting, rows in runs.items() if setting.kind == "ours")
