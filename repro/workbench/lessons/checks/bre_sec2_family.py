"""The checks of the exercises of BRE Sections 2, 3 and 5."""

import numpy as np

from repro.bre import BernoulliRelation, bernoulli_gaussian, bre_loss, step_weights


def is_right_1(matrix):
    """Check the matrix of a gradient step, a function of Y, R and the length of the step."""
    rng = np.random.default_rng(0)
    R, Y = bernoulli_gaussian(rng.normal(size=(20, 3)), 2.0), rng.normal(size=(20, 2))
    return np.allclose(matrix(Y, R, 0.1), step_weights(Y, R, 0.1).toarray())


def is_right_2(spacing):
    """Check the spacing from which on three points in a row have no negative eigenvalue."""
    return abs(spacing - np.sqrt(np.log(2) / 2)) < 0.002


def is_right_3(kept):
    """Check what small steps in Y and log γ keep, a function of Y and γ."""
    rng = np.random.default_rng(0)
    R = BernoulliRelation(bernoulli_gaussian(rng.normal(size=(30, 3)), 2.0))
    start, log_gamma = rng.normal(size=(30, 2)), 0.0
    Y = start
    for _ in range(500):
        gradient = bre_loss(Y, R, np.exp(log_gamma))[1]
        log_gamma += 1e-4 * np.vdot(Y, gradient)
        Y = Y - 2e-4 * gradient
    of_both = [[kept(at, gamma) for gamma in (1.0, np.exp(log_gamma))] for at in (start, Y)]
    (before, by_gamma), (by_embedding, after) = np.array(of_both, dtype=float)
    least = min(abs(by_gamma - before), abs(by_embedding - before))
    return bool(least > 0 and abs(after - before) < 0.02 * least)
