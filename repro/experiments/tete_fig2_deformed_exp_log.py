"""t-ETE Figure 2: a deformed logarithm and exponential, and the methods that they contain."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from repro.claims import Claim, above, at_most, choice
from repro.tete import (
    exp_t,
    forgetting_factor,
    log_t,
    robust_transformation,
    sample_per_point,
    tete_loss,
)

PAPER, ITEM = "t-ETE", "Fig. 2"
REPEATS = 20  # of the primary reading; a run takes milliseconds


# Nothing elsewhere: the claims are identities, true of any data, and here of random points.
@dataclass(frozen=True)
class Choices:
    """What the paper says, and what we took."""

    temperatures: tuple = choice(
        (0.5, 1.0, 1.5, 2.0),
        paper="Fig. 2: “for different values of 0 < t < 2”",
        ours="2 as well, which Figs. 4 to 6 have",
    )
    tails: tuple = choice(
        (1.2, 1.5, 1.8), paper="1 < t < 2, Sec. 3", ours="where tails are compared"
    )
    caps: tuple = choice((1.2, 1.5, 2.0), ours="where the cap 1/(t − 1) is looked at")
    alphas: tuple = choice(
        (1.0, 2.0, 5.0, 30.0),
        paper="t-STE with any α, footnote 4: t′ = 1 + 2/(α + 1)",
        ours="and the points scaled by √((α + 1)/(2α))",
    )
    n_points: int = choice(60, ours="random points, at which losses are compared")
    n_triplets: int = choice(20, ours="of each point")
    n_neighbors: int = choice(10, ours="the near item is one of so many")


class Fitted(NamedTuple):
    """What one run draws; nothing is fitted."""

    choices: Choices
    triplets: np.ndarray
    Y: np.ndarray  # points that have nothing to do with the triplets


def run(choices, seed):
    """Draw triplets that hold for random points, and other points."""
    rng, shape = np.random.default_rng(seed), (choices.n_points, 2)
    truth = rng.normal(size=shape)
    triplets = sample_per_point(truth, choices.n_triplets, choices.n_neighbors, rng=rng)
    return Fitted(choices, triplets, rng.normal(size=shape))


def as_published(Y, triplets, alpha=None):
    """Compute the loss -Σ log p of t-STE with α, or of STE, and its gradient, from their own paper.

    The kernel is (1 + |y_i - y_j|²/α)^(-(α+1)/2), or exp(-|y_i - y_j|²); p is that of the near pair
    over the sum of both.
    """
    i, j, k = triplets.T
    u, v = Y[i] - Y[j], Y[i] - Y[k]
    near, far = (u**2).sum(axis=1)[:, None], (v**2).sum(axis=1)[:, None]
    if alpha is None:
        a, b, by_near, by_far = np.exp(-near), np.exp(-far), 1.0, 1.0
    else:
        power = (alpha + 1) / 2
        a, b = (1 + near / alpha) ** -power, (1 + far / alpha) ** -power
        by_near, by_far = power / (alpha + near), power / (alpha + far)
    p = a / (a + b)
    pull, push = 2 * (1 - p) * by_near * u, 2 * (1 - p) * by_far * v
    gradient = np.zeros_like(Y)
    for items, force in ((i, pull - push), (j, -pull), (k, push)):
        np.add.at(gradient, items, force)
    return -np.log(p).sum(), gradient


def difference(one, other, scale=1.0):
    """Compute the largest relative difference of two pairs of loss and gradient."""
    (a, g), (b, h) = one, other
    return float(max(abs(a / b - 1), np.abs(g - scale * h).max() / np.abs(g).max()))


def special_cases(choices, triplets, Y):
    """Compare STE and t-STE, as published, with the cases of t-ETE that they are said to be."""
    ste, tste = as_published(Y, triplets), as_published(Y, triplets, 1.0)
    found = []
    for alpha in choices.alphas:
        s = np.sqrt((alpha + 1) / (2 * alpha))
        case = tete_loss(s * Y, triplets, 1, 1 + 2 / (alpha + 1))
        found.append(difference(as_published(Y, triplets, alpha), case, s))
    return {
        "difference of STE": difference(ste, tete_loss(Y, triplets, 1, 1)),
        "difference of t-STE": difference(tste, tete_loss(Y, triplets, 1, 2)),
        "difference over four α, largest": max(found),
    }


def measure(fitted):
    """Measure a run. All but the differences are the same in every run.

    - *difference*: of two methods at the same points, the largest relative one of their losses and
      gradients; *of STE*, *of t-STE*: from the case of t-ETE that the paper names;
    - *pull*: the slope of ρ_t(ℓ) by log ℓ: how strongly a triplet of that ℓ pulls.
    """
    choices, triplets, Y = fitted
    x, z, near_1 = np.geomspace(1e-3, 1e3, 200), np.linspace(-5, 5, 101), 1 + 1e-9
    inverse = [np.abs(exp_t(log_t(x, t), t) / x - 1).max() for t in choices.temperatures]
    values = {
        "exp_t(log_t(x)) / x - 1": max(inverse),
        "log_t - log at t = 1 + 10⁻⁹": np.abs(log_t(x, near_1) - np.log(x)).max(),
        "exp_t / exp - 1 at t = 1 + 10⁻⁹": np.abs(exp_t(z, near_1) / np.exp(z) - 1).max(),
        "exp_t(-30) / exp(-30), least": min(exp_t(-30.0, t) / np.exp(-30.0) for t in choices.tails),
        "exp_t(-30) / exp(-30), t = 1": exp_t(-30.0, 1.0) / np.exp(-30.0),
        "(t - 1) ρ_t(10¹⁵), largest": max(
            (t - 1) * robust_transformation(1e15, t) for t in choices.caps
        ),
        "pull at ℓ = 10⁶, t = 1.5": 1e6 * forgetting_factor(1e6, 1.5),
    }
    return values | special_cases(choices, triplets, Y)


CLAIMS = [
    Claim(
        "tete-2a",
        "exp_t is the inverse of log_t; t → 1 recovers log and exp",
        "Sec. 3",
        [
            at_most("exp_t(log_t(x)) / x - 1", 1e-10),
            at_most("log_t - log at t = 1 + 10⁻⁹", 1e-7),
            at_most("exp_t / exp - 1 at t = 1 + 10⁻⁹", 1e-7),
        ],
        kind="identity",
    ),
    Claim(
        "tete-2b",
        "exp_t decays to zero more slowly than exp for 1 < t < 2",
        "Sec. 3",
        [above("exp_t(-30) / exp(-30), least", "exp_t(-30) / exp(-30), t = 1", 1.0)],
        kind="identity",
        was="more than 1; now more than twice what t = 1 gives, which is 1",
    ),
    Claim(
        "tete-2c",
        "ρ_t is capped, and forgets triplets far from satisfied",
        "Secs. 3, 4",
        [
            at_most("(t - 1) ρ_t(10¹⁵), largest", 1.0),
            at_most("pull at ℓ = 10⁶, t = 1.5", 0.01),
        ],
        kind="identity",
    ),
    Claim(
        "tete-2d",
        "t = 1 with t′ = 1 is STE, with t′ = 2 t-STE (α = 1)",
        "Sec. 5",
        [at_most("difference of STE", 1e-10), at_most("difference of t-STE", 1e-10)],
        kind="identity",
    ),
    Claim(
        "tete-2e",
        "any Student-t kernel is a t-exponential one",
        "Sec. 5, footnote 4",
        [at_most("difference over four α, largest", 1e-10)],
        kind="identity",
    ),
]
