"""KIE Figure 3: a duck's neighbours in other classes, in informed KIE, data space and plain KIE."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd

from repro.experiments._cars import fit, load_objects, penalty_over_n
from repro.experiments._choices import any_descent, names_of, one_start, small_start
from repro.experiments._views import CLEANLY, neighbor_views, view_gap
from repro.experiments.claims import Claim, at_least, at_most, choice, less, question
from repro.measures import nearest_neighbor_error, spearman

PAPER, ITEM, REPEATS = "KIE", "Fig. 3", 18
UNIT = "start"  # what a seed draws
ORDER = "loss", "informed"
DUCK, OTHERS = 0, ("wood block", "car", "cat", "box")
SUBTLE = OTHERS[1:]  # the paper calls their rotation "too subtle"
N_SHUFFLES = 200


@dataclass(frozen=True)
class Choices:
    # The first object of a set is called the duck. The one that data space captures best is called
    # the wood block, as it is for the paper's objects. The other sets were chosen before any run:
    # no object is round, and in each set the pixels of one object share the turn of the first.
    objects: tuple = choice(
        (1, 2, 3, 4, 5),
        paper="the first 5 objects of COIL-20",
        other_data={
            (6, 7, 8, 9, 10): "the objects are the next five",
            (3, 6, 19, 5, 9): "the objects are three cars and two boxes",
            (13, 9, 11, 18, 19): "the objects are a pig, a box, a block, a cup and a car",
        },
    )
    n_views: int = choice(30, paper="30 images of each", ours="the first 30 views")
    n_components: int = choice(
        2,
        ours="as in Figure 2",
        settings={
            3: "the latent space has three dimensions",
            1: "the latent space has one dimension",
        },
    )
    # On the pixels of COIL-20: 0–255, 128 × 128.
    bandwidth: float = choice(
        5e7,
        ours="as in Figure 2, “in a similar experiment”",
        settings={3e7: "h is that of Figure 4", 1e8: "h is twice as large"},
    )
    penalty: float = choice(
        0.6,
        ours="as in Figure 2, “in a similar experiment”",
        settings={0.3: "λ is half as large", 1.0: "λ is 1, as at the start of Figure 4"},
    )
    penalty_over_n: bool = penalty_over_n()
    condition_bandwidth: float = choice(1.0, paper="1.0, for a one-hot code")
    code_length: float = choice(
        1.0,
        paper="a one-hot code, of length 1",
        sensitivity={0.5: "the code has length ½", 2.0: "the code has length 2"},
    )
    optimizer: str = any_descent("“simple gradient based optimization”, as in Figure 2")
    max_iter: int = choice(5000, ours="more than any search needs to end by itself")
    init_scale: float = small_start(
        paper="", ours="as in Figure 2 (“small random values”); the author's code has 0.1"
    )
    n_init: int = one_start("the paper mentions no restarts")


def run(choices, seed):
    """Fit KIE from one seed, told the classes (informed) or nothing (plain), as in Figure 2.

    ``kind`` is the class of each image, and ``view`` its turn in steps of 5 degrees.
    """
    X, kind, view = load_objects(choices.objects, choices.n_views)
    code = choices.code_length * np.eye(len(choices.objects))[kind]
    informed = fit(choices, X, seed, code, choices.condition_bandwidth)
    plain = fit(choices, X, seed)
    return SimpleNamespace(choices=choices, kind=kind, view=view, informed=informed, plain=plain)


def duck_errors(points, kind, view):
    """Compute the mean error of the ducks' neighbours in each class, in steps of 5°."""
    return view_gap(neighbor_views(points, kind, view, DUCK), view[kind == DUCK]).mean(axis=1)


