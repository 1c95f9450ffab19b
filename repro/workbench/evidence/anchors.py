"""The numbers printed in the papers and ours: figures/anchors.csv, and its tables."""

import re

import pandas as pd

from repro import experiments
from repro.core.errors import UserError
from repro.experiments.claims import sources
from repro.workbench.evidence.rows import primary_of
from repro.workbench.evidence.scorecard import spread
from repro.workbench.markdown import in_cell

COLUMNS = ["paper", "place", "what", "printed", "experiment", "ours", "note"]


def load_anchors(figures):
    """Read the printed numbers: a row per number, with the columns `COLUMNS`.

    ``ours`` is the address of a measure of an experiment, the name of one of its choices, or any
    other text to compare with the number.
    """
    path = figures / "anchors.csv"
    if not path.exists():
        return []
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(table) != COLUMNS:
        raise UserError(f"{path} is damaged: its columns are {', '.join(COLUMNS)}")
    return table.to_dict("records")


def _ours(row, runs):
    """Return our counterpart of a printed number: median and range of our reading, or a text."""
    ours = row["ours"]
    if row["experiment"]:
        choices = experiments.load(row["experiment"]).Choices
        settings = vars(choices())
        if ours in settings:
            return _in_powers(sources(choices)[ours].list_values([settings[ours]]))
    return spread(runs[ours]) if ours in runs else ours


def _in_powers(text):
    """Write large numbers as papers do: "5e+07" becomes "5 · 10⁷"."""
    raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    return re.sub(r"e\+0?(\d+)", lambda exponent: f" · 10{exponent[1].translate(raised)}", text)


def tables_of_anchors(figures, judged):
    """Render a table per paper: each number that it prints, and ours."""
    rows = load_anchors(figures)
    tables = []
    runs = {entry.name: primary_of(entry.runs) for entry in judged}
    for paper in dict.fromkeys(row["paper"] for row in rows):
        head = "| place | what | the paper | ours | note |"
        lines = [f"## {paper}", "", head, "|---|---|---|---|---|"]
        for row in (row for row in rows if row["paper"] == paper):
            ours = _ours(row, runs.get(row["experiment"], {}))
            cells = row["place"], row["what"], row["printed"], ours, row["note"]
            lines.append(f"| {' | '.join(map(in_cell, cells))} |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables)
