"""BRE Section 5, last sentence: several relations at once, which the paper proposes, not shows."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from repro.bre import (
    AffinityRelation,
    MultipleBRE,
    bernoulli_gaussian,
    bernoulli_truncated,
    neighbor_graph,
)
from repro.claims import choice
from repro.experiments.mre_fig3_isomap_faces import (
    NAMES,
    dimension_measures,
    load_faces,
    read_along,
    split,
)
from repro.measures import abs_spearman
from repro.mre import MRE, Relation, gaussian_rows

PAPER, ITEM = "BRE", "Sec. 5"
REPEATS = 10  # of the primary reading; a run takes some five seconds


@dataclass(frozen=True)
class Choices:
    """What we took; the paper has one sentence on it. For data elsewhere see MRE's Figure 3."""

    n_labelled: int = choice(100, ours="as in MRE's Figure 3")
    n_components: int = choice(4, ours="as in MRE's Figure 3")
    beta: float = choice(
        1.0,
        ours="of the factors, each standardised: MRE's σ²",
        others={1 / 3: "the β of the factors is a third", 3.0: "the β of the factors is threefold"},
    )
    beta_pixels: float = choice(25.0, ours="as MRE's σ², for 32 × 32 pixels")
    n_neighbors: int | None = choice(
        None,
        paper="Eq. (3), or Eq. (6)",
        ours="Eq. (3): all pairs of faces",
        others={100: "the relation of pixels is truncated to 100 neighbours, Eq. (6)"},
    )
    weight_pixels: float = choice(
        1.0,
        ours="the losses, each a mean over its pairs, are summed",
        others={0.1: "the pixels weigh a tenth", 10.0: "the pixels weigh tenfold"},
    )
    max_iter: int = choice(500, ours="scaled conjugate gradients settle from most starts")
    mre_max_iter: int = choice(1000, paper="MRE's Sec. 3.2")
    init_scale: float = choice(0.1, ours="small; metrics start near 1 for BRE, near 0 for MRE")


class Fitted(NamedTuple):
    """What one run fits."""

    factors: np.ndarray  # (n, 4), in the order of `NAMES`
    labelled: np.ndarray  # numbers of the faces whose factors are told
    others: np.ndarray  # and of the others
    bre: MultipleBRE
    mre: MRE  # on the same faces, as in its Figure 3


def pixel_affinities(X, beta, n_neighbors):
    """Compute the affinities of all faces from their pixels, Eq. (3) or Eq. (6)."""
    if n_neighbors is None:
        return bernoulli_gaussian(X, beta)
    return bernoulli_truncated(X, beta, neighbor_graph(X, n_neighbors))


def run(choices, seed):
    """Fit BRE and MRE to the factors of some faces and the pixels of all."""
    faces, factors = load_faces()
    labelled, others = split(len(factors), choices.n_labelled, seed)
    told = {name: column[:, None] for name, column in zip(NAMES, factors[labelled].T, strict=True)}
    of_bre = [
        AffinityRelation(bernoulli_gaussian(values, choices.beta), index=labelled, name=name)
        for name, values in told.items()
    ]
    P = pixel_affinities(faces.X, choices.beta_pixels, choices.n_neighbors)
    of_bre.append(AffinityRelation(P, name="Eucl", weight=choices.weight_pixels))
    of_mre = [
        Relation(gaussian_rows(values, choices.beta, include_self=True), index=labelled, name=name)
        for name, values in told.items()
    ]
    P = gaussian_rows(faces.X, choices.beta_pixels, include_self=True)
    of_mre.append(Relation(P, name="Eucl"))
    options = {"init_scale": choices.init_scale, "random_state": seed}
    return Fitted(
        factors,
        labelled,
        others,
        bre=MultipleBRE(choices.n_components, max_iter=choices.max_iter, **options).fit(of_bre),
        mre=MRE(choices.n_components, max_iter=choices.mre_max_iter, **options).fit(of_mre),
    )


def measure(fitted):
    """Measure a run by what MRE's Figure 3 is judged by.

    - *share*: see there; whether the four relations have dimensions of their own, and whether the
      pixels use them all;
    - *Pose1* and so on: the absolute rank correlation of a factor with its dimension, over the
      faces whose factors were not told. *Shuffled*: with other faces' places.
    """
    values, read = {"loss": fitted.bre.loss_}, {}
    for at, model in (("BRE", fitted.bre), ("MRE", fitted.mre)):
        read[at] = read_along(model, fitted)
        found = dimension_measures(model, fitted.labelled)
        values |= {f"{name}, {at}": value for name, value in found.items()}
    read["shuffled"] = np.random.default_rng(0).permutation(read["BRE"])
    for at, X in read.items():
        rho = abs_spearman(fitted.factors[fitted.others], X).diagonal()
        values |= {f"{name}, {at}": value for name, value in zip(NAMES, rho, strict=True)}
    return values


def embedding(fitted):
    """Return what is drawn of a run: the unlabelled faces, in the dimensions of the two poses."""
    return read_along(fitted.bre, fitted)[:, :2]


CLAIMS = []  # the paper makes none; this explores
