"""BRE Figure 6: handwritten digits; each class lies together, and its strokes vary smoothly.

The module also tests a proposal of Sec. 5: to learn classes from the relation of classes.

The fit starts from the principal components, without randomness. A seed decides only which 600 of
the 1100 images of each digit are drawn. Two draws share about half of their images.
"""

from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier

from repro.bre import BRE, BernoulliRelation, bernoulli_contrast, bre_loss, class_graph
from repro.core.blas import one_blas_thread
from repro.core.estimator import options_of, principal_scores
from repro.core.optimize import minimize
from repro.datasets import load_labelled
from repro.experiments import without_warning
from repro.experiments._choices import descent_of, names_of
from repro.experiments._images import ink, slant
from repro.experiments.claims import Claim, at_most, choice, less, question
from repro.measures import nearest_neighbor_error, roughness, shuffled

PAPER, ITEM, REPEATS = "BRE", "Fig. 6", 18
UNIT = "sample"  # what a seed draws
ORDER = "1-NN error", "BRE"
embedding = attrgetter("bre.embedding_")
PROPERTIES = {"thickness": ink, "orientation": slant}
PIXELS = 256  # per image of USPS; larger images get a smaller scale


@dataclass(frozen=True)
class Choices:
    # The other data were chosen before any run on them: the other digits, digits that look alike,
    # and digits from another collection.
    digits: tuple = choice(
        (0, 1, 2, 3, 4),
        paper="the digits 0–4",
        other_data={
            (5, 6, 7, 8, 9): "the digits are 5 to 9",
            (4, 7, 9): "the digits are 4, 7 and 9",
            (3, 5, 8): "the digits are 3, 5 and 8",
        },
    )
    collection: str = choice(
        "USPS", paper="the USPS database", other_data={"MNIST": "the digits are of MNIST"}
    )
    n_each: int = choice(600, paper="600 for each digit, drawn at random")
    n_components: int = choice(2, paper="two dimensions")
    pixels: float = choice(
        4.0,
        ours="the brightest pixel; the paper gives no scale. Of three values, which relate all "
        "pairs, about half, and hardly any, we take the middle one; 255 relates none",
        settings={k: f"pixels go up to {k:g}" for k in (1.0, 2.0, 8.0)},
    )
    affinity: str = choice("contrast", paper="Eq. (5) for the data, Eq. (4) for the embedding")
    beta: float = choice(500.0, paper="β = 500")
    gamma: float = choice(1.0, paper="γ = 1")
    related: str = choice("radius", paper="i ∼ j if their squared distance is at most 2β")
    init_scale: float | None = choice(
        None,
        paper="“initializations based on the standard linear PCA”",
        ours="the principal component scores as they are",
        settings={0.1: "the start is scaled to a standard deviation of 0.1"},
    )
    descent: tuple = choice(
        ("scg", 200),
        paper="Sec. 4: SCG, at most 200 iterations",
        ours="all points move jointly; 200 rounds of the conditional SCG of Sec. 3 take minutes",
        settings={("conditional-scg", 60): "each point moves given the others, in 60 rounds"},
    )
    n_taught: int = choice(200, ours="images of each digit whose class is told; others are tested")
    taught_components: int = choice(
        2,
        paper="Sec. 5 cites Ref. [6], which learns a linear map",
        ours="as many dimensions as the embedding; Eq. (2) is minimised over the linear map",
        settings={8: "classes are learned in eight dimensions"},
    )


@cache
def load_images(collection, digits):
    """Load all images of some digits in a collection, (n, h, w), pixels 0–255, and their labels."""
    data = load_labelled(collection)
    wanted = np.isin(data.labels, digits)
    return data.images[wanted], data.labels[wanted]


