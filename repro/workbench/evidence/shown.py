"""The evidence on a claim as marks to draw: a row per mark, shared by all pictures."""

import re

import numpy as np
import pandas as pd

from repro.workbench.evidence.rows import ours_of
from repro.workbench.evidence.rule import N_OURS

CLAIMED = {"≥": "as claimed →", "≤": "← as claimed"}  # written beside an axis
FAR = 3  # times the range of the runs: an axis does not reach a chance level beyond it
SAME = 1e-6  # relative difference up to which numbers share a place


def lines_of(entry):
    """Return the asks of a judged claim, grouped by the quantity they bound: a list of lists.

    The quantity of the ask that fewest observations meet comes first.
    """
    lines = {}
    for ask in sorted(entry.claim.asks, key=lambda ask: ask is not entry.ask):
        lines.setdefault(ask.quantity, []).append(ask)
    return list(lines.values())


def on_one_scale(asks, others):
    """Return whether asks of two quantities bound the same measure, or equally: a shared axis."""
    first, second = asks[0], others[0]
    same = re.split("[,:]", first.quantity)[0] == re.split("[,:]", second.quantity)[0]
    same |= criterion_of(asks) == criterion_of(others)
    return same and (first.than is None) == (second.than is None)


def range_of(asks):
    """Return the lower and upper bound that asks set on one quantity; infinite if none."""
    low = max((ask.bound for ask in asks if ask.sign == "≥"), default=-np.inf)
    return low, min((ask.bound for ask in asks if ask.sign == "≤"), default=np.inf)


def criterion_of(asks):
    """Return the bounds that asks set on one quantity, as text: "≥ 0.95", or "−0.1 to 0.1"."""
    low, high = range_of(asks)
    if np.isfinite([low, high]).all():
        return f"{signed(low, 3)} to {signed(high, 3)}"
    return f"≥ {signed(low, 3)}" if np.isfinite(low) else f"≤ {signed(high, 3)}"


def signed(number, digits=2):
    """Write a number with a minus sign in place of a hyphen: "−3.2"."""
    return f"{number:.{digits}g}".replace("-", "−")


def limits_of(runs, known, chances, beyond):
    """Return limits of an axis that show known levels, most runs, and chance if it is not far.

    ``runs`` is a pandas.Series; a share ``beyond`` of them may lie beyond each end.
    """
    low, high = min(*known, runs.quantile(beyond)), max(*known, runs.quantile(1 - beyond))
    whole = max(high, runs.max()) - min(low, runs.min())
    for chance in chances:
        if max(low - chance, chance - high) <= FAR * whole:
            low, high = min(low, chance), max(high, chance)
    size = max(abs(low), abs(high)) or 1
    room = 0.12 * (high - low if high - low > SAME * size else size)
    return low - room, high + room


def marks_of(entry, here=None, mine=None):
    """List the marks of a judged claim: a DataFrame with a row per mark.

    Its columns are ``line``, the index in `lines_of`; ``value``, that of the bounded quantity, for
    settings and other data the median; ``label``, in words; and ``mark``: a "run" of our setting;
    another "setting", or one that "turns" the verdict, which names it; other "data"; "chance"; the
    point where a "rival" is no worse; our "bound" and that of the reader, "mine"; a run made
    "here". ``here`` is a table of the runs of a lesson, ``mine`` holds the reader's own bounds, by
    quantity.
    """
    mine = {quantity: bound for quantity, bound in (mine or {}).items() if bound is not ...}
    rows = []
    for k, asks in enumerate(lines_of(entry)):
        rows += [(k, "bound", ask.bound, f"{ask.sign} {ask.bound:g}") for ask in asks]
        if asks[0].quantity in mine:
            bound = float(mine[asks[0].quantity])
            rows.append((k, "mine", bound, f"yours: {bound:g}"))
        rows += [(k, *mark) for mark in levels_of(entry, asks[0])]
        rows += [(k, *mark) for mark in _runs(entry, asks[0])]
        if here is not None and entry.claim.group == 1:
            values = entry.claim.values_of(asks[0], here)
            rows += [(k, "here", *found) for found in zip(values, here["seed"], strict=True)]
    table = pd.DataFrame(rows, columns=["line", "mark", "value", "label"])
    return table[np.isfinite(table["value"])].reset_index(drop=True)


def levels_of(entry, ask):
    """Yield the chance level, and the point where a rival is no worse, as mark, value and label."""
    ours = ours_of(entry.runs)
    if ask.has_chance(ours):
        chance = np.median(entry.claim.values_of(ask, ours, by_chance=True))
        value = f" {signed(chance, 3)}" if ask.chance_cell is None else ""
        yield "chance", chance, f"{ask.chance_name}{value}"
    if ask.than not in (None, ask.chance):
        yield "rival", 0.0, f"as {ask.than}"


def _runs(entry, ask):
    """Yield each run of ours that counts, the settings that count, and the other data."""
    claim, turning = entry.claim, entry.verdict.turning
    rows = ours_of(entry.runs)
    seeds = rows["seed"].iloc[:: claim.group]
    for seed, value in list(zip(seeds, claim.values_of(ask, rows), strict=False))[:N_OURS]:
        yield "run", value, seed
    for setting in entry.verdict.of_kind("settings"):
        mark = "turns" if setting in turning else "setting"
        yield mark, _middle(claim, ask, entry.runs[setting]), setting.words
    for setting in entry.verdict.of_kind("other_data"):
        yield "data", _middle(claim, ask, entry.runs[setting]), setting.words


def _middle(claim, ask, rows):
    return float(np.median(claim.values_of(ask, rows)))
