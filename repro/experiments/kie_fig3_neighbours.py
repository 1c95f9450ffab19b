"""KIE Figure 3: what turns as the duck does, in a space told the classes and in two others."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from repro.claims import Claim, at_least, below, choice
from repro.experiments.kie_fig2_conditional_cars import fit, load_cars as load_objects
from repro.kie import KIE, ConditionalKIE
from repro.measures import nearest_neighbor_error, neighbor_views, spearman, view_gap

PAPER, ITEM = "KIE", "Fig. 3"
REPEATS = 20  # of the primary reading; a run takes less than a second
DUCK, OTHERS = 0, ("wood block", "car", "cat", "box")
SUBTLE = OTHERS[1:]  # of whose rotation the paper says that it is "too subtle"
N_SHUFFLES = 200


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    # Elsewhere the first object has the part of the duck. What is the wood block there, the class
    # that data space captures best, is found from the errors in data space.
    objects: tuple = choice(
        (1, 2, 3, 4, 5),
        paper="the first 5 objects",
        elsewhere={
            (6, 7, 8, 9, 10): "the objects are the next five",
            (11, 12, 13, 14, 15): "the objects are the third five",
            (16, 17, 18, 19, 20): "the objects are the last five",
            (3, 6, 19, 5, 9): "the objects are three cars and two boxes",
            (13, 9, 11, 18, 19): "the objects are a pig, a box, a block, a cup and a car",
        },
    )
    n_views: int = choice(30, paper="30 images of each", ours="the first 30 views")
    n_components: int = choice(
        2,
        ours="as in Figure 2",
        others={
            3: "the latent space has three dimensions",
            1: "the latent space has one dimension",
        },
    )
    bandwidth: float = choice(
        5e7,
        ours="as in Figure 2, on pixel values 0–255 of 128 × 128 images",
        others={2.5e7: "h is half as large", 1e8: "h is twice as large"},
    )
    penalty: float = choice(0.6, ours="as in Figure 2")
    penalty_over_n: bool = choice(
        False,
        paper="Sec. 2.1: λ/N tr C_Z",
        ours="λ times the mean over points of Σ z², which is λ tr C_Z",
        others={True: "λ itself is divided by the number of points"},
    )
    condition_bandwidth: float = choice(1.0, paper="1.0, of a one-hot code")
    code_length: float = choice(
        1.0,
        ours="one-hot codes have length 1",
        others={0.5: "the one-hot code is half as long", 2.0: "the one-hot code is twice as long"},
    )
    init_scale: float = choice(0.01, ours="as in Figure 2, “small random values”")
    n_init: int = choice(
        5,
        ours="the lowest loss of five starts, as nothing is annealed",
        others={1: "there is one start"},
    )


class Fitted(NamedTuple):
    """What one run fits."""

    choices: Choices
    kind: np.ndarray  # (n,) the class of each image
    view: np.ndarray  # (n,) its turn, in steps of 5 degrees
    informed: ConditionalKIE
    plain: KIE  # with the same settings, told nothing


def run(choices, seed):
    """Fit KIE with and without the classes from one seed, with the options of Figure 2."""
    X, kind, view = load_objects(choices.objects, choices.n_views)
    code = choices.code_length * np.eye(len(choices.objects))[kind]
    informed = fit(choices, X, seed, code, choices.condition_bandwidth)
    return Fitted(choices, kind, view, informed, plain=fit(choices, X, seed))


def duck_errors(points, kind, view):
    """Compute the mean error, class by class, of the neighbours of the ducks, in steps of 5°."""
    return view_gap(neighbor_views(points, kind, view, DUCK), view[kind == DUCK]).mean(axis=1)


@cache
def data_errors(objects, n_views):
    """Compute the errors of the neighbours in data space, the same in every run."""
    return duck_errors(*load_objects(objects, n_views))


def measure(fitted):
    """Measure a run.

    - *error*: of the view of a duck's nearest neighbour in a class, mean over the ducks, in steps
      of 5°; *shuffled*: mean over 200 shuffles of the informed space;
    - *order*: the rank correlation of these views with those of the ducks;
    - *class error*: the share of all points whose nearest neighbour is of another class.

    The class that data space captures best comes first and goes by the name of the wood block.
    """
    choices, kind, view, informed, plain = fitted
    rng, ducks = np.random.default_rng(0), view[kind == DUCK]
    shuffles = [rng.permutation(informed.embedding_) for _ in range(N_SHUFFLES)]
    errors = {
        "informed": duck_errors(informed.embedding_, kind, view),
        "data space": data_errors(choices.objects, choices.n_views),
        "plain": duck_errors(plain.embedding_, kind, view),
        "shuffled": np.mean([duck_errors(points, kind, view) for points in shuffles], axis=0),
    }
    best = int(errors["data space"].argmin())
    order = [best, *(k for k in range(len(OTHERS)) if k != best)]
    values = {"loss": informed.loss_}
    found = neighbor_views(plain.embedding_, kind, view, DUCK)
    for name, k in zip(OTHERS, order, strict=True):
        values |= {f"error, {name}, {space}": error[k] for space, error in errors.items()}
        values[f"order, {name}, plain"] = spearman(found[k], ducks)
    return values | {
        "class error, plain": nearest_neighbor_error(plain.embedding_, kind),
        "class error, shuffled": nearest_neighbor_error(shuffles[0], kind),
    }


def embedding(fitted):
    """Return what is drawn of a run; one dimension on a level line."""
    Z = fitted.informed.embedding_
    return Z if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])


def smaller_error(kind, space, rival, by):
    """Ask that the neighbours in a class be nearer to the ducks' views than in another space."""
    error = f"error, {kind}, {{}}".format
    return below(error(space), error(rival), by, chance=error("shuffled"))


CLAIMS = [
    Claim(
        "kie-3a",
        "the informed space shows the rotation where data space does not",
        "Sec. 3",
        [smaller_error(k, "informed", "data space", 1) for k in SUBTLE],
        was="smaller by any amount; now by one view, 5°, so that the difference means something",
    ),
    Claim(
        "kie-3b",
        "neighbours in the informed space are better than in an uninformed one",
        "Sec. 3",
        [smaller_error(k, "informed", "plain", 1) for k in OTHERS],
        was="smaller by any amount; now by one view, 5°, so that the difference means something",
    ),
    Claim(
        "kie-3c",
        "for the wood block data space captures the rotation as well",
        "Sec. 3",
        [smaller_error(OTHERS[0], "data space", "informed", 0)],
    ),
    Claim(
        "kie-3d",
        "the plain space clusters by class, and neighbourhood across classes fails entirely there",
        "Sec. 3",
        [
            below(
                "class error, plain", "class error, shuffled", 0.4, chance="class error, shuffled"
            ),
            *(at_least(f"error, {k}, plain", 8, chance=f"error, {k}, shuffled") for k in SUBTLE),
        ],
        was="only errors of 8 views at least, which a shuffled embedding has as well; now the "
        "classes are to cluster, too, as the paper says they do. A class error of 0.2 at most was "
        "asked of that first, which 0.23 misses; the claim fails in either form, by the errors",
    ),
]
