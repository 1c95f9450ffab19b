"""The commands of `repro`; those on the evidence are in `evidence_commands`."""

import os
import signal
import sys
import time
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text
from tqdm import tqdm
from typer.core import TyperGroup

from repro import __version__, datasets
from repro.core.errors import UserError
from repro.core.extras import needs
from repro.core.files import folder_at
from repro.workbench.evidence_commands import freeze, report, sweep
from repro.workbench.folders import project_dir
from repro.workbench.names import find_names
from repro.workbench.terminal import console, errors, flag, print_table, red, stop

FOR_SITE = "myst_nb", "nbconvert", "pydata_sphinx_theme", "sphinx", "ziamath"


class Commands(TyperGroup):
    """The commands; errors that are no fault of the code are reported in one line."""

    def invoke(self, ctx):
        """Run the requested command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # as of `repro list | head`: typer ends without a word
            raise
        # An extra to install; a full disk, a forbidden folder.
        except (UserError, ModuleNotFoundError, OSError) as error:
            stop(error)
        except KeyboardInterrupt:
            errors.print(red("Interrupted:", "finished work is kept."))
            raise typer.Exit(130) from None


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # fills the lines of a docstring anew
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked):
    if asked:
        console.print(f"repro {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show version."),
    ] = False,
):
    """Four papers on low-dimensional embedding, reproduced."""


Patterns = Annotated[list[str] | None, typer.Argument(help="Full or partial names; default: all.")]


def _notebooks(patterns):
    """Return notebooks, and the exit status so far: 1 if one that was asked for is damaged."""
    folder = project_dir(needed=True) / "notebooks"
    from repro.workbench.lessons.files import find_notebooks, notebook_files

    if others := ", ".join(path.name for path in notebook_files(folder)[1]):
        console.print(f"Left out, as they are not the project's: {others}")
    damaged = []
    notebooks = find_notebooks(folder, patterns or (), damaged)
    for error in damaged:
        errors.print(red("Left out:", error))
    if not notebooks:
        raise typer.Exit(2)
    return notebooks, 1 if damaged else 0


@app.command("list")
def list_():
    """List the notebooks."""
    table = Table("notebook", "paper", "what it reproduces", "data")
    notebooks, status = _notebooks(None)
    for nb in notebooks:
        table.add_row(nb.stem, f"{nb.paper}, {nb.item}", nb.title, ", ".join(nb.datasets) or "none")
    print_table(table)
    raise typer.Exit(status)


@app.command("open")
def open_(
    name: Annotated[str, typer.Argument(help="Full or partial name.")],
    fresh: flag("--fresh", "Make a new copy; an edited one is kept.") = False,
    browser: flag("--browser/--no-browser", "Open it in the browser, too.") = True,
):
    """Open a copy of a notebook in JupyterLab.

    The copy is yours: it stays in reproduced/opened with your changes, and is opened again next
    time.
    """
    needs("jupyterlab", extra="notebooks")
    import subprocess

    notebooks, _ = _notebooks([name])
    if len(notebooks) > 1:
        stop(f"{name!r} fits several: {', '.join(notebook.stem for notebook in notebooks)}")
    from repro.workbench.lessons.copies import copy_to_open

    copied, changed, kept = copy_to_open(notebooks[0], fresh)
    if kept:
        console.print(f"Your older copy is now {kept}")
    if changed:
        console.print("The lesson has changed since this copy was made: --fresh makes a new one.")
    options = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    options += [] if browser else ["--no-browser"]
    command = [sys.executable, "-m", "jupyterlab", *options, str(copied)]
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Jupyter asks, and ends by itself
    status = subprocess.run(command).returncode
    signal.signal(signal.SIGINT, before)
    raise typer.Exit(status)


@app.command()
def new(
    name: Annotated[
        str, typer.Argument(help="As <paper>_fig<number>_<slug>, such as kie_fig7_faces.")
    ],
):
    """Write the skeleton of a new experiment: a module, a notebook and checks that run."""
    root = project_dir(needed=True)
    from repro.workbench.lessons.template import steps_left, write_new

    for path in write_new(name.removesuffix(".ipynb"), root):
        console.print(f"wrote {path.relative_to(root)}")
    console.print(steps_left(path.stem))


@app.command()
def course(
    folder: Annotated[
        Path, typer.Argument(help="Folder of the editions, or of the class's notebooks.")
    ],
    patterns: Patterns = None,
    collect: flag("--collect", "Gather what a class wrote into FOLDER/answers.csv.") = False,
    run: flag("--run", "With --collect: run the notebooks, which is code of others.") = False,
):
    """Write lessons for a class: for students, for teachers, and for print.

    In FOLDER, student has notebooks without solutions, teacher has notebooks with solutions, and
    notes on each lesson, and handout has an HTML page per lesson. No network is needed, and no file
    is replaced. With --collect, predictions, criteria and answers are read from the notebooks that
    students returned. Answers are marked by the saved outputs, or, with --run, by running the
    notebooks on this machine. The status is then 1 if a notebook was skipped or not run to its end.
    """
    if (collect and patterns) or (run and not collect):
        stop("--collect takes only FOLDER and --run, and --run needs --collect")
    folder = folder_at(folder, "FOLDER").resolve()
    if collect:
        raise typer.Exit(_collect(folder, run))
    needs(*FOR_SITE, extra="site")
    notebooks, status = _notebooks(patterns)
    from repro.workbench.course.writing import write_course

    lessons = write_course(project_dir(), notebooks, folder)
    console.print(f"lessons written: {len(lessons)}; {folder}")
    raise typer.Exit(status)


@app.command()
def article(folder: Annotated[Path, typer.Argument(help="Folder of the article.")]):
    """Write the article on what was reproduced, as Markdown, HTML and PDF.

    Its numbers come from the runs of record. It is refused if a sentence rests on a verdict that
    has changed. Pandoc and Typst make it, which the extra [article] installs; no network is needed.
    """
    needs("pypandoc", "typst", extra="article")
    root, folder = project_dir(needed=True), folder_at(folder, "FOLDER")
    from repro.core.files import check_writable
    from repro.workbench.article.writing import write_article
    from repro.workbench.evidence.scorecard import judge_all

    check_writable(folder)  # before a minute of work
    for path in write_article(root, judge_all(root / "figures"), folder):
        console.print(f"wrote {path}", soft_wrap=True)


def _collect(folder, run):
    """Write the table of what a class wrote, if there is any; return the exit status."""
    from repro.core.files import set_aside, write_bytes
    from repro.workbench.course.collecting import gather

    path = folder / "answers.csv"
    table, wrong = gather(folder, run)
    for name, why in wrong.items():
        errors.print(red(name, why))
    if len(table):
        content = table.to_csv(index=False).encode("utf-8-sig")  # spreadsheets need its mark
        if path.exists() and path.read_bytes() != content:
            console.print(f"The older table is now {set_aside(path)}")
        write_bytes(path, content)
    written = path if len(table) else "nothing is written"
    console.print(f"notebooks read: {len(table)}; {written}")
    return 1 if wrong else 0


@app.command()
def fetch(names: Patterns = None):
    """Fetch data sets into the cache, as their fetchers return them by default."""
    status = 0
    for name in find_names(names or ["all"], datasets.FETCHERS, "data set"):
        message = "ready"
        if datasets.standin_wanted(name):
            message = "not fetched: REPRO_STANDIN asks for a stand-in"
        if error := datasets.prefetch(name):
            status = 1
        color = "red" if error else "green"
        console.print(Text.assemble((name, color), f": {error or message}"))
    raise typer.Exit(status)


@app.command()
def site(
    output: Annotated[
        Path | None, typer.Option(help="A folder for the site.", show_default="build/site")
    ] = None,
):
    """Build a static site from committed files: pages of notebooks, maps, the API reference."""
    needs(*FOR_SITE, extra="site")
    root = project_dir(needed=True)
    from repro.workbench.evidence.scorecard import judge_all
    from repro.workbench.site.build import build_site

    output = output or root / "build" / "site"
    if output.exists() and not output.is_dir():
        stop(f"{output} is no folder")
    index = build_site(root, judge_all(root / "figures"), output)
    console.print(f"built; open {index}")


@app.command()
def run(
    patterns: Patterns = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of notebooks to run in parallel.")] = 2,
    standin: Annotated[
        bool | None,
        typer.Option(
            help="Use generated stand-in data, or fail if data cannot be obtained.",
            show_default="stand-ins if data cannot be obtained",
        ),
    ] = None,
    write: flag("--write", "Overwrite the committed notebooks and figures.") = False,
    record: flag("--record", "With --write: record run times for the scorecard.") = False,
):
    """Execute notebooks into the folder reproduced, and compare their results with the record.

    Committed files do not change. A notebook whose data cannot be obtained is run on generated
    stand-in data; the last lines say so. The status is 1 if a notebook fails, or if a claim
    differs: its answer rests on numbers that neither rounding nor another optimum explains.
    """
    notebooks, status = _notebooks(patterns)
    from repro.core.files import check_writable
    from repro.workbench.evidence import protocol, reproduction
    from repro.workbench.lessons import timings
    from repro.workbench.lessons.execution import fetch_data, folders_of_a_run

    if record and not write:
        stop("--record writes among the committed files: it needs --write")
    if standin is not None:  # overrides the environment
        os.environ["REPRO_STANDIN"] = str(int(standin))
    figures = project_dir() / "figures"
    folders = folders_of_a_run(write)
    written, committed = folders[1].resolve(), figures.resolve()
    if committed in written.parents or (committed == written and not write):
        stop("REPRO_FIGURES_DIR is among the committed figures: without it, that needs --write")
    records = reproduction.load_records(figures, [nb.stem for nb in notebooks])
    protocol.load_protocol(figures)  # if it is damaged, every lesson would fail
    times = timings.load_timings(figures)
    notebooks.sort(key=lambda nb: -times.get(nb.stem, 0))  # longest first
    missing = fetch_data(notebooks)
    if missing and standin is False:
        stop("\n".join(str(error) for error in missing.values()))
    for folder in folders:
        check_writable(folder)
    standins = {*missing, *filter(datasets.standin_wanted, datasets.FETCHERS)}
    begun = time.time()
    outcomes = _run_with_bar(notebooks, times, standins, jobs, write)
    seconds = {o.notebook.stem: round(o.seconds) for o in outcomes if not (o.error or o.standins)}
    if record:
        timings.record_timings(figures, seconds)
    differs = _print_reproduction(records, begun, seconds, *folders)
    _print_ends(outcomes, missing)
    raise typer.Exit(1 if differs or any(o.error for o in outcomes) else status)


def _run_with_bar(notebooks, times, standins, jobs, write):
    """Run notebooks, see `lessons.execution.run_notebooks`; return their outcomes.

    After the first one, say how long the others will take if all take as many times longer than
    the recorded ``times``.
    """
    from repro.workbench.lessons.execution import run_notebooks

    outcomes = []
    begun = time.time()
    runs = run_notebooks(notebooks, standins, jobs, write)
    for outcome in tqdm(runs, total=len(notebooks), unit="notebook", disable=None):
        outcomes.append(outcome)
        if outcome.error or outcome.standins:
            continue
        data = " on the real data" if outcome.notebook.datasets else ""
        message = f"{outcome.notebook.stem}: ran in {outcome.seconds:.0f} s{data}."
        recorded = times.get(outcome.notebook.stem)
        if len(outcomes) == 1 < len(notebooks) and recorded:
            work = sum(times.get(notebook.stem, 0) for notebook in notebooks) / jobs
            left = work * outcome.seconds / recorded - (time.time() - begun)
            message += f" The others will take about {max(1, round(left / 60))} min here."
        with tqdm.external_write_mode():  # above the bar
            console.print(message)
    return outcomes


def _print_reproduction(records, begun, seconds, notebooks, figures):
    """Print how runs of notebooks compare with the record; return whether a claim differs."""
    from repro.workbench.evidence import reproduction

    ended = {name: record for name, record in records.items() if name in seconds}
    compared, differences = reproduction.compare_all(figures, begun, ended)
    table = Table("notebook", Column("seconds", justify="right"), "claims beside the record")
    for name in sorted(seconds):
        counts = reproduction.count_kinds({c.claim: c.kind for c in compared.get(name, ())})
        table.add_row(name, str(seconds[name]), counts or "no record to compare with")
    if seconds:
        print_table(table)
    claims = list(chain(*compared.values()))
    if compared:
        console.print(reproduction.conclusion(claims, differences))
    console.print(f"Notebooks are in {notebooks}, figures in {figures}.")
    return any(claim.kind == reproduction.DIFFERS for claim in claims)


def _print_ends(outcomes, missing):
    """Print last what users must not overlook: failures and stand-ins."""
    for outcome in outcomes:
        if outcome.error:
            errors.print(red(f"{outcome.notebook.stem} failed;", "its file was left unchanged."))
            errors.print(Text.from_ansi(outcome.error.strip()))
    for error in missing.values():
        console.print(str(error))
    for outcome in outcomes:
        if outcome.standins and not outcome.error:
            words = f"{outcome.notebook.stem}: ran on stand-in data"
            rest = f" ({', '.join(outcome.standins)}), generated here. No claim was recorded."
            console.print(Text.assemble((words, "bold red"), rest))


for command in (sweep, freeze, report):
    app.command()(command)


def main():
    """Run the command line; SIGTERM and SIGHUP interrupt it as Ctrl-C does."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # characters that a terminal lacks become "?"
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP, and nohup ignores it
        if number and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    try:
        app()
    except KeyboardInterrupt:  # before a command begins, or after it
        sys.exit(130)


if __name__ == "__main__":
    main()
