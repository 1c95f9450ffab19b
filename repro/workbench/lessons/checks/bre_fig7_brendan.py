"""The checks of the exercises of BRE Figure 7."""

import numpy as np

from repro.bre import bernoulli_truncated, bre_loss, neighbor_graph
from repro.experiments import bre_fig7_brendan as experiment
from repro.workbench.lessons import agrees, compared


def related():
    """Return the frames, a picture per row, and the probabilities of related frames."""
    choices = experiment.Choices()
    faces = experiment.load_pictures(choices.pictures)
    X = experiment.scaled(faces, choices.pixels)
    R = bernoulli_truncated(X, choices.beta, neighbor_graph(X, choices.n_neighbors))
    return faces, X, R.tocoo()


def is_right_1(matrix):
    """Check the matrix of attraction, a function of the ordered pairs and their affinities."""
    _, X, R = related()
    far = 1e4 * np.random.default_rng(0).normal(size=(len(X), 2))
    gradient, found = bre_loss(far, R)[1], matrix(*R.coords, R.data) @ far
    W = R.tocsr() / 2
    twice = "this is twice the matrix: the factor ¼ of the loss times 2 of the square is ½"
    usual = [(twice, 2 * gradient)]
    usual += [("this has the wrong sign: it is minus the gradient", -gradient)]
    on_i = W.sum(axis=1)[:, None] * far - W @ far
    usual += [("this has only the pull on i: each pair pulls j, too", on_i)]
    return compared(found, gradient, usual, atol=1e-6 * gradient.max())


def is_right_2(share):
    """Check the largest share of smiles in a block that arises by chance."""
    draws = np.random.default_rng(1).binomial(24, 0.25, size=(1000, 983))
    most = np.median(draws.max(axis=1))
    usual = {most: "the number of smiles, not their share", 0.25: "the average share"}
    return agrees(share, most / 24, usual=usual)


def is_right_3(fit):
    """Check R² of the turn after a hundred rounds of averaging, from noise."""
    faces, X, R = related()
    W = R.tocsr()
    W = W + W.T
    start, found = np.random.default_rng(0).normal(size=(len(X), 2)), {}
    for sides in ("both", "one"):
        Y, weights = start, W if sides == "both" else R.tocsr()
        total = np.maximum(weights.sum(axis=1), 1e-300)[:, None]
        for _ in range(100):
            Y = weights @ Y / total
        found[sides] = experiment.plane_fit(Y, faces.turn)
    usual = {experiment.plane_fit(start, faces.turn): "R² at the start"}
    usual |= {found["one"]: "R² with the weights r_ij alone; add r_ji"}
    return agrees(fit, found["both"], usual=usual)
