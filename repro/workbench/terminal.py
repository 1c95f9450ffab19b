"""The terminal output of commands: progress bars, tables, and errors."""

from collections import Counter

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text
from tqdm import tqdm

# Names, paths and user input may hold brackets and colons, which are not markup.
console = Console(markup=False, emoji=False)
errors = Console(stderr=True, markup=False, emoji=False)
VERDICT_COLORS = {"holds": "green", "depends": "yellow", "fails": "red"}


def red(words, rest):
    """Return a text that begins with words in red."""
    return Text.assemble((words, "red"), f" {rest}")


def stop(error):
    """Print an error and end the command."""
    errors.print(red("Error:", error), soft_wrap=True)
    raise typer.Exit(2)


def run_with_bar(notebooks, *options):
    """Run notebooks, see `lessons.execution.run_notebooks`; return their outcomes."""
    from repro.workbench.lessons.execution import run_notebooks

    outcomes = []
    with tqdm(total=len(notebooks), unit="notebook", disable=None) as bar:
        for outcome in run_notebooks(notebooks, *options):
            outcomes.append(outcome)
            bar.update()
            if not (outcome.error or outcome.standins):
                data = " on the real data" if outcome.notebook.datasets else ""
                name, seconds = outcome.notebook.stem, outcome.seconds
                with bar.external_write_mode():  # above the bar
                    console.print(f"{name}: ran in {seconds:.0f} s{data}.")
    return outcomes


def print_ends(outcomes, missing):
    """Print last what users must not overlook: failures and stand-ins."""
    for outcome in outcomes:
        if outcome.error:
            errors.print(red(f"{outcome.notebook.stem} failed;", "its file was left unchanged."))
            errors.print(Text.from_ansi(outcome.error.strip()), highlight=False)
    for error in missing.values():
        console.print(str(error), highlight=False, soft_wrap=True)
    for outcome in outcomes:
        if outcome.standins and not outcome.error:
            sets = ", ".join(outcome.standins)
            said = (f"{outcome.notebook.stem}: ran on stand-in data", "bold red")
            rest = f" ({sets}), generated here. No claim was recorded."
            console.print(Text.assemble(said, rest), soft_wrap=True)


def print_reproduction(records, begun, seconds, write):
    """Print how runs of notebooks compare with the record; return whether a claim differs."""
    from repro import experiments
    from repro.workbench.evidence import reproduction
    from repro.workbench.lessons.execution import folders_of_a_run

    notebooks, figures = folders_of_a_run(write)
    ended = {name: of for name, of in records.items() if name in seconds}  # others may have records
    compared = reproduction.compare_all(figures, begun, ended)
    table = Table("notebook", Column("seconds", justify="right"), "claims beside the record")
    for name in sorted(seconds):
        said = reproduction.count_kinds(compared[name].claims) if name in compared else ""
        lacks = name in experiments.names() and name not in ended
        nothing = "no record to compare with" if lacks else "no claims recorded"
        table.add_row(name, str(seconds[name]), said or nothing)
    if seconds:
        console.print(table)
    if compared:
        console.print(reproduction.conclusion(compared), highlight=False, soft_wrap=True)
    if not write:
        reproduction.write_report(notebooks.parent / "report.json", compared, seconds)
    console.print(f"Notebooks are in {notebooks}, figures in {figures}.", soft_wrap=True)
    kinds = {claim.kind for beside in compared.values() for claim in beside.claims}
    return reproduction.DIFFERS in kinds


def make_missing(path, name, runs, jobs):
    """Make runs that a table lacks, and write each as it is done; return how many failed."""
    from repro.core.files import check_writable
    from repro.workbench.evidence import rows, sweeps

    failed, missing = Counter(), sweeps.missing_runs(path, runs)
    if missing:
        check_writable(path.parent)
    bar = tqdm(total=len(missing), desc=name, unit="run", disable=None)
    with bar:
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


def print_path(path, name):
    """Print where the runs of an experiment are, and which code made them."""
    from repro.experiments import load
    from repro.workbench.evidence import rows

    if not path.exists():
        return
    made = rows.load_rows(path, load(name).Choices)[["version", "commit"]].drop_duplicates()
    code = ", ".join(f"version {version} ({commit})" for version, commit in made.to_numpy())
    console.print(f"{name}: the runs are in {path}, made by {code}", soft_wrap=True)


def print_explored(path, name, runs):
    """Print in how many runs each claim is met, by choices; nothing is judged."""
    from repro.experiments import load
    from repro.workbench.evidence import rows
    from repro.workbench.evidence.scorecard import count_met

    experiment = load(name)
    made, primary = rows.load_rows(path, experiment.Choices), vars(experiment.Choices())
    for choices in dict.fromkeys(run.choices for run in runs):
        said = [f"{key}={value!r}" for key, value in vars(choices).items() if value != primary[key]]
        of_choices = rows.runs_of(made, choices)
        met = [f"{claim.id} {count_met(claim, of_choices)}" for claim in experiment.CLAIMS]
        line = f"{', '.join(said) or 'primary'}, claims met: {', '.join(met)}"
        console.print(line, highlight=False, soft_wrap=True)
    if (made["commit"] == rows.ON_STANDINS).any():
        console.print(Text("Some runs were made on stand-in data.", "bold red"))


def print_verdicts(figures, name):
    """Print the verdict on each claim of an experiment, and the answers behind it."""
    from repro.workbench.evidence.scorecard import judge_experiment

    columns = "claim", "what the paper says", "verdict", "reproduced?", "other readings agree?"
    table = Table(*columns, "on other data?")
    for entry in judge_experiment(figures, name):
        word = Text(entry.answers.word, VERDICT_COLORS[entry.answers.word])
        answers = entry.reproduced, entry.whatever, entry.elsewhere
        table.add_row(entry.claim.id, entry.claim.says, word, *answers)
    if table.row_count:
        console.print(table)
