"""The commands of those who maintain the evidence: report, sweep, freeze."""

from collections import Counter
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text
from tqdm import tqdm

from repro.core.files import folder_from
from repro.workbench.folders import project_dir
from repro.workbench.names import find_names
from repro.workbench.terminal import console, errors, flag, print_table, red, stop

TONES = {"good": "green", "mixed": "yellow", "bad": "red"}

STEPS = """\
What is left to do, in this order:
  git add --all figures
  git commit -m "Freeze {names}"
  repro sweep {names}
  repro sweep {names} --last-digits
  repro sweep {names} --check
  repro run {names} --write --record
  repro report"""


def report():
    """Write the scorecard, the pictures of the evidence, the ten answers, and other tables.

    They are made from committed files; REPRO_FIGURES_DIR is ignored.
    """
    root = project_dir(needed=True)
    from repro.core.files import write_text
    from repro.workbench.article.writing import fill_in
    from repro.workbench.evidence.report import render_reports
    from repro.workbench.evidence.scorecard import judge_all
    from repro.workbench.lessons.files import find_notebooks

    figures = root / "figures"
    errors.print("Judging all runs and drawing pictures, which takes a minute …")
    judged = judge_all(figures)
    made = render_reports(root, judged, find_notebooks(root / "notebooks"))
    if (answers := root / "ANSWERS.md").exists():
        made[answers] = fill_in("answers.md", judged, root)
    for path, text in made.items():  # nothing is written before everything is made
        if not path.exists() or path.read_bytes() != text.encode():
            write_text(path, text)
            console.print(f"wrote {path.relative_to(root)}")


def sweep(
    patterns: Annotated[list[str], typer.Argument(help="Full or partial names of experiments.")],
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Runs of our setting.", show_default="its own")
    ] = None,
    others: Annotated[
        int | None,
        typer.Option(min=0, help="Runs of each other setting; default: 6, 18 if needed, or 5."),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", help="Explore NAME=value,value …; if repeated, all combinations."),
    ] = None,
    check: flag("--check", "Repeat one run per setting, and compare it with its row.") = False,
    last_digits: flag("--last-digits", "Ten runs with other last digits, to see rounding.") = False,
    jobs: Annotated[int, typer.Option(help="Number of parallel runs; -1: one per core.")] = -1,
):
    """Run experiments over seeds and settings, and judge their claims.

    Runs that are in the table are not repeated, so the same command resumes an interrupted sweep.
    If two to four of six runs of a setting meet a claim, eighteen are made. The
    table is figures/sweeps/NAME.csv. Runs of --set go to figures/explored and are never judged.
    Runs of --last-digits go to figures/last_digits: they define what counts as rounding. With
    --check no row changes, and the status is 1 if a run differs from its row. REPRO_FIGURES_DIR
    names another folder than figures.
    """
    from repro import experiments
    from repro.workbench.evidence import protocol, rows, sweeps
    from repro.workbench.evidence.scorecard import judge_experiment

    if not jobs:
        stop("--jobs 0 makes no run: give the number of parallel runs, or -1 for one per core")
    if sum(map(bool, (values, check, last_digits))) > 1:
        stop("--set, --check and --last-digits exclude each other: give one of them")
    figures = folder_from("REPRO_FIGURES_DIR") or project_dir(needed=True) / "figures"
    folder = "explored" if values else "last_digits" if last_digits else "sweeps"
    failed = 0
    planned = []
    names = find_names(patterns, experiments.names(), "experiment")
    for name in names:
        experiment = experiments.load(name)
        if check:
            failed += _check(figures, experiment, jobs)
            continue
        if values:
            runs = sweeps.explored_runs(experiment, values, repeats or others or sweeps.N_OTHERS)
        else:  # what is frozen is compared before any run is made
            first = protocol.seed_of_record(figures, experiment, needed=last_digits)
            declared = sweeps.declared_runs(experiment, first, repeats, others)
            runs = sweeps.moved_runs(experiment, first) if last_digits else declared
            protocol.set_earlier_runs_aside(figures, experiment)
        planned.append((experiment, rows.path_of(figures, name, folder), runs))
    for experiment, path, runs in planned:
        failures = _make(path, runs, jobs)
        judged = [] if values or last_digits else judge_experiment(figures, experiment)
        if judged and others is None and not failures:  # doubts are judged by all runs
            failures = _make(path, sweeps.more_runs(judged, runs[0].seed), jobs)
            judged = judge_experiment(figures, experiment)
        failed += failures
        if path.exists():
            _print_runs(experiment, path, runs if values else ())
        if judged:
            _print_verdicts(judged)
    raise typer.Exit(1 if failed else 0)


