"""KIE Figure 1: the S-curve, unrolled and laid along the axes."""

from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.linalg import orthogonal_procrustes

from repro.claims import Claim, at_least, at_most, choice
from repro.core.estimator import options_of
from repro.core.kernel_matrices import gaussian_kernel
from repro.datasets import make_surface
from repro.kie import KIE, KernelMatrix, annealing_schedule, entropy, kie_loss, mutual_information
from repro.measures import cost_exponent, matched_spearman, shuffled, widest_range
from repro.measures.axes import signed_permutation_difference

PAPER, ITEM = "KIE", "Fig. 1"
UNIT = "start"  # what a seed draws
REPEATS = 20  # though a run takes 15 s: of claims about five starts these are four observations
MATCH = 0.98  # smallest |Spearman| of an axis and its true coordinate at which both axes match
ORDER = "loss", "KIE"
SIZES = (250, 500, 1000, 2000, 4000)  # numbers of points for which the objective is timed
OTHERS = "Swiss roll", "twin peaks", "bent sheet", "sphere patch", "sheet with a hole"
# What every fit rests on.
FIT = ("surface", "n_points", "height", "bandwidth", "power", "schedule", "divided", "optimizer")
FIT += ("max_iter", "tolerance", "init_scale")


@dataclass(frozen=True)
class Choices:
    n_points: int = choice(2000, paper="2000 points")
    surface: str = choice("S-curve", paper="an S-curve", elsewhere=OTHERS)
    height: float = choice(
        5.0,
        paper="a two-dimensional S-curve",
        ours="with the radius 1, as in the demonstration of locally linear embedding",
        open={2.0: "the S-curve has height 2, as in common libraries"},
    )
    new_samples: bool = choice(
        False,
        paper="one data set, “different random initializations”",
        stated={True: "each start has a sample of its own"},
    )
    bandwidth: float = choice(10.0, paper="h = 10", stated=[5.0, 20.0])
    bandwidths: tuple = choice(
        (1.0, 3.0, 5.0, 10.0, 30.0), paper="“a wide range”", ours="about the paper's 10"
    )
    power: int = choice(4, paper="an L4 penalty")
    schedule: tuple = choice((0.1, 0.8, 20), paper="λ = 0.1, multiplied by 0.8 for 20 steps")
    # The printed second 1/N counts as an error: the author's public code has one (ERRATA.md).
    divided: bool = choice(
        False,
        paper="λ/N tr C_Z with C_Z = ZᵀZ / N",
        ours="λ times the mean of Σ z⁴ over points, with one 1/N",
        stated={True: "λ is divided by N twice, as printed"},
    )
    optimizer: str = choice(
        "l-bfgs",
        paper="simple unconstrained optimization",
        ours="SciPy's L-BFGS",
        open={"gd": "gradient descent is used"},
    )
    max_iter: int = choice(200, ours="in each step")
    tolerance: float = choice(1e-6, ours="a step ends when no entry of the gradient is larger")
    # The latent kernel has bandwidth 1: a start as wide as that is not small.
    init_scale: float = choice(
        0.01, paper="“small random values”", ours="normal", open=[0.1], stated=[1.0]
    )


def draw(surface, n, seed):
    """Draw points of a surface as large as the S-curve, so that a bandwidth means the same."""
    drawn, s_curve = (make_surface(name, n, seed) for name in (surface, "S-curve"))
    return drawn.X * np.sqrt(s_curve.X.var(axis=0).sum() / drawn.X.var(axis=0).sum()), drawn.factors


def make_sample(choices, seed):
    """Draw points of the surface chosen; return them and their two true coordinates."""
    X, factors = draw(choices.surface, choices.n_points, seed)
    stretch = choices.height / 5 if choices.surface == "S-curve" else 1
    return X * [1, stretch, 1], factors * [1, stretch]


