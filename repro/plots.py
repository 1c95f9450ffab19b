"""One style for every figure: one colour a method, equal axes, panel letters, and `save`."""

import os

import matplotlib as mpl
import numpy as np
from PIL import Image

from repro._files import replacing
from repro.claims import figures_dir
from repro.datasets import standins_in_use

# One colour per method throughout (Okabe & Ito's palette, safe for the colour-blind).
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
    "openTSNE": "#6B4F10",
    "scikit-learn t-SNE": "#C9A227",
    "FastTETE": "#3A9AD9",
    "WeightedTETE": "#1F4E79",
    "PaCMAP": "#CC3311",
    "TriMap": "#EE7733",
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
    # Every figure is looked at when it is made, so no stand-in can be shown as real data.
    "figure.hooks": ["repro.plots:mark_standin"],
}
STANDIN_NOTE = "stand-in data"


def use_style():
    """Set the style of all figures to come."""
    mpl.rcParams.update(STYLE)


def mark_standin(fig):
    """Write "stand-in data" on a figure if generated data took the place of real ones."""
    if standins_in_use() and not any(t.get_text() == STANDIN_NOTE for t in fig.texts):
        fig.text(0.005, 0.005, STANDIN_NOTE, color="red", weight="bold", ha="left", va="bottom")


def panel_letter(ax, letter):
    """Put a bold letter at the upper left of a panel."""
    text = ax.text2D if hasattr(ax, "text2D") else ax.text
    text(0.0, 1.0, letter, transform=ax.transAxes, weight="bold", size=11, ha="left", va="top")


def score(ax, text):
    """Put a score at the foot of a panel."""
    write = ax.text2D if hasattr(ax, "text2D") else ax.text
    write(0.5, -0.02, text, transform=ax.transAxes, size=8, ha="center", va="top", color="0.3")


def embedding_3d(ax, X, labels, shade, *, names=None, elev=18, azim=-60):
    """Scatter a 3-D embedding: a marker a class, a grey a point, a thin line through each class.

    Parameters
    ----------
    ax : 3-D axes
    X : (n, 3) array
        Points of a class in their order.
    labels : (n,) array
    shade : (n,) array in [0, 1]
        0 is drawn black, 1 light grey.
    names : sequence of str, optional
        One a class, for the legend.
    elev, azim : float
        Where it is seen from, in degrees.
    """
    for c, label in enumerate(np.unique(labels)):
        of_class = labels == label
        x, y, z = X[of_class].T
        ax.plot(x, y, z, color="0.75", lw=0.8, zorder=1)
        grey = 0.88 * np.asarray(shade)[of_class]
        ax.scatter(
            x,
            y,
            z,
            c=[str(g) for g in grey],
            marker=MARKERS[c % len(MARKERS)],
            s=26,
            edgecolors="black",
            linewidths=0.4,
            depthshade=False,
            label=None if names is None else names[c],
        )
    equal_axes_3d(ax, X)
    ax.view_init(elev=elev, azim=azim)
    ax.set(xticklabels=[], yticklabels=[], zticklabels=[])
    ax.tick_params(length=0, pad=-6)


def corner_colors(factors):
    """Give two coordinates a colour each: the four corners of their range are blended.

    Parameters
    ----------
    factors : (n, 2) array

    Returns
    -------
    colors : (n, 3) float64 array in [0, 1]
    """
    factors = np.asarray(factors, dtype=float)
    low, high = factors.min(axis=0), factors.max(axis=0)
    u, v = ((factors - low) / (high - low)).T[:, :, None]
    a, b, c, d = (
        np.array(mpl.colors.to_rgb(x)) for x in ("#B2182B", "#F1A340", "#2166AC", "#5AAE61")
    )
    return (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d)


def manifold_3d(ax, X, colors, *, elev=12, azim=-68):
    """Scatter points of a surface in three dimensions, the third upright."""
    ax.scatter(*X.T, c=colors, s=5, linewidths=0, depthshade=False)
    equal_axes_3d(ax, X)
    ax.view_init(elev=elev, azim=azim)
    ax.set(xticklabels=[], yticklabels=[], zticklabels=[])
    ax.tick_params(length=0, pad=-6)


