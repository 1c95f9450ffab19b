"""The common style of the figures: method colours, panel letters, scores, bars of a metric."""

import os

import matplotlib as mpl
import numpy as np
from matplotlib import style
from matplotlib.font_manager import fontManager

from repro.datasets import standins_in_use

# One colour per method throughout (Okabe & Ito's palette, safe for colour-blind readers).
COLORS = {
    "MRE": "#0072B2",
    "SNE": "#D55E00",
    "BRE": "#009E73",
    "KIE": "#CC79A7",
    "t-ETE": "#56B4E9",
    "t-STE": "#E69F00",
    "STE": "#000000",
    "CKL": "#882255",
    "GNMDS": "#117733",
    "t-SNE": "#8B6914",
    "FastTETE": "#3A9AD9",
    "WeightedTETE": "#1F4E79",
    "PaCMAP": "#CC3311",
    "TriMap": "#009988",
    "UMAP": "#AA3377",
    "PCA": "#767676",
    "data": "#444444",
    "shuffled": "#B8B8B8",
}
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
STYLE = {
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "image.cmap": "gray",
    "image.interpolation": "nearest",
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "repro",  # else the names in a file differ at each run
    # Checks each figure when it is made, so that no stand-in is shown as real data.
    "figure.hooks": ["repro.plots:mark_standin"],
}
STANDIN_NOTE = "stand-in data"


def use_style():
    """Set the style of all figures made from now on, whatever the user's settings are.

    A figure then has the same bytes at every run, in every format but svgz: files that hold a date
    get that of SOURCE_DATE_EPOCH, which becomes 0 if it is not set. Letters that the style's font
    lacks are taken from the fonts that the user has chosen.
    """
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    style.use(["default", STYLE | {"font.family": _families()}])


def in_style(**changes):
    """Return a context in which figures have the style, with some settings changed."""
    return style.context(["default", STYLE, {"font.family": _families()}, changes])


def _families():
    """Return the font of the style, then those of the user that are installed."""
    chosen = []
    for family in mpl.rcParams["font.family"]:
        chosen += mpl.rcParams.get(f"font.{family}", [family])
    usual = {STYLE["font.family"], *mpl.rcParamsDefault["font.sans-serif"]}
    installed = set(fontManager.get_font_names()) - usual
    return [STYLE["font.family"], *(family for family in chosen if family in installed)]


def mark_standin(fig):
    """Write "stand-in data" on a figure if generated data replaced real data."""
    if standins_in_use() and not any(t.get_text() == STANDIN_NOTE for t in fig.texts):
        fig.text(0.005, 0.005, STANDIN_NOTE, color="red", weight="bold", ha="left", va="bottom")


def letters_above(axes, letters="abcdefgh"):
    """Put bold letters above the left corners of panels."""
    for ax, letter in zip(np.ravel(axes), letters, strict=False):
        ax.set_title(letter, loc="left", weight="bold", size=11)


def score(ax, text):
    """Put a score at the foot of a panel."""
    write = ax.text2D if hasattr(ax, "text2D") else ax.text
    write(0.5, -0.02, text, transform=ax.transAxes, size=8, ha="center", va="top", color="0.3")


def metric_bars(ax, r, title, *, color=COLORS["MRE"], labels=None):
    """Draw the diagonal of a latent metric, one bar per dimension."""
    r = np.abs(np.asarray(r, dtype=float))
    ax.bar(np.arange(1, len(r) + 1), r, color=color, width=0.7)
    ax.set(title=title, ylim=(0, None))
    ax.set_xticks(np.arange(1, len(r) + 1), labels)
    ax.tick_params(axis="x", length=0)
