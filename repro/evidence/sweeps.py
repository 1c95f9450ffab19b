"""A notebook run many times, over seeds and over readings, and what its claims did in each run."""

import hashlib
import io
import json
import tempfile
import time
import tokenize
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pandas as pd

from repro.core.files import alone_in, write_text
from repro.core.records import UserError, read_record
from repro.evidence.readings import PRIMARY, parse_settings
from repro.notebook import runner

COLUMNS = ["reading", "seed", "claim", "part", "value", "met", "code"]
KEY = ["reading", "seed"]
# Shares of the runs in which a claim holds, from which on it is robust and up to which it fails.
ROBUST, FAILS = 0.95, 0.05


@dataclass(frozen=True)
class Run:
    """One execution of a notebook.

    Attributes
    ----------
    reading : str
        Settings of its parameters, as `repro.evidence.readings.write_settings` writes them.
    seeds : range
        Several at a time, since some claims are about several starts.
    """

    reading: str
    seeds: range


def code_of(text, name="the notebook"):
    """Return eight digits that change with the code of a notebook.

    Not with its comments and blank lines, nor with where its cells begin and end. They are of the
    text, not of what Python parses from it, which no two versions write in the same way.

    Raises
    ------
    UserError
        If it cannot be read, as with a bracket that is never closed; the message has the `name`.
    """
    cells = nbformat.reads(text, as_version=4).cells
    code = "\n".join(c.source for c in cells if c.cell_type == "code")
    lines = code.splitlines()
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise UserError(f"{name}: its code cannot be read: {error.args[0]}") from None
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    kept = "\n".join(line.rstrip() for line in lines if line.strip())
    return hashlib.sha256(kept.encode()).hexdigest()[:8]


def execute_reading(text, run, threads=1):
    """Execute a notebook under a reading, for some seeds, in a folder of its own.

    Parameters
    ----------
    text : str
        The notebook's file, so that a worker of a cluster needs no copy of it.
    run : Run
    threads : int
        Threads of each numeric kernel.

    Returns
    -------
    rows : list of dict
        One row per seed and part of a claim; empty if it failed.
    error : str
        What a cell raised, or that the data could not be had; empty if it ran.
    """
    content = nbformat.reads(text, as_version=4)
    seeds = {"FIRST_SEED": str(run.seeds[0]), "N_SEEDS": str(len(run.seeds))}
    runner.set_parameters(content, parse_settings(run.reading) | seeds)
    with tempfile.TemporaryDirectory() as folder:
        environment = runner.kernel_environment(threads=threads) | {"REPRO_FIGURES_DIR": folder}
        error = runner.execute(content, folder, environment) or ""
        records = [json.loads(p.read_text(encoding="utf-8")) for p in Path(folder).glob("*.json")]
        if not error and (len(records) != 1 or records[0]["data"] != "real"):
            error = "the data could not be had, or no claims were recorded"
    return ([] if error else rows_of_record(records[0], run, code_of(text))), error


def rows_of_record(record, run, code=""):
    """List what became of each part of each claim: one row per seed, from a notebook's record.

    A part that has not one value per seed is of all of them together: its median counts for each.
    """
    rows, n = [], len(run.seeds)
    for claim in record["claims"]:
        for k, part in enumerate(claim["parts"]):
            values = part["values"] if len(part["values"]) == n else [part["median"]] * n
            for seed, value in zip(run.seeds, values, strict=True):
                met = _met(value, part["criterion"])
                row = (run.reading, seed, claim["id"], k, value, met, code)
                rows.append(dict(zip(COLUMNS, row, strict=True)))
    return rows


def _met(value, criterion):
    from repro.claims.ledger import COMPARISONS

    sign, bound = criterion.split()
    return value is not None and bool(COMPARISONS[sign](value, float(bound)))


