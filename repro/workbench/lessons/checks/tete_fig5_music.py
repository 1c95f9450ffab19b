"""The checks of the exercises of t-ETE Figure 5."""

import numpy as np

from repro.core.neighbors import nearest_neighbors
from repro.experiments import tete_fig5_music as experiment
from repro.tete import TripletEmbedding, triplet_ratio


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


def is_right_3(error_without):
    """Check the error of t-STE without the triplets that are far off in a map."""
    triplets, genre, *_ = experiment.load_music()
    for seed, Y in enumerate(maps()):
        kept = triplets[triplet_ratio(Y, triplets) <= 9]
        model = TripletEmbedding("tste", random_state=seed).fit(kept, n_items=len(Y))
        wrong = genre[nearest_neighbors(model.embedding_)] != genre
        if not np.isclose(error_without(Y, seed), wrong.mean(), rtol=0, atol=1e-6):
            return False
    return True
