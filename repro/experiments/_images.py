"""Measures of images, (n, h, w): ink, slant, and the difference of brightness, left to right."""

import numpy as np


def ink(images):
    """Compute the mean pixel of each image, the thickness of strokes in digits of one size."""
    return np.mean(images, axis=(1, 2), dtype=float)


def slant(images):
    """Compute the slant of each image, positive if the upper part leans to the right.

    It is the tangent of the angle from the vertical, from the second moments of the pixels: minus
    the slope of the regression of column on row.
    """
    images = images.astype(float)
    weights = images / images.sum(axis=(1, 2), keepdims=True)
    rows = np.arange(images.shape[1])
    columns = np.arange(images.shape[2])
    by_row = weights.sum(axis=2)
    down = rows - (by_row @ rows)[:, None]
    right = columns - (weights.sum(axis=1) @ columns)[:, None]
    shared = np.einsum("nhw,nh,nw->n", weights, down, right)
    return -shared / np.einsum("nh,nh->n", by_row, down**2)


def left_minus_right(images):
    """Compute the mean pixel of the left half minus that of the right half of each image."""
    half = images.shape[2] // 2
    return ink(images[:, :, :half]) - ink(images[:, :, -half:])
