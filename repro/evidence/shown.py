"""What is shown of a claim's evidence: a row per mark, for every picture of it."""

import numpy as np
import pandas as pd

from repro.claims.answers import counted, is_measured, touching
from repro.claims.tables import CHANCE
from repro.evidence.rows import primary_of

# A run of the primary reading, or of one as good; an open reading, and one that turns the first
# answer or may; another set of data; what chance gives; where a rival is no worse; what is asked;
# a run that a lesson has just made.
MARKS = "run", "reading", "turns", "undecided", "data", "chance", "rival", "bound", "here"


def marks_of(entry, here=None):
    """List the marks of a judged claim: a DataFrame with a row per mark.

    Its columns are ``ask``, the place of an ask in `asks_of`; ``mark``, one of `MARKS`; ``value``,
    of what that ask bounds; and ``label``, in words. Of a reading and of other data the value is
    the median. ``here`` is a table of the runs of a lesson.
    """
    rows = []
    for k, ask in enumerate(asks_of(entry)):
        rows += [(k, *mark) for mark in _marks_of_ask(entry, ask, here)]
    table = pd.DataFrame(rows, columns=["ask", "mark", "value", "label"])
    return table[np.isfinite(table["value"])].reset_index(drop=True)


def asks_of(entry):
    """Return the asks of a judged claim, the one that fewest observations meet first."""
    return sorted(entry.claim.asks, key=lambda ask: ask is not entry.ask)


def _marks_of_ask(entry, ask, here):
    claim, runs, answers = entry.claim, entry.runs, entry.answers
    primary = primary_of(runs)
    yield "bound", ask.bound, f"{ask.sign} {ask.bound:g} asked"
    if ask.has_chance(primary):
        chance = np.median(claim.values_of(ask, primary, by_chance=True))
        yield "chance", chance, _name_of_chance(ask)
    if ask.than not in (None, ask.chance):
        yield "rival", 0.0, f"as {ask.than}"
    for rows in counted(claim, runs):
        seeds = rows["seed"].iloc[:: claim.group]
        for seed, value in zip(seeds, claim.values_of(ask, rows), strict=False):
            yield "run", value, f"{entry.unit} {seed}"
    for reading in touching(claim, runs):
        mark = "turns" if reading in answers.turned else "reading"
        mark = "undecided" if reading in answers.undecided else mark
        yield mark, _middle(claim, ask, runs[reading]), reading.words
    for reading, rows in runs.items():
        if reading.kind == "elsewhere" and len(rows) >= claim.group and is_measured(claim, rows):
            yield "data", _middle(claim, ask, rows), reading.words
    if here is not None and claim.group == 1:
        for seed, value in zip(here["seed"], claim.values_of(ask, here), strict=True):
            yield "here", value, f"here, {entry.unit} {seed}"


def _middle(claim, ask, rows):
    return float(np.median(claim.values_of(ask, rows)))


def _name_of_chance(ask):
    if ask.chance_cell is None:
        return f"by chance {ask.chance:g}"
    return "points shuffled" if ask.chance == CHANCE else ask.chance
