"""The checks of the exercises of BRE Figure 7."""

import numpy as np

from repro.bre import BRE, bernoulli_truncated, bre_loss, neighbor_graph
from repro.experiments import bre_fig7_brendan as experiment, without_warning


def is_right_1(matrix):
    """Check the matrix of attraction, a function of the ordered pairs and their affinities."""
    choices = experiment.Choices()
    X = experiment.scaled(experiment.load_pictures(choices.pictures), choices.pixels)
    R = bernoulli_truncated(X, choices.beta, neighbor_graph(X, choices.n_neighbors)).tocoo()
    far = 1e4 * np.random.default_rng(0).normal(size=(len(X), 2))
    gradient = bre_loss(far, R)[1]
    return np.allclose(matrix(*R.coords, R.data) @ far, gradient, atol=1e-6 * gradient.max())


def is_right_2(share):
    """Check the largest share of smiles in a block that arises by chance."""
    draws = np.random.default_rng(1).binomial(24, 0.25, size=(1000, 983))
    return abs(share - np.median(draws.max(axis=1)) / 24) < 0.03


@without_warning()
def is_right_3(fit):
    """Check R² of the turn on a map of a third of the frames, from a very noisy start."""
    choices = experiment.Choices()
    faces = experiment.load_pictures(choices.pictures)
    X = experiment.scaled(faces, choices.pixels)[::3]
    scores = experiment.principal_scores(X, 2)
    noise = scores.std() * np.random.default_rng(0).normal(size=scores.shape)
    options = {"affinity": choices.affinity, "n_neighbors": round(choices.n_neighbors / 3)}
    options |= {"beta": choices.beta, "max_iter": 200, "init": scores + 10 * noise}
    right = experiment.plane_fit(BRE(**options).fit(X).embedding_, faces.turn[::3])
    return abs(fit - right) < 0.05
