"""What a notebook shows of its claims: a card of answers, what the paper leaves open, a record."""

import json

import nbformat
import numpy as np
import pandas as pd

from repro import experiments
from repro.claims import sources, table_of
from repro.core.environment import this_environment
from repro.core.files import write_text
from repro.core.folders import project_dir
from repro.datasets import standins_in_use
from repro.evidence.reproduction import load_record
from repro.evidence.rows import CLOCK, as_text, measures_of_run, name_of
from repro.evidence.scorecard import describe, judge_experiment
from repro.notebook import show_table
from repro.notebook.quick import is_quick
from repro.plots import figures_dir

QUICK = "a quick run: nothing is judged"


def judged(experiment, choices):
    """Say whether a lesson's runs count: real data, our choices, and no quick run."""
    ours = choices == experiment.Choices()
    return ours and not standins_in_use() and not is_quick()


def _entries(experiment):
    """Answer the claims of an experiment from the committed runs, by id."""
    entries = judge_experiment(project_dir() / "figures", name_of(experiment))
    return {entry.claim.id: entry for entry in entries}


def runs_here(experiment, measures):
    """Return the runs of a notebook, tables of measures by seed, as a table with a row per run."""
    return pd.DataFrame([measures_of_run(experiment, table) for table in measures.values()])


def show_claims(experiment, measures):
    """Show one row per claim: what was measured here, and the three answers of all runs.

    ``experiment`` is a module of `repro.experiments`; ``measures`` holds, by seed, the tables of
    measures of the notebook's own runs. In a quick run nothing is judged.
    """
    if is_quick():
        print(QUICK)
        return None
    here, entries = runs_here(experiment, measures), _entries(experiment)
    rows = []
    for claim in experiment.CLAIMS:
        entry = entries.get(claim.id)
        rows.append(
            {
                "claim": claim.id,
                "the paper says": claim.says + (" (asked by us)" if claim.by == "us" else ""),
                "measured here": _measured(claim, entry.ask if entry else claim.asks[0], here),
                "verdict": entry.answers.word if entry else "not swept yet",
                "reproduced?": entry.reproduced if entry else "",
                "whatever one reads?": entry.whatever if entry else "",
                "elsewhere?": entry.elsewhere if entry else "",
            }
        )
    return show_table(pd.DataFrame(rows))


def _measured(claim, ask, here):
    """Say what was measured here; a time would differ at every run."""
    return f"{ask.measure}, by the clock" if CLOCK in ask.measure else describe(claim, ask, here)


def show_open_choices(experiment):
    """Show what the paper leaves open, and what was tried against its text: a row per choice."""
    primary, entries = experiment.Choices(), _entries(experiment)
    rows = []
    for name, source in sources(primary).items():
        if not source.others:
            continue
        ours = getattr(primary, name)
        flipped = [
            entry.claim.id
            for entry in entries.values()
            if (name,) in {reading.changed for reading in entry.answers.turned}
        ]
        rows.append(
            {
                "choice": f"{name} = {source.list_values([ours])}",
                "the paper says": source.paper or "–",
                "we took": source.ours or "the same",
                "it could also mean": source.list_values(source.open | source.equal) or "–",
                "tried against its text": source.list_values(source.stated) or "–",
                "claims that come out otherwise": ", ".join(flipped) or "none",
            }
        )
    return show_table(pd.DataFrame(rows))


def met_here(experiment, measures):
    """Say which claims most of the notebook's own runs meet, a line each; costs are left out.

    The arguments are those of `show_claims`. In a quick run nothing is judged.
    """
    if is_quick():
        return QUICK
    here = runs_here(experiment, measures)
    lines = []
    for claim in experiment.CLAIMS:
        held = claim.observations(here)
        met = any(held) if claim.can else held and np.mean(held) >= 0.5
        if claim.kind != "cost" and held:
            lines.append(f"{claim.id}: {'met' if met else 'not met'} here")
    return "\n".join(lines)


def record(experiment, choices, measures):
    """Write the notebook's own runs to <figures>/<stem>.json: choices, measures, claims, where.

    ``choices`` are what the runs were made with; the other arguments are those of `show_claims`.
    Nothing is written of runs that do not count, see `judged`.
    """
    if not judged(experiment, choices):
        return
    here, stem = runs_here(experiment, measures), name_of(experiment)
    content = {
        "notebook": stem,
        "data": "real",
        "environment": this_environment(),
        "choices": as_text(choices),
        "seeds": list(measures),
        "measures": [
            {name: value for name, value in run.items() if CLOCK not in name and pd.notna(value)}
            for run in here.to_dict("records")
        ],
        "claims": {
            claim.id: claim.observations(here)
            for claim in experiment.CLAIMS
            if claim.kind != "cost"
        },
    }
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_text(figures_dir() / f"{stem}.json", text)


def with_todays_answers(path):
    """Return the text of an executed notebook, with today's answers in its tables of claims.

    They rest on all runs, of which some may have been made after the notebook's own.
    """
    experiment, notebook = experiments.load(path.stem), nbformat.read(path, as_version=4)
    kept = path.parents[1] / "figures" / f"{path.stem}.json"
    kept = load_record(kept)
    measures = dict(zip(kept["seeds"], map(table_of, kept["measures"]), strict=True))
    tables = {
        "show_claims(experiment": show_claims(experiment, measures).data,
        "show_open_choices(experiment": show_open_choices(experiment).data,
    }
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        for call in (call for call in tables if call in cell.source):
            for output in cell.outputs:
                if "text/html" in output.get("data", {}):
                    output.data["text/html"] = tables[call]
    return nbformat.writes(notebook) + "\n"
