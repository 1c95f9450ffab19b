"""t-ETE Figure 2: a deformed logarithm and exponential, and the methods that they contain."""

from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd

from repro import tete
from repro.experiments.claims import at_most, choice, identity, more

PAPER, ITEM, REPEATS = "t-ETE", "Fig. 2", 18
UNIT = "sample"  # what a seed draws
ORDER = "difference", "t-STE"  # what the figure shows is the same in every run

# Squared distance of the far item; that of the near one is 1. The tails differ there by powers of
# ten, so other distances there would not change the results. This holds for all fixed values below.
FAR = 31.0


# There are no other data: the claims are identities, true for any data; here points are random.
@dataclass(frozen=True)
class Choices:
    temperatures: tuple = choice(
        (0.5, 1.0, 1.5, 2.0), paper="0 < t < 2", ours="2 as well, which Figs. 4 to 6 use"
    )
    tails: tuple = choice((1.2, 1.5, 1.8), paper="1 < t < 2, Sec. 3", ours="to compare tails")
    caps: tuple = choice((1.2, 1.5, 2.0), ours="values of t at which the cap 1/(t − 1) is tested")
    alphas: tuple = choice(
        (1.0, 2.0, 5.0, 30.0),
        paper="t-STE with any α, footnote 4: t′ = 1 + 2/(α + 1)",
        ours="the points are scaled by √((α + 1)/(2α))",
    )
    n_points: int = choice(60, ours="random points, at which losses are compared")
    n_triplets: int = choice(20, ours="per point; the fits of the lesson have 50")
    n_neighbors: int = choice(10, ours="the near item is one of the ten nearest")


def run(choices, seed):
    """Draw triplets that hold for random points, and other points Y. Nothing is fitted."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(choices.n_points, 2))
    triplets = tete.sample_per_point(truth, choices.n_triplets, choices.n_neighbors, rng=rng)
    return SimpleNamespace(choices=choices, triplets=triplets, Y=rng.normal(size=truth.shape))


def as_published(Y, triplets, alpha=None):
    """Compute the loss -Σ log p of t-STE with α, or of STE, and its gradient, from their own paper.

    The kernel is (1 + |y_i - y_j|²/α)^(-(α+1)/2), or exp(-|y_i - y_j|²); p = near / (near + far).
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


def difference(Y, triplets, t_prime, alpha=None):
    """Compute the largest relative difference of STE, or t-STE with α, from a case of t-ETE.

    Losses and gradients are compared. For t-ETE the points are scaled as the choice `alphas` says.
    """
    loss, gradient = as_published(Y, triplets, alpha)
    scale = 1.0 if alpha is None else np.sqrt((alpha + 1) / (2 * alpha))
    loss_of_case, slope = tete.tete_loss(scale * Y, triplets, 1, t_prime)
    of_gradients = np.abs(gradient - scale * slope).max() / np.abs(gradient).max()
    return max(abs(loss / loss_of_case - 1), of_gradients)


def push(near, far, t):
    """Compute how strongly ℓ of Eq. (7) pushes the far item away: -dℓ/d|y_i - y_k|²."""
    return tete.exp_t(-far, t) ** t / tete.exp_t(-near, t)  # (exp_t)' is exp_t to the power t