def measure(run):
    """Measure a run.

    - *error*: how far the view of a duck's nearest neighbour in a class is from the duck's, in
      steps of 5°, mean over the ducks; *shuffled*: mean over 200 shuffles of the informed space;
    - *view order*: the rank correlation of these views with those of the ducks in plain KIE, where
      claim kie-3d says that neighbours fail; it is shown, but no claim asks for it;
    - *1-NN error*: the share of all points whose nearest neighbour is of another class; *shuffled*:
      one shuffle of the informed space.

    Rows have the names of the paper's objects; the class that data space captures best is first.
    """
    kind, view, rng = run.kind, run.view, np.random.default_rng(0)
    informed, plain = run.informed.embedding_, run.plain.embedding_
    shuffles = [rng.permutation(informed) for _ in range(N_SHUFFLES)]
    errors = {
        "informed": duck_errors(informed, kind, view),
        "data space": duck_errors(*load_objects(run.choices.objects, run.choices.n_views)),
        "plain KIE": duck_errors(plain, kind, view),
        "shuffled": np.mean([duck_errors(points, kind, view) for points in shuffles], axis=0),
    }
    best = errors["data space"].argmin()
    classes = [best, *(k for k in range(len(OTHERS)) if k != best)]
    views = neighbor_views(plain, kind, view, DUCK)
    table = pd.DataFrame({"informed": {"loss": run.informed.loss_}})
    for name, k in zip(OTHERS, classes, strict=True):
        for space, of_classes in errors.items():
            table.loc[f"error, {name}", space] = of_classes[k]
        table.loc[f"view order, {name}", "plain KIE"] = spearman(views[k], view[kind == DUCK])
    for space, points in (("plain KIE", plain), ("shuffled", shuffles[0])):
        table.loc["1-NN error", space] = nearest_neighbor_error(points, kind)
    return table


def embedding(run):
    """Return the embedding that is drawn for a run; one dimension becomes a horizontal line."""
    Z = run.informed.embedding_
    return Z if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])


DATA = ("objects", "n_views")
PLAIN = names_of(Choices, but=("condition_bandwidth", "code_length"))
INFORMED = (*PLAIN, "condition_bandwidth", "code_length")
CLAIMS = [
    question(
        "kie-3a",
        "Sec. 3, Fig. 3",
        "the informed space shows the rotation where data space does not",
        [less(f"error, {k}", "informed", than="data space", by=1) for k in SUBTLE],
        rests_on=INFORMED,
    ),
    Claim(
        "kie-3e",
        "Sec. 3, Fig. 3",
        "the informed space captures the rotation very cleanly",
        [at_most(f"error, {k}", "informed", CLEANLY) for k in OTHERS],
        words="captures the remaining, rotational, degree of freedom very cleanly",
        reason="a quarter of the error by chance, as in mre-1d",
        rests_on=INFORMED,
    ),
    Claim(
        "kie-3b",
        "Sec. 3, Fig. 3",
        "neighbours in the informed space are meaningful: less than half as far off as by chance",
        [at_most(f"error, {k}", "informed", 5) for k in OTHERS],
        words="informed latent space on the other hand is meaningful",
        reason="what does not fail, see kie-3f",
        rests_on=INFORMED,
    ),
    question(
        "kie-3h",
        "Sec. 3, Fig. 3",
        "neighbours in the informed space are better than in an uninformed one",
        [less(f"error, {k}", "informed", than="plain KIE", by=1) for k in OTHERS],
        rests_on=INFORMED,
    ),
    Claim(
        "kie-3c",
        "Sec. 3, Fig. 3",
        "for the wood block data space captures the rotation as well",
        [at_most("error, wood block", "data space", CLEANLY)],
        words="data-space similarity also captures the rotational degree of freedom",
        reason="as kie-3e",
        rests_on=DATA,
    ),
    Claim(
        "kie-3f",
        "Sec. 3, Fig. 3",
        "for the other classes data space fails: neighbours are at least half as far off as by "
        "chance",
        [at_least(f"error, {k}", "data space", 5, chance=0.0) for k in SUBTLE],
        words="not surprising that data-space similarity fails in this context",
        reason="fails: half of the error by chance or more",
        rests_on=DATA,
    ),
    Claim(
        "kie-3d",
        "Sec. 3, Fig. 3",
        "in the plain space neighbourhood across classes fails entirely: neighbours are at least "
        "four fifths as far off as by chance",
        [at_least(f"error, {k}", "plain KIE", 8, chance=0.0) for k in OTHERS],
        words="neighborhood in the plain latent space consequently fails entirely to capture any",
        reason="fails entirely: four fifths of the error by chance or more",
        rests_on=PLAIN,
    ),
    Claim(
        "kie-3g",
        "Sec. 3",
        "the plain space clusters by class",
        # The lead is half of the error of shuffled points, which is 0.8.
        [less("1-NN error", "plain KIE", than="shuffled", by=0.4)],
        words="it tends to cluster the data according to class membership",
        reason="half of the way from shuffled points to none of another class",
        rests_on=PLAIN,
    ),
]