def embedding_2d(ax, XY, colors):
    """Scatter a 2-D embedding: equal axes, no ticks, thin lines through the origin."""
    ax.axhline(0, color="0.88", lw=0.8, zorder=0)
    ax.axvline(0, color="0.88", lw=0.8, zorder=0)
    ax.scatter(*XY.T, c=colors, s=5, linewidths=0)
    ax.set(aspect="equal", xticks=[], yticks=[])


def letters_above(axes, letters="abcdefgh"):
    """Put bold letters above the left corners of panels."""
    for ax, letter in zip(np.ravel(axes), letters, strict=False):
        ax.set_title(letter, loc="left", weight="bold", size=11)


def principal_axes(X, n=None):
    """Rotate an embedding to its principal axes, the widest first.

    Parameters
    ----------
    X : (m, d) array
    n : int, optional
        How many axes to give: the narrowest are left out, or zeros stand for those that X lacks.
        Default: as many as X has.

    Returns
    -------
    axes : (m, n) float64 array
        Centred.
    """
    centred = X - X.mean(axis=0)
    axes = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    n = axes.shape[1] if n is None else n
    return np.pad(axes[:, :n], ((0, 0), (0, max(0, n - axes.shape[1]))))


def turned(XY, rightwards, upwards=None):
    """Turn a 2-D map so that one quantity rises to the right; mirror it so that another rises.

    Parameters
    ----------
    XY : (n, 2) array
    rightwards : (n,) array
        The direction of the map in which a plane fitted to it rises most points to the right.
    upwards : (n,) array, optional
        Is made to rise to the top, as far as a reflection can.

    Returns
    -------
    XY : (n, 2) float64 array
        Centred.
    """
    XY = XY - XY.mean(axis=0)
    slope = np.linalg.lstsq(XY, rightwards - np.mean(rightwards), rcond=None)[0]
    c, s = slope / np.linalg.norm(slope)
    XY = XY @ np.array([[c, -s], [s, c]])
    if upwards is not None and XY[:, 1] @ (upwards - np.mean(upwards)) < 0:
        XY[:, 1] *= -1
    return XY


def equal_axes_3d(ax, X, margin=1.08):
    """Give the three axes one scale and a box that fits X."""
    centre, half = (X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0) / 2 * margin
    half = np.maximum(half, 0.05 * half.max())
    ax.set(**{f"{k}lim": (c - h, c + h) for k, c, h in zip("xyz", centre, half, strict=True)})
    ax.set_box_aspect(half)


def metric_bars(ax, r, title, *, color=COLORS["MRE"], labels=None):
    """Draw the diagonal of a latent metric, one bar a dimension."""
    r = np.abs(np.asarray(r, dtype=float))
    ax.bar(np.arange(1, len(r) + 1), r, color=color, width=0.7)
    ax.set(title=title, ylim=(0, None))
    ax.set_xticks(np.arange(1, len(r) + 1), labels)
    ax.tick_params(axis="x", length=0)


def convergence(ax, models, *, against="iterations"):
    """Draw the loss of fits, on a logarithmic scale.

    Parameters
    ----------
    ax : axes
    models : mapping of str to sequence of fitted estimators
        The runs of each method, which share its colour (black if the method has none).
    against : {"iterations", "evaluations"}
    """
    for name, runs in models.items():
        for k, model in enumerate(runs):
            trace = model.result_.trace
            x = model.result_.evaluations if against == "evaluations" else np.arange(len(trace))
            ax.plot(x, trace, color=COLORS.get(name, "black"), lw=0.9, label=None if k else name)
    ax.set(xlabel=against, ylabel="loss", yscale="log")
    ax.legend()


def loss_histories(ax, models, *, lw=0.9):
    """Draw the loss of annealed fits, over all their steps.

    Parameters
    ----------
    ax : axes
    models : sequence of fitted KIE
    lw : float
    """
    for model in models:
        ax.plot(model.loss_history_, color=COLORS["KIE"], lw=lw)
    ax.set(xlabel="iterations", ylabel="loss")


def annealing(axes, models):
    """Draw how annealing went: the loss, and the spread of the latent points against λ.

    Parameters
    ----------
    axes : two axes
    models : sequence of fitted KIE
    """
    loss_histories(axes[0], models)
    for model in models:
        spreads = [result.x.std() for result in model.results_]
        axes[1].plot(model.penalties_, spreads, ".-", color=COLORS["KIE"], lw=0.9)
    axes[1].set(xlabel="λ", ylabel="spread of the latent points", xscale="log")
    axes[1].invert_xaxis()


