"""The numbers printed in the papers and ours: figures/anchors.csv, and its tables."""

import re

import pandas as pd

from repro import experiments
from repro.experiments.claims import sources
from repro.workbench.evidence.rows import ours_of
from repro.workbench.evidence.scorecard import spread
from repro.workbench.markdown import in_cell, table

HEAD = "place", "what", "the paper", "ours", "note"


def tables_of_anchors(figures, judged):
    """Render a table per paper: each number that it prints, and ours.

    A row of the file has the columns paper, place, what, printed, experiment, ours and note;
    ``ours`` is the address of a measure of the experiment, the name of one of its choices, or any
    other text to compare with the number.
    """
    path = figures / "anchors.csv"
    if not path.exists():
        return ""
    printed = pd.read_csv(path, dtype=str, keep_default_na=False)
    runs = {entry.name: ours_of(entry.runs) for entry in judged}
    tables = []
    for paper, rows in printed.groupby("paper", sort=False):
        cells = [
            (row.place, row.what, row.printed, _ours(row, runs.get(row.experiment, {})), row.note)
            for row in rows.itertuples()
        ]
        tables.append(f"## {paper}\n\n{table(HEAD, (map(in_cell, of_row) for of_row in cells))}")
    return "\n\n".join(tables)


def _ours(row, runs):
    """Return our counterpart of a printed number: median and range of our setting, or a text."""
    if row.experiment:
        choices = experiments.load(row.experiment).Choices
        settings = vars(choices())
        if row.ours in settings:
            return _in_powers(sources(choices)[row.ours].list_values([settings[row.ours]]))
    return spread(runs[row.ours]) if row.ours in runs else row.ours


def _in_powers(text):
    """Write large numbers as papers do: "5e+07" becomes "5 · 10⁷"."""
    raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    return re.sub(r"e\+0?(\d+)", lambda exponent: f" · 10{exponent[1].translate(raised)}", text)
