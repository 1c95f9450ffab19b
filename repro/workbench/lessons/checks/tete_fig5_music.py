"""The checks of the exercises of t-ETE Figure 5."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from repro.core.neighbors import nearest_neighbors
from repro.experiments import tete_fig5_music as experiment
from repro.tete import TripletEmbedding, triplet_ratio
from repro.workbench.lessons import compared

OWN = "each artist counts as a neighbour of its own"
OF_RIGHT = "this is the share that is right"


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
    shared = [alike[np.arange(len(Y)), nearest_neighbors(Y)] > 0 for Y in maps()]
    right = 1 - np.mean(shared, axis=1)
    return compared(found, right, [(OWN, (np.diag(alike) == 0).mean()), (OF_RIGHT, 1 - right)])


def is_right_2(error_of_vote):
    """Check the error of a vote of the k nearest neighbours, a function of the map and k."""
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

    right = np.array([*errors(itself=False)])
    found = np.array([error_of_vote(Y, k) for k, Y in pairs], dtype=float)
    return compared(found, right, [(OWN, [*errors(itself=True)]), (OF_RIGHT, 1 - right)])


def is_right_3(error_without):
    """Check the error of t-STE without the triplets that are far off in a map."""
    triplets, genre, *_ = experiment.load_music()

    def error(Y):
        return (genre[nearest_neighbors(Y)] != genre).mean()

    def errors(low, high):  # of fits to the triplets with a ratio above low, and at most high
        for seed, Y in enumerate(maps()):
            ratio = triplet_ratio(Y, triplets)
            model = TripletEmbedding("tste", random_state=seed)
            model.fit(triplets[(ratio > low) & (ratio <= high)], n_items=len(Y))
            yield error(model.embedding_)

    found = [float(error_without(Y, seed)) for seed, Y in enumerate(maps())]

    def usual():
        yield "this is the error of Y, not of a new map", [error(Y) for Y in maps()]
        yield "the triplets that are far off are kept, not the others", [*errors(9, np.inf)]
        yield "no triplet is left out", [*errors(0, np.inf)]

    return compared(found, [*errors(-1, 9)], usual(), rtol=0, atol=1e-6)