def draw(labels, digits, n_each, seed):
    """Draw rows at random: ``n_each`` images of each digit, but at most two thirds of them."""
    rng = np.random.default_rng(seed)
    of_class = [rng.permutation(np.flatnonzero(labels == digit)) for digit in digits]
    return np.concatenate([rows[: min(n_each, 2 * len(rows) // 3)] for rows in of_class])


def leading_directions(X, n_components):
    """Find the first principal axes of the rows of X, in columns."""
    with one_blas_thread():
        return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:n_components].T


def learn_map(choices, X, labels):
    """Learn a linear map to few dimensions from the relation of classes, with Eqs. (5) and (4)."""
    R = BernoulliRelation(bernoulli_contrast(X, choices.beta, class_graph(labels)))

    def objective(A):
        value, gradient = bre_loss(X @ A, R, choices.gamma)
        return value, X.T @ gradient

    return minimize(objective, leading_directions(X, choices.taught_components), "scg").x


def learn_classes(choices, everything, labels, rows):
    """Learn from some of the images in given rows; place them and all images in other rows.

    Return the places of both by space, and the classes of both.
    """
    of_class = [rows[labels[rows] == digit][: choices.n_taught] for digit in choices.digits]
    taught, tested = np.concatenate(of_class), np.setdiff1d(np.arange(len(labels)), rows)
    known, new = everything[taught], everything[tested]
    axes = leading_directions(known, choices.taught_components)
    A = learn_map(choices, known, labels[taught])
    learned = {
        "pixels": (known, new),
        "PCA": (known @ axes, new @ axes),
        "BRE": (known @ A, new @ A),
        "shuffled": (shuffled(known @ A), new @ A),
    }
    return learned, labels[taught], labels[tested]


@without_warning()  # the fit stops after the paper's iterations, converged or not
def run(choices, seed):
    """Fit BRE to the digits that a seed draws; learn the classes of some to tell those of others.

    ``X`` has the images as fitted; for ``learned``, ``taught`` and ``tested`` see `learn_classes`.
    """
    images, labels = load_images(choices.collection, choices.digits)
    rows = draw(labels, choices.digits, choices.n_each, seed)
    scale = choices.pixels / 255 * np.sqrt(PIXELS / images[0].size)
    everything = images.reshape(len(images), -1).astype(float) * scale
    options = options_of(BRE, choices) | descent_of(choices)
    fitted = SimpleNamespace(images=images[rows], labels=labels[rows], X=everything[rows])
    fitted.start = principal_scores(fitted.X, choices.n_components)
    fitted.bre = BRE(init=fitted.start, **options).fit(fitted.X)
    fitted.learned, fitted.taught, fitted.tested = learn_classes(choices, everything, labels, rows)
    return fitted


def measure(run):
    """Measure a run.

    - *1-NN error*: the share of images whose nearest neighbour shows another digit;
    - *variance*: that of the mean pixel (thickness) or slant (orientation) among the ten nearest
      of the same class, over that in the class: about 1 if the property does not vary smoothly;
    - *largest variance*: the larger of these two, small only if both properties vary smoothly;
    - *out-of-sample error*: the share of images not drawn for the embedding whose class is not that
      of the nearest image with a told class; here BRE is the linear map learned from classes.

    PCA, the start of the fit, is the trivial baseline. Every run has its own digits, so no two runs
    end in one optimum. Equal losses would mean nothing, so the loss is left out.
    """
    spaces = {"BRE": run.bre.embedding_, "PCA": run.start, "shuffled": shuffled(run.bre.embedding_)}
    table = pd.DataFrame()
    for space, points in spaces.items():
        table.loc["1-NN error", space] = nearest_neighbor_error(points, run.labels)
        for name, of in PROPERTIES.items():
            table.loc[f"variance of {name}", space] = roughness(points, of(run.images), run.labels)
    table.loc["largest variance"] = table.filter(like="variance", axis=0).max()
    for space, (known, new) in run.learned.items():
        nearest = KNeighborsClassifier(1).fit(known, run.taught)
        table.loc["out-of-sample error", space] = 1 - nearest.score(new, run.tested)
    for k in ("1-NN error", "out-of-sample error"):
        table.loc[f"{k} over PCA"] = table.loc[k, ["BRE", "shuffled"]] / table.loc[k, "PCA"]
    return table


MAP = names_of(Choices, but=("n_taught", "taught_components"))
LEARNED = ("digits", "collection", "n_each", "pixels", "beta", "gamma")
LEARNED += ("n_taught", "taught_components")
# The paper compares Figure 6 with no other method. Half of the variance or less counts as smooth
# (b), as in Figure 7. The principal components, the start, nearly meet this bound, so b2 asks what
# the fit adds. The paper gives no measure for c; we ask for a tenth of PCA's error, as in Figure 5.
CLAIMS = [
    question(
        "bre-6a",
        "Fig. 6 (a), p. 7",
        "digits lie among digits of their own class (shown, not said)",
        [at_most("1-NN error over PCA", "BRE", 0.5)],
        rests_on=MAP,
    ),
    Claim(
        "bre-6b",
        "Fig. 6 (b), p. 7",
        "within each class thickness and orientation of the strokes tend to vary smoothly (on "
        "the principal components, the start, they all but do)",
        [at_most("largest variance", "BRE", 0.5)],
        words="line thickness and orientation tend to vary smoothly across the space",
        reason="half of the variance in the class: neighbours differ less than any two",
        rests_on=MAP,
    ),
    question(
        "bre-6b2",
        "Fig. 6 (b), p. 7",
        "thickness and orientation both vary more smoothly than on the principal components",
        [less(f"variance of {k}", "BRE", than="PCA", by=0.05) for k in PROPERTIES],
        rests_on=MAP,
    ),
    question(
        "bre-6c",
        "Sec. 5, p. 6",
        "with the relation of classes BRE learns to tell new digits apart, better than PCA, which "
        "does not know the classes",
        [at_most("out-of-sample error over PCA", "BRE", 0.9)],
        rests_on=LEARNED,
    ),
    question(
        "bre-6d",
        "Sec. 5, p. 6",
        "two dimensions learned from classes tell these apart as well as the pixels do",
        [less("out-of-sample error", "BRE", than="pixels", by=-0.02)],
        rests_on=[name for name in LEARNED if name != "taught_components"],
    ),
]
