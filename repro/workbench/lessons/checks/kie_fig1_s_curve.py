"""The checks of the exercises of KIE Figure 1."""

from dataclasses import replace

import numpy as np

from repro.core.kernel_matrices import gaussian_kernel
from repro.experiments import kie_fig1_s_curve as experiment
from repro.kie import entropy, mutual_information

N = 400  # points for the fits of the page


def is_right_1(ratio):
    """Check the ratio of a rectangle's sides for which L4 is the same along axes and diagonals."""
    return abs(ratio - np.sqrt(3)) < 0.02


def is_right_2(log_likelihood):
    """Check the mean log-likelihood of the data: a function of Z and the kernel of the data."""
    choices = experiment.Choices()
    K_y = gaussian_kernel(experiment.make_sample(choices, 0)[0][:N], choices.bandwidth)
    Z = np.random.default_rng(0).normal(size=(N, 2))
    return np.isclose(log_likelihood(Z, K_y), mutual_information(Z, K_y) - entropy(K_y))


def is_right_3(ratio):
    """Check how many times as wide the embedding is if λ is divided by N once more."""
    choices = replace(experiment.Choices(), n_points=N)
    X = experiment.make_sample(experiment.Choices(), 0)[0][:N]
    loose, tight = (
        experiment.fit(replace(choices, divided=divided), X, 0).embedding_.std()
        for divided in (True, False)
    )
    return abs(ratio * tight / loose - 1) < 0.05
