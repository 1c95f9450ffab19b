"""Chance level of measures."""

import numpy as np

from repro.core.checks import check_points


def shuffled(X):
    """Return the points of an embedding, (n, d), in a fixed random order.

    A measure of the result is its chance level: the shape of the cloud is kept, but all information
    about individual points is lost.
    """
    return np.random.default_rng(0).permutation(check_points(X, "X"))
