"""The checks of the exercises of BRE Sections 2, 3 and 5."""

import numpy as np

from repro.workbench.lessons import agrees


def lowest_of_row(n):
    """Compute the smallest eigenvalue of the graph of n points, each related to the next."""
    k = np.arange(n)
    return np.linalg.eigvalsh((abs(k[:, None] - k) == 1).astype(float))[0]


def is_right_1(spacing):
    """Check the spacing from which on a long row has no negative eigenvalue by Eq. (6)."""
    usual = {np.log(2): "its square: take the root (for four points it is 0.694, too)"}
    usual |= {np.sqrt(np.log(-lowest_of_row(3))): "the spacing for three points"}
    usual |= {np.sqrt(np.log(-lowest_of_row(4))): "the spacing for four points"}
    usual |= {np.sqrt(np.log(-lowest_of_row(10))): "the spacing for ten points; take more"}
    usual |= {0.5: "the affinity of related points, not their spacing"}
    return agrees(spacing, np.sqrt(np.log(2)), digits=3, usual=usual)


def is_right_2(distance):
    """Check how far from its neighbours BRE places the middle one of three coincident points."""
    d = np.sqrt(np.log(3)) / 2
    usual = {2 * d: "the distance of the outer two"}
    usual |= {d**2: "the squared distance"}
    usual |= {0.0: "where the outer pair, with s = 1 but r = 0, costs without bound"}
    usual |= {np.sqrt(np.log(2)): "the rest length at the affinity ½"}
    return agrees(distance, d, digits=3, usual=usual)


def is_right_3(factor):
    """Check the largest factor in Eq. (5) with which the induced distance is metric."""
    usual = {1 / 6: "the factor for the distance 1 − r; take √(2 − 2r)"}
    usual |= {0.25: "right if the outer pair had the affinity 0, but it has ½ − c"}
    usual |= {0.5: "the factor in Eq. (5), which fails"}
    return agrees(factor, 0.3, usual=usual)