def fit(choices, X, seed, at_once=False, **changes):
    """Fit KIE as in the paper, but for the changes."""
    penalties = annealing_schedule(*choices.schedule) / (choices.n_points if choices.divided else 1)
    options = options_of(KIE, choices) | {"optimizer_options": {"gtol": choices.tolerance}}
    options |= {"penalty": penalties[-1] if at_once else penalties, "random_state": seed}
    return KIE(2, **(options | changes)).fit(X)


@cache
def fit_reference(choices, sample):
    """Fit KIE from the start of seed 0, with which other starts on a sample are compared."""
    return fit(choices, make_sample(choices, sample)[0], 0)


def run(choices, seed):
    """Fit KIE from one start: annealed, at once, with an L2 penalty, at other bandwidths.

    ``reference``: from the start of seed 0 on the same sample; ``at_bandwidth``: a fit for each h.
    """
    sample = 1 + seed if choices.new_samples else 0
    X, factors = make_sample(choices, sample)
    fitted = SimpleNamespace(choices=choices, X=X, factors=factors)
    fitted.reference = fit_reference(choices, sample)
    fitted.l2 = fit(choices, X, seed, power=2)
    fitted.at_once = fit(choices, X, seed, at_once=True)
    bandwidths = sorted({*choices.bandwidths, choices.bandwidth})
    fitted.at_bandwidth = {h: fit(choices, X, seed, bandwidth=h) for h in bandwidths}
    fitted.kie = fitted.at_bandwidth[choices.bandwidth]
    return fitted


def objective(n):
    """Make the objective of n points, ready to be called."""
    rng = np.random.default_rng(n)
    Z, kernel = rng.normal(size=(n, 2)), KernelMatrix(gaussian_kernel(rng.normal(size=(n, 3))))
    return lambda: kie_loss(Z, kernel)


def measure(run):
    """Measure a run.

    - *|Spearman|*: the smaller of the rank correlations of the two axes with their true
      coordinates; *turned*: after the turn that brings the embedding closest to these;
    - *axes match*: 1 if it is at least 0.98, or else 0; its mean over runs is a share of starts;
    - *difference from start 0*: mean squared, up to order and signs of axes, over the variance;
    - *range of bandwidths*: largest over smallest of neighbouring h with |Spearman| at least 0.95;
    - *information*: in nats, of the embedding blown up, doubling by doubling, without a penalty;
    - *power of N*: in the time of one value and gradient on one thread.
    """
    Z, start, true = run.kie.embedding_, run.reference.embedding_, run.factors
    K = gaussian_kernel(run.X, run.choices.bandwidth)
    centred = run.l2.embedding_ - run.l2.embedding_.mean(axis=0)
    turn, _ = orthogonal_procrustes(centred, true - true.mean(axis=0))
    spaces = {"KIE": Z, "L2": run.l2.embedding_, "L2 turned": centred @ turn}
    spaces |= {"at once": run.at_once.embedding_, "shuffled": shuffled(Z)}
    rho = {space: matched_spearman(points, true).min() for space, points in spaces.items()}
    gaps = {k: signed_permutation_difference(start, spaces[k]) for k in ("KIE", "shuffled")}
    at_h = {h: matched_spearman(m.embedding_, true).min() for h, m in run.at_bandwidth.items()}
    blown_up = [mutual_information(2.0**k * Z, K) for k in range(21)]
    rescaled = entropy(gaussian_kernel(3 * Z, 9.0), K) - entropy(gaussian_kernel(Z), K)
    rows = {
        "|Spearman|": rho,
        "axes match": {k: float(rho[k] >= MATCH) for k in ("KIE", "at once", "shuffled")},
        "difference from start 0": gaps,
        "range of bandwidths": {"KIE": widest_range(at_h, 0.95)},
        "least gain of information at a doubling": {"KIE": np.diff(blown_up).min()},
        "what information lacks to Ĥ(Y) in the end": {"KIE": entropy(K) - blown_up[-1]},
        "change under another latent bandwidth, rescaled": {"KIE": abs(rescaled)},
        "power of N in the seconds": {"KIE": cost_exponent(objective, SIZES)},
        "loss": {"KIE": run.kie.loss_},
    }
    return pd.DataFrame(rows).T


