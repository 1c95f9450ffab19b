"""The checks of the exercises of the methods side by side."""

import numpy as np
from sklearn.manifold import TSNE

from repro.bre import BRE
from repro.core.distances import squared_distances
from repro.datasets import fetch_usps
from repro.measures import distance_correlation, nearest_neighbor_error
from repro.tete import TripletEmbedding, reverse_triplets, sample_triplets
from repro.workbench.lessons import agrees


def digits():
    """Return the pixels of the 300 digits, and their classes."""
    usps = fetch_usps()
    rows = np.random.default_rng(0).permutation(len(usps.X))[:300]
    return usps.X[rows].astype(float), usps.labels[rows]


def is_right_1(distance):
    """Check the distance of A and B at which t-ETE pulls hardest, if C is 2 from A."""
    usual = {
        0: "where the derivative by the squared distance is largest",
        1: "the distance if C is 1 from A",
        np.sqrt(6): "where t-STE pulls hardest",
        2: "where the triplet is just satisfied, or the squared distance that is asked for",
    }
    return agrees(distance, np.sqrt(2), usual=usual)


def is_right_2(error):
    """Check the error of t-STE with ten degrees of freedom."""
    pixels, kinds = digits()
    asked = sample_triplets(pixels, 20, 5, rng=np.random.default_rng(1))
    wrong = reverse_triplets(asked, 0.2, np.random.default_rng(2))

    def fitted(triplets, alpha):
        return TripletEmbedding("tste", alpha=alpha, random_state=0).fit(triplets).embedding_

    flatter = fitted(asked, 10.0)
    usual = {
        nearest_neighbor_error(fitted(asked, 1.0), kinds): "the error with α = 1",
        nearest_neighbor_error(fitted(wrong, 10.0), kinds): "the error with a fifth reversed",
        distance_correlation(flatter, squared_distances(pixels)): "far, not the error",
    }
    return agrees(error, nearest_neighbor_error(flatter, kinds), usual=usual)


def is_right_3(lead):
    """Check by how much BRE keeps far distances better than t-SNE from random starts."""
    pixels, _ = digits()

    def far(model):
        return distance_correlation(model.fit_transform(pixels), squared_distances(pixels))

    start = {"init": "random", "random_state": 0}
    of_bre, of_t_sne = far(BRE(**start)), far(TSNE(**start))
    usual = {
        of_t_sne - of_bre: "t-SNE's far minus BRE's",
        of_bre: "far of one of the maps, not BRE's lead",
        of_t_sne: "far of one of the maps, not BRE's lead",
        far(BRE()) - far(TSNE(init="pca", random_state=0)): "the lead from the start at PCA",
    }
    return agrees(lead, of_bre - of_t_sne, digits=1, usual=usual)
