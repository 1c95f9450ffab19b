"""The checks of the exercises of t-ETE Figure 5."""

import numpy as np

from repro.core.neighbors import nearest_neighbors
from repro.experiments import tete_fig5_music as experiment


def maps():
    """Return two sets of random points, the second wider than high."""
    n = len(experiment.load_music()[1])
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)), rng.normal(size=(n, 2)) * [3, 1]


def is_right_1(error):
    """Check the error in tags, a function of the map."""
    tags = experiment.load_music()[2]
    alike = tags @ tags.T
    return all(
        np.isclose(error(Y), (alike[np.arange(len(Y)), nearest_neighbors(Y)] == 0).mean())
        for Y in maps()
    )


def is_right_2(error_of_vote):
    """Check the error of a vote of the k nearest neighbours, a function of the map and k."""
    from sklearn.neighbors import KNeighborsClassifier

    genre = experiment.load_music()[1]
    kinds, number = np.unique(genre, return_inverse=True)
    for k, Y in zip((1, 20), maps(), strict=True):
        vote = KNeighborsClassifier(k).fit(Y, genre)
        others = vote.kneighbors(return_distance=False)  # without the artist itself
        most = [np.bincount(row).argmax() for row in number[others]]
        if not np.isclose(error_of_vote(Y, k), (kinds[most] != genre).mean()):
            return False
    return True
