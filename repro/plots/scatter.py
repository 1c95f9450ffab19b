"""Scatter plots of embeddings in two and three dimensions: by class, in sequence, with names."""

from itertools import product

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from repro.core.blas import one_blas_thread
from repro.core.checks import check_points, classes_of, one_each
from repro.plots.style import COLORS, MARKERS


def embedding_3d(ax, X, labels, shade, *, names=None, elev=18):
    """Scatter a 3-D embedding, (n, 3), with a marker and a thin line per class, a grey per point.

    The line joins the points of a class in order. A ``shade`` of 0 is black, 1 light grey.
    ``names``, one per class, are for the legend; ``elev`` is the elevation of the viewpoint in
    degrees.
    """
    X = _points(X, 3)
    _draw_sequences(ax, X, labels, 0.88 * np.asarray(shade), names, depthshade=False)
    _frame_3d(ax, X, elev, -60)


def sequences_2d(ax, XY, labels, *, names=None):
    """Draw sequences of points, (n, 2), in greys by order, with a marker and a thin line each.

    ``labels`` assigns points to sequences. The first point of a sequence is black, the last light
    grey. ``names``, one per sequence, are for the legend; if there are more, a label from 0 is the
    index of its name.
    """
    _draw_sequences(ax, _points(XY, 2), labels, None, names)
    ax.set(xticks=[], yticks=[])


def _points(X, d):
    """Return points as an array; raise an error if they are not in d dimensions."""
    X = np.asarray(X)
    if X.ndim != 2 or X.shape[1] != d:
        raise ValueError(f"{'XY' if d == 2 else 'X'} must have shape (n, {d}), got {X.shape}")
    return X


def _draw_sequences(ax, X, labels, greys, names, **options):
    """Draw the points of each class in greys, by default by order, and the line that joins them."""
    kinds, classes = classes_of(labels, len(X))
    if names is not None:  # which may also be those of classes that are not among these points
        names = list(names)
        if len(names) > len(kinds) and set(kinds) <= set(range(len(names))):
            names = [names[kind] for kind in kinds]
        names = one_each(names, len(kinds), "names")
    greys = None if greys is None else np.array(one_each(greys, len(X), "shade"))
    for c in range(len(kinds)):
        points = X[classes == c]
        own = np.linspace(0, 0.88, len(points)) if greys is None else greys[classes == c]
        ax.plot(*points.T, color="0.75", lw=0.8, zorder=1)
        label = None if names is None else names[c]
        options |= {"marker": MARKERS[c % len(MARKERS)], "s": 26, "ec": "black", "lw": 0.4}
        ax.scatter(*points.T, c=[str(grey) for grey in own], label=label, **options)


def name_axes_3d(ax, names):
    """Name the axes of a 3-D plot."""
    for axis, name in zip("xyz", names, strict=True):
        getattr(ax, f"set_{axis}label")(name, labelpad=-14, size=8)


def corner_colors(factors):
    """Assign a colour to each of (n, 2) coordinates, blended from the corners of their range.

    Returns (n, 3) float64 in [0, 1].
    """
    factors = check_points(factors, "factors")
    low, high = factors.min(axis=0), factors.max(axis=0)
    span = np.where(high > low, high - low, np.inf)  # a constant factor has the colours of an edge
    u, v = ((factors - low) / span).T[:, :, None]
    a, b, c, d = mpl.colors.to_rgba_array(["#B2182B", "#F1A340", "#2166AC", "#5AAE61"])[:, :3]
    return (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d)


def manifold_3d(ax, X, colors):
    """Scatter points of a surface, (n, 3), the third axis upright; ``colors`` has n entries."""
    ax.scatter(*X.T, c=colors, s=5, linewidths=0, depthshade=False)
    _frame_3d(ax, X, 12, -68)


def _frame_3d(ax, X, elev, azim):
    """Give the three axes one scale, a box that fits X, and no ticks."""
    centre = (X.max(axis=0) + X.min(axis=0)) / 2
    half = np.ptp(X, axis=0) / 2 * 1.08
    half = np.maximum(half, 0.05 * half.max() or 1)
    xlim, ylim, zlim = zip(centre - half, centre + half, strict=True)
    ax.set(xlim=xlim, ylim=ylim, zlim=zlim, xticklabels=[], yticklabels=[], zticklabels=[])
    ax.set_box_aspect(half, zoom=1.2)
    ax.view_init(elev=elev, azim=azim)
    ax.tick_params(length=0, pad=-6)


