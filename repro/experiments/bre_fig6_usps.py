"""BRE Figure 6: handwritten digits; each class lies together, and in it strokes vary smoothly.

Beside it, what Sec. 5 proposes: the relation of classes, for learning to tell them apart.

The fit starts from the principal components, without randomness: what a seed decides is which 600
of the 1100 images of each digit are drawn. Two draws share about half of their images.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits as load_bundled
from sklearn.neighbors import KNeighborsClassifier

from repro.bre import BRE, BernoulliRelation, bernoulli_contrast, bre_loss, class_graph
from repro.claims import Claim, at_most, below, choice
from repro.core.blas import one_blas_thread
from repro.core.estimator import principal_scores
from repro.core.optimize import minimize
from repro.datasets import fetch_mnist, fetch_usps
from repro.measures import ink, nearest_neighbor_error, roughness, slant

PAPER, ITEM = "BRE", "Fig. 6"
REPEATS = 10  # of the primary reading; a fit of 3000 points takes longer than three seconds
PROPERTIES = {"thickness": ink, "orientation": slant}
PIXELS = 256  # of a picture; of others the scale is in proportion


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    # Both chosen before any run on them: the other digits, digits that look alike, digits that
    # others collected, and those in much fewer pixels.
    digits: tuple = choice(
        (0, 1, 2, 3, 4),
        paper="the digits 0–4",
        elsewhere={
            (5, 6, 7, 8, 9): "the digits are 5–9",
            (4, 7, 9): "the digits are 4, 7 and 9, which look alike",
            (3, 5, 8): "the digits are 3, 5 and 8, which look alike",
        },
    )
    collection: str = choice(
        "USPS",
        paper="the USPS database",
        elsewhere={
            "MNIST": "the digits are those of MNIST",
            "scikit-learn": "the digits are those of scikit-learn, of 8 × 8 pixels",
        },
    )
    n_each: int = choice(600, paper="600 for each digit, drawn at random")
    n_components: int = choice(2, paper="two dimensions")
    pixels: float = choice(
        4.0,
        ours="what the brightest pixel counts; here many pairs are related and many are not",
        others={
            1.0: "pixels are scaled to 0–1",
            2.0: "pixels are scaled to 0–2",
            8.0: "pixels are scaled to 0–8",
        },
    )
    affinity: str = choice(
        "contrast",
        paper="Eq. (5) for the data, Eq. (4) for the embedding",
        others={"gaussian": "Eq. (3) holds for all pairs of data points"},
    )
    beta: float = choice(500.0, paper="β = 500")
    gamma: float = choice(1.0, paper="γ = 1")
    related: str = choice("radius", paper="i ∼ j if their squared distance is at most 2β")
    init_scale: float | None = choice(
        None,
        paper="“initializations based on the standard linear PCA”",
        ours="the principal component scores as they are",
        others={0.1: "the start is scaled to a standard deviation of 0.1"},
    )
    descent: tuple = choice(
        ("scg", 200),
        paper="SCG, at most 200 iterations",
        ours="of all points jointly",
        others={("conditional-scg", 100): "each point moves given the others, in 100 rounds"},
    )
    n_taught: int = choice(200, ours="images of each digit whose class is told; tests have others")
    taught_components: int = choice(
        2, ours="as for the map", others={8: "classes are learned in eight dimensions"}
    )
    placing: str = choice(
        "linear map",
        paper="Sec. 5, by Ref. [6], which learns a linear map",
        ours="Eq. (2) is minimised over the map",
        others={"regression": "points are placed freely, and a linear map is fitted to them"},
    )


class Fitted(NamedTuple):
    """What one run fits."""

    images: np.ndarray  # (n, 16, 16), pixels as they are
    labels: np.ndarray  # (n,) which digit each image shows
    X: np.ndarray  # (n, 256) the images as they were fitted
    start: np.ndarray  # (n, 2) their principal component scores
    bre: BRE
    learned: dict  # space: where points of known class lie, and where those to be told apart
    taught: np.ndarray  # the classes of the former
    tested: np.ndarray  # and of the latter


load_digits = cache(fetch_usps)


@cache
def load_images(collection, digits):
    """Load all images, (n, h, w), of some digits of a collection, pixels 0–255, and the labels."""
    if collection == "USPS":
        usps = load_digits(digits)
        return usps.images, usps.labels
    if collection == "MNIST":
        data = fetch_mnist()
        images, labels = data.images, data.labels
    else:
        data = load_bundled()
        images, labels = data.images * (255 / 16), data.target
    wanted = np.isin(labels, digits)
    return images[wanted], labels[wanted]


def draw(labels, digits, n_each, seed):
    """Draw rows: so many images of each digit, at random; but at most two thirds of all."""
    rng = np.random.default_rng(seed)
    of_class = (np.flatnonzero(labels == digit) for digit in digits)
    return np.concatenate(
        [rng.permutation(rows)[: min(n_each, 2 * len(rows) // 3)] for rows in of_class]
    )


def leading_directions(X, n_components):
    """Find the first principal axes of the rows of X, in columns."""
    with one_blas_thread():
        return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:n_components].T


def learn_map(choices, X, labels):
    """Learn a linear map to few dimensions by the relation of classes, with Eqs. (5) and (4)."""
    axes = leading_directions(X, choices.taught_components)
    if choices.placing == "regression":
        bre = BRE(
            choices.taught_components,
            affinity="contrast",
            related="class",
            beta=choices.beta,
            gamma=choices.gamma,
            init=X @ axes,
        )
        Y = bre.fit(X, labels).embedding_
        return np.linalg.lstsq(X - X.mean(axis=0), Y - Y.mean(axis=0), rcond=None)[0]
    R = BernoulliRelation(bernoulli_contrast(X, choices.beta, class_graph(labels)))

    def objective(A):
        value, gradient = bre_loss(X @ A, R, choices.gamma)
        return value, X.T @ gradient

    return minimize(objective, axes, "scg").x


def learn_classes(choices, everything, labels, rows):
    """Learn from some of the images in given rows; place them, and all that are not in the rows.

    Returns what `Fitted` calls learned, taught and tested.
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
        "shuffled": (np.random.default_rng(0).permutation(known @ A), new @ A),
    }
    return learned, labels[taught], labels[tested]


