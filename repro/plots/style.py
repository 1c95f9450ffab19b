"""The common style of the figures: method colours, panel letters, and `save`."""

import matplotlib as mpl
import numpy as np
from PIL import Image

from repro.core.files import replacing
from repro.core.folders import figures_folder
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
    # Checks each figure when it is made, so that no stand-in is shown as real data.
    "figure.hooks": ["repro.plots:mark_standin"],
}
STANDIN_NOTE = "stand-in data"


def use_style():
    """Set the style of all figures made from now on."""
    mpl.rcParams.update(STYLE)


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


def save(fig, stem, colors=None):
    """Write <figures>/<stem>.png in one step, the same bytes at every run.

    The stem is the notebook's name without its suffix. If ``colors`` is given, at most 256, the
    PNG is reduced to so many: a page of photographs shrinks to half its size. Returns its path.
    """
    mark_standin(fig)
    path = figures_dir() / f"{stem}.png"
    write_figure(fig, path, colors)
    return path


def write_figure(fig, path, colors=None, thin=False):
    """Write a figure as a PNG in one step, the same bytes at every run; see `save`.

    If ``colors`` reduces it, each colour stays near its own, however few pixels have it; with
    ``thin``, the hues of lines and letters do.
    """
    with replacing(path) as part:
        # A version in the file would change it while the picture is the same.
        fig.savefig(part, format="png", metadata={"Software": None})
        if colors:
            with Image.open(part) as picture:
                method = Image.Quantize.FASTOCTREE if thin else Image.Quantize.MAXCOVERAGE
                whole = picture.convert("RGB")
                reduced = whole.quantize(colors, method, dither=Image.Dither.NONE)
            reduced.save(part, format="png", optimize=True, dpi=(fig.dpi, fig.dpi))


def figures_dir():
    """Return the folder of figures and claims, see `figures_folder`; stand-ins have their own.

    The folder is made if it does not exist.
    """
    folder = figures_folder() / "standin" if standins_in_use() else figures_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
