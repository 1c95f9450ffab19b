"""The contents of a claim's page: a row per setting that was run, with its runs on an axis."""

import re

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from repro.experiments.claims import called, sources
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

# The kinds of settings, in the order of a page.
GROUPS = {
    "ours": "Our setting",
    "settings": "Other settings that the text admits",
    "sensitivity": "Against the paper's text; these do not count",
    "other_data": "Other data; these do not count",
    "combination": "Several other values at once; these do not count",
}
SEVERAL = GROUPS["combination"]
NAME = re.compile(r"\b([a-z]\w*)(?= = )")
# Share of the runs that may lie beyond each end of an axis: fewer than in a picture, since a page
# draws each run of each reading, and those beyond an end all at that end.
BEYOND = 0.03


def in_words(text):
    """Replace the names of choices by plain words: "optimiser = l-bfgs"."""
    return NAME.sub(lambda found: called(found[1]), text)


def lines_shown(entry):
    """List the bounded quantities of a claim, the least often met first, as a page draws them.

    Each has an axis, in per cent of its length, and a row per setting that is counted for the
    claim. Rows of the first quantity count the runs that meet the claim; those of the others, the
    runs that meet the bounds on the quantity.
    """
    settings = {setting: entry.runs[setting] for setting in entry.verdict.counts}
    shown = []
    for asks in lines_of(entry):
        values = {r: entry.claim.values_of(asks[0], rows) for r, rows in settings.items()}
        place, line = _axis(entry, asks, np.concatenate([*values.values()]))
        line["rows"] = []
        for kind, group in GROUPS.items():
            of_kind = [setting for setting in settings if setting.kind == kind]
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


def _row(entry, setting, asks, values, place, whole):
    kept = np.logical_and.reduce([ask.met_by(values) for ask in asks])
    heights = np.linspace(15, 85, len(values)) if len(values) > 1 else [50]
    dots = [
        (place(value), round(float(height), 1), "met" if good else "missed")
        for value, height, good in zip(values, heights, kept, strict=True)
        if np.isfinite(value)
    ]
    count = entry.verdict.counts[setting] if whole else f"{kept.sum()} of {len(kept)}"
    return {
        "words": in_words(setting.words),
        "map": setting.words,
        "met": str(count),
        "note": "turns the verdict" if whole and setting in entry.verdict.turning else "",
        "median": f"{np.median(values):.3g}",
        "dots": dots,
    }


def named_embeddings(entry, points):
    """Return the names and the groups of the points of an experiment's embeddings.

    ``points`` are those of its maps, or None. Names are given only if the data are always the same,
    and for settings that do not change them.
    """
    named = {"labels": [], "groups": []}
    kept = []
    if points and entry.unit == "start":
        named = {name: points[name] for name in named}
        kept = [
            setting.words
            for setting in entry.runs
            if not any(sources(setting.choices)[name].other_data for name in setting.changed)
        ]
    return named | {"settings": kept, "colours": group_colours(named["groups"])}
