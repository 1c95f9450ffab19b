"""The checks of the exercises of several relations in BRE."""

import numpy as np
from scipy.spatial.distance import cdist

from repro.experiments import bre_ext_multiple_relations as experiment
from repro.experiments._faces import load_faces, split
from repro.measures import abs_spearman
from repro.workbench.lessons import agrees

SEED = 294295  # the run of median loss


def is_right_1(weight):
    """Check the weight of the pixels that turns means over pairs into sums."""
    n_labelled, n = experiment.Choices().n_labelled, len(load_faces()[1])
    expected = n * (n - 1) / (n_labelled * (n_labelled - 1))
    usual = {1 / expected: "the weight of a factor, with 1 for the pixels"}
    usual |= {n / n_labelled: "the ratio of the numbers of faces, not of pairs"}
    return agrees(weight, expected, usual=usual)


def is_right_2(slope):
    """Check the slope at which labelled faces have no loss, with β = 3 for the factors."""
    usual = {1 / 3: "the square of the slope: compare distances, not their squares"}
    usual |= {np.sqrt(3): "the slope the other way round"}
    return agrees(slope, 1 / np.sqrt(3), usual=usual)


def is_right_3(rho):
    """Check the smallest rank correlation of weighted means over the labelled faces."""
    choices = experiment.Choices()
    faces, factors = load_faces()
    labelled, others = split(len(factors), choices.n_labelled, SEED)
    squared = cdist(faces.X[others], faces.X[labelled], "sqeuclidean")

    def smallest(weights):
        guess = weights @ factors[labelled]
        return abs_spearman(factors[others], guess).diagonal().min()

    r = np.exp(-squared / choices.beta_pixels)
    narrow = np.exp(-(squared - squared.min(axis=1, keepdims=True)) / choices.beta)
    usual = {smallest(r): "the value of sums; divide the weights by their sum"}
    usual |= {smallest(narrow / narrow.sum(axis=1, keepdims=True)): "the value with a factor's β"}
    return agrees(rho, smallest(r / r.sum(axis=1, keepdims=True)), usual=usual)
