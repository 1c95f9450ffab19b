"""The raw measures of all runs of an experiment: a table with one row per run."""

from pathlib import Path

import pandas as pd

from repro.claims import readings_of
from repro.core.files import alone_in, write_text
from repro.core.records import UserError

RUN = ("seed", "cpu", "code")  # after the choices; then come the measures
CLOCK = "seconds"  # a measure with this word in its name rests on a clock


def name_of(experiment):
    """Return the name of an experiment, which is its module's."""
    return experiment.__name__.rpartition(".")[2]


def path_of(figures, name):
    """Return where the runs of the declared readings of an experiment are kept."""
    return Path(figures) / "sweeps" / f"{name}.csv"


def path_of_moved(figures, name):
    """Return where the runs with moved last digits are kept, see `repro.core.last_digits`."""
    return Path(figures) / "last_digits" / f"{name}.csv"


def as_text(choices):
    """Return the values of choices as Python writes them, by name."""
    return {name: repr(value) for name, value in vars(choices).items()}


def load_rows(path, choices):
    """Read a table of runs, a DataFrame; an empty one if there is none, a UserError if damaged.

    It has a column per choice of the class ``choices`` (the value as Python writes it), ``seed``,
    ``cpu`` (processor time in seconds), ``code`` (see `repro.evidence.digest`), and one per
    measure, in full precision.
    """
    primary = as_text(choices())
    if not path.exists():
        return pd.DataFrame(columns=[*primary, *RUN])
    try:
        # As text first: Python reads each number to the last bit, which pandas need not. Only an
        # empty cell is missing: "None" is the value of a choice.
        table = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
        measures = [c for c in table.columns if c not in (*primary, *RUN)]
        # Rows older than a choice were made as its primary value says.
        new = {name: value for name, value in primary.items() if name not in table}
        table = table.fillna(primary).assign(**new)[[*primary, *RUN, *measures]]
        return table.astype({"seed": int} | dict.fromkeys(["cpu", *measures], float))
    except (ValueError, KeyError) as error:
        raise UserError(f"{path} is damaged: {error}") from None


def add_rows(path, choices, rows):
    """Put rows into a table of runs, in place of older ones of the same choices and seed.

    The file is written in one step, and two processes that add at the same time lose nothing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    key = [*vars(choices()), "seed"]
    with alone_in(path.parent):
        both = pd.concat([t for t in (load_rows(path, choices), pd.DataFrame(rows)) if len(t)])
        both = both.drop_duplicates(key, keep="last").sort_values(key, kind="stable")
        write_text(path, both.to_csv(index=False, lineterminator="\n"))


def load_runs(figures, experiment):
    """Read the runs of the readings that an experiment declares; other runs are left out.

    Returns a DataFrame by `Reading`, of those that have runs, the primary reading first; its rows
    are in the order of the seeds.
    """
    table = load_rows(path_of(figures, name_of(experiment)), experiment.Choices)
    groups = dict(iter(table.groupby([*vars(experiment.Choices())], sort=False)))
    runs = {}
    for reading in readings_of(experiment.Choices()):
        rows = groups.get(tuple(as_text(reading.choices).values()))
        if rows is not None:
            runs[reading] = rows.sort_values("seed", ignore_index=True)
    return runs


def primary_of(runs):
    """Return the runs of the primary reading; see `load_runs`."""
    return next(rows for reading, rows in runs.items() if reading.kind == "primary")