def embedding_2d(ax, XY, colors):
    """Scatter a 2-D embedding, (n, 2): equal axes, no ticks, thin lines through the origin.

    ``colors`` has one entry per point.
    """
    XY = _points(XY, 2)
    ax.axhline(0, color="0.88", lw=0.8, zorder=0)
    ax.axvline(0, color="0.88", lw=0.8, zorder=0)
    ax.scatter(*XY.T, c=colors, s=5, linewidths=0)
    ax.set(aspect="equal", xticks=[], yticks=[])


@one_blas_thread()
def principal_axes(X, n=None):
    """Rotate an embedding, (m, d), to its principal axes, widest first; returns (m, n), centred.

    ``n`` is d by default. A smaller n drops the narrowest axes; axes without points are zeros.
    """
    X = np.asarray(X)
    centred = X - X.mean(axis=0)
    axes = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    n = X.shape[1] if n is None else n
    return np.pad(axes[:, :n], ((0, 0), (0, max(0, n - axes.shape[1]))))


def turned(XY, rightwards, upwards):
    """Rotate an embedding so that one quantity rises rightwards; mirror it for another, upwards.

    A plane is fitted to ``rightwards``, (n,); its steepest ascent then points to the right. The
    embedding is mirrored if ``upwards``, (n,), would fall to the top. Returns (n, 2), centred.
    """
    XY = _points(XY, 2)
    XY = XY - XY.mean(axis=0)
    slope = np.linalg.lstsq(XY, rightwards - np.mean(rightwards), rcond=None)[0]
    length = np.linalg.norm(slope)
    c, s = slope / length if length > 0 else (1.0, 0.0)  # no rotation without a slope
    XY = XY @ np.array([[c, -s], [s, c]])
    if XY[:, 1] @ (upwards - np.mean(upwards)) < 0:
        XY[:, 1] *= -1
    return XY


def embedding_classes(ax, XY, labels, *, size=3, share=1.0):
    """Scatter a 2-D embedding in one colour per class; return the legend handles, sorted.

    Points are drawn in random order, so that no class hides another; points without a label (None,
    NaN) are grey, below the others. The square frame holds about a ``share`` of the points in
    each direction; mention a share below 1 beside the figure.
    """
    XY = _points(XY, 2)
    _frame(ax, XY, share)
    known = pd.notna(np.asarray(labels, dtype=object))
    if known.shape == XY.shape[:1] and not known.all():
        ax.scatter(*XY[~known].T, c="0.8", s=size, linewidths=0)
        XY, labels = XY[known], np.array(list(labels), dtype=object)[known]
    if not len(XY):
        return []
    kinds, classes = classes_of(labels, len(XY))
    colors = class_colors(len(kinds))
    order = np.random.default_rng(0).permutation(len(XY))
    ax.scatter(*XY[order].T, c=np.array(colors)[classes[order]], s=size, linewidths=0)
    return [
        Line2D([], [], color=color, label=str(kind).replace("$", r"\$"), marker="o", ls="", ms=5)
        for kind, color in zip(kinds, colors, strict=False)  # there may be more colours
    ]


def class_colors(n):
    """Return n colours or more, one per class; beyond 20 they differ in hue only."""
    if n <= 20:
        return mpl.colormaps["tab10" if n <= 10 else "tab20"].colors
    return mpl.colormaps["gist_rainbow"](np.linspace(0, 1, n))


def _frame(ax, XY, share):
    """Set a square frame with equal axes and no ticks around a share of the points."""
    low, high = np.quantile(XY, [(1 - share) / 2, (1 + share) / 2], axis=0)
    centre = (low + high) / 2
    half = 0.54 * (high - low).max() or 1  # one point has no extent
    xlim, ylim = zip(centre - half, centre + half, strict=True)
    ax.set(xlim=xlim, ylim=ylim, aspect="equal", xticks=[], yticks=[])


