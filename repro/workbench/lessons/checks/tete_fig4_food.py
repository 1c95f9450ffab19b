"""The checks of the exercises of t-ETE Figure 4."""

from functools import cache

import numpy as np

from repro.experiments import tete_fig4_food as experiment
from repro.tete import tete_loss

SEED = 985475  # the run of record of median order


@cache
def run(contradicted=True):
    """Return a run from the seed of the lesson."""
    return experiment.run(experiment.Choices(contradicted=contradicted), SEED)


def is_right_1(limit):
    """Check the limit of the loss as a map is scaled up, a function of the map and triplets."""
    triplets, group = experiment.draw(experiment.Choices())
    Y = np.random.default_rng(0).normal(size=(len(group), 2))
    return np.isclose(limit(Y, triplets), tete_loss(1e6 * Y, triplets, 2)[0])


def is_right_2(purity):
    """Check the purity of two clusters of desserts and breads."""
    sweet, n_starts = run().group > 0, run().choices.n_starts
    cluster = experiment.clusters(run().tete.embedding_[sweet], 2, n_starts)
    return abs(purity - experiment.purity(run().group[sweet], cluster)) < 0.005


def is_right_3(change):
    """Check by how much the silhouettes of t-STE and t-ETE change without contradictions."""
    tables = (experiment.measure(run(kept)).loc["silhouette"] for kept in (False, True))
    without, kept = tables
    return np.allclose(change, (without - kept)[["t-STE", "t-ETE"]], atol=0.005)
