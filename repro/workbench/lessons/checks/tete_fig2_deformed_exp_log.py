"""The checks of the exercises of t-ETE Figure 2."""

import numpy as np
from scipy.spatial import procrustes

from repro.experiments import tete_fig2_deformed_exp_log as experiment
from repro.tete import (
    TripletEmbedding,
    exp_t,
    reverse_triplets,
    sample_per_point,
    triplet_ratio,
)
from repro.workbench.lessons import agrees


def is_right_1(scale):
    """Check the scale of the points, as a function of α, that makes t-STE a case of t-ETE."""
    alphas = np.array(experiment.Choices().alphas)
    found = np.array([scale(a) for a in alphas], dtype=float)
    expected = np.sqrt((alphas + 1) / (2 * alphas))
    usual = {"s², not s": expected**2, "1/s: it shrinks where s stretches": 1 / expected}
    usual["the value without the 2 of t′ − 1 = 2/(α + 1)"] = np.sqrt(2) * expected
    if np.allclose(found, expected):
        return True
    return next((f"this is {what}" for what, of in usual.items() if np.allclose(found, of)), False)


def is_right_2(plus):
    """Check what takes the place of a sum in the law of exp_t: a function of a, b and t."""
    a, b = -np.random.default_rng(0).random((2, 50))
    temperatures = experiment.Choices().temperatures
    found = [plus(a, b, t) for t in temperatures]
    usual = {
        "the sum, which is right at t = 1 only": lambda t: a + b,
        "a sum with the wrong sign before the product": lambda t: a + b - (1 - t) * a * b,
        "the product of both brackets; subtract 1, and divide by 1 − t": (
            lambda t: (1 + (1 - t) * a) * (1 + (1 - t) * b)
        ),
    }
    if all(
        np.allclose(exp_t(a, t) * exp_t(b, t), exp_t(c, t))
        for c, t in zip(found, temperatures, strict=True)
    ):
        return True
    for what, of in usual.items():
        if all(np.allclose(c, of(t)) for c, t in zip(found, temperatures, strict=True)):
            return f"this is {what}"
    return False


def is_right_3(share):
    """Check what t-STE misses of draw 1 without the triplets that t-ETE violates."""
    choices, rng = experiment.Choices(), np.random.default_rng(0)
    points = rng.normal(size=(choices.n_points, 2))
    true = sample_per_point(points, 50, choices.n_neighbors, rng=rng)
    given = reverse_triplets(true, 0.2, rng)
    options = {"optimizer": "l-bfgs", "max_iter": 200, "init_scale": 0.1, "n_init": 3}

    def fit(triplets, t):
        return TripletEmbedding("tete", t=t, t_prime=2, random_state=0, **options).fit(triplets)

    def missed(model):
        return procrustes(points, model.embedding_)[2]

    maps = fit(given, 1), fit(given, 2)
    by_ste, by_ete = (triplet_ratio(model.embedding_, given) > 1 for model in maps)
    usual = {
        missed(maps[0]): "what t-STE misses with all triplets",
        missed(maps[1]): "what t-ETE misses",
        missed(fit(given[~by_ste], 1)): "the value if t-STE's own violated triplets are left out",
        missed(
            fit(given[by_ete], 1)
        ): "the value of the triplets that t-ETE violates, not of the rest",
    }
    return agrees(share, missed(fit(given[~by_ete], 1)), usual=usual)
