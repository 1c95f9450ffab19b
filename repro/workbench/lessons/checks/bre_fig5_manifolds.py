"""The checks of the exercises of BRE Figure 5."""

from dataclasses import replace

import numpy as np
from scipy.spatial.distance import cdist

from repro.bre import neighbor_graph
from repro.experiments import bre_fig5_manifolds as experiment

SEED = 390597  # the run of record of median order
FEW = replace(experiment.Choices(), n_points=400, n_neighbors=40)


def is_right_1(strangers):
    """Check the share of the twelve nearest points that are unrelated: of a map and `related`."""
    X = experiment.draw("S-curve", FEW, SEED).points
    Y = experiment.principal_scores(X, 2)
    related = neighbor_graph(X, 40)
    near = np.argsort(cdist(Y, Y), axis=1)[:, 1:13]
    share = 1 - np.take_along_axis(related | related.T, near, axis=1).mean()
    return abs(strangers(Y, related) - share) < 1e-6


def is_right_2(ratio):
    """Check how many times as wide an embedding is if β is four times as large."""
    return abs(2 * ratio - 1) < 0.15


def is_right_3(gain):
    """Check the gain in correlation on three quarters of a torus."""
    roll = replace(FEW, surfaces=("torus patch",))
    values = experiment.measure(experiment.run(roll, SEED))
    return abs(gain - values.loc["least gain in correlation", "BRE"]) < 0.02
