"""The criteria that changed after results were seen: figures/criteria.csv, and its table."""

import csv

from repro.core.markdown import in_cell
from repro.core.records import UserError


def load_criteria(figures):
    """Read the former criteria of claims: a text by the name of the claim."""
    path = figures / "criteria.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(row.get("claim"), row.get("before")) for row in csv.DictReader(file)]
    if not all(claim and before for claim, before in rows):
        raise UserError(f"{path} is damaged: each row has a claim and what it asked before")
    return dict(rows)


def table_of_criteria(judged, before):
    """Render a row per claim whose criterion changed, with the criterion now and before.

    ``before`` is what `load_criteria` returns.
    """
    lines = ["| claim | it asks | before |", "|---|---|---|"]
    for claim in (entry.claim for entry in judged if entry.claim.id in before):
        asks = "<br>".join(in_cell(ask.criterion) for ask in claim.asks)
        lines.append(f"| {claim.id} | {asks} | {in_cell(before[claim.id])} |")
    return "\n".join(lines)
