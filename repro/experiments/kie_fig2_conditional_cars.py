"""KIE Figure 2: toy cars, told which is which; the latent space is to keep the rotation only."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import orthogonal_procrustes
from sklearn.decomposition import KernelPCA

from repro.claims import Claim, above, at_least, at_most, below, choice
from repro.core.distances import squared_distances
from repro.core.kernel_matrices import gaussian_kernel
from repro.core.optimize import anneal
from repro.datasets import fetch_coil20
from repro.kie import (
    KIE,
    ConditionalKIE,
    KernelMatrix,
    conditional_kie_loss,
    constrained,
    multiplier,
    scaled_to_power,
)
from repro.measures import discriminant, nearest_neighbor_error, view_gap, view_scores

PAPER, ITEM = "KIE", "Fig. 2"
REPEATS = 20  # of the primary reading; a run takes less than a second
BOUNDS = (0.01, 0.1, 1.0)  # shares of the power allowed, one after the other


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    objects: tuple = choice(
        (3, 6, 19),
        paper="images depicting toy cars",
        ours="the three that COIL-20 has",
        elsewhere={
            (1, 4, 13): "the objects are a duck, a cat and a pig",
            (5, 8, 9): "the objects are two boxes and a bottle of powder",
            (2, 7, 11): "the objects are three wooden blocks",
            (12, 18, 20): "the objects are two cups and a tub",
            (3, 4, 9): "the objects are a car, a cat and a box",
        },
    )
    n_views: int = choice(
        30,
        ours="as in the paper's next experiment",
        others={72: "the cars make a whole turn of 72 views"},
    )
    n_components: int = choice(2, paper="the remaining two axes")
    bandwidth: float = choice(
        5e7,
        paper="h = 5·10⁷",
        ours="on pixel values 0–255 of 128 × 128 images",
        others={2.5e7: "h is half as large", 1e8: "h is twice as large"},
    )
    penalty: float = choice(0.6, paper="λ = 0.6, without annealing")
    penalty_over_n: bool = choice(
        False,
        paper="Sec. 2.1: λ/N tr C_Z",
        ours="λ times the mean over points of Σ z², which is λ tr C_Z",
        others={True: "λ itself is divided by the number of points"},
    )
    positions: tuple | None = choice(
        (1.0, 2.0, 3.0),
        paper="on the X-axis the cars stand at 1.0, 2.0 and 3.0",
        others={None: "the X-space is a one-hot code of the cars"},
    )
    condition_bandwidth: float = choice(
        1.0,
        ours="as in the paper's next experiment",
        others={0.1: "the bandwidth of the X-space is 0.1"},
    )
    view_bandwidth: float = choice(
        1.0,
        paper="“arrange the elements according to this ordering”",
        ours="the same bandwidth and distances as with the cars: adjacent views are 1 apart",
        others={
            10.0: "the bandwidth of the views' order is 10",
            100.0: "the bandwidth of the views' order is 100",
        },
    )
    init_scale: float = choice(0.01, paper="“small random values”")
    n_init: int = choice(
        5,
        ours="the lowest loss of five starts, as nothing is annealed",
        others={1: "there is one start"},
    )
    kernel_pca_components: int = choice(
        3,
        paper="three-dimensional",
        others={2: "kernel PCA has two dimensions, as the informed space has"},
    )


class Fitted(NamedTuple):
    """What one run fits."""

    choices: Choices
    car: np.ndarray  # (n,) which car each image shows
    view: np.ndarray  # (n,) its turn, in steps of 5 degrees
    informed: ConditionalKIE
    plain: KIE  # with the same settings, told nothing
    told_view: ConditionalKIE  # told the angle of each image in place of the car
    kernel_pca: np.ndarray  # (n, 3) with the same kernel
    bounded: np.ndarray  # informed, too, under a hard constraint in place of the penalty
    bound_penalty: float  # the λ that belongs to that constraint


@cache
def load_cars(objects, n_views):
    """Fetch the first views of some objects, and which object and view each image shows."""
    X = fetch_coil20(objects=objects, views=range(n_views)).X
    return X, np.repeat(np.arange(len(objects)), n_views), np.tile(np.arange(n_views), len(objects))


def penalty_of(choices, n):
    """Compute the λ of n points."""
    return choices.penalty / (n if choices.penalty_over_n else 1)


def fit(choices, X, seed, known=None, known_bandwidth=None):
    """Fit KIE to images, told something about each or nothing."""
    options = {
        "n_components": choices.n_components,
        "bandwidth": choices.bandwidth,
        "penalty": penalty_of(choices, len(X)),
        "init_scale": choices.init_scale,
        "n_init": choices.n_init,
        "random_state": seed,
    }
    if known is None:
        return KIE(**options).fit(X)
    return ConditionalKIE(condition_bandwidth=known_bandwidth, **options).fit(X, known)


def fit_bounded(choices, X, known, power, seed):
    """Fit informed KIE under tr C_Z ≤ power, from starts of its own; the bound grows to it."""
    K_x = KernelMatrix(gaussian_kernel(known.reshape(len(X), -1), choices.condition_bandwidth))
    K_y = KernelMatrix(gaussian_kernel(X, choices.bandwidth))
    loss = lambda Z: conditional_kie_loss(Z, K_y, K_x)  # noqa: E731
    results = anneal(
        [constrained(loss, share * power) for share in BOUNDS],
        lambda rng: rng.normal(size=(len(X), choices.n_components)),
        n_init=choices.n_init,
        rng=np.random.default_rng([seed, 1]),
        method="l-bfgs",
        max_iter=200,
    )
    Z = scaled_to_power(results[-1].x, power)
    return Z, multiplier(loss, Z)


def run(choices, seed):
    """Fit KIE told the cars, told the angles and told nothing from one seed, and kernel PCA."""
    X, car, view = load_cars(choices.objects, choices.n_views)
    one_hot = choices.positions is None
    known = np.eye(len(choices.objects))[car] if one_hot else np.take(choices.positions, car)
    informed = fit(choices, X, seed, known, choices.condition_bandwidth)
    power = (informed.embedding_**2).sum() / len(X)
    bounded, bound_penalty = fit_bounded(choices, X, known, power, seed)
    # Angles stand on a circle, adjacent views 1 apart.
    angle = 2 * np.pi * view / 72
    circle = 72 / (2 * np.pi) * np.column_stack([np.cos(angle), np.sin(angle)])
    kernel_pca = KernelPCA(
        choices.kernel_pca_components,
        kernel="rbf",
        gamma=1 / choices.bandwidth,
        eigen_solver="dense",  # the other begins at random
    )
    return Fitted(
        choices,
        car,
        view,
        informed,
        plain=fit(choices, X, seed),
        told_view=fit(choices, X, seed, circle, choices.view_bandwidth),
        kernel_pca=kernel_pca.fit_transform(X),
        bounded=bounded,
        bound_penalty=bound_penalty,
    )


def view_error_within(points, car, view):
    """Compute how far off the view of the nearest image of the same car is; 1 by chance."""
    gaps = view_gap(view[:, None], view)
    other_cars, itself = car[:, None] != car, np.eye(len(car), dtype=bool)
    D2 = np.where(other_cars | itself, np.inf, squared_distances(points))
    of_nearest = gaps[np.arange(len(car)), D2.argmin(axis=1)]
    return of_nearest.mean() / gaps[~(other_cars | itself)].mean()


def distance_up_to_turns(A, B):
    """Compute the mean squared distance of two embeddings, turned, as a share of the variance."""
    A, B = A - A.mean(axis=0), B - B.mean(axis=0)
    turn, _ = orthogonal_procrustes(B, A)
    return ((A - B @ turn) ** 2).sum() / (A**2).sum()


def measure(fitted):
    """Measure a run.

    - *η²*: the largest part of the scatter, over all directions, that lies between the cars;
    - *same over other*: the mean distance of the same view of two cars over that of different
      views, small if the cars share one curve of rotation, 1 if views tell nothing;
    - *same over adjacent*: over the distance of neighbouring views of one car;
    - *view error*: of the nearest neighbour in each of the other cars, in steps of 5°;
    - *view error within cars*: of the nearest neighbour in the same car, over that of chance;
    - *class error*: the share of points whose nearest neighbour is another car;
    - *bounded from penalised*: the mean squared distance of the two, after a turn, as a share of
      the variance; *λ of the bound*: how far it is from the λ of the penalty, as a share of that.

    *Shuffled* is the informed space with its points exchanged at random.
    """
    choices, car, view, informed, plain, told_view, kernel_pca, bounded, bound_penalty = fitted
    shuffle = np.random.default_rng(0).permutation(len(car))
    spaces = {
        "informed": informed.embedding_,
        "plain KIE": plain.embedding_,
        "kernel PCA": kernel_pca,
        "shuffled": informed.embedding_[shuffle],
    }
    values = {"loss": informed.loss_}
    for name, points in spaces.items():
        scores = {"η²": discriminant(points, car).eta_squared, **view_scores(points, car, view)}
        values |= {f"{score}, {name}": value for score, value in scores.items()}
    of_views = {
        "told the view": told_view.embedding_,
        "told the view, shuffled": told_view.embedding_[shuffle],
        "plain KIE": plain.embedding_,
    }
    for name, points in of_views.items():
        values[f"class error, {name}"] = nearest_neighbor_error(points, car)
        values[f"view error within cars, {name}"] = view_error_within(points, car, view)
    penalised, penalty = informed.embedding_, penalty_of(choices, len(car))
    return values | {
        "bounded from penalised": distance_up_to_turns(penalised, bounded),
        "bounded from penalised, shuffled": distance_up_to_turns(penalised, bounded[shuffle]),
        "λ of the bound off that of the penalty": abs(bound_penalty / penalty - 1),
    }


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.informed.embedding_


def lower_same_over_other(rival):
    """Ask that the same views lie closer together, among others, than in another space."""
    same = "same over other, {}".format
    return below(same("informed"), same(rival), 0.1, chance=same("shuffled"))


CLAIMS = [
    Claim(
        "kie-2a",
        "the latent space captures the rotation that remains when the class is factored out "
        "(of these cars, plain KIE and kernel PCA capture it without the class, too)",
        "Sec. 3",
        [
            at_most("η², informed", 0.05, chance="η², shuffled"),
            at_most("same over other, informed", 0.5, chance="same over other, shuffled"),
        ],
        was="only η² ≤ 0.05, which a shuffled embedding meets; that the rotation is kept, at half "
        "the level of chance, is asked since",
    ),
    Claim(
        "kie-2b",
        "in latent space the cars share their rotation; kernel PCA intermixes it with the class",
        "Sec. 3",
        [
            at_most("same over adjacent, informed", 2, chance="same over adjacent, shuffled"),
            lower_same_over_other("kernel PCA"),
        ],
        was="both ratios less than kernel PCA's by any amount: one optimum, found from every seed, "
        "differed by 0.0015 and 0.019; now by 0.1, and not in same over adjacent, which is "
        "smallest where the points are shuffled",
    ),
    Claim(
        "kie-2c",
        "the cars share their rotation more than in plain KIE with the same settings, told nothing",
        "Sec. 3, of any uninformed space",
        [lower_same_over_other("plain KIE")],
        by="us",
    ),
    Claim(
        "kie-2d",
        "a bound on the latent power, tr C_Z ≤ R, amounts to the L2 penalty",
        "Sec. 2.1; Sec. 3: “the same restrictions apply”",
        [
            at_most("bounded from penalised", 0.01, chance="bounded from penalised, shuffled"),
            at_most("λ of the bound off that of the penalty", 0.05),
        ],
    ),
    Claim(
        "kie-2e",
        "told the views, not the cars, the latent space shows the cars and not the rotation",
        "Sec. 3",
        [
            at_most(
                "class error, told the view", 0.1, chance="class error, told the view, shuffled"
            ),
            at_least("view error within cars, told the view", 0.5),
            above(
                "view error within cars, told the view", "view error within cars, plain KIE", 0.3
            ),
        ],
    ),
]
