"""What can be read from a picture without a model: ink, slant, brightness, where the light is."""

import numpy as np


def ink(images):
    """Share of ink: the mean pixel of each picture, a stroke's thickness where digits are one size.

    Of images, (n, h, w), it is (n,) float64 in the units of their pixels.
    """
    return np.mean(images, axis=(1, 2), dtype=float)


def slant(images):
    """Slant of what is bright: how far its middle shifts to the left from one row to the next.

    The tangent of the angle from the vertical, from the second moments of the pixels: the slope
    of the regression of the column on the row. Of images, (n, h, w), not negative, each with ink in
    two rows at least, it is (n,) float64, positive where the upper part leans to the right, as in
    most people's handwriting.
    """
    images = np.asarray(images, dtype=float)
    weights = images / images.sum(axis=(1, 2), keepdims=True)
    rows, columns = np.arange(images.shape[1]), np.arange(images.shape[2])
    of_rows, of_columns = weights.sum(axis=2), weights.sum(axis=1)
    y, x = of_rows @ rows, of_columns @ columns
    down, right = rows - y[:, None], columns - x[:, None]
    shared = np.einsum("nhw,nh,nw->n", weights, down, right)
    return -shared / np.einsum("nh,nh->n", of_rows, down**2)


def left_less_right(images):
    """Brightness of the left half less that of the right half of each picture.

    Of images, (n, h, w), it is (n,) float64. The middle column of an odd width is in neither half.
    """
    half = np.shape(images)[2] // 2
    return ink(np.asarray(images)[:, :, :half]) - ink(np.asarray(images)[:, :, -half:])