def measure(run):
    """Measure a run. All but the differences of STE and t-STE are the same in every run.

    - *difference*: the largest from what a quantity equals by the paper: of exp_t(log_t(x)) from x,
      of the functions near t = 1 from log (absolute) and exp, of STE and t-STE from cases of t-ETE;
    - *pull*: the slope of ρ_t(ℓ) in log ℓ, which is how strongly a triplet with that ℓ pulls;
    - *push*: `push` for a triplet that is satisfied by far, over that with the ordinary exp.
    """
    choices = run.choices
    x, z, near_1 = np.geomspace(1e-3, 1e3, 200), np.linspace(-5, 5, 101), 1 + 1e-9
    inverse = [np.abs(tete.exp_t(tete.log_t(x, t), t) / x - 1).max() for t in choices.temperatures]
    push_of_exp = push(1.0, FAR, 1)
    pushes = [push(1.0, FAR, t) / push_of_exp for t in choices.tails]
    tails = [tete.exp_t(-30.0, t) / np.exp(-30.0) for t in choices.tails]
    capped = [(t - 1) * tete.robust_transformation(1e15, t) for t in choices.caps]
    from_case = partial(difference, run.Y, run.triplets)
    scores = {
        "difference": {
            "exp_t(log_t(x))": max(inverse),
            "log_t, t = 1 + 10⁻⁹": np.abs(tete.log_t(x, near_1) - np.log(x)).max(),
            "exp_t, t = 1 + 10⁻⁹": np.abs(tete.exp_t(z, near_1) / np.exp(z) - 1).max(),
            "STE": from_case(1),
            "t-STE": from_case(2, alpha=1.0),
            "t-STE, any α": max(from_case(1 + 2 / (a + 1), alpha=a) for a in choices.alphas),
        },
        "exp_t(-30) / exp(-30)": {"t = 1": tete.exp_t(-30, 1) / np.exp(-30), "t > 1": min(tails)},
        "(t - 1) ρ_t(10¹⁵)": {"t > 1": max(capped)},
        "pull at ℓ = 10⁶": {"t = 1.5": 1e6 * tete.forgetting_factor(1e6, 1.5)},
        "push, satisfied": {"t′ = 1": push_of_exp / push_of_exp, "t′ > 1": min(pushes)},
    }
    return pd.DataFrame(scores).T


AT_RANDOM = "n_points", "n_triplets", "n_neighbors"
CLAIMS = [
    identity(
        "tete-2a",
        "Sec. 3, Eq. (4)",
        "exp_t is the inverse of log_t",
        [at_most("difference", "exp_t(log_t(x))", 1e-10)],
        words="is defined as the inverse of",
        rests_on=["temperatures"],
    ),
    identity(
        "tete-2b",
        "Sec. 3",
        "exp_t decays to zero more slowly than exp for 1 < t < 2",
        [more("exp_t(-30) / exp(-30)", "t > 1", than="t = 1", by=1.0)],
        words="it decays to zero slower than",
        rests_on=["tails"],
    ),
    identity(
        "tete-2c",
        "Secs. 3, 4",
        "ρ_t is capped at 1/(t - 1)",
        [at_most("(t - 1) ρ_t(10¹⁵)", "t > 1", 1 + 1e-10)],  # with room for rounding
        words="is now capped from above by",
        rests_on=["caps"],
    ),
    identity(
        "tete-2d",
        "Sec. 5",
        "t = 1 with t′ = 1 is STE, with t′ = 2 t-STE (α = 1)",
        [at_most("difference", "STE", 1e-10), at_most("difference", "t-STE", 1e-10)],
        words="recovers the STE and t-STE",
        rests_on=AT_RANDOM,
    ),
    identity(
        "tete-2e",
        "Sec. 5, footnote 4",
        "any Student-t kernel is a t-exponential one, if the points are scaled",
        [at_most("difference", "t-STE, any α", 1e-10)],
        words="Student-t distribution … can be written in form of a … t-exponential distribution",
        rests_on=["alphas", *AT_RANDOM],
    ),
    identity(
        "tete-2f",
        "Sec. 3, Eqs. (3), (4)",
        "t → 1 recovers log and exp",
        [at_most("difference", f"{f}, t = 1 + 10⁻⁹", 1e-7) for f in ("log_t", "exp_t")],
        words="is recovered in the limit",
    ),
    identity(
        "tete-2g",
        "Sec. 4, Eq. (9)",
        "a triplet far from satisfied is forgotten: it hardly pulls",
        [at_most("pull at ℓ = 10⁶", "t = 1.5", 0.01)],
        words="damp the effect of those triplets that are highly-unsatisfied",
    ),
    identity(
        "tete-2h",
        "Sec. 4, Eq. (7)",
        "a triplet that is satisfied by far is pushed on more than with the ordinary exp",
        [more("push, satisfied", "t′ > 1", than="t′ = 1", by=1.0)],
        words="encourages relatively higher-satisfaction of the ranking compared to",
        rests_on=["tails"],
    ),
]
