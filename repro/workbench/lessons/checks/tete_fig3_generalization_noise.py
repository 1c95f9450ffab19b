"""The checks of the exercises of t-ETE Figure 3."""

from functools import cache

import numpy as np

from repro.experiments import tete_fig3_generalization_noise as experiment, without_warning
from repro.tete import TripletEmbedding, fraction_satisfied, reverse_triplets
from repro.workbench.lessons import agrees, compared

SEED = 347711  # of the run that the lesson shows
UNITS = 0.05, 0.4, 3.0


@cache
@without_warning()
def violated(t=1.7, t_prime=1.7, misread=False):
    """Return the share of unseen triplets that a map of digits violates: of all, and of two parts.

    The parts are those about every seventh digit, and the others. The map is of triplets of which
    15 % are reversed or, with ``misread``, all about every seventh digit.
    """
    labels, given, unseen, _ = experiment.draw(experiment.Choices(), "MNIST", SEED)
    if misread:
        given = np.where((given[:, 0] % 7 == 0)[:, None], given[:, [0, 2, 1]], given)
    else:
        given = reverse_triplets(given, 0.15, np.random.default_rng([SEED, 15]))
    model = TripletEmbedding("tete", t=t, t_prime=t_prime, random_state=SEED)
    Y = model.fit(given, n_items=len(labels)).embedding_
    seventh = unseen[:, 0] % 7 == 0
    return [1 - fraction_satisfied(Y, of) for of in (unseen, unseen[seventh], unseen[~seventh])]


def is_right_1(scale):
    """Check the scale by which points in CKL's unit of length become those of t-STE."""
    found, units = np.array([scale(mu) for mu in UNITS]), np.array(UNITS)
    usual = [("this scales the points of t-STE to those of CKL", units**0.5)]
    usual += [("this is the factor of squared distances", 1 / units)]
    usual += [("this scales squared distances, from those of t-STE to those of CKL", units)]
    return compared(found, units**-0.5, usual)


def is_right_2(share):
    """Check the generalisation error of t-ETE without its heavy tail."""
    right = violated(t_prime=1.0)[0]
    if agrees(share, right) is True:
        return True
    usual = {1 - right: "the accuracy", violated()[0]: "the error of t-ETE, with its tail"}
    usual |= {violated(t=1.0, t_prime=1.0)[0]: "the error of STE, which has no bound"}
    usual |= {violated(t=1.0)[0]: "the error with the tail, without the bound"}
    return agrees(share, right, usual=usual)


def is_right_3(share):
    """Check the generalisation error of t-ETE if all triplets of every seventh digit are wrong."""
    right, seventh, others = violated(misread=True)
    if agrees(share, right) is True:
        return True
    usual = {1 - right: "the accuracy", violated()[0]: "the error if 15 % are reversed at random"}
    usual |= {seventh: "the share of those about every seventh digit"}
    usual |= {others: "the share of those about the other digits"}
    return agrees(share, right, usual=usual)
