"""Embeddings of images: thumbnails beside points, pages and rows of images."""

import numpy as np

from repro.core.checks import one_each
from repro.plots.style import COLORS

# Colours of classes, distinct from those of the methods.
MARKED = ("#1B7837", "#C51B7D", "#B35806", "#4575B4", "#762A83", "#878787", "#D6A400", "#11A6A6")


def _spread_out(XY, gap, rng):
    """Choose points at random so that no two are closer than ``gap``, (2,), in both coordinates.

    Returns the indices of the chosen points, in the order in which they were drawn.
    """
    chosen = []
    for i in rng.permutation(len(XY)):
        if (np.abs(XY[chosen] - XY[i]) > gap).any(axis=1).all():
            chosen.append(i)
    return np.array(chosen, dtype=int)


def picture_page(XY, images, rng, *, size=760):
    """Place images, (n, h, w), at their points, (n, 2), on one page without overlap.

    ``rng`` draws the order in which images are placed, as in the BRE paper, Fig. 6. ``size`` is
    about the length of the longer side of the page, in pixels of the images. Returns the page,
    (height, width) float64 in [0, 1], its first row the top, white (1) between images, which are
    not negative and whose brightest pixel is 1; ((x0, x1), (y0, y1)), the part of the embedding
    that it covers, its ``extent`` when shown; and the points whose image is on it, (k,) int.
    """
    images = np.array(one_each(images, len(XY), "images"), dtype=float)
    images = images / (images.max() or 1.0)
    high, wide = images.shape[1:]
    spans = np.ptp(XY, axis=0)
    per_unit = (size - max(high, wide)) / (spans.max() or 1.0)
    x0, y1 = XY[:, 0].min(), XY[:, 1].max()
    width, height = np.ceil(spans * per_unit + [wide, high]).astype(int)
    page = np.ones((height, width))
    left = np.floor((XY[:, 0] - x0) * per_unit).astype(int)
    top = np.floor((y1 - XY[:, 1]) * per_unit).astype(int)
    chosen = _spread_out(np.column_stack([left, top]), np.array([wide, high]) - 0.5, rng)
    for k in chosen:
        page[top[k] : top[k] + high, left[k] : left[k] + wide] = images[k]
    x0 -= wide / 2 / per_unit
    y1 += high / 2 / per_unit
    return page, ((x0, x0 + width / per_unit), (y1 - height / per_unit, y1)), chosen


def embedding_thumbnails(ax, XY, images, rng, *, size=0.085, most=40):
    """Scatter a 2-D embedding, circle some points at random and show their images beside them.

    ``rng`` chooses at most ``most`` points so that no thumbnails overlap; ``size`` is the height of
    a thumbnail, as a share of the larger extent of the embedding. Returns the indices of the chosen
    points.
    """
    images = np.array(one_each(images, len(XY), "images"))
    low, high = XY.min(axis=0), XY.max(axis=0)
    height = size * (high - low).max()
    width = height * images.shape[2] / images.shape[1]
    chosen = _spread_out(XY, 1.05 * np.array([width, height]), rng)[:most]
    ax.scatter(*XY.T, s=3, color="0.75", linewidths=0, zorder=1)
    for x, y, image in zip(*XY[chosen].T, images[chosen], strict=True):
        ax.imshow(image, extent=(x, x + width, y, y + height), zorder=2)
    ring = {"facecolors": "none", "edgecolors": COLORS["MRE"], "linewidths": 0.9}
    ax.scatter(*XY[chosen].T, s=16, zorder=3, **ring)
    margin = np.array([width, height])
    xlim, ylim = zip(low - margin, high + 1.5 * margin, strict=True)
    ax.set(xlim=xlim, ylim=ylim, aspect="equal", xticks=[], yticks=[])
    return chosen


def show_images(axes, images, titles=None):
    """Show grey images, one per panel, without axes; panels left over stay empty."""
    titles = None if titles is None else one_each(titles, len(images), "titles")
    for k, ax in enumerate(np.ravel(axes)):
        ax.axis("off")
        if k < len(images):
            ax.imshow(images[k])
            if titles is not None:
                ax.set_title(titles[k], size=8)


def image_grid(ax, images, *, names=None, scores=None):
    """Show grey images, (rows, columns, h, w), in one panel; image (r, c) has its corner at (c, r).

    ``names`` are written to the left of the rows; ``scores``, some perhaps empty, to the right.
    """
    rows, columns = images.shape[:2]
    gap = 0.06  # between images, as a share of their size
    for r, c in np.ndindex(rows, columns):
        ax.imshow(images[r, c], extent=(c, c + 1 - gap, r + 1 - gap, r))
    ax.set(xlim=(0, columns), ylim=(rows, 0), aspect="equal", xticks=[])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if names is not None:
        ax.set_yticks(np.arange(rows) + 0.5, names)
    for r, text in enumerate(scores or ()):
        if text:
            ax.text(columns + 0.2, r + 0.5, text, va="center")
