"""The checks of the exercises of BRE Figure 5."""

from dataclasses import replace

import numpy as np
from scipy.spatial.distance import cdist

from repro.bre import BRE, neighbor_graph
from repro.core.quiet import without_warning
from repro.experiments import bre_fig5_manifolds as experiment

SEED = 896736  # the first of the runs of record
FEW = replace(experiment.Choices(), n_points=400, n_neighbors=40)


@without_warning()
def embed(X, n_neighbors=40, beta=FEW.beta):
    """Embed points of a surface from their principal components, as the lesson does."""
    optimizer, max_iter = FEW.descent
    start = experiment.principal_scores(X, 2)
    options = {"n_neighbors": n_neighbors, "beta": beta, "init": start}
    return BRE(affinity="truncated", optimizer=optimizer, max_iter=max_iter, **options).fit(X)


def points():
    """Return the 400 points of the S-curve."""
    return experiment.draw("S-curve", FEW, SEED).points


def is_right_1(strangers):
    """Check the share of the twelve nearest points that are unrelated: of a map and `related`."""
    X = points()
    Y, related = experiment.principal_scores(X, 2), neighbor_graph(X, 40)
    near = np.argsort(cdist(Y, Y), axis=1)[:, 1:13]
    share = 1 - np.take_along_axis(related | related.T, near, axis=1).mean()
    return abs(strangers(Y, related) - share) < 1e-6


def is_right_2(ratio):
    """Check how many times as wide an embedding is if β is four times as large."""
    usual, wide = (embed(points(), 160, beta).embedding_.std() for beta in (FEW.beta, 4 * FEW.beta))
    return abs(ratio * usual / wide - 1) < 0.15


def is_right_3(gain):
    """Check the gain in correlation on three quarters of a torus."""
    roll = replace(FEW, surfaces=("torus patch",))
    values = experiment.measure(experiment.run(roll, SEED))
    return abs(gain - values.loc["least gain in correlation", "BRE"]) < 0.02
