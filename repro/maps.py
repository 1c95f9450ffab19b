"""Maps of an embedding: by class, along sequences, with pictures or names that cover no other."""

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from repro.plots import COLORS, MARKERS, embedding_2d, letters_above, principal_axes

# For classes, apart from the colours of the methods.
MARKED = ("#1B7837", "#C51B7D", "#B35806", "#4575B4", "#762A83", "#878787", "#D6A400", "#11A6A6")


def class_map(ax, XY, labels, *, size=3, share=1.0):
    """Scatter a 2-D embedding in one colour a class, points in random order: none hides another.

    Parameters
    ----------
    ax : axes
    XY : (n, 2) array
    labels : (n,) array
    size : float
        Of a point, in square points.
    share : float
        The square frame holds at least this share of the points in each direction; say so beside
        the figure if it is less than all.

    Returns
    -------
    handles : list of artists
        For a legend, one a class in sorted order.
    """
    kinds, kind = np.unique(labels, return_inverse=True)
    colors = _class_colors(len(kinds))
    order = np.random.default_rng(0).permutation(len(XY))
    ax.scatter(*XY[order].T, c=np.array(colors)[kind[order]], s=size, linewidths=0)
    _frame(ax, XY, share)
    style = {"marker": "o", "ls": "", "ms": 5}
    return [
        Line2D([], [], color=colors[c], label=str(name), **style) for c, name in enumerate(kinds)
    ]


def _class_colors(n):
    """List as many colours as there are classes; many are told apart by hue only."""
    if n <= 20:
        return mpl.colormaps["tab10" if n <= 10 else "tab20"].colors
    return mpl.colormaps["gist_rainbow"](np.linspace(0, 1, n))


def _frame(ax, XY, share):
    """Set a square frame with equal axes and no ticks around a share of the points."""
    low, high = np.quantile(XY, [(1 - share) / 2, (1 + share) / 2], axis=0)
    centre, half = (low + high) / 2, 0.54 * (high - low).max()
    ax.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))
    ax.set(aspect="equal", xticks=[], yticks=[])


def sequences_2d(ax, XY, labels, *, names=None):
    """Draw sequences of points, grey by order, a marker and a thin line for each.

    Parameters
    ----------
    ax : axes
    XY : (n, 2) array
        Points of a sequence in their order; the first is drawn black, the last light grey.
    labels : (n,) array
        The sequence of each point.
    names : sequence of str, optional
        One a sequence, for the legend.
    """
    for c, label in enumerate(np.unique(labels)):
        points = XY[np.asarray(labels) == label]
        grey = [str(g) for g in np.linspace(0, 0.88, len(points))]
        style = {"marker": MARKERS[c % len(MARKERS)], "s": 26, "ec": "black", "lw": 0.4}
        ax.plot(*points.T, color="0.75", lw=0.8, zorder=1)
        ax.scatter(*points.T, c=grey, label=None if names is None else names[c], **style)
    ax.set(xticks=[], yticks=[])


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
    sequences_2d(ax, XY, np.arange(len(XY)) >= n_first)
    for ends in ([0, n_first], [n_first - 1, -1]):
        ax.plot(*XY[ends].T, color="#C00000", lw=1, zorder=0)
    ax.set(xlabel="pose", ylabel="kind")
    if letter:
        letters_above([ax], letter)


def displacements(ax, places, found, colors):
    """Scatter an embedding, with a line to each point from the place where it should be.

    Parameters
    ----------
    ax : axes
    places, found : (n, d) arrays
        Drawn along their two widest axes, if d is not 2.
    colors : (n,) sequence of colours
    """
    if found.shape[1] != 2:
        places, found = np.split(principal_axes(np.vstack([places, found]), 2), 2)
    embedding_2d(ax, found, colors)
    ax.plot(*np.stack([places, found]).transpose(2, 0, 1), color="0.4", lw=0.6, zorder=0)


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
        if (np.abs(XY[chosen] - XY[i]) > gap).any(axis=1).all():
            chosen.append(i)
    return np.array(chosen, dtype=int)


