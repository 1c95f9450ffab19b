"""The checks of the exercises of t-ETE Figure 1."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.distance import cdist

from repro.experiments import tete_fig1_mnist_noise as experiment, without_warning
from repro.measures import nearest_neighbor_error
from repro.tete import TripletEmbedding, reverse_triplets
from repro.workbench.lessons import agrees, compared

FEW = 1000  # digits
P = 0.05, 0.2, 0.5, 0.9  # probabilities at which costs are compared


@cache
def digits():
    """Return the pixels of the digits that the lesson fits, and their labels."""
    choices = experiment.Choices()
    return experiment.draw(replace(choices, n_digits=min(choices.n_digits, FEW)), 0)[:2]


def sample(first):
    """Draw triplets as the lesson does; the far item has at least the rank ``first``."""
    X, rng, choices = digits()[0], np.random.default_rng(0), experiment.Choices()
    rank = cdist(X, X).argsort(axis=1)
    i = np.repeat(np.arange(len(X)), choices.n_triplets)
    j = rank[i, rng.integers(1, choices.n_neighbors + 1, len(i))]
    k = rank[i, rng.integers(first, len(X), len(i))]
    return np.column_stack([i, j, k])


@without_warning()
def error(triplets, share=0.2, t=2):
    """Compute the 1-NN error of a fit, t-STE's for t = 1, to triplets with a share reversed."""
    given = reverse_triplets(triplets, share, np.random.default_rng(0))
    model = TripletEmbedding(t=t, t_prime=2, max_iter=250, random_state=0)
    return nearest_neighbor_error(model.fit(given).embedding_, digits()[1])


def common(A, B, k, first=1):
    """Count the neighbours that each point has in both maps; ``first`` is the first rank."""
    near = [cdist(Y, Y).argsort(axis=1)[:, first : k + first] for Y in (A, B)]
    return np.array([np.isin(a, b).sum() for a, b in zip(*near, strict=True)])


def is_right_1(shared):
    """Check the share of neighbours that two maps have in common."""
    A, B = np.random.default_rng(0).normal(size=(2, 200, 2))
    A[:, 0] += B[:, 0]
    numbers = np.array([3, 7])
    found = [float(shared(A, B, k)) for k in numbers]
    counts = np.array([common(A, B, k) for k in numbers])
    with_self = np.array([common(A, B, k, first=0).mean() for k in numbers])
    union = 2 * numbers[:, None] - counts
    of_either = (counts / union).mean(axis=1)
    usual = [("each point is counted as its own neighbour", with_self / numbers)]
    usual += [("this divides by all that are near in A or in B, not by k", of_either)]
    usual += [("this is a number of neighbours, not a share", counts.mean(axis=1))]
    return compared(found, [experiment.shared_neighbors(A, B, k) for k in numbers], usual)


def is_right_2(number):
    """Check the 1-NN error of t-ETE if the far item is any digit beyond the nearest."""
    first = experiment.Choices().n_neighbors + 1
    half, other = (sample(rank) for rank in (len(digits()[0]) // 2, first))
    usual = {error(half): "the error of the map of `own`, whose far items are in the farther half"}
    usual |= {error(other, 0.0): "the error without reversed triplets"}
    usual |= {error(other, t=1): "the error of t-STE"}
    return agrees(number, error(other), usual=usual)


def is_right_3(method):
    """Check the cost and the pull of a triplet if a fifth is known to be reversed."""
    p = np.array(P)
    cost, pull = (np.array(of, dtype=float) for of in zip(*map(method, P), strict=True))
    r = 0.2 + 0.6 * p
    if np.allclose(cost, -np.log(0.8 * p)):
        return "a reversed triplet may also be told: r has a second part"
    if not np.allclose(cost, -np.log(r)):
        return False
    right = 0.6 * p * (1 - p) / r
    by_p = "this is the slope by p, not by log((1 + n) / (1 + f))"
    usual = [("the pull has the wrong sign", -right), ("1 − r is not the slope", 1 - r)]
    usual += [("the slope of r has a factor of 0.6", right / 0.6)]
    usual += [(by_p, np.sign(pull) * 0.6 / r)]
    return compared(pull, right, usual)
