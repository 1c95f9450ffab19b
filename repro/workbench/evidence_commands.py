"""The commands of those who maintain the evidence: report, sweep, freeze."""

from typing import Annotated

import typer

from repro.core.folders import folder_from
from repro.workbench import terminal
from repro.workbench.folders import project_dir
from repro.workbench.terminal import console, errors, red, stop

STEPS = """\
What is left to do, in this order:
  git add --all figures
  git commit -m "Freeze {names}"
  repro sweep {names}
  repro sweep {names} --last-digits
  repro sweep {names} --check
  repro run {names} --write --record --knobs
  repro report"""


def report():
    """Write the scorecard, the pictures of the evidence, and the tables of other pages.

    They are made from committed files; REPRO_FIGURES_DIR is ignored.
    """
    root = project_dir(needed=True)
    from repro.core.files import check_writable, write_bytes
    from repro.workbench.evidence import pictures
    from repro.workbench.evidence.report import render_reports
    from repro.workbench.evidence.scorecard import judge_all

    figures = root / "figures"
    judged = judge_all(figures)
    made = {path: text.encode() for path, text in render_reports(root, judged).items()}
    for name, picture in pictures.render_pictures(judged).items():
        made[figures / "sweeps" / name] = picture
    for path in made:
        check_writable(path.parent)
        if path.is_dir():
            stop(f"{path} is a folder, but should be a file")
    for path, content in made.items():  # nothing is written before everything is made
        if not path.exists() or path.read_bytes() != content:
            write_bytes(path, content)
            console.print(f"wrote {path.relative_to(root)}")


def sweep(
    patterns: Annotated[list[str], typer.Argument(help="Full or partial names of experiments.")],
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Runs of the primary reading.", show_default="its own")
    ] = None,
    others: Annotated[
        int | None,
        typer.Option(min=0, help="Runs of each other reading; default: 6, 18 if needed, or 5."),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", help="Explore NAME=value,value …; if repeated, all combinations."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Repeat one run per reading, and compare it with its row."),
    ] = False,
    last_digits: Annotated[
        bool,
        typer.Option("--last-digits", help="Ten runs with other last digits of data and start."),
    ] = False,
    jobs: Annotated[int, typer.Option(help="Number of parallel runs; -1: one per core.")] = -1,
):
    """Run experiments over seeds and readings, and judge their claims.

    Runs that are in the table are not repeated, so the same command resumes an interrupted sweep.
    If six runs of an open reading do not decide whether it turns an answer, eighteen are made. The
    table is figures/sweeps/NAME.csv. Runs of --set go to figures/explored and are never judged.
    Runs of --last-digits go to figures/last_digits: they define what counts as rounding. With
    --check no row changes, and the status is 1 if a run differs from its row. REPRO_FIGURES_DIR
    names another folder than figures.
    """
    from repro import experiments
    from repro.workbench.evidence import protocol, rows, sweeps

    if not jobs:
        stop("--jobs 0 makes no run: give the number of parallel runs, or -1 for one per core")
    if values and others == 0 and not repeats:
        stop("--others 0 makes no run of --set")
    if sum(map(bool, (values, check, last_digits))) > 1:
        stop("--set, --check and --last-digits exclude each other: give one of them")
    figures = folder_from("REPRO_FIGURES_DIR") or project_dir(needed=True) / "figures"
    names = sweeps.find_experiments(patterns)
    explored = {}
    failed = 0
    table = rows.path_of_moved if last_digits else rows.path_of
    table = rows.path_of_explored if values else table
    for name in names:  # before any run is made
        rows.load_rows(table(figures, name), experiments.load(name).Choices)
        if values:
            n_runs = repeats or others or sweeps.N_OTHERS
            explored[name] = sweeps.explored_runs(name, values, n_runs)
        elif not check and (message := protocol.changed(figures, name)):
            stop(message)
        elif last_digits and name not in protocol.load_protocol(figures):
            lacks = f"{protocol.path_of_protocol(figures)} has no seeds of {name} for --last-digits"
            stop(f"{lacks}: first repro freeze {name} --why TEXT")
    for name in names:
        if check:
            failed += _check_one(figures, name, jobs)
        elif values:
            failed += _explore_one(figures, name, explored[name], jobs)
        elif last_digits:
            path = rows.path_of_moved(figures, name)
            runs = sweeps.moved_runs(figures, name)
            failed += terminal.make_missing(path, name, runs, jobs)
            terminal.print_path(path, name)
        else:
            failed += _sweep_one(figures, name, repeats, others, jobs)
    raise typer.Exit(1 if failed else 0)


def _check_one(figures, name, jobs):
    """Repeat one run per reading of an experiment; return how many differ, or could not be made."""
    from repro.workbench.evidence import sweeps
    from repro.workbench.evidence.reproduction import DIFFERS

    checked = sweeps.check_again(figures, name, jobs)
    differing = [run for run in checked if run.kind in (DIFFERS, sweeps.FAILED)]
    for run in differing:
        errors.print(red(f"{name}, {run.reading}:", run.difference), highlight=False)
    counts = sweeps.count_kinds_of_runs(checked)
    console.print(f"{name}: {counts}", highlight=False, soft_wrap=True)
    return len(differing)


def _explore_one(figures, name, runs, jobs):
    """Make runs that are never judged; return how many failed."""
    from repro.workbench.evidence import rows

    path = rows.path_of_explored(figures, name)
    failed = terminal.make_missing(path, name, runs, jobs)
    if path.exists():
        terminal.print_explored(path, name, runs)
    terminal.print_path(path, name)
    return failed


def _sweep_one(figures, name, repeats, others, jobs):
    """Make the runs of record of an experiment, and judge them; return how many failed."""
    from repro.workbench.evidence import rows, sweeps

    path = rows.path_of(figures, name)
    runs = sweeps.declared_runs(figures, name, repeats, others)
    failed = terminal.make_missing(path, name, runs, jobs)
    if others is None and not failed:  # doubts are judged by all runs
        doubtful = sweeps.doubtful_runs(figures, name)
        failed = terminal.make_missing(path, name, doubtful, jobs)
    terminal.print_path(path, name)
    terminal.print_verdicts(figures, name)
    return failed


def freeze(
    patterns: Annotated[list[str], typer.Argument(help="Full or partial names of experiments.")],
    why: Annotated[str, typer.Option(help="Why this version is needed.")],
):
    """Freeze what experiments ask and the rule that judges it, before the runs of record are made.

    Each experiment gets a new version in figures/protocol.json. The seeds of its runs of record
    follow from what is frozen. The runs of the version before are set aside, in folders such as
    figures/sweeps/version_1, which nothing reads.
    """
    from repro.workbench.evidence import protocol, sweeps

    figures = project_dir(needed=True) / "figures"
    names = sweeps.find_experiments(patterns)
    for name in names:
        entry = protocol.freeze(figures, name, why)
        console.print(f"{name}: version {entry['version']}, seeds from {entry['seed']}")
    console.print(STEPS.format(names=" ".join(names)), highlight=False, soft_wrap=True)
