"""Curves and bars: losses, scores by setting, metrics."""

import numpy as np

from repro.plots.style import COLORS


def metric_bars(ax, r, title, *, color=COLORS["MRE"], labels=None):
    """Draw the diagonal of a latent metric, one bar per dimension."""
    r = np.abs(np.asarray(r, dtype=float))
    ax.bar(np.arange(1, len(r) + 1), r, color=color, width=0.7)
    ax.set(title=title, ylim=(0, None))
    ax.set_xticks(np.arange(1, len(r) + 1), labels)
    ax.tick_params(axis="x", length=0)


def scores_at(ax, scores, threshold):
    """Draw the scores of runs at each setting, and the threshold that they should reach.

    ``scores`` maps each positive setting, in ascending order, to the scores of its runs.
    """
    for setting, values in scores.items():
        ax.plot([setting] * len(values), values, "o", color=COLORS["KIE"], ms=4)
    ax.axhline(threshold, color="0.6", lw=0.8, ls="--")
    ax.set(xscale="log", ylim=(0, 1.04))
    ax.set_xticks(list(scores), [f"{setting:g}" for setting in scores], minor=False)
    ax.minorticks_off()


def bands(ax, table, x, y, methods):
    """Draw the median and the range over seeds of a quantity, as a line and a band per method.

    The table has one row per run, with the column ``method`` and those named by ``x`` and ``y``.
    ``methods`` are in the order of the legend; each has its own colour.
    """
    for method in methods:
        runs = table[table["method"] == method].groupby(x)[y]
        middle, low, high = runs.median(), runs.min(), runs.max()
        ax.plot(middle, "o-", color=COLORS[method], label=method, ms=3, lw=1.2)
        ax.fill_between(middle.index, low, high, color=COLORS[method], alpha=0.15, lw=0)
