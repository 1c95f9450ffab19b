"""One style for every figure: one colour a method, equal axes, panel letters, and `save`."""

import os

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

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
    "t-SNE": "#8B6914",
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


def principal_axes(X):
    """Rotate an embedding to its principal axes, the widest first."""
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2].T


def equal_axes_3d(ax, X, margin=1.08):
    """Give the three axes one scale and a box that fits X."""
    centre, half = (X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0) / 2 * margin
    half = np.maximum(half, 0.05 * half.max())
    ax.set(**{f"{k}lim": (c - h, c + h) for k, c, h in zip("xyz", centre, half, strict=True)})
    ax.set_box_aspect(half)


def aligned_sequences(ax, model, n_first, *, letter=None):
    """Draw two sequences that share a 2-D latent space, grey by order, their end points joined.

    Parameters
    ----------
    ax : axes
    model : fitted MRE
        Its third relation is the kind of an image.
    n_first : int
        The number of images of the first sequence, which come first.
    letter : str, optional
    """
    r = model.metrics_[2]
    kind = int(np.abs(r * model.embedding_.std(axis=0)).argmax())
    XY = model.embedding_[:, [1 - kind, kind]]
    parts = XY[:n_first], XY[n_first:]
    for points, marker in zip(parts, MARKERS, strict=False):
        grey = [str(g) for g in np.linspace(0, 0.88, len(points))]
        ax.plot(*points.T, color="0.75", lw=0.8, zorder=1)
        ax.scatter(*points.T, c=grey, marker=marker, s=26, edgecolors="black", linewidths=0.4)
    for end in (0, -1):
        ax.plot(*np.stack([part[end] for part in parts]).T, color="#C00000", lw=1, zorder=0)
    ax.set(xlabel="pose", ylabel="kind", xticks=[], yticks=[])
    if letter:
        ax.set_title(letter, loc="left", weight="bold", size=11)


def spread_out(XY, gap, rng, most=None):
    """Choose points at random of which no two are nearer than ``gap`` in both coordinates.

    Parameters
    ----------
    XY : (n, 2) array
    gap : float or (2,) array
        In the units of XY: the size of what is to be drawn there.
    rng : numpy.random.Generator
    most : int, optional

    Returns
    -------
    chosen : (k,) int array
    """
    chosen = []
    for i in rng.permutation(len(XY)):
        if len(chosen) == most:
            break
        if all((np.abs(XY[i] - XY[j]) > gap).any() for j in chosen):
            chosen.append(i)
    return np.array(chosen, dtype=int)


def embedding_thumbnails(ax, XY, images, rng, *, size=0.085, most=40, color=COLORS["MRE"]):
    """Scatter a 2-D embedding, circle some points at random and show their images beside them.

    Parameters
    ----------
    ax : axes
    XY : (n, 2) array
    images : (n, h, w) array
    rng : numpy.random.Generator
        Chooses the points; no two thumbnails overlap.
    size : float
        Height of a thumbnail as a share of the panel's.
    most : int
        Most thumbnails.

    Returns
    -------
    chosen : (k,) int array
        The points with a thumbnail.
    """
    low, high = XY.min(axis=0), XY.max(axis=0)
    height = size * (high - low).max()
    width = height * images.shape[2] / images.shape[1]
    chosen = spread_out(XY, 1.05 * np.array([width, height]), rng, most)
    ax.scatter(*XY.T, s=3, color="0.75", linewidths=0, zorder=1)
    for x, y, image in zip(*XY[chosen].T, images[chosen], strict=True):
        ax.imshow(image, extent=(x, x + width, y, y + height), zorder=2)
    ax.scatter(*XY[chosen].T, s=16, facecolors="none", edgecolors=color, linewidths=0.9, zorder=3)
    ax.set(xlim=(low[0] - width, high[0] + 1.5 * width), aspect="equal")
    ax.set(ylim=(low[1] - height, high[1] + 1.5 * height), xticks=[], yticks=[])
    return chosen


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


def image_row(images, titles=None, *, height=1.1):
    """Show grey images side by side.

    Parameters
    ----------
    images : (n, h, w) array
    titles : sequence of str, optional
    height : float
        Of an image, in inches.

    Returns
    -------
    fig : Figure
    """
    images = np.asarray(images)
    n, h, w = images.shape
    fig, axes = plt.subplots(1, n, figsize=(n * height * w / h, height * 1.2), squeeze=False)
    for k, ax in enumerate(axes[0]):
        ax.imshow(images[k])
        ax.axis("off")
        if titles is not None:
            ax.set_title(titles[k], size=8)
    return fig


def image_grid(ax, images, *, gap=0.06):
    """Show rows of grey images in one panel; image (r, c) fills the square from (c, r).

    Parameters
    ----------
    ax : axes
    images : (rows, columns, h, w) array
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


def save(fig, stem, colors=None):
    """Write <figures>/<stem>.png, the same bytes at every run.

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
        # A version or a date in the file would change it without a change of the picture.
        metadata = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}
        fig.savefig(folder / f"{stem}.{suffix}", metadata=metadata.get(suffix))
    path = folder / f"{stem}.png"
    if colors:
        with Image.open(path) as picture:
            reduced = picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE)
        reduced.save(path, optimize=True, dpi=(fig.dpi, fig.dpi))
    return path
