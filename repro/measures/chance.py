"""What a measure is by chance."""

import numpy as np

from repro.core.checks import check_points


def shuffled(X):
    """Return the points of an embedding, (n, d), in another order, which is always the same.

    Each point has the place of another. What a measure finds then is its chance level: all that
    the embedding says of single points is lost, and the shape of the cloud is kept.
    """
    return np.random.default_rng(0).permutation(check_points(X, "X"))
