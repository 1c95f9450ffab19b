"""What notebooks show about their claims: the evidence, and a record of the runs."""

import json
from base64 import b64encode
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
from IPython.display import HTML

from repro.core.environment import this_environment
from repro.core.files import write_text
from repro.datasets import standins_in_use
from repro.workbench.evidence.picture import draw_claim, draw_legend
from repro.workbench.evidence.reproduction import UNEXPLAINED, kind_of, rounding
from repro.workbench.evidence.rows import as_text, measures_in, measures_of_run, name_of, ours_of
from repro.workbench.evidence.scorecard import judge_experiment
from repro.workbench.folders import project_dir
from repro.workbench.lessons.figures import figures_dir

ROWS = 6  # claims that are shown before the others, which are folded
ON_RECORD = "These are the committed runs on real data; the runs here are on stand-in data."


def judged(experiment, choices):
    """Return whether a lesson's runs count: on real data, with our choices."""
    return choices == experiment.Choices() and not standins_in_use()


def runs_here(experiment, measures):
    """Return a table with a row per run of a notebook, from its tables of measures by seed."""
    runs = measures.items()
    return pd.DataFrame([{"seed": k} | measures_of_run(experiment, table) for k, table in runs])


def show_evidence(experiment, measures, mine=None, claims=None):
    """Show the evidence on claims of an experiment, with what became of each in a sentence.

    All runs of record are drawn, and the notebook's own among them: ``measures`` holds the tables
    of measures of these by seed, and may be empty. ``mine`` holds bounds that the reader would set,
    by the quantity bounded, such as "1-NN error: BRE"; ``...`` means none yet. On stand-ins only
    the runs of record are drawn, and a line says so. ``claims`` names the claims; without it all
    are shown, and those after the first `ROWS` are folded.
    """
    entries = judge_experiment(project_dir() / "figures", experiment)
    entries = [entry for entry in entries if claims is None or entry.claim.id in claims]
    if not entries:
        print(f"There are no runs of record yet: repro sweep {name_of(experiment)}")
        return None
    if standins_in_use():
        print(ON_RECORD)
    here = runs_here(experiment, measures) if measures and not standins_in_use() else None
    rows = [
        _image(draw_claim(entry, here, mine), f"{entry.claim.id} {entry.verdict.words}")
        + f"<p>{escape(entry.conclusion)}</p>"
        for entry in entries
    ]
    parts = [_image(draw_legend(here=here is not None), "what the marks mean"), *rows[:ROWS]]
    if folded := rows[ROWS:]:
        names = ", ".join(entry.claim.id for entry in entries[ROWS:])
        parts += ["<details>", f"<summary>More claims: {names}</summary>", *folded, "</details>"]
    return HTML("\n".join(parts))


def answer_criterion(experiment, claim, quantity, mine=...):
    """Say how many runs of record meet a bound of a claim, and how many the reader's own one."""
    judged = judge_experiment(project_dir() / "figures", experiment)
    entry = next((entry for entry in judged if entry.claim.id == claim), None)
    if entry is None:
        return f"There are no runs of record yet: repro sweep {name_of(experiment)}"
    ask = next(ask for ask in entry.claim.asks if ask.quantity == quantity)
    values = entry.claim.values_of(ask, ours_of(entry.runs))[: entry.verdict.ours.of]

    def says(bound):
        met = int(replace(ask, bound=bound).met_by(values).sum())
        return f"{ask.sign} {bound:g}, is met by {met} of {len(values)} recorded runs"

    yours = f"Your bound, {says(float(mine))}. " if mine is not ... else ""
    return f"{yours}Our bound, {says(ask.bound)}."


def _image(svg, alt):
    """Return an SVG as an HTML image: notebooks that are not trusted show no other SVG."""
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}">'


def met_here(experiment, measures):
    """Report how many of the notebook's own runs meet each claim, and what they measured.

    There is a line per claim, with the median for the ask that fewest of these runs meet; costs are
    left out. A run with a seed of record is shown as recorded, so the lines are the same on every
    machine, unless the claim differs: its answer rests on numbers that neither rounding nor another
    optimum explains, see `repro.workbench.evidence.reproduction.compare_claim`.
    """
    judged = judge_experiment(project_dir() / "figures", experiment)
    entries = {entry.claim.id: entry for entry in judged}
    here = recorded = runs_here(experiment, measures)
    if judged:
        allowed = rounding(judged[0].runs, judged[0].moved)
        here, recorded = _as_recorded(here, ours_of(judged[0].runs), allowed)
    lines = []
    for claim in experiment.CLAIMS:
        entry = entries.get(claim.id)
        differs = claim.observations(here) != claim.observations(recorded)
        runs = here if differs else recorded
        held = claim.observations(runs)
        measured = not entries or claim.id in entries  # by runs of an earlier version, some are not
        if claim.kind != "cost" and held and measured:
            asks = sorted(claim.asks, key=lambda ask: entry is None or ask is not entry.ask)
            ask = min(asks, key=lambda ask: ask.met_by(claim.values_of(ask, runs)).sum())
            middle = np.median(claim.values_of(ask, runs))
            value = f"{ask.quantity} = {middle:.3g} ({ask.sign} {ask.bound:g})"
            lines.append(f"{claim.id}: met in {sum(held)} of {len(held)} here; {value}")
    return "\n".join(lines)


def _as_recorded(here, record, allowed):
    """Return runs with the recorded values of what rounding or another optimum explains, or of all.

    Two tables of runs; those whose seed is not on record are as they are.
    """
    explained, recorded = here.copy(), here.copy()
    record = record.set_index("seed")
    for row, seed in here["seed"].items():
        for name in here.columns.intersection(record.columns) if seed in record.index else ():
            recorded.loc[row, name] = record.loc[seed, name]
            if kind_of(name, here.loc[row], record.loc[seed], allowed) != UNEXPLAINED:
                explained.loc[row, name] = record.loc[seed, name]
    return explained, recorded


def record(experiment, choices, measures):
    """Write the notebook's own runs to <figures>/<stem>.json, with choices, measures and claims.

    Nothing is written if the runs do not count, see `judged`.
    """
    if not judged(experiment, choices):
        return
    here = runs_here(experiment, measures)
    stem = name_of(experiment)
    content = {
        "notebook": stem,
        "data": "real",
        "environment": this_environment(),
        "choices": as_text(choices),
        "seeds": list(measures),
        "measures": [
            {name: value for name, value in run.items() if pd.notna(value)}
            for run in here[measures_in(here)].to_dict("records")
        ],
        "claims": {
            claim.id: claim.observations(here)
            for claim in experiment.CLAIMS
            if claim.kind != "cost"
        },
    }
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_text(figures_dir() / f"{stem}.json", text)
