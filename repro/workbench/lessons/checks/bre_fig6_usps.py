"""The checks of the exercises of BRE Figure 6."""

import numpy as np

from repro.bre import BernoulliRelation, bre_loss
from repro.core.estimator import principal_scores
from repro.core.optimize import minimize
from repro.experiments import bre_fig6_usps as experiment
from repro.measures import roughness
from repro.workbench.lessons import agrees, compared

SEED = 834835  # the run of record of median order


def is_right_1(variance):
    """Check the measure of smoothness: a function of a map, of a property and of the classes."""
    choices = experiment.Choices()
    images, labels = experiment.load_images(choices.collection, choices.digits)
    rows = experiment.draw(labels, choices.digits, 60, SEED)
    Y = principal_scores(images[rows].reshape(len(rows), -1).astype(float), 2)
    values, kinds = experiment.ink(images[rows]), labels[rows]
    found = np.asarray(variance(Y, values, kinds)).item()

    def with_itself(ddof):  # the ten nearest, the point itself among them
        ratios = []
        for kind in np.unique(kinds):
            own, of_own = Y[kinds == kind], values[kinds == kind]
            order = np.linalg.norm(own[:, None] - own, axis=2).argsort(axis=1)[:, :10]
            among = of_own[order].var(axis=1, ddof=ddof).mean()
            ratios.append(among / of_own.var(ddof=ddof))
        return np.mean(ratios)

    itself = "the ten nearest contain the point itself: leave out the first"
    whole = "this is the ratio without classes: take neighbours and variance in each class"
    usual = [(itself, with_itself(1)), (itself, with_itself(0))]
    usual += [(whole, roughness(Y, values, np.zeros(len(Y))))]
    return compared(found, roughness(Y, values, kinds), usual, rtol=0, atol=1e-6)


def embed(R, n_components):
    """Embed points with given affinities from the start that the exercises name."""
    relation = BernoulliRelation(R)
    start = np.random.default_rng(0).normal(size=(len(R), n_components))
    return minimize(lambda Y: bre_loss(Y, relation), start, "l-bfgs", max_iter=500).x


def is_right_2(distance):
    """Check the place of a point of affinity 0.4 with all others, which have ½."""
    R = np.full((300, 300), 0.5)
    R[0] = R[:, 0] = 0.4
    np.fill_diagonal(R, 1)
    Y = embed(R, 2)
    from_others = np.linalg.norm(Y - Y[1:].mean(axis=0), axis=1)
    usual = {from_others[1:].max(): "the radius of the disc of the others"}
    usual |= {np.sqrt(6 / 7): "the balance for small distances; fit the points"}
    usual |= {np.sqrt(-np.log(0.4)): "the rest length of one pair"}
    return agrees(distance, from_others[0], usual=usual)


def is_right_3(median):
    """Check the median distance from the centre, over the largest, in three dimensions."""
    R = np.full((300, 300), 0.5)
    np.fill_diagonal(R, 1)
    Y = embed(R, 3)
    radii = np.linalg.norm(Y - Y.mean(axis=0), axis=1)
    usual = {0.5 ** (1 / 3): "the median if the points filled a ball evenly"}
    usual |= {np.median(radii): "the median distance; divide it by the largest"}
    usual |= {0.5 ** (1 / 2): "the median in a disc: embed in three dimensions"}
    return agrees(median, np.median(radii) / radii.max(), usual=usual)
