"""The checks of the exercises of six points by hand."""

import numpy as np

from repro.mre import gaussian_rows, sne_loss

P = gaussian_rows(
    np.array([[0, 1], [0, 0], [1, 0], [2, 0], [3, 0], [3, 1]]), 1 / np.log(2), include_self=True
)


def is_right_1(probability):
    """Check the probability with which B chooses A."""
    return abs(probability - P[1, 0]) < 0.001


def is_right_2(distance):
    """Check the distance of A and F at which the t-ETE loss of (A, F, B) is 0.9."""
    return abs(abs(distance) - np.sqrt(17)) < 0.01


def is_right_3(spread):
    """Check the entropy of three pairs, each at a separate place."""
    return abs(spread + np.log(2)) < 0.001


def is_right_4(loss):
    """Check the loss of SNE after 300 steps from the line on which B and E are exchanged."""
    unit = np.sqrt(np.log(2))
    X = unit * np.array([[0.0], [4], [2], [3], [1], [5]])
    for _ in range(300):
        X -= unit**2 * sne_loss(X, P, include_self=True)[1]
    return abs(loss - sne_loss(X, P, include_self=True)[0]) < 0.0005
