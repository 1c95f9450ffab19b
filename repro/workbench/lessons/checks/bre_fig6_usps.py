"""The checks of the exercises of BRE Figure 6."""

import numpy as np

from repro.core.estimator import principal_scores
from repro.experiments import bre_fig6_usps as experiment
from repro.measures import roughness

SEED = 841668  # the first of the runs of record


def is_right_1(variance):
    """Check the measure of smoothness: a function of a map, of a property and of the classes."""
    choices = experiment.Choices()
    images, labels = experiment.load_images(choices.collection, choices.digits)
    rows = experiment.draw(labels, choices.digits, 60, SEED)
    Y = principal_scores(images[rows].reshape(len(rows), -1).astype(float), 2)
    given = Y, experiment.ink(images[rows]), labels[rows]
    return abs(variance(*given) - roughness(*given)) < 1e-6


def is_right_2(radius):
    """Check the radius of the disc that points fill if all pairs have the affinity ½.

    For many points it is nearly √(2/3); the rest length of a pair, 0.83, is not right.
    """
    return abs(radius / np.sqrt(2 / 3) - 1) < 0.015


def is_right_3(error):
    """Check the 1-NN error of BRE for the digits 4, 7 and 9."""
    alike = experiment.Choices(digits=(4, 7, 9), n_each=200)
    found = experiment.measure(experiment.run(alike, SEED)).loc["1-NN error", "BRE"]
    return abs(error - found) < 0.01