def scores_at(ax, scores, threshold, *, color=COLORS["KIE"]):
    """Draw the scores of runs at each setting, and the threshold they are to reach.

    Parameters
    ----------
    ax : axes
    scores : mapping of float to sequence of float
        The scores of the runs at each setting, positive settings in ascending order.
    threshold : float
    color : color
    """
    for setting, values in scores.items():
        ax.plot([setting] * len(values), values, "o", color=color, ms=4)
    ax.axhline(threshold, color="0.6", lw=0.8, ls="--")
    ax.set(xscale="log", ylim=(0, 1.04))
    ax.set_xticks(list(scores), [f"{setting:g}" for setting in scores], minor=False)
    ax.minorticks_off()


def bands(ax, table, x, y, methods):
    """Draw the median of a quantity and its range over seeds, a line and a band a method.

    Parameters
    ----------
    ax : axes
    table : pandas.DataFrame
        With columns ``method``, ``x`` and ``y``, a row a run.
    x, y : str
    methods : iterable of str
        In the order of the legend; each has its colour.
    """
    for method in methods:
        runs = table[table["method"] == method].groupby(x)[y]
        middle, low, high = runs.median(), runs.min(), runs.max()
        ax.plot(middle, "o-", color=COLORS[method], label=method, ms=3, lw=1.2)
        ax.fill_between(middle.index, low, high, color=COLORS[method], alpha=0.15, lw=0)


def show_images(axes, images, titles=None):
    """Show grey images, one in each panel.

    Parameters
    ----------
    axes : array of axes
    images : sequence of (h, w) arrays
        Not more than panels; of those left over the axes are not drawn either.
    titles : sequence of str, optional
    """
    for ax in np.ravel(axes):
        ax.axis("off")
    for k, (ax, image) in enumerate(zip(np.ravel(axes), images, strict=False)):
        ax.imshow(image)
        if titles is not None:
            ax.set_title(titles[k], size=8)


def image_grid(ax, images, *, names=None, scores=None, gap=0.06):
    """Show rows of grey images in one panel; image (r, c) fills the square from (c, r).

    Parameters
    ----------
    ax : axes
    images : (rows, columns, h, w) array
    names : sequence of str, optional
        Written at the left of each row.
    scores : sequence of str, optional
        Written at the right of each row; an empty one is left out.
    gap : float
        Between images, as a share of their size.
    """
    rows, columns = images.shape[:2]
    for r in range(rows):
        for c in range(columns):
            ax.imshow(images[r, c], extent=(c, c + 1 - gap, r + 1 - gap, r))
    ax.set(xlim=(0, columns), ylim=(rows, 0), aspect="equal", xticks=[])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if names is not None:
        ax.set_yticks(np.arange(rows) + 0.5, names)
    for r, text in enumerate(scores or ()):
        if text:
            ax.text(columns + 0.2, r + 0.5, text, va="center")


def save(fig, stem, colors=None):
    """Write <figures>/<stem>.png in one step, the same bytes at every run.

    REPRO_FORMATS, a list such as "png,pdf", asks for more; those are not kept in git.

    Parameters
    ----------
    fig : Figure
    stem : str
        The notebook's name without its suffix.
    colors : int, optional
        Reduce the PNG to so many colours, at most 256: a page of photographs shrinks to half.

    Returns
    -------
    path : pathlib.Path of the PNG
    """
    mark_standin(fig)
    folder = figures_dir()
    for suffix in {"png", *os.environ.get("REPRO_FORMATS", "png").split(",")}:
        write(fig, folder / f"{stem}.{suffix}", colors)
    return folder / f"{stem}.png"


def write(fig, path, colors=None):
    """Write a figure to a path in one step, the same bytes at every run; see `save`."""
    # A version or a date in the file would change it without a change of the picture.
    metadata = {".png": {"Software": None}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    with replacing(path) as part:
        fig.savefig(part, format=path.suffix[1:], metadata=metadata.get(path.suffix))
        if colors and path.suffix == ".png":
            _reduce(part, colors, fig.dpi)


def _reduce(path, colors, dpi):
    """Reduce a PNG to so many colours."""
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE)
    reduced.save(path, format="png", optimize=True, dpi=(dpi, dpi))
