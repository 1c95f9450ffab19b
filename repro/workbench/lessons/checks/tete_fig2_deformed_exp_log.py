"""The checks of the exercises of t-ETE Figure 2."""

import numpy as np

from repro.experiments import tete_fig2_deformed_exp_log as experiment
from repro.tete import (
    TripletEmbedding,
    exp_t,
    reverse_triplets,
    sample_per_point,
    triplet_ratio,
)


def is_right_1(scale):
    """Check the scale of the points, as a function of α, that makes t-STE a case of t-ETE."""
    return all(np.isclose(scale(a) ** 2, (a + 1) / (2 * a)) for a in experiment.Choices().alphas)


def is_right_2(plus):
    """Check what takes the place of a sum in the law of exp_t: a function of a, b and t."""
    a, b = -np.random.default_rng(0).random((2, 50))
    return all(
        np.allclose(exp_t(a, t) * exp_t(b, t), exp_t(plus(a, b, t), t))
        for t in experiment.Choices().temperatures
    )


def is_right_3(share):
    """Check the share of swapped triplets among those that a fit violates most, at t = 1.75."""
    choices, rng = experiment.Choices(), np.random.default_rng(0)
    points = rng.normal(size=(choices.n_points, 2))
    true = sample_per_point(points, 50, choices.n_neighbors, rng=rng)
    given = reverse_triplets(true, 0.2, rng)
    swapped = (given != true).any(axis=1)
    options = {"optimizer": "l-bfgs", "max_iter": 200, "init_scale": 0.1, "n_init": 3}
    model = TripletEmbedding("tete", t=1.75, t_prime=2, random_state=0, **options).fit(given)
    worst = triplet_ratio(model.embedding_, given).argsort()[-swapped.sum() :]
    return abs(share - swapped[worst].mean()) < 0.01