def grey_key(fig, axes, label, ends):
    """Draw the key to the greys of `sequences_2d` and `embedding_3d`, to the left of ``axes``.

    ``label`` names the quantity that is grey, ``ends`` the meanings of black and light grey.
    """
    greys = mpl.colors.LinearSegmentedColormap.from_list("greys", ["0", "0.88"])
    scale = mpl.cm.ScalarMappable(mpl.colors.Normalize(0, 1), greys)
    key = fig.colorbar(scale, ax=axes, location="left", shrink=0.45, aspect=14, ticks=[0, 1])
    key.set_ticklabels(ends)
    key.set_label(label, labelpad=-6)
    key.outline.set_linewidth(0.4)


def aligned_sequences(ax, model, n_first, *, names=None):
    """Draw two sequences in one 2-D embedding, in greys by order, with their end points joined.

    The embedding is mirrored so that the first sequence runs to the right, below the second. The
    third relation of the fitted ``model`` is the kind of image; the first ``n_first`` images are
    the first sequence. ``names`` of the two are for the legend.
    """
    r = model.metrics_[2]
    kind = int(np.abs(r * model.embedding_.std(axis=0)).argmax())
    XY = model.embedding_[:, [1 - kind, kind]]
    second = np.arange(len(XY)) >= n_first
    across = XY[n_first - 1, 0] - XY[0, 0]
    up = XY[second, 1].mean() - XY[~second, 1].mean()
    XY = np.where([across < 0, up < 0], -XY, XY)
    sequences_2d(ax, XY, second, names=names)
    for ends in ([0, n_first], [n_first - 1, -1]):
        ax.plot(*XY[ends].T, color=COLORS["MRE"], lw=1, zorder=0)
    ax.set(xlabel="pose", ylabel="kind", aspect="equal", adjustable="datalim")


def displacements(ax, true, XY, colors):
    """Scatter an embedding, (n, d), with a line to each point from its true position, (n, d).

    Both are drawn on their two widest axes unless d is 2.
    """
    if XY.shape[1] != 2:
        true, XY = np.split(principal_axes(np.vstack([true, XY]), 2), 2)
    embedding_2d(ax, XY, colors)
    ax.plot(*np.stack([true, XY]).transpose(2, 0, 1), color="0.4", lw=0.6, zorder=0)


def embedding_names(ax, XY, names, colors, rng, *, size=5.5, share=1.0, around=None):
    """Scatter points and write names beside them, leaving out names that would overlap another.

    ``rng`` draws the order in which names are placed; ``size`` is the font size; for ``share`` see
    `embedding_classes`; the frame holds ``around``, (m, 2), by default the points. Names are
    measured, so do not resize the axes afterwards. Returns the indices of the names written, a list
    of int.
    """
    XY = _points(XY, 2)
    names, colors = one_each(names, len(XY), "names"), one_each(colors, len(XY), "colors")
    ax.scatter(*XY.T, c=colors, s=6, linewidths=0)
    _frame(ax, XY if around is None else around, share)
    ax.figure.canvas.draw()  # lays out the figure, so that text can be measured
    boxes = np.empty((0, 4))
    written = []
    # A name goes to the right of its point, or else to the left, above or below.
    sides = [((2, 0), "left", "center"), ((-2, 0), "right", "center")]
    sides += [((0, 4), "center", "bottom"), ((0, -4), "center", "top")]
    for k, (offset, ha, va) in product(rng.permutation(len(XY)), sides):
        if k in written:
            continue
        text = ax.annotate(names[k], XY[k], offset, textcoords="offset points", ha=ha, va=va)
        # A name may have dollars, which are no mathematics.
        text.set(size=size, color=colors[k], annotation_clip=True, parse_math=False)
        (x0, y0), (x1, y1) = text.get_window_extent().get_points()
        covers = (boxes[:, 0] < x1) & (x0 < boxes[:, 2]) & (boxes[:, 1] < y1) & (y0 < boxes[:, 3])
        outside = not (ax.bbox.contains(x0, y0) and ax.bbox.contains(x1, y1))
        if covers.any() or outside:
            text.remove()
        else:
            boxes = np.vstack([boxes, [x0, y0, x1, y1]])
            written.append(int(k))
    return written
