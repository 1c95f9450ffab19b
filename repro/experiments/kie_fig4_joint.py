"""KIE Figure 4: one curve for two objects, from pairs of their images in correspondence."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from repro.claims import Claim, above, at_least, at_most, below, choice
from repro.core.kernel_matrices import gaussian_kernel
from repro.datasets import fetch_coil20
from repro.kie import JointKIE, annealing_schedule, entropy
from repro.measures import nearest_is_adjacent

PAPER, ITEM = "KIE", "Fig. 4"
REPEATS = 20  # of the primary reading; a run takes 0.1 s


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    objects: tuple = choice(
        (1, 2),
        paper="the first two object classes",
        elsewhere={
            (3, 6): "the objects are two cars",
            (5, 9): "the objects are two boxes",
            (4, 13): "the objects are a cat and a pig",
            (7, 18): "the objects are a wooden block and a cup with a handle",
            (12, 20): "the objects are a cup and a tub of which only the prints turn",
        },
    )
    n_views: int = choice(30, paper="30 views of each, as in Figure 3")
    n_components: int = choice(3, paper="three dimensions")
    bandwidth: float | None = choice(
        3e7,
        paper="h = 3·10⁷",
        ours="the same for both objects, on pixel values 0–255 of 128 × 128 images",
        others={
            1.5e7: "h is half as large",
            6e7: "h is twice as large",
            None: "h is chosen by likelihood, one for each object",
        },
    )
    annealing: str = choice(
        "eleven values",
        paper="λ starts with 1.0 and is multiplied by 0.8 for ten steps",
        ours="ten multiplications, so eleven values",
        others={"ten values": "λ takes ten values, not eleven", "last value": "λ is not annealed"},
    )
    penalty_by_n: bool = choice(
        False,
        paper="“same power-constraint as before”: λ/N tr C_Z, Sec. 2.1",
        ours="λ tr C_Z, that is λ times the mean over pairs of Σ z²",
        others={True: "the penalty is λ/N tr C_Z to the letter"},
    )
    power: int = choice(
        2,
        paper="“same power-constraint as before”",
        ours="the L2 penalty that Sec. 2.1 calls natural",
        others={4: "the penalty is on fourth powers, as in Figure 1"},
    )
    init_scale: float = choice(0.01, ours="“small random values”, as the paper says of Figure 5")
    optimizer: str = choice("l-bfgs", paper="gradient based", ours="SciPy's L-BFGS")
    max_iter: int = choice(200, ours="in each step of the annealing")


class Fitted(NamedTuple):
    """What one run fits."""

    x: object  # the images of either object, see `fetch_coil20`
    y: object
    order: np.ndarray  # a wrong order of the views
    joint: JointKIE
    free: JointKIE  # minimised without a penalty, footnote 2
    at_random: JointKIE  # the partners in the wrong order


@cache
def load_objects(objects, n_views):
    """Fetch the first views of each object."""
    return tuple(fetch_coil20(objects=k, views=range(n_views)) for k in objects)


def joint_model(choices, factor, seed):
    """Make joint KIE, not fitted; λ is 1 at first and is multiplied by a factor for ten steps."""
    by = choices.n_views if choices.penalty_by_n else 1
    penalties = annealing_schedule(1.0, factor, 10) / by
    taken = {"eleven values": penalties, "ten values": penalties[:-1], "last value": penalties[-1:]}
    return JointKIE(
        choices.n_components,
        bandwidth=choices.bandwidth,
        penalty=taken[choices.annealing],
        power=choices.power,
        optimizer=choices.optimizer,
        max_iter=choices.max_iter,
        init_scale=choices.init_scale,
        random_state=seed,
    )


def run(choices, seed):
    """Fit joint KIE as in the paper, without a penalty, and to partners at random."""
    x, y = load_objects(choices.objects, choices.n_views)
    order = np.random.default_rng(seed).permutation(choices.n_views)
    model = joint_model(choices, 0.8, seed)
    return Fitted(
        x,
        y,
        order,
        joint=clone(model).fit(x.X, y.X),
        free=clone(model).set_params(penalty=0.0).fit(x.X, y.X),
        at_random=clone(model).fit(x.X, y.X[order]),
    )


def left_over(K_z, K_x, K_y):
    """Estimate I(X; Y | Z), Eq. (12), from the kernels."""
    return entropy(K_x, K_z) + entropy(K_y, K_z) - entropy(K_z) - entropy(K_x, K_y, K_z)


def measure(fitted):
    """Measure a run.

    - *adjacent neighbours*: the share of pairs whose nearest neighbour is an adjacent view;
      *shuffled*: in the fitted embedding, shuffled;
    - *left over*: I(X; Y | Z) in nats. *X*, *Y*: Z is a copy, with the same kernel; *4X*, *4Y*: a
      copy four times as large, whose kernel is that to the power of 16; *in a wrong order*: the
      same points, shuffled.
    """
    x, y, order, joint, free, at_random = fitted
    Z, (h_x, h_y) = joint.embedding_, joint.bandwidths_
    K_x, K_y = gaussian_kernel(x.X, h_x), gaussian_kernel(y.X, h_y)
    spaces = {
        "": Z,
        ", without penalty": free.embedding_,
        ", paired at random": at_random.embedding_,
        ", shuffled": Z[order],
    }
    kernels = {"all in one place": np.ones_like(K_x)}
    for name, K in {"X": K_x, "4X": K_x**16, "Y": K_y, "4Y": K_y**16}.items():
        kernels |= {name: K, f"{name} in a wrong order": K[np.ix_(order, order)]}
    values = {"loss": joint.loss_, "left over, without penalty": free.loss_}
    values |= {f"adjacent neighbours{k}": nearest_is_adjacent(v) for k, v in spaces.items()}
    return values | {f"left over, {k}": left_over(K, K_x, K_y) for k, K in kernels.items()}


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.joint.embedding_


ADJACENT = "adjacent neighbours"
CLAIMS = [
    Claim(
        "kie-4a",
        "the single one-dimensional degree of freedom becomes visible",
        "Sec. 4",
        [at_least(ADJACENT, 0.9, chance=f"{ADJACENT}, shuffled")],
        was="the same; in between it asked for more than with partners at random, too, of which "
        "the paper does not speak. That was taken out after it made the claim depend, and is "
        "asked apart now (kie-4c)",
    ),
    Claim(
        "kie-4c",
        "the correspondence makes the degree of freedom visible: partners at random do not",
        "Sec. 4",
        [above(ADJACENT, f"{ADJACENT}, paired at random", 0.5, chance=f"{ADJACENT}, shuffled")],
        by="us",
        was="of kie-4a, by an amount not kept; the half was set after a look at the numbers, above "
        "what several readings give",
    ),
    Claim(
        "kie-4b",
        "without a restriction I(X; Y | Z) can be minimised by Z equal to X or Y",
        "Sec. 4, footnote 2",
        [
            ask
            for copy in ("X", "Y")
            for ask in (
                at_most(f"left over, 4{copy}", 0.01, chance=f"left over, 4{copy} in a wrong order"),
                below(
                    f"left over, {copy}",
                    f"left over, {copy} in a wrong order",
                    0.1,
                    chance=f"left over, {copy} in a wrong order",
                ),
            )
        ],
        can=True,
        was="asked that the copies vanish four times as large, which at small bandwidths a wrong "
        "order does as well; and that a free minimisation end in a copy, but the footnote says "
        "that a copy minimises, not that nothing else does (now kie-4b2)",
    ),
    Claim(
        "kie-4b2",
        "minimised without a restriction, Z becomes a copy of X or Y",
        "Sec. 4, footnote 2",
        [
            at_most("left over, without penalty", 0.01, chance="left over, all in one place"),
            at_least(f"{ADJACENT}, without penalty", 0.9, chance=f"{ADJACENT}, shuffled"),
        ],
        by="us",
    ),
]
