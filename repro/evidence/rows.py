"""The raw measures of all runs of an experiment: a table with one row per run."""

from dataclasses import fields
from pathlib import Path

import pandas as pd

from repro.claims import readings_of
from repro.core.files import alone_in, write_text
from repro.core.records import UserError

RUN = ("seed", "cpu", "code")  # after the choices; then come the measures
CLOCK = "seconds"  # a measure with this word in its name rests on a clock


def path_of(figures, name):
    """Return where the runs of the declared readings of an experiment are kept."""
    return Path(figures) / "sweeps" / f"{name}.csv"


def choice_names(choices):
    """Return the names of the choices, of a class `Choices` or of an instance."""
    return [field.name for field in fields(choices)]


def key_of(choices, seed):
    """Return what names a run: the values of all choices, as text, and the seed."""
    return (*(repr(getattr(choices, name)) for name in choice_names(choices)), int(seed))


def row_of(choices, seed, cpu, code, measures):
    """Make the row of a run; see `load_rows`."""
    values = dict(zip([*choice_names(choices), "seed"], key_of(choices, seed), strict=True))
    return (
        values | {"cpu": round(cpu, 2), "code": code} | {k: float(v) for k, v in measures.items()}
    )


def load_rows(path, choices):
    """Read a table of runs; an empty one if there is none.

    Parameters
    ----------
    path : pathlib.Path
    choices : type
        The experiment's `Choices`.

    Returns
    -------
    table : pandas.DataFrame
        A column per choice (its value as Python writes it), ``seed``, ``cpu`` (processor time in
        seconds), ``code`` (see `repro.evidence.digest`), and one per measure, in full precision.

    Raises
    ------
    UserError
        If it is damaged; the message names it.
    """
    names = choice_names(choices)
    if not Path(path).exists():
        return pd.DataFrame(columns=[*names, *RUN])
    try:
        # As text first: Python reads each number to the last bit, which pandas need not.
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        measures = [c for c in table.columns if c not in (*names, *RUN)]
        table = table.replace({name: {"": "nan"} for name in [*measures, "cpu"]})
        table = table.astype(dict.fromkeys([*measures, "cpu"], float) | {"seed": int})
        table = table.copy()  # in one piece again, or pandas warns of the next column
        # Rows older than a choice were made as its primary value says.
        before = {name: repr(getattr(choices(), name)) for name in names}
        for name in names:
            table[name] = table[name].replace("", before[name]) if name in table else before[name]
    except (ValueError, KeyError) as error:
        raise UserError(f"{path} is damaged: {error}") from None
    return table[[*names, *RUN, *measures]]


def add_rows(path, choices, rows):
    """Put rows into a table of runs, in place of older ones of the same choices and seed.

    The file is written in one step, and two processes that add at the same time lose nothing.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    key = [*choice_names(choices), "seed"]
    with alone_in(path.parent):
        both = pd.concat([t for t in (load_rows(path, choices), pd.DataFrame(rows)) if len(t)])
        both = both.drop_duplicates(key, keep="last").sort_values(key, kind="stable")
        write_text(path, both.to_csv(index=False, lineterminator="\n"))


def by_reading(table, experiment):
    """Sort the runs of an experiment by the readings that it declares; other runs are left out.

    Returns
    -------
    runs : dict of Reading to pandas.DataFrame
        Those that have runs, the primary reading first; rows in the order of their seeds.
    """
    names = choice_names(experiment.Choices)
    groups = dict(iter(table.groupby(names, sort=False))) if len(table) else {}
    runs = {}
    for reading in readings_of(experiment.Choices()):
        rows = groups.get(key_of(reading.choices, 0)[:-1])
        if rows is not None:
            runs[reading] = rows.sort_values("seed", ignore_index=True)
    return runs


def load_runs(figures, experiment):
    """Read the runs of an experiment's declared readings; see `by_reading`."""
    name = experiment.__name__.rpartition(".")[2]
    return by_reading(load_rows(path_of(figures, name), experiment.Choices), experiment)


def primary_of(runs):
    """Return the runs of the primary reading; see `by_reading`."""
    return next(rows for reading, rows in runs.items() if reading.kind == "primary")