def missing(figures, notebook, wanted, block):
    """List the runs that are not there yet: the first seeds of every reading before the next.

    Parameters
    ----------
    figures : pathlib.Path
        The project's folder of figures.
    notebook : repro.notebook.runner.Notebook
    wanted : dict of str to range
        The seeds of each reading.
    block : int
        Most seeds a run. A run is repeated if one of its seeds is missing, or was run with
        other code.

    Returns
    -------
    runs : list of Run

    Raises
    ------
    ValueError
        If the notebook lacks a parameter that a reading sets.
    """
    known = notebook.parameters
    for name in {name for reading in wanted for name in parse_settings(reading)} | {"FIRST_SEED"}:
        if name not in known:
            raise ValueError(f"{notebook.stem} has no parameter {name!r}")
    table = load_rows(path_of(figures, notebook.stem))
    of_this = table["code"] == _code(notebook)
    done = set(table.loc[of_this, KEY].itertuples(index=False, name=None))
    runs = []
    for reading, seeds in wanted.items():
        blocks = [seeds[k : k + block] for k in range(0, len(seeds), block)]
        lacking = [b for b in blocks if any((reading, seed) not in done for seed in b)]
        runs += [(k, Run(reading, b)) for k, b in enumerate(lacking)]
    return [run for _, run in sorted(runs, key=lambda numbered: numbered[0])]


def _code(notebook):
    return code_of(notebook.path.read_text(encoding="utf-8"), notebook.path.name)


