"""The contents of a claim's page: a row per reading that was run, with its runs on an axis."""

import json
import re

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from repro import experiments
from repro.experiments.claims import sources
from repro.experiments.claims.choices import CALLED
from repro.workbench.evidence.answers import is_measured, other_data, touching
from repro.workbench.evidence.scorecard import by_the_papers, tally
from repro.workbench.evidence.shown import (
    CLAIMED,
    criterion_of,
    levels_of,
    limits_of,
    lines_of,
    range_of,
    signed,
)
from repro.workbench.site.maps import as_json, group_colours

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


def bars(judged):
    """Count the papers' empirical claims by verdict: a dict by paper of dicts."""
    empirical = by_the_papers(judged, "empirical")
    papers = dict.fromkeys(entry.paper for entry in empirical)
    return {paper: tally(e for e in empirical if e.paper == paper) for paper in papers}


def lines_shown(entry):
    """List the bounded quantities of a claim, the least often met first, as a page draws them.

    Each has an axis, in per cent of its length, and a row per reading whose runs measure it, unless
    the reading cannot touch the claim. Rows of the first quantity count the observations that meet
    the claim; those of the others, the observations that meet the bounds on the quantity.
    """
    deciding = touching(entry.claim, entry.runs) + other_data(entry.claim, entry.runs)
    shown = []
    readings = {
        reading: rows
        for reading, rows in entry.runs.items()
        if len(rows) >= entry.claim.group
        and is_measured(entry.claim, rows)
        and (reading.kind not in ("open", "elsewhere") or reading in deciding)
    }
    for k, asks in enumerate(lines_of(entry)):
        values = {r: entry.claim.values_of(asks[0], rows) for r, rows in readings.items()}
        axis = _Axis(entry, asks, np.concatenate(list(values.values())))
        rows = []
        for kind, group in GROUPS.items():
            of_kind = [reading for reading in readings if reading.kind == kind]
            found = [_row(entry, r, asks, values[r], axis, whole=k == 0) for r in of_kind]
            rows += [(group, found)] if found else []
        shown.append(axis.about | {"rows": rows})
    return shown


class _Axis:
    """The axis of one quantity: positions of values in per cent, bounds, ticks and chance."""

    def __init__(self, entry, asks, values):
        runs, bounds = pd.Series(values[np.isfinite(values)]), [ask.bound for ask in asks]
        levels = {mark: value for mark, value, _ in levels_of(entry, asks[0])}
        chance = levels.pop("chance", None)
        chances = [] if chance is None else [chance]
        self.low, self.high = limits_of(runs, [*bounds, *levels.values()], chances, BEYOND)
        steps = MaxNLocator(4).tick_values(self.low, self.high)
        edges = [self.place(end) for end in np.clip(range_of(asks), self.low, self.high)]
        self.about = {
            "quantity": asks[0].quantity,
            "criterion": criterion_of(asks),
            "claimed": CLAIMED[asks[0].sign] if len(asks) == 1 else "",
            "ticks": [(self.place(t), signed(t, 4)) for t in steps if self.low <= t <= self.high],
            "bounds": [self.place(bound) for bound in bounds],
            "chance": chance is not None and self.place(chance),
            "chance_says": "" if chance is None else f"{asks[0].chance_name}: {signed(chance, 3)}",
            "shade": (edges[0], round(edges[1] - edges[0], 2)),
        }

    def place(self, value):
        """Return the position of a value, clipped to the ends."""
        place = 100 * (value - self.low) / (self.high - self.low)
        return round(float(np.clip(place, 0, 100)), 2)


def _row(entry, reading, asks, values, axis, whole):
    kept = np.logical_and.reduce([ask.met_by(values) for ask in asks])
    met = np.array(entry.claim.observations(entry.runs[reading])) if whole else kept
    heights = np.linspace(15, 85, len(values)) if len(values) > 1 else [50]
    dots = [
        (axis.place(value), round(float(height), 1), "met" if good else "missed")
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
    """Return the names and the groups of the points of an experiment's embeddings, as JSON.

    ``points`` are those of its maps, or None. Names are given only if the data are always the same,
    and for readings that do not change them.
    """
    known = {"labels": [], "groups": [], "readings": [], "colours": {}}
    if points and entry.unit == "start":
        kept = [
            reading.words
            for reading in entry.runs
            if not any(sources(reading.choices)[name].elsewhere for name in reading.changed)
        ]
        known = {"labels": points["labels"], "groups": points["groups"], "readings": kept}
        known["colours"] = group_colours(points["groups"])
    return as_json(known)


def method_of(name):
    """Return the method of whose runs the median one is shown, such as t-ETE."""
    return experiments.load(name).ORDER[1].partition(",")[0]


def embeddings_script(path):
    """Return the embeddings of an experiment's readings as a script, since pages cannot read files.

    ``path`` is a file that `repro.workbench.evidence.sweeps.write_embeddings` wrote.
    """
    with np.load(path) as kept:
        first_axes = {words: kept[words][:, :2].tolist() for words in kept.files}
    return f"const EMBEDDINGS = {json.dumps(first_axes, separators=(',', ':'))};\n"