def embedding(run):
    """Return what is drawn of a run."""
    return run.kie.embedding_


CLAIMS = [
    Claim(
        "kie-1a",
        "Sec. 2.1, Fig. 1",
        "an L4 penalty lays the unrolled sheet along the axes",
        [at_least("|Spearman|", "KIE", MATCH)],
        words="L4-penalty on the latent space, that encourages alignment with the coordinate axes",
        rests_on=FIT,
    ),
    Claim(
        "kie-1b",
        "Sec. 2.1, Fig. 1",
        "five random starts (the paper made ten) make no noticeable difference, but for a rotation "
        "by 90 degrees",
        # One start that ends elsewhere is a noticeable difference: hence the largest of each group.
        [at_most("difference from start 0", "KIE", 0.01, pool="max")],
        words="different random initializations and with no noticeable difference in the result",
        rests_on=("new_samples", *FIT),
        group=5,
    ),
    Claim(
        "kie-1h",
        "Sec. 2.1, p. 4",
        "with annealing the result depends little on the start",
        # "More or less" is said of the experiments, so that single starts may end elsewhere.
        [at_most("difference from start 0", "KIE", 0.01)],
        words="Annealing makes the experiments more or less invariant to initial conditions",
        rests_on=("new_samples", *FIT),
    ),
    Claim(
        "kie-1c",
        "Sec. 2.1, p. 4",
        "a wide range of bandwidths gives no significant difference",
        [at_least("range of bandwidths", "KIE", 4, chance=0.0)],
        words="wide range of kernel bandwidths, also without significant differences",
        rests_on=("bandwidths", *FIT),
    ),
    Claim(
        "kie-1d",
        "Sec. 2.1",
        "the L2 penalty, which turns do not change, leaves the sheet at any angle; L4 aligns it",
        [
            at_most("|Spearman|", "L2", 0.9, pool="min"),
            at_least("|Spearman|", "L2 turned", 0.95, pool="median"),
            at_least("|Spearman|", "KIE", MATCH, pool="median"),
        ],
        rests_on=FIT,
        by="us",
        group=5,
    ),
    Claim(
        "kie-1e",
        "Sec. 2.1, p. 4",
        "annealing is very effective against bad local maxima",
        # Without it most starts end in one; with it as many escape as make a claim reproduced.
        [
            at_most("axes match", "at once", 0.5, pool="mean"),
            at_least("axes match", "KIE", 0.8, pool="mean"),
        ],
        words="very effective way to overcome problems of bad local maxima",
        rests_on=FIT,
        group=5,
    ),
    Claim(
        "kie-1f",
        "Sec. 2.1, p. 3",
        "without a penalty the information grows as all points move apart",
        [
            at_least("least gain of information at a doubling", "KIE", 0),
            at_most("what information lacks to Ĥ(Y) in the end", "KIE", 1e-6),
        ],
        words="drive all latent representatives infinitely far apart from one another",
        kind="identity",
    ),
    Claim(
        "kie-1i",
        "Sec. 2, p. 3",
        "another latent bandwidth only rescales the embedding",
        [at_most("change under another latent bandwidth, rescaled", "KIE", 1e-12)],
        words="change in the latent space kernel bandwidth can be compensated by rescaling",
        kind="identity",
    ),
    Claim(
        "kie-1g",
        "Sec. 2.3, p. 5",
        "the cost of the objective scales quadratically with the number of points, not cubically",
        [at_most("power of N in the seconds", "KIE", 2.5)],
        words="scales only quadratically (instead of cubically) with the number of data-points",
        kind="cost",
    ),
]
