"""The checks of the exercises of t-ETE Figure 1."""

from dataclasses import replace
from functools import cache

import numpy as np

from repro.experiments import tete_fig1_mnist_noise as experiment, without_warning
from repro.measures import nearest_neighbor_error
from repro.tete import TripletEmbedding, reverse_triplets, triplet_ratio


@cache
def given():
    """Return the labels of a thousand digits, their triplets, and the same, a fifth reversed."""
    few = replace(experiment.Choices(), n_digits=1000)
    _, labels, _, triplets = experiment.draw(few, 0)
    noisy = reverse_triplets(triplets["clean"], 0.2, np.random.default_rng(0))
    return labels, triplets["clean"], noisy


@without_warning()
def fit(triplets):
    """Fit t-ETE as the lesson does."""
    options = {"max_iter": 250, "random_state": 0}
    return TripletEmbedding(t=2, t_prime=2, **options).fit(triplets).embedding_


def is_right_1(shared):
    """Check the share of neighbours that two embeddings have in common."""
    A, B = np.random.default_rng(0).normal(size=(2, 200, 2))
    A[:, 0] += B[:, 0]
    return all(np.isclose(shared(A, B, k), experiment.shared_neighbors(A, B, k)) for k in (3, 7))


def is_right_2(growth):
    """Check how much noise raises the error with 20 triplets of each digit."""
    labels, *both = given()
    few = [of.reshape(len(labels), -1, 3)[:, :20].reshape(-1, 3) for of in both]
    clean, noisy = (nearest_neighbor_error(fit(of), labels) for of in few)
    return abs(growth - (noisy - clean)) < 0.01


def is_right_3(share):
    """Check which share of the reversed triplets the embedding violates."""
    _, clean, noisy = given()
    is_reversed = (noisy != clean).any(axis=1)
    return abs(share - (triplet_ratio(fit(noisy), noisy) > 1)[is_reversed].mean()) < 0.01
