"""The command line: list, new, fetch, run, sweep, report, site, verify."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from repro import __version__
from repro.core.records import UserError


class Commands(TyperGroup):
    """The commands; what a user gave and cannot be used is reported in one line."""

    def invoke(self, ctx):
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except (UserError, ModuleNotFoundError) as error:  # the latter names the extra to install
            _stop(error)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# Names, paths and what a user wrote may hold brackets and colons: none of it is markup.
console = Console(markup=False, emoji=False)
errors = Console(stderr=True, markup=False, emoji=False)
VERDICT_COLOURS = {"holds": "green", "partly": "yellow", "fails": "red"}


def _show_version(asked):
    if asked:
        console.print(f"repro {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
):
    """Four papers on low-dimensional embedding, reproduced."""


Patterns = Annotated[list[str] | None, typer.Argument(help="Names or parts of names; all if none.")]


def _notebooks(patterns):
    from repro.core.folders import project_dir
    from repro.notebook.runner import find_notebooks

    return find_notebooks(project_dir() / "notebooks", patterns or ())


def _stop(error):
    errors.print(_red("Error:", error))
    raise typer.Exit(2)


def _red(words, rest):
    return Text.assemble((words, "red"), f" {rest}")


@app.command("list")
def list_():
    """List the notebooks."""
    table = Table("notebook", "paper", "what it reproduces", "data")
    for nb in _notebooks(None):
        table.add_row(nb.stem, f"{nb.paper}, {nb.item}", nb.title, ", ".join(nb.datasets) or "none")
    console.print(table)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="As <paper>_fig<number>_<slug>, kie_fig7_faces.")],
):
    """Write the skeleton of a new notebook: the standard cells, on an example that runs."""
    from repro.core.folders import project_dir
    from repro.notebook.template import write_new

    root = project_dir()
    try:
        path = write_new(name.removesuffix(".ipynb"), root / "notebooks")
    except (ValueError, OSError) as error:
        _stop(error)
    console.print(f"wrote {path.relative_to(root)}; it runs as it is: repro run {path.stem}")


@app.command()
def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="Data sets; all if none.")] = None,
):
    """Fetch whole data sets into the cache."""
    from repro import datasets

    outcome = datasets.prefetch(names or None)
    for name, error in outcome.items():
        colour = "red" if error else "green"
        console.print(Text.assemble((name, colour), f": {error or 'ready'}"))
    raise typer.Exit(1 if any(outcome.values()) else 0)


@app.command()
def verify(
    addresses: Annotated[
        bool,
        typer.Option("--addresses", help="Instead, fetch every set from every address, and check."),
    ] = False,
):
    """Check the data in the cache and in REPRO_DATA_DIR again; damaged cached files are removed."""
    from repro import datasets

    checks = _address_checks() if addresses else datasets.verify()
    found = []
    for check in checks:
        found.append(check)
        colour = "green" if check.ok else "red"
        line = Text.assemble(f"{check.dataset}: {check.item}: ", (check.status, colour))
        console.print(line, soft_wrap=addresses)
    if not found:
        console.print(
            f"There is no data yet: neither in {datasets.cache_dir()} nor REPRO_DATA_DIR."
        )
    raise typer.Exit(0 if all(check.ok for check in found) else 1)


def _address_checks():
    from repro.datasets import addresses, store

    if store.offline():
        _stop("REPRO_OFFLINE is set, so no address can be tried")
    return addresses.check_addresses()


@app.command()
def report():
    """Write the scorecard, the gallery and the tables of README.md from the recorded claims."""
    from repro.core.files import write_text
    from repro.core.folders import project_dir
    from repro.evidence import sweeps
    from repro.evidence.report import write_reports
    from repro.notebook import runner

    root = project_dir()
    files = write_reports(root)
    outdated = sweeps.outdated(root / "figures", runner.find_notebooks(root / "notebooks"))
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_text(path, text)
            console.print(f"wrote {path.relative_to(root)}")
    for stem in outdated:
        console.print(f"{stem} has changed since it was swept: repro sweep {stem} --readings")


@app.command()
def site(
    output: Annotated[
        Path | None, typer.Option(help="A folder for the site.", show_default="build/site")
    ] = None,
    own_copy: Annotated[
        bool,
        typer.Option("--own-copy", help="Also with pictures that may not be passed on."),
    ] = False,
):
    """Build a static site from what is committed: pages of the notebooks, maps, the reference."""
    from repro.core.folders import project_dir
    from repro.site.build import BuildFailed, build_site

    start = time.perf_counter()
    root = project_dir()
    try:
        index = build_site(root, output or root / "build" / "site", own_copy)
    except (ValueError, FileNotFoundError, ModuleNotFoundError) as error:
        _stop(error)
    except BuildFailed as error:
        errors.print(str(error), highlight=False, soft_wrap=True)
        errors.print(_red("The site was not built:", "what was there is as it was."))
        raise typer.Exit(1) from None
    seconds = time.perf_counter() - start
    console.print(f"built in {seconds:.0f} s; open {index}", highlight=False, soft_wrap=True)


def _formats(text):
    """Refuse a format that no figure can be written in, before any notebook runs."""
    from repro.core.extras import needs

    needs("matplotlib", extra="notebooks")
    from matplotlib.backend_bases import FigureCanvasBase

    formats = [name.strip().lower() for name in text.split(",")]
    known = FigureCanvasBase.get_supported_filetypes()
    for name in formats:
        if name not in known:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(sorted(known))}")
    return ",".join(formats)


@app.command()
def run(
    patterns: Patterns = None,
    jobs: Annotated[int, typer.Option(min=1, help="Notebooks to run at a time.")] = 1,
    standin: Annotated[bool, typer.Option(help="Run on generated stand-in data.")] = False,
    record: Annotated[bool, typer.Option(help="Record run times for the scorecard.")] = False,
    parameter: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", help="NAME=VALUE; claims go to figures/recorded."),
    ] = None,
    formats: Annotated[
        str, typer.Option(help="Formats of the figures, as png,pdf.", callback=_formats)
    ] = "png",
):
    """Execute notebooks in place, write their figures and claims, and show the scorecard.

    A notebook whose data cannot be had is run on generated stand-in data; the last lines say so.
    """
    from repro import datasets
    from repro.core.folders import project_dir
    from repro.evidence import report
    from repro.notebook import runner

    notebooks = _notebooks(patterns)
    parameters = _parameters(parameter, notebooks)
    figures = project_dir() / "figures"
    os.environ["REPRO_FORMATS"] = formats
    if record:
        report.load_timings(figures)  # damage is reported before anything runs
    wanted = runner.wanted_standins(notebooks)
    missing = {} if standin else runner.fetch_data(notebooks)
    wanted |= set(datasets.FETCHERS if standin else missing)
    try:
        outcomes = _run_with_bar(
            notebooks, lambda nb: sorted(wanted & set(nb.datasets)), jobs, parameters
        )
    except KeyboardInterrupt:
        errors.print(_red("Interrupted:", "unfinished notebooks were left unchanged."))
        raise typer.Exit(130) from None
    if record and not parameters:
        times = {o.notebook.stem: o.seconds for o in outcomes if not (o.error or o.standins)}
        report.record_timings(figures, {stem: round(time) for stem, time in times.items()})
    _print_scorecard(outcomes, parameters)
    _print_ends(outcomes, missing)
    raise typer.Exit(1 if any(o.error for o in outcomes) else 0)


@app.command()
def sweep(
    notebook: Annotated[str, typer.Argument(help="Its name, or a part that fits no other.")],
    seeds: Annotated[str, typer.Option(help="FIRST:END, of the primary reading.")] = "0:10",
    readings: Annotated[bool, typer.Option(help="Run the other readings that it lists.")] = False,
    other_seeds: Annotated[str, typer.Option(help="FIRST:END, of every other reading.")] = "0:3",
    values: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=value,value …: run these; several: all combinations."),
    ] = None,
    sample: Annotated[
        int, typer.Option(min=0, help="With --readings, so many combinations of them, too.")
    ] = 0,
    block: Annotated[int, typer.Option(min=1, help="Seeds in one run.")] = 5,
    minutes: Annotated[float | None, typer.Option(help="Begin no run later than this.")] = None,
    jobs: Annotated[int, typer.Option(help="Runs at a time; -1: one a core.")] = -1,
    cluster: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, tcp://host:port.")
    ] = None,
):
    """Execute a notebook many times, over seeds and readings, and keep what its claims did.

    What was run before, with the same code, is not repeated, so that evidence grows from run to
    run. The table is figures/sweeps/NAME.csv; the picture beside it shows each claim.
    """
    from repro.core.folders import project_dir
    from repro.evidence import sweeps
    from repro.evidence.readings import PRIMARY, grid_of_readings, grid_of_values, parse_seeds
    from repro.notebook import runner

    if not jobs:
        _stop("--jobs is how many run at a time, or -1, one a core")
    if minutes is not None and not minutes >= 0:  # NaN is not, either
        _stop(f"--minutes is a time from 0 on, not {minutes}")
    found = _notebooks([notebook])
    if len(found) > 1:
        _stop(f"{notebook!r} fits {', '.join(nb.stem for nb in found)}: name one")
    try:
        listed = grid_of_readings(found[0].alternatives, sample) if readings else [PRIMARY]
        listed += grid_of_values(values) if values else []
        of_primary, of_others = parse_seeds(seeds), parse_seeds(other_seeds)
        wanted = {text: of_others if text else of_primary for text in listed}
        runs = sweeps.missing(project_dir() / "figures", found[0], wanted, block)
        sweeps.check_swept(project_dir() / "figures", found[0].stem)
        runner.wanted_standins(found)  # refuses a name that is unknown
    except ValueError as error:
        _stop(error)
    failed = _sweep_with_bar(found[0], runs, minutes, jobs, cluster) if runs else []
    _show_evidence(found[0].stem)
    for run, error in failed:
        errors.print(_red("failed:", f"{run.reading or 'primary'}, seeds {run.seeds}"))
        errors.print(error.strip(), highlight=False)
    raise typer.Exit(1 if failed else 0)


def _sweep_with_bar(notebook, runs, minutes, jobs, cluster):
    """Execute runs and keep what each gives as soon as it is there; return those that failed."""
    from repro.core.folders import project_dir
    from repro.evidence import sweeps

    path, failed = sweeps.path_of(project_dir() / "figures", notebook.stem), []
    text = notebook.path.read_text(encoding="utf-8")
    with _bar(TextColumn("left:"), TimeRemainingColumn()) as progress, sweeps.on_cluster(cluster):
        task = progress.add_task(notebook.stem, total=len(runs))
        try:
            for run, (rows, error) in sweeps.run_missing(text, runs, jobs, minutes):
                if error:
                    failed.append((run, error))
                else:
                    sweeps.add(path, rows)
                progress.advance(task)
        except KeyboardInterrupt:
            errors.print(_red("Interrupted:", "what was done is kept; the same command goes on."))
            raise typer.Exit(130) from None
    return failed


def _show_evidence(stem):
    """Print in what share of the runs each claim holds, and draw the pictures."""
    from repro.core.folders import project_dir
    from repro.evidence import sweeps

    root = project_dir()
    table = sweeps.evidence_of(root / "figures", stem)
    shown = Table("claim", "runs", "holds in", "under readings", "", title=stem)
    for claim, row in sweeps.firmness(table).iterrows():
        under = f"{row.agree} of {row.readings}"
        shown.add_row(claim, str(row.runs), f"{row.share:.0%}", under, row.word)
    console.print(shown)
    for path in sweeps.draw(root / "figures", stem):
        console.print(f"wrote {path.relative_to(root)}")


def _parameters(given, notebooks):
    """Parse NAME=VALUE, and see that every notebook has the name."""
    parameters = dict(item.partition("=")[::2] for item in given or ())
    known = {nb.stem: nb.parameters for nb in notebooks} if parameters else {}
    for name, value in parameters.items():
        lacking = [stem for stem, names in known.items() if name not in names]
        if not name.isidentifier() or not value:
            _stop(f"a parameter is NAME=VALUE, not {name!r}")
        if lacking:
            _stop(f"there is no parameter {name!r} in {', '.join(lacking)}")
    return parameters


def _bar(*more):
    name = TextColumn("{task.description}", markup=False)
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(name, *columns, *more, console=console)


def _run_with_bar(notebooks, standins_of, jobs, parameters):
    from repro.notebook import runner

    with _bar() as progress:
        tasks = {nb.stem: progress.add_task(nb.stem, total=nb.code_cells) for nb in notebooks}
        step = lambda nb: progress.advance(tasks[nb.stem])  # noqa: E731
        return list(runner.run_notebooks(notebooks, standins_of, jobs, step, parameters))


def _print_scorecard(outcomes, parameters):
    from repro.core.records import read_record
    from repro.notebook import runner

    table = Table("claim", "what the paper says", "verdict", "firmness", title="Scorecard")
    for outcome in outcomes:
        stem = outcome.notebook.stem
        path = runner.figures_of(outcome.notebook, parameters) / f"{stem}.json"
        if outcome.error or outcome.standins or not path.exists():
            continue
        for claim in read_record(path)["claims"]:
            verdict = Text(claim["verdict"], VERDICT_COLOURS[claim["verdict"]])
            table.add_row(claim["id"], claim["says"], verdict, claim["firmness"])
    if table.row_count:
        console.print(table)


def _print_ends(outcomes, missing):
    """Say last what a reader must not overlook: failures and stand-ins."""
    for outcome in outcomes:
        stem = outcome.notebook.stem
        if outcome.error:
            errors.print(_red(f"{stem} failed;", "its file is as it was."))
            errors.print(outcome.error.strip(), highlight=False)
        elif not outcome.standins:
            console.print(f"{stem}: ran in {outcome.seconds:.0f} s on the real data.")
    for error in missing.values():
        console.print(str(error), highlight=False, soft_wrap=True)
    for outcome in outcomes:
        if outcome.standins and not outcome.error:
            sets = ", ".join(outcome.standins)
            said = (f"{outcome.notebook.stem}: ran on stand-in data", "bold red")
            rest = f" ({sets}), generated here. No claim was recorded. See figures/standin."
            console.print(Text.assemble(said, rest), soft_wrap=True)


def main():
    """Run the command line; a full disk or a forbidden folder is reported in one line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # signs that a terminal has not become "?"
    try:
        app()
    except OSError as error:
        errors.print(_red("Error:", error))
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
