"""The checks of the exercises of the methods side by side."""

import numpy as np

from repro.bre import BRE
from repro.core.distances import squared_distances
from repro.datasets import distances_along, fetch_usps, make_s_curve
from repro.measures import distance_correlation, nearest_neighbor_error
from repro.mre import MRE, Relation, perplexity_rows


def is_right_1(distance):
    """Check the distance of A and B at which t-ETE pulls hardest, if C is 1 from A."""
    return abs(distance - 1) < 0.03


def is_right_2(far):
    """Check the rank correlation of BRE's map of the S-curve with a quarter of its width."""
    surface = make_s_curve(300, rng=0)
    width = np.median(squared_distances(surface.X)) / 4
    Y = BRE(beta=width).fit(surface.X).embedding_
    return abs(far - distance_correlation(Y, distances_along("S-curve", surface))) < 0.01


def is_right_3(error):
    """Check the error of MRE in three dimensions without the relation of classes."""
    usps = fetch_usps()
    rows = np.random.default_rng(0).permutation(len(usps.X))[:300]
    looks = Relation(perplexity_rows(usps.X[rows].astype(float), 30.0))
    Y = MRE(3, random_state=0).fit([looks]).embedding_
    return abs(error - nearest_neighbor_error(Y[60:], usps.labels[rows][60:])) < 0.01
