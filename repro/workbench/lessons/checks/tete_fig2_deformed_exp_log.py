"""The checks of the exercises of t-ETE Figure 2."""

import numpy as np
from scipy.spatial import procrustes

from repro.experiments import tete_fig2_deformed_exp_log as experiment
from repro.tete import TripletEmbedding, reverse_triplets, sample_per_point, triplet_ratio
from repro.workbench.lessons import agrees, compared


def is_right_1(scale):
    """Check the scale of the points, as a function of α, that makes t-STE a case of t-ETE."""
    alphas = np.array(experiment.Choices().alphas)
    found = np.array([scale(a) for a in alphas], dtype=float)
    expected = np.sqrt((alphas + 1) / (2 * alphas))
    usual = [("this is s², not s", expected**2)]
    usual += [("this is 1/s: it shrinks where s stretches", 1 / expected)]
    usual += [("this is the value without the 2 of t′ − 1 = 2/(α + 1)", np.sqrt(2) * expected)]
    return compared(found, expected, usual)


def is_right_2(plus):
    """Check what takes the place of a sum in the law of exp_t: a function of a, b and t."""
    a, b = -np.random.default_rng(0).random((2, 50))
    temperatures = np.array(experiment.Choices().temperatures)
    found = [np.asarray_chkfinite(np.broadcast_to(plus(a, b, t), a.shape)) for t in temperatures]
    rest = 1 - temperatures[:, None]
    right = a + b + rest * a * b  # exp_t of it is the product of both
    brackets = "this is the product of both brackets; subtract 1, and divide by 1 − t"
    usual = [("this is the sum, which is right at t = 1 only", a + b)]
    usual += [("this is a sum with the wrong sign before the product", a + b - rest * a * b)]
    usual += [(brackets, (1 + rest * a) * (1 + rest * b))]
    return compared(found, right, usual)


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
    without_own, violated, rest = (
        missed(fit(given[kept], 1)) for kept in (~by_ste, by_ete, ~by_ete)
    )
    usual = {missed(maps[0]): "what t-STE misses with all triplets"}
    usual |= {missed(maps[1]): "what t-ETE misses"}
    usual |= {without_own: "the value if t-STE's own violated triplets are left out"}
    usual |= {violated: "the value of the triplets that t-ETE violates, not of the rest"}
    return agrees(share, rest, usual=usual)
