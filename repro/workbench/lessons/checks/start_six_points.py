"""The checks of the exercises of six points by hand."""

import numpy as np

from repro import kie_loss
from repro.workbench.lessons import agrees

UNIT = np.sqrt(np.log(2))  # in these units exp(-d²) is 2^(-d²)
DATA = np.array([[0, 1], [0, 0], [1, 0], [2, 0], [3, 0], [3, 1]])
KERNELS = 2.0 ** -((DATA[:, None] - DATA) ** 2).sum(axis=2)
EXCHANGED = np.array([[0.0], [4], [2], [3], [1], [5]])


def kie(x, reach):
    """Return the loss of KIE, with kernels of the map that reach farther, and its gradient."""
    unit = UNIT / reach
    loss, slopes = kie_loss(unit * (x - 2.5), KERNELS, penalty=0.1 / unit**2)
    return loss, unit * slopes


def descended(x, reach):
    """Return where 300 steps of length 1 lead."""
    for _ in range(300):
        x = x - kie(x, reach)[1]
    return x


def is_right_1(distance):
    """Check the distance of A and F at which t-ETE's charge for (A, F, B) pulls F hardest."""
    usual = {np.sqrt(3): "the distance at which t-STE pulls hardest"}
    usual[0] = "where the charge is least, so there is no pull"
    return agrees(distance, 1, usual=usual)


def is_right_2(loss):
    """Check the loss of KIE, without penalty, of three pairs of companions that are far apart."""
    usual = {np.log(2): "the part of the map alone, -H(X)", -np.log(2): "H(X), not the loss"}
    usual |= {-np.log(4 / 3): "the loss with its sign reversed"}
    usual |= {np.log(3): "a loss with the sign of H(Y, X) reversed", 0: "a loss without pairs"}
    return agrees(loss, np.log(4 / 3), usual=usual)


def is_right_3(loss):
    """Check the loss of KIE after a descent with wide kernels, then one with its own."""
    first = descended(EXCHANGED, 2)
    usual = {kie(descended(EXCHANGED, 1), 1)[0]: "the loss without the wide kernels"}
    usual |= {kie(first, 2)[0]: "the loss with the wide kernels"}
    usual |= {kie(first, 1)[0]: "kie before its own 300 steps"}
    return agrees(loss, kie(descended(first, 1), 1)[0], usual=usual)