@contextmanager
def on_cluster(address):
    """Let `run_all` use a Dask cluster at an address, for a while; None: this machine.

    Raises
    ------
    UserError
        If there is none, or the package that speaks to it is not there.
    """
    if address is None:
        yield
        return
    from joblib import parallel_config

    try:
        from distributed import Client

        client = Client(address)
    except (ImportError, OSError, ValueError, TypeError) as error:
        raise UserError(f"no cluster at {address!r}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield


def run_missing(text, runs, n_jobs=-1, minutes=None):
    """Execute runs with joblib, each in a process of its own; what is done is given at once.

    Within ``joblib.parallel_config("dask")`` they are executed on a Dask cluster, where a run whose
    worker dies is given to another.

    Parameters
    ----------
    text : str
        See `execute`.
    runs : sequence of Run
    n_jobs : int
        Processes; -1 for one a core.
    minutes : float, optional
        No run is begun later than this.

    Yields
    ------
    run : Run
    outcome : tuple
        See `execute`.
    """
    from joblib import Parallel, delayed

    end = time.monotonic() + 60 * (minutes if minutes is not None else 1e9)

    def in_time():
        for run in runs:
            if time.monotonic() >= end:
                return
            yield delayed(_numbered)(text, run)

    options = {"return_as": "generator_unordered", "pre_dispatch": "n_jobs", "batch_size": 1}
    yield from Parallel(n_jobs=n_jobs, **options)(in_time())


def _numbered(text, run):
    return run, execute_reading(text, run)


def path_of(figures, stem):
    """Return where the runs of a notebook are kept."""
    return Path(figures) / "sweeps" / f"{stem}.csv"


def load_rows(path):
    """Read a table of runs; empty if there is none.

    Returns
    -------
    table : pandas.DataFrame
        Columns ``reading`` (settings; empty for the primary), ``seed``, ``claim``, ``part`` (its
        place among the claim's), ``value``, ``met``, ``code`` (see `code_of`).

    Raises
    ------
    UserError
        If it is damaged; the message names it.
    """
    if not Path(path).exists():
        return pd.DataFrame(columns=COLUMNS)
    kinds = {"code": str, "reading": str, "claim": str, "seed": int, "part": int, "met": int}
    try:
        table = pd.read_csv(path, dtype=kinds, keep_default_na=False)[COLUMNS]
    except (ValueError, KeyError) as error:
        raise UserError(f"{path} is damaged: {error}") from None
    table["value"] = pd.to_numeric(table["value"], errors="coerce")
    table["met"] = table["met"].astype(bool)
    return table


def outdated(figures, notebooks):
    """List the notebooks whose code has changed since some of their runs.

    Parameters
    ----------
    figures : pathlib.Path
    notebooks : sequence of repro.notebook.runner.Notebook

    Returns
    -------
    stems : list of str
    """
    found = []
    for notebook in notebooks:
        codes = set(load_rows(path_of(figures, notebook.stem))["code"])
        if codes and codes != {_code(notebook)}:
            found.append(notebook.stem)
    return found


def add(path, rows):
    """Put rows into a table of runs, in place of older ones of the same reading and seed.

    The file is written in one step, and two that add at the same time lose nothing.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = pd.DataFrame(rows, columns=COLUMNS)
    with alone_in(path.parent):
        old = load_rows(path)
        again = pd.MultiIndex.from_frame(old[KEY]).isin(pd.MultiIndex.from_frame(new[KEY]))
        table = pd.concat([old[~again], new]) if len(old[~again]) else new
        table = table.sort_values([*KEY, "claim", "part"], kind="stable")
        table = table.assign(met=table["met"].astype(int))
        write_text(path, table.to_csv(index=False, float_format="%.4g", lineterminator="\n"))


def evidence_of(figures, stem):
    """Collect all runs of a notebook: the sweeps' and, of the primary reading, the longer run's.

    Returns
    -------
    table : pandas.DataFrame
        As `load` returns it.
    """
    table, figures = load_rows(path_of(figures, stem)), Path(figures)
    paths = (figures / "recorded" / f"{stem}.json", figures / f"{stem}.json")
    path = next((path for path in paths if path.exists()), None)
    if path is None:
        return table
    record, known = read_record(path), set(table.loc[table["reading"] == PRIMARY, "seed"])
    rows = rows_of_record(record, Run(PRIMARY, record["seeds"]))
    rows = pd.DataFrame([row for row in rows if row["seed"] not in known], columns=COLUMNS)
    both = pd.concat([part for part in (rows, table) if len(part)] or [table])
    return both.sort_values(KEY, kind="stable", ignore_index=True)


def runs_that_hold(table):
    """Tell whether each claim holds in each run: all of its parts are met.

    Returns
    -------
    held : pandas.Series of bool
        By reading, seed and claim, in the table's order.
    """
    return table.groupby([*KEY, "claim"], sort=False)["met"].all()


def firmness(table):
    """Tell of each claim in what share of the runs it holds.

    Parameters
    ----------
    table : pandas.DataFrame
        As `evidence` returns it.

    Returns
    -------
    firmness : pandas.DataFrame
        By claim: ``runs``; ``readings``; ``agree``, under how many of these it holds in more than
        half of their runs; ``share``; ``word``, "robust" from 95 % on, "fails" up to 5 %, else
        "fragile".
    """
    runs = runs_that_hold(table).reset_index(name="held")
    by_claim = runs.groupby("claim", sort=False)
    share = by_claim["held"].mean()
    under = runs.groupby(["claim", "reading"], sort=False)["held"].mean()
    agree = under.gt(0.5).groupby("claim", sort=False).sum()
    word = share.map(lambda s: "robust" if s >= ROBUST else "fails" if s <= FAILS else "fragile")
    counts = {"runs": by_claim.size(), "readings": by_claim["reading"].nunique()}
    return pd.DataFrame({**counts, "agree": agree, "share": share, "word": word})


def of_all(figures):
    """Collect the runs of every notebook that was swept, by name; see `evidence`."""
    paths = sorted((Path(figures) / "sweeps").glob("*.csv"))
    return {path.stem: evidence_of(figures, path.stem) for path in paths}


def check_swept(figures, stem):
    """See, before a sweep, that what will be drawn after it can be read.

    Raises
    ------
    UserError
        If the notebook has no record yet, or a record or a table is damaged.
    """
    record = Path(figures) / f"{stem}.json"
    if not record.exists():
        raise UserError(f"{stem} has no record of claims yet: run it first, repro run {stem}")
    read_record(record)
    evidence_of(figures, stem)
    of_all(figures)


def draw(figures, stem):
    """Draw the pictures of a notebook's runs, and the strip of all notebooks' runs.

    Returns
    -------
    paths : list of pathlib.Path
        Figures in ``figures/sweeps``.
    """
    import matplotlib.pyplot as plt

    from repro import plots
    from repro.evidence import specification_curves

    folder = path_of(figures, stem).parent
    folder.mkdir(parents=True, exist_ok=True)
    record, tables = read_record(folder.parent / f"{stem}.json"), of_all(figures)
    makers = {"strip": lambda: specification_curves.draw_strip(tables)} if tables else {}
    makers[stem] = lambda: specification_curves.draw_specification_curves(
        evidence_of(figures, stem), record["claims"]
    )
    with plt.rc_context(plots.STYLE):
        for name, make in makers.items():
            fig = make()
            plots.write_figure(fig, folder / f"{name}.png", colors=256)
            plt.close(fig)
    return [folder / f"{name}.png" for name in makers]