def picture_page(XY, images, rng, *, size=760, limits=None, background=1.0):
    """Put pictures where their points are, pixel by pixel on one page, none over another.

    Parameters
    ----------
    XY : (n, 2) array
    images : (n, h, w) array
    rng : numpy.random.Generator
        The order in which pictures try for their place, as in the BRE paper, Fig. 6.
    size : int
        Of the longer side of the page, in pixels of the pictures.
    limits : ((x0, x1), (y0, y1)), optional
        Of the part of the map to show. Default: all.
    background : float
        0 is black, 1 as bright as the brightest pixel.

    Returns
    -------
    page : (height, width) float64 array in [0, 1]
        Its first row is the top of the map. Show it with ``extent`` of the limits that follow.
    limits : ((x0, x1), (y0, y1))
        What of the map the page covers, with a margin for pictures on the edge.
    chosen : (k,) int array
        The points whose picture is on the page.
    """
    images = np.asarray(images, dtype=float)
    high, wide = images.shape[1:]
    scale = images.max() or 1.0
    limits = limits or [(v.min(), v.max()) for v in XY.T]
    spans = np.array([b - a for a, b in limits])
    per_unit = (size - max(high, wide)) / spans.max()
    (x0, _), (_, y1) = limits
    inside = np.flatnonzero(
        np.all([(v >= a) & (v <= b) for v, (a, b) in zip(XY.T, limits, strict=True)], axis=0)
    )
    width, height = np.ceil(spans * per_unit + [wide, high]).astype(int)
    page = np.full((height, width), background)
    left, top = (
        np.floor((XY[inside, 0] - x0) * per_unit).astype(int),
        np.floor((y1 - XY[inside, 1]) * per_unit).astype(int),
    )
    placed = spread_out(np.column_stack([left, top]), np.array([wide, high]) - 0.5, rng)
    for k in placed:
        page[top[k] : top[k] + high, left[k] : left[k] + wide] = images[inside[k]] / scale
    x0, y1 = x0 - wide / 2 / per_unit, y1 + high / 2 / per_unit
    covered = ((x0, x0 + width / per_unit), (y1 - height / per_unit, y1))
    return page, covered, inside[placed]


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


def picture_map(ax, XY, images, labels, rng, *, size=0.07, colors=MARKED):
    """Put pictures where their points are, in frames of their class's colour, none over another.

    Parameters
    ----------
    ax : axes
    XY : (n, 2) array
    images : (n, h, w, 3) or (n, h, w) array
        Those that would cover another are left out, their points drawn as dots.
    labels : (n,) int array
        0, 1, …
    rng : numpy.random.Generator
        Chooses the pictures.
    size : float
        Height of a picture as a share of the panel's.
    colors : sequence of str
        One a class.

    Returns
    -------
    chosen : (k,) int array
        The points with a picture.
    """
    low, high = XY.min(axis=0), XY.max(axis=0)
    side = size * (high - low).max()
    half = np.array([side * images.shape[2] / images.shape[1], side]) / 2
    chosen = spread_out(XY, 2.1 * half, rng)
    ax.scatter(*XY.T, c=np.array(colors)[labels], s=7, linewidths=0, zorder=1)
    for k in chosen:
        (left, bottom), (right, top) = XY[k] - half, XY[k] + half
        ax.imshow(images[k], extent=(left, right, bottom, top), zorder=2)
        frame = Rectangle((left, bottom), *(2 * half), fill=False, ec=colors[labels[k]], lw=1.2)
        ax.add_patch(frame).set_zorder(3)
    centre, reach = (low + high) / 2, 0.5 * (high - low).max() + 1.2 * half.max()
    ax.set(xlim=(centre[0] - reach, centre[0] + reach), ylim=(centre[1] - reach, centre[1] + reach))
    ax.set(aspect="equal", xticks=[], yticks=[])
    return chosen


def name_map(ax, XY, names, colors, rng, *, size=5.5, share=1.0):
    """Scatter points and write names beside them, leaving out names that would cover another.

    Parameters
    ----------
    ax : axes
        Its limits are set before the names are measured; do not change its size afterwards.
    XY : (n, 2) array
    names : sequence of str
    colors : (n,) sequence of colours
    rng : numpy.random.Generator
        The order in which names try for their place.
    size : float
        Of the letters, in points.
    share : float
        See `class_map`.

    Returns
    -------
    written : list of int
    """
    ax.scatter(*XY.T, c=colors, s=6, linewidths=0)
    _frame(ax, XY, share)
    ax.figure.canvas.draw()  # lays the figure out, so that text can be measured
    boxes, written = np.empty((0, 4)), []
    for k in rng.permutation(len(XY)):
        text = ax.annotate(names[k], XY[k], (2, 0), textcoords="offset points", va="center")
        text.set(size=size, color=colors[k], annotation_clip=True)
        (x0, y0), (x1, y1) = text.get_window_extent().get_points()
        covers = (boxes[:, 0] < x1) & (x0 < boxes[:, 2]) & (boxes[:, 1] < y1) & (y0 < boxes[:, 3])
        outside = not (ax.bbox.contains(x0, y0) and ax.bbox.contains(x1, y1))
        if covers.any() or outside:
            text.remove()
        else:
            boxes, written = np.vstack([boxes, [x0, y0, x1, y1]]), [*written, int(k)]
    return written
