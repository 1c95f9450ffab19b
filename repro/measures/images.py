"""Model-free measures of images: ink, slant, and the difference of brightness, left to right."""

import numpy as np

from repro.core.checks import check_finite


def ink(images):
    """Compute the mean pixel of each image, which measures stroke thickness of digits of one size.

    Images are (n, h, w). Return (n,) float64, in pixel units.
    """
    return np.mean(_check_images(images), axis=(1, 2), dtype=float)


def _check_images(images):
    images = check_finite(images, "images")
    if images.ndim != 3 or 0 in images.shape:
        raise ValueError(f"images must have shape (n, h, w), got {images.shape}")
    return images


def slant(images):
    """Compute the slant of each image: the shift to the left from one row to the next.

    The slant is the tangent of the angle from the vertical, from the second moments of the pixels:
    minus the slope of the regression of column on row. Images are (n, h, w), not negative, each
    with ink in at least two rows. Return (n,) float64, positive if the upper part leans to the
    right, as in most handwriting.
    """
    images = _check_images(images).astype(float)
    if (images < 0).any() or (images.any(axis=2).sum(axis=1) < 2).any():
        raise ValueError("images must not be negative, and each must have ink in two rows")
    weights = images / images.sum(axis=(1, 2), keepdims=True)
    rows, columns = np.arange(images.shape[1]), np.arange(images.shape[2])
    of_rows, of_columns = weights.sum(axis=2), weights.sum(axis=1)
    y, x = of_rows @ rows, of_columns @ columns
    down, right = rows - y[:, None], columns - x[:, None]
    shared = np.einsum("nhw,nh,nw->n", weights, down, right)
    return -shared / np.einsum("nh,nh->n", of_rows, down**2)


def left_minus_right(images):
    """Compute the mean pixel of the left half minus that of the right half of each image.

    Images are (n, h, w). Return (n,) float64. The middle column of an odd width is in neither half.
    """
    images = _check_images(images)
    half = images.shape[2] // 2
    if not half:
        raise ValueError("images must have two columns")
    return ink(images[:, :, :half]) - ink(images[:, :, -half:])
