"""The checks of the exercises of t-ETE Figure 5."""

import numpy as np

from repro.core.neighbors import nearest_neighbors
from repro.experiments import tete_fig5_music as experiment
from repro.tete import TripletEmbedding, triplet_ratio

OWN = "each artist counts as a neighbour of its own"


def maps():
    """Return two sets of random points, the second wider than high."""
    n = len(experiment.load_music()[1])
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)), rng.normal(size=(n, 2)) * [3, 1]


def is_right_1(error):
    """Check the error in tags, a function of the map."""
    tags = experiment.load_music()[2]
    alike = tags @ tags.T
    found = np.array([error(Y) for Y in maps()], dtype=float)
    right = [(alike[np.arange(len(Y)), nearest_neighbors(Y)] == 0).mean() for Y in maps()]
    if np.allclose(found, right):
        return True
    if np.allclose(found, (np.diag(alike) == 0).mean()):
        return OWN
    return "this is the share that is right" if np.allclose(found, 1 - np.array(right)) else False


def is_right_2(error_of_vote):
    """Check the error of a vote of the k nearest neighbours, a function of the map and k."""
    from sklearn.neighbors import KNeighborsClassifier

    genre = experiment.load_music()[1]
    kinds, number = np.unique(genre, return_inverse=True)
    pairs = [*zip((1, 20), maps(), strict=True)]

    def errors(itself):
        for k, Y in pairs:
            vote = KNeighborsClassifier(k).fit(Y, genre)
            # Without an argument, the artist itself is left out.
            others = vote.kneighbors(*[Y] * itself, return_distance=False)
            most = [np.bincount(row).argmax() for row in number[others]]
            yield (kinds[most] != genre).mean()

    right, own = [*errors(itself=False)], [*errors(itself=True)]
    found = np.array([error_of_vote(Y, k) for k, Y in pairs], dtype=float)
    if np.allclose(found, right):
        return True
    if np.allclose(found, own):
        return OWN
    return "this is the share that is right" if np.allclose(found, 1 - np.array(right)) else False


def is_right_3(error_without):
    """Check the error of t-STE without the triplets that are far off in a map."""
    triplets, genre, *_ = experiment.load_music()

    def error(Y):
        return (genre[nearest_neighbors(Y)] != genre).mean()

    def without(Y, seed, keep):
        kept = triplets[keep(triplet_ratio(Y, triplets))]
        model = TripletEmbedding("tste", random_state=seed)
        return error(model.fit(kept, n_items=len(Y)).embedding_)

    found = [float(error_without(Y, seed)) for seed, Y in enumerate(maps())]
    usual = {
        "the triplets that are far off are kept, not the others": lambda ratio: ratio > 9,
        "no triplet is left out": lambda ratio: ratio > 0,
    }

    def is_found(keep):
        near = (without(Y, seed, keep) for seed, Y in enumerate(maps()))
        return np.allclose(found, [*near], rtol=0, atol=1e-6)

    if is_found(lambda ratio: ratio <= 9):
        return True
    if np.allclose(found, [error(Y) for Y in maps()]):
        return "this is the error of Y, not of a new map"
    return next((what for what, keep in usual.items() if is_found(keep)), False)
