"""Figures of the evidence: a claim's specification curve, and a strip of all runs of all claims."""

import ast
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from repro.evidence.readings import PRIMARY, parse_settings, single_settings
from repro.evidence.sweeps import runs_that_hold

MET, MISSED = "#009E73", "#D55E00"
COLUMNS = 2  # of claims on a page
LABEL, TITLE = 40, 52  # letters in a line


def deciding_part(of_claim):
    """Return the part of a claim that the fewest runs meet; of equal ones the first.

    Parameters
    ----------
    of_claim : pandas.DataFrame
        The rows of one claim in a table of `repro.evidence.sweeps`.
    """
    return int(of_claim.groupby("part")["met"].mean().idxmin())


def draw_specification_curves(table, claims):
    """Draw, for each claim, what was measured under each reading, and which choices made it.

    Above, the readings by their median, a dot a seed, green where it meets the criterion (dashed);
    below, a dot where a reading sets a parameter. The primary reading stands on grey.

    Parameters
    ----------
    table : pandas.DataFrame
        As `repro.evidence.sweeps.evidence_of` returns it.
    claims : list of dict
        The claims of the notebook's record.

    Returns
    -------
    fig : matplotlib.figure.Figure
    """
    readings = list(dict.fromkeys([PRIMARY, *table["reading"]]))
    settings = sorted({text for reading in readings for text in _settings_of(reading)})
    rows = -(-len(claims) // COLUMNS)
    below = 0.4 + 0.13 * sum(1 + _short(text).count("\n") for text in settings)
    fig = plt.figure(figsize=(10, rows * (1.7 + below)))
    grid = fig.add_gridspec(2 * rows, COLUMNS, height_ratios=[1.7, below] * rows)
    for k, claim in enumerate(claims):
        at = 2 * (k // COLUMNS), k % COLUMNS
        curve = fig.add_subplot(grid[at])
        choices = fig.add_subplot(grid[at[0] + 1, at[1]], sharex=curve)
        of_claim = table[table["claim"] == claim["id"]]
        part = deciding_part(of_claim)
        of_part = of_claim[of_claim["part"] == part]
        order = of_part.groupby("reading")["value"].median().sort_values(kind="stable").index
        _draw_curve(curve, of_part, order, claim["parts"][part]["criterion"])
        _draw_choices(choices, order, settings)
        title = f"{claim['id']}: {claim['parts'][part]['quantity']}"
        curve.set_title(fill(title, TITLE), loc="left", size=8)
    return fig


def _settings_of(reading):
    return single_settings(parse_settings(reading))


def _short(setting):
    """Write a number as in 1e8, not with all of its zeros; break what is long."""
    name, _, value = setting.partition(" = ")
    try:
        number = ast.literal_eval(value)
    except ValueError:  # an expression
        number = None
    short = f"{name} = {number:g}".replace("e+0", "e") if isinstance(number, float) else setting
    return fill(short, LABEL)


def _draw_curve(ax, of_part, order, criterion):
    for x, reading in enumerate(order):
        of_reading = of_part[of_part["reading"] == reading]
        colors = np.where(of_reading["met"], MET, MISSED)
        beside = x + np.linspace(-0.25, 0.25, len(of_reading) + 2)[1:-1]  # by seed
        ax.scatter(beside, of_reading["value"], c=colors, s=9, lw=0, alpha=0.6)
        ax.plot([x - 0.35, x + 0.35], [of_reading["value"].median()] * 2, color="black", lw=1.2)
        if reading == PRIMARY:
            ax.axvspan(x - 0.5, x + 0.5, color="0.92", zorder=0)
    ax.axhline(float(criterion.split()[1]), color="0.4", lw=0.8, ls="--")
    ax.set_ylabel(criterion, size=8)
    ax.set(xticks=[], xlim=(-0.6, len(order) - 0.4))
    ax.tick_params(labelsize=7)


def _draw_choices(ax, order, settings):
    for x, reading in enumerate(order):
        if reading == PRIMARY:
            ax.axvspan(x - 0.5, x + 0.5, color="0.92", zorder=0)
        set_here = [y for y, text in enumerate(settings) if text in _settings_of(reading)]
        ax.plot([x] * len(set_here), set_here, "o", color="black", ms=3)
    ax.set_yticks(range(len(settings)), [_short(text) for text in settings], size=6)
    ax.set_ylim(max(1, len(settings)) - 0.5, -0.5)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)


def draw_strip(tables):
    """Draw every run of every claim as a square, full and green where the claim holds.

    Parameters
    ----------
    tables : dict of str to pandas.DataFrame
        By notebook, as `repro.evidence.sweeps.evidence_of` returns them; the primary reading first.

    Returns
    -------
    fig : matplotlib.figure.Figure
    """
    rows, places, y = {}, [], 0.0
    for table in tables.values():
        first = table["reading"] == PRIMARY
        ordered = pd.concat([table[first], table[~first]])
        for claim, of_claim in runs_that_hold(ordered).groupby(level="claim", sort=False):
            rows[claim] = of_claim.droplevel("claim")
            places.append(y)
            y += 1
        y += 0.6  # between notebooks
    fig, ax = plt.subplots(figsize=(10, 0.6 + 0.15 * y))
    for y, of_claim in zip(places, rows.values(), strict=True):
        readings = of_claim.index.get_level_values("reading")
        x = np.arange(len(of_claim)) + pd.factorize(readings)[0]  # a gap between readings
        for met, style in ((True, {"c": MET}), (False, {"ec": MISSED, "fc": "none"})):
            of = x[of_claim == met]
            ax.scatter(of, np.full(len(of), y), marker="s", s=7, lw=0.8, **style)
    ax.set_yticks(places, list(rows), size=6)
    ax.set(xticks=[], ylim=(y + 0.7, -0.7), xlim=(-1, None))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return fig
