"""The checks of the exercises of t-ETE Figure 4."""

from functools import cache

import numpy as np

from repro.experiments import tete_fig4_food as experiment
from repro.tete import tete_loss
from repro.workbench.lessons import agrees, compared

SEED = 985475  # the run of record of median order


@cache
def run(contradicted=True):
    """Return a run from the seed of the lesson."""
    return experiment.run(experiment.Choices(contradicted=contradicted), SEED)


@cache
def silhouettes(contradicted=True):
    """Return the silhouettes of a run."""
    return experiment.measure(run(contradicted)).loc["silhouette"]


def is_right_1(limit):
    """Check the limit of the loss as a map is scaled up, a function of the map and triplets."""
    triplets, group = experiment.draw(experiment.Choices())
    Y = np.random.default_rng(0).normal(size=(len(group), 2))
    found = float(limit(Y, triplets))
    i, j, k = triplets.T
    near, far = (((Y[i] - Y[other]) ** 2).sum(axis=1) for other in (j, k))
    of_lengths = (near**0.5 / (near**0.5 + far**0.5)).sum()
    right = tete_loss(1e6 * Y, triplets, 2)[0]
    usual = [("this is the loss of the map as it is", tete_loss(Y, triplets, 2)[0])]
    usual += [("this is found from distances, not from their squares", of_lengths)]
    usual += [("this is the limit of ℓ, not of the cost", (near / far).sum())]
    reversed_ = (far / (near + far)).sum()
    usual += [("this is the limit of the loss of the reversed triplets", reversed_)]
    usual += [("this is the mean over the triplets", right / len(triplets))]
    return compared(found, right, usual)


def is_right_2(purity):
    """Check the purity of two clusters of desserts and breads."""
    group, n_starts = run().group, run().choices.n_starts
    sweet, Y = group > 0, run().tete.embedding_
    all_dishes = experiment.purity(group, experiment.clusters(Y, 2, n_starts))
    ste = experiment.clusters(run().tste.embedding_[sweet], 2, n_starts)
    usual = {all_dishes: "the purity of two clusters of all dishes"}
    usual |= {experiment.purity(group[sweet], ste): "the purity in t-STE's map"}
    cluster = experiment.clusters(Y[sweet], 2, n_starts)
    return agrees(purity, experiment.purity(group[sweet], cluster), usual=usual)


def is_right_3(share):
    """Check how far the silhouette of t-STE rises without contradictions, as a share."""
    kept, without = silhouettes(), silhouettes(contradicted=False)
    rise = without["t-STE"] - kept["t-STE"]
    usual = {rise: "the rise, not its share"}
    usual |= {-rise / (kept["t-ETE"] - kept["t-STE"]): "the share with the wrong sign"}
    return agrees(share, rise / (kept["t-ETE"] - kept["t-STE"]), usual=usual)
