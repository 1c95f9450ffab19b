"""The contents of a claim's page: a row per reading that was run, with its runs on an axis."""

import re

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from repro.experiments.claims import sources
from repro.experiments.claims.choices import CALLED
from repro.workbench.evidence.answers import is_measured, other_data, touching
from repro.workbench.evidence.shown import (
    CLAIMED,
    criterion_of,
    levels_of,
    limits_of,
    lines_of,
    range_of,
    signed,
)
from repro.workbench.site.maps import group_colours

# The kinds of readings, in the order of a page.
GROUPS = {
    "primary": "Our reading of the paper",
    "equal": "Readings as good as ours; as many runs of each count",
    "open": "Other readings, where the text is silent or ambiguous",
    "stated": "Tried against the paper's text; these do not count",
    "elsewhere": "Other data",
    "combination": "Several other readings at once; these do not count",
}
SEVERAL = GROUPS["combination"]
NAME = re.compile(r"\b([a-z]\w*)(?= = )")
# Share of the runs that may lie beyond each end of an axis: fewer than in a picture, since a page
# draws each run of each reading, and those beyond an end all at that end.
BEYOND = 0.03


def in_words(text):
    """Replace the names of choices by plain words: "optimiser = l-bfgs"."""

    def called(found):
        return CALLED.get(found[1], found[1].replace("_", " ")).removeprefix("the ")

    return NAME.sub(called, text)


def lines_shown(entry):
    """List the bounded quantities of a claim, the least often met first, as a page draws them.

    Each has an axis, in per cent of its length, and a row per reading whose runs measure it, unless
    the reading cannot touch the claim. Rows of the first quantity count the observations that meet
    the claim; those of the others, the observations that meet the bounds on the quantity.
    """
    deciding = touching(entry.claim, entry.runs) + other_data(entry.claim, entry.runs)
    readings = {
        reading: rows
        for reading, rows in entry.runs.items()
        if len(rows) >= entry.claim.group
        and is_measured(entry.claim, rows)
        and (reading.kind not in ("open", "elsewhere") or reading in deciding)
    }
    shown = []
    for asks in lines_of(entry):
        values = {r: entry.claim.values_of(asks[0], rows) for r, rows in readings.items()}
        place, line = _axis(entry, asks, np.concatenate([*values.values()]))
        line["rows"] = []
        for kind, group in GROUPS.items():
            of_kind = [reading for reading in readings if reading.kind == kind]
            rows = [_row(entry, r, asks, values[r], place, whole=not shown) for r in of_kind]
            line["rows"] += [(group, rows)] if rows else []
        shown.append(line)
    return shown


def _axis(entry, asks, values):
    """Return a function that places a value on the axis of a quantity, and what the axis shows."""
    runs = pd.Series(values[np.isfinite(values)])
    bounds = [ask.bound for ask in asks]
    levels = {mark: value for mark, value, _ in levels_of(entry, asks[0])}
    chances = [levels.pop("chance")] if "chance" in levels else []
    low, high = limits_of(runs, [*bounds, *levels.values()], chances, BEYOND)

    def place(value):
        return round(float(np.clip(100 * (value - low) / (high - low), 0, 100)), 2)

    steps = MaxNLocator(4).tick_values(low, high)
    left, right = (place(end) for end in range_of(asks))
    return place, {
        "quantity": asks[0].quantity,
        "criterion": criterion_of(asks),
        "claimed": CLAIMED[asks[0].sign] if len(asks) == 1 else "",
        "ticks": [(place(tick), signed(tick, 4)) for tick in steps if low <= tick <= high],
        "bounds": [place(bound) for bound in bounds],
        "chances": [place(chance) for chance in chances],
        "chance_says": "".join(f"{asks[0].chance_name}: {signed(c, 3)}" for c in chances),
        "shade": (left, round(right - left, 2)),
    }


def _row(entry, reading, asks, values, place, whole):
    kept = np.logical_and.reduce([ask.met_by(values) for ask in asks])
    met = np.array(entry.claim.observations(entry.runs[reading])) if whole else kept
    heights = np.linspace(15, 85, len(values)) if len(values) > 1 else [50]
    dots = [
        (place(value), round(float(height), 1), "met" if good else "missed")
        for value, height, good in zip(values, heights, kept, strict=True)
        if np.isfinite(value)
    ]
    count = f"{met.sum()} of {len(met)}"
    if len(kept) == len(met) and kept.sum() > met.sum():
        count += f" ({kept.sum()} meet this bound)"
    turns = "turns the answer" if whole and reading in entry.answers.turned else ""
    return {
        "words": "our reading" if reading.kind == "primary" else in_words(reading.words),
        "map": reading.words,
        "met": count,
        "note": "undecided" if whole and reading in entry.answers.undecided else turns,
        "median": f"{np.median(values):.3g}",
        "dots": dots,
    }


def named_embeddings(entry, points):
    """Return the names and the groups of the points of an experiment's embeddings.

    ``points`` are those of its maps, or None. Names are given only if the data are always the same,
    and for readings that do not change them.
    """
    named = {"labels": [], "groups": []}
    kept = []
    if points and entry.unit == "start":
        named = {name: points[name] for name in named}
        kept = [
            reading.words
            for reading in entry.runs
            if not any(sources(reading.choices)[name].elsewhere for name in reading.changed)
        ]
    return named | {"readings": kept, "colours": group_colours(named["groups"])}
