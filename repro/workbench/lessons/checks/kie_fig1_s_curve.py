"""The checks of the exercises of KIE Figure 1."""

from dataclasses import replace

import numpy as np

from repro.core.kernel_matrices import gaussian_kernel
from repro.experiments import kie_fig1_s_curve as experiment
from repro.kie import entropy, mutual_information
from repro.workbench.lessons import agrees

N = 400  # points for the fits of the page


def is_right_1(ratio):
    """Check the ratio of a rectangle's sides for which L4 is the same along axes and diagonals."""
    usual = {1 / np.sqrt(3): "b / a, not a / b", 3: "the square of the ratio"}
    usual |= {1: "a square, and a square costs less along the axes"}
    return agrees(ratio, np.sqrt(3), usual=usual)


def is_right_2(log_likelihood):
    """Check the mean log-likelihood of the data: a function of Z and the kernel of the data."""
    choices = experiment.Choices()
    K_y = gaussian_kernel(experiment.make_sample(choices, 0)[0][:N], choices.bandwidth)
    Z = np.random.default_rng(0).normal(size=(N, 2))
    found = log_likelihood(Z, K_y)
    information, joint = mutual_information(Z, K_y), -entropy(gaussian_kernel(Z, 1.0), K_y)
    right = information - entropy(K_y)
    usual = {right: True, -right: "the sign is that of −log p"}
    usual |= {N * right: "this is a sum, not a mean"}
    usual |= {joint: "this is the mean of log p(y, z): divide p(y, z) by p(z)"}
    usual |= {information: "this is the information itself"}
    return next((told for value, told in usual.items() if np.allclose(found, value)), False)


def is_right_3(ratio):
    """Check how many times as wide the embedding is if λ is divided by N once more."""
    choices = replace(experiment.Choices(), n_points=N)
    X = experiment.make_sample(experiment.Choices(), 0)[0][:N]
    loose, tight = (
        experiment.fit(replace(choices, divided=divided), X, 0).embedding_.std()
        for divided in (True, False)
    )
    usual = {tight / loose: "the second divided by the first", loose: "the first, not the quotient"}
    usual |= {(loose / tight) ** 2: "a quotient of variances"}
    return agrees(ratio, loose / tight, usual=usual)