def _check(figures, experiment, jobs):
    """Repeat one run per setting of an experiment; return how many differ, or could not be made."""
    from repro.workbench.evidence import reproduction, rows, sweeps

    name = rows.name_of(experiment)
    checked = sweeps.check_again(figures, experiment, jobs)
    kinds = {words: kind for words, (kind, _) in checked.items()}
    failed = [words for words in kinds if kinds[words] in (reproduction.DIFFERS, sweeps.FAILED)]
    for words in failed:
        errors.print(red(f"{name}, {words}:", checked[words][1]), highlight=False)
    counts = f"{len(kinds)} median runs: {reproduction.count_kinds(kinds)}"
    console.print(f"{name}: {counts}", highlight=False, soft_wrap=True)
    return len(failed)


def _make(path, runs, jobs):
    """Make the runs that a table lacks, and add each as it is done; return how many failed."""
    from repro.core.files import check_writable
    from repro.workbench.evidence import rows, sweeps

    missing = sweeps.missing_runs(path, runs)
    if not missing:
        return 0
    check_writable(path.parent)
    failed = Counter()
    with tqdm(total=len(missing), desc=missing[0].name, unit="run", disable=None) as bar:
        for run, made, error in sweeps.make_runs(missing, jobs):
            if made:
                rows.add_rows(path, type(run.choices), [made[0]])
            elif error not in failed:  # print each error once
                with bar.external_write_mode():
                    errors.print(red(f"failed, seed {run.seed}, {run.choices}:", error))
            failed.update([error] if error else [])
            bar.update()
    for error, count in failed.items():
        if count > 1:
            errors.print(f"So did {count - 1} more: {error.splitlines()[0]}", highlight=False)
    return failed.total()


def _print_runs(experiment, path, explored):
    """Print where the runs of an experiment are.

    Of runs that explore, which are never judged, print how many meet each claim, by choices.
    """
    from repro.workbench.evidence import rows
    from repro.workbench.evidence.scorecard import count_met

    table = rows.load_rows(path, experiment.Choices)
    ours = vars(experiment.Choices())
    for choices in dict.fromkeys(run.choices for run in explored):
        changed = [f"{key}={value!r}" for key, value in vars(choices).items() if value != ours[key]]
        made = rows.runs_of(table, choices)
        met = [f"{claim.id} {count_met(claim, made)}" for claim in experiment.CLAIMS]
        line = f"{', '.join(changed) or 'ours'}, claims met: {', '.join(met)}"
        console.print(line, highlight=False, soft_wrap=True)
    if (table["commit"] == rows.ON_STANDINS).any():
        console.print(Text("Some runs were made on stand-in data.", "bold red"))
    console.print(f"{rows.name_of(experiment)}: the runs are in {path}", soft_wrap=True)


def _print_verdicts(judged):
    """Print the verdict on each judged claim, and the counts beside it."""
    table = Table("claim", "what the paper says", "verdict", "runs that meet it")
    for entry in judged:
        words = Text(entry.verdict.words, TONES[entry.verdict.tone])
        table.add_row(entry.claim.id, entry.claim.says, words, entry.beside)
    print_table(table)


def freeze(
    patterns: Annotated[list[str], typer.Argument(help="Full or partial names of experiments.")],
    why: Annotated[str, typer.Option(help="Why this version is needed.")],
):
    """Freeze what experiments ask and the rule that judges it, before the runs of record are made.

    Each experiment gets a new version in figures/protocol.json. The seeds of its runs of record
    follow from what is frozen. The sweep sets the runs of the version before aside, in a
    folder such as figures/version1, which nothing reads; until then they are judged, as a preview.
    """
    from repro import experiments
    from repro.workbench.evidence import protocol

    figures = project_dir(needed=True) / "figures"
    names = find_names(patterns, experiments.names(), "experiment")
    for name in names:
        entry = protocol.freeze(figures, name, why)
        console.print(f"{name}: version {entry['version']}, seeds from {entry['seed']}")
    console.print(STEPS.format(names=" ".join(names)), highlight=False, soft_wrap=True)