def run(choices, seed):
    """Fit BRE to the digits that a seed draws, and learn the classes of some to tell the others."""
    images, labels = load_images(choices.collection, choices.digits)
    rows = draw(labels, choices.digits, choices.n_each, seed)
    scale = choices.pixels / 255 * np.sqrt(PIXELS / images[0].size)
    everything = images.reshape(len(images), -1).astype(float) * scale
    X = everything[rows]
    start = principal_scores(X, choices.n_components)
    optimizer, max_iter = choices.descent
    bre = BRE(
        choices.n_components,
        affinity=choices.affinity,
        beta=choices.beta,
        gamma=choices.gamma,
        related=choices.related,
        init=start,
        init_scale=choices.init_scale,
        optimizer=optimizer,
        max_iter=max_iter,
    )
    learned = learn_classes(choices, everything, labels, rows)
    return Fitted(images[rows], labels[rows], X, start, bre.fit(X), *learned)


def measure(fitted):
    """Measure a run.

    - *1-NN error*: the share of digits whose nearest neighbour is another digit;
    - *variance*: of the mean pixel (thickness) or of the slant (orientation) among the ten nearest
      of the same class, over its variance in the class: about 1 if it does not vary smoothly;
    - *larger variance*: of the two properties, small only if both vary smoothly;
    - *out-of-sample error*: the share of digits, none of them drawn for the map, of another class
      than the nearest of those whose class was told; in the pixels, in as many principal
      components, and under the map that BRE learns from the relation of classes.

    PCA is the start of the fit, the trivial baseline. Every run has digits of its own, so that no
    two end in one optimum; equal losses would mean nothing, and the loss is left out.
    """
    images, labels, _, start, bre, learned, taught, tested = fitted
    shuffled = np.random.default_rng(0).permutation(bre.embedding_)
    spaces = {"BRE": bre.embedding_, "PCA": start, "shuffled": shuffled}
    error = {name: nearest_neighbor_error(points, labels) for name, points in spaces.items()}
    values = {f"1-NN error, {name}": value for name, value in error.items()}
    strokes = {name: of(images) for name, of in PROPERTIES.items()}
    for name, points in spaces.items():
        rough = {k: roughness(points, v, labels) for k, v in strokes.items()}
        values |= {f"variance of {k}, {name}": v for k, v in rough.items()}
        values[f"larger variance, {name}"] = max(rough.values())
    for name, (known, new) in learned.items():
        nearest = KNeighborsClassifier(1).fit(known, taught)
        values[f"out-of-sample error, {name}"] = 1 - nearest.score(new, tested)
    for kind, name in product(("1-NN", "out-of-sample"), ("BRE", "shuffled")):
        ratio = values[f"{kind} error, {name}"] / values[f"{kind} error, PCA"]
        values[f"{kind} error, {name} over PCA"] = ratio
    return values


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.bre.embedding_


def smaller(measure, rival, by):
    """Ask that BRE have less of something than a rival, by an effect size."""
    of = f"{measure}, {{}}".format
    return below(of("BRE"), of(rival), by, chance=of("shuffled"))


def halved(error):
    """Ask that BRE halve an error of PCA."""
    return [at_most(f"{error}, BRE over PCA", 0.5, chance=f"{error}, shuffled over PCA")]


CLAIMS = [
    Claim(
        "bre-6a",
        "digits lie among digits of their own class (shown, not said)",
        "Fig. 6",
        halved("1-NN error"),
        by="us",
    ),
    Claim(
        "bre-6b",
        "within each class thickness and orientation of the strokes vary smoothly",
        "Fig. 6",
        [
            at_most("larger variance, BRE", 0.5, chance="larger variance, shuffled"),
            smaller("larger variance", "PCA", 0.1),
        ],
        was="only that each be at most 0.5, which PCA does for orientation and all but does for "
        "thickness (0.52); now the larger of the two must also be below PCA's",
    ),
    Claim(
        "bre-6b2",
        "thickness and orientation both vary more smoothly than on the principal components",
        "Fig. 6",
        [smaller(f"variance of {k}", "PCA", 0.05) for k in PROPERTIES],
        by="us",
        was="not asked; added because bre-6b does not show that orientation varies more smoothly "
        "on the start",
    ),
    Claim(
        "bre-6c",
        "with the relation of classes BRE is readily applicable to multiclass learning",
        "Sec. 5",
        halved("out-of-sample error"),
    ),
    Claim(
        "bre-6d",
        "two dimensions learned from classes tell these apart as well as the pixels do",
        "Sec. 5",
        [smaller("out-of-sample error", "pixels", -0.02)],
        by="us",
    ),
]
