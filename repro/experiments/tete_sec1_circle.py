"""t-ETE Section 1 and abstract: a circle on a line, and how dense points lie."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from repro.claims import Claim, at_least, choice, less, more
from repro.core.distances import squared_distances
from repro.core.neighbors import k_nearest
from repro.core.quiet import without_warning
from repro.datasets import fetch_coil20
from repro.measures import spearman
from repro.tete import TripletEmbedding, fraction_satisfied, reverse_triplets, sample_per_point

PAPER, ITEM, REPEATS = "t-ETE", "Sec. 1", 20  # a run takes less than three seconds
UNIT = "sample"  # what a seed draws
ORDER = "loss", "t-ETE"  # of the embedding on a line
METHODS = {"GNMDS": "gnmds", "CKL": "ckl", "STE": "ste", "t-STE": "tste", "t-ETE": "tete"}
K_LOCAL = 10  # nearest neighbours, at whose distance local scale is measured


@dataclass(frozen=True)
class Choices:
    shape: str = choice(
        "circle",
        paper="“uniformly distributed points on a two-dimensional circle”",
        elsewhere={  # chosen before any run
            "ellipse": "the curve is an ellipse, twice as long as wide",
            "square": "the curve is the outline of a square",
            "eight": "the curve is a figure of eight, which crosses itself",
            "trefoil": "the curve is a trefoil knot in space",
            "duck": "the points are 72 pictures of a turned duck, of COIL-20",
        },
    )
    n_points: int = choice(100, ours="not given")
    n_triplets: int = choice(100, paper="100 triplets for each point, as in Fig. 1")
    n_neighbors: int = choice(
        10, paper="20 nearest neighbours, one of which is near", ours="20 of 6000, here 10 of 100"
    )
    far: str = choice(
        "farther half",
        paper="“located far away”",
        ours="as for Fig. 1",
        open={"farther": "the far item is any that is farther than the near one, as in Sec. 6"},
    )
    noise: float = choice(
        0.0, paper="a missing dimension is noise", ours="so none is added", open=[0.05, 0.15, 0.2]
    )
    contrast: float = choice(0.9, ours="for local scale, density along the curve is 1 + 0.9 cos")
    local: str = choice(
        "spacing",
        paper="“better preserves local scale”, Abstract",
        ours="where points lie dense in the data, they do in the embedding",
        open={"neighbours": "local scale is which points are near each other"},
    )
    t: float = choice(2.0, ours="t = t′ = 2, as in Figs. 4 to 6; Fig. 3 has 1.7", open=[1.7])
    descent: tuple = choice(
        ("gd", 500),
        ours="gradient descent as in the authors' code, for all methods",
        open={("l-bfgs", 200): "200 iterations of L-BFGS are made"},
    )
    n_starts: int = choice(2, ours="on lines, as descents get stuck; lowest loss counts", open=[1])
    perplexity: float = choice(30.0, ours="of t-SNE, as is customary")


def curve(shape, u):
    """Return points of a closed curve, (n, D); u in [0, 1) says where."""
    a = 2 * np.pi * u
    x, y = np.cos(a), np.sin(a)
    side, place = np.divmod(4 * u, 1)
    corner, next_one = np.exp(0.5j * np.pi * side), np.exp(0.5j * np.pi * (side + 1))
    square = corner + place * (next_one - corner)
    columns = {
        "circle": [x, y],
        "ellipse": [2 * x, y],
        "square": [square.real, square.imag],
        "eight": [y, np.sin(2 * a) / 2],
        "trefoil": [y + 2 * np.sin(2 * a), x - 2 * np.cos(2 * a), -np.sin(3 * a)],
    }
    return np.column_stack(columns[shape])


def draw(choices, contrast, rng):
    """Draw points of the curve, in its order; their density along it is 1 + contrast · cos."""
    if choices.shape == "duck":
        return fetch_coil20(objects=1).X
    u = rng.uniform(size=20 * choices.n_points)
    accepted = rng.uniform(0, 1 + contrast, len(u)) < 1 + contrast * np.cos(2 * np.pi * u)
    return curve(choices.shape, np.sort(u[accepted][: choices.n_points]))


def fit_all(choices, X, d, n_starts, seed, rng):
    """Embed points by each method from triplets, some reversed; return also the loss of t-ETE."""
    triplets = sample_per_point(X, choices.n_triplets, choices.n_neighbors, choices.far, rng=rng)
    triplets = reverse_triplets(triplets, choices.noise, rng)
    optimizer, max_iter = choices.descent
    options = {"t": choices.t, "alpha": 1.0, "optimizer": optimizer, "max_iter": max_iter}
    options |= {"n_init": n_starts, "random_state": seed}
    models = {m: TripletEmbedding(loss, d, **options).fit(triplets) for m, loss in METHODS.items()}
    return {m: model.embedding_ for m, model in models.items()}, models["t-ETE"].loss_


@without_warning()
def run(choices, seed):
    """Embed even points X of a curve, in its order, on a line, and uneven ones in the plane.

    ``line`` and ``plane`` are embeddings by method, also by "cut" and "projection", or by "t-SNE";
    ``test`` are triplets of X that none of them has seen, ``loss`` is that of t-ETE on the line.
    """
    rng = np.random.default_rng(seed)
    X, uneven = draw(choices, 0.0, rng), draw(choices, choices.contrast, rng)
    line, loss = fit_all(choices, X, 1, choices.n_starts, seed, rng)
    steps = np.linalg.norm(np.diff(X, axis=0), axis=1)
    line["cut"] = np.append(0.0, np.cumsum(steps))[:, None]
    line["projection"] = PCA(1).fit_transform(X)
    test = sample_per_point(X, choices.n_triplets, choices.n_neighbors, choices.far, rng=rng)
    plane, _ = fit_all(choices, uneven, 2, 1, seed, rng)
    tsne = TSNE(2, perplexity=choices.perplexity, init="random", method="exact", random_state=seed)
    plane["t-SNE"] = tsne.fit_transform(uneven).astype(float)
    return SimpleNamespace(
        choices=choices, X=X, uneven=uneven, test=test, line=line, plane=plane, loss=loss
    )


def violated_at_the_ends(Y, X):
    """Compute the violated shares of constraints that ask about ends of line Y, or compare them."""
    D, d = squared_distances(X), squared_distances(Y)
    n, ends = len(X), [Y.argmin(), Y.argmax()]
    own, own_y = D[ends][:, :, None], d[ends][:, :, None]
    asked = (own - D[ends][:, None]) * (own_y - d[ends][:, None]) < 0
    compared = (own - D) * (own_y - d) < 0
    return np.mean(asked.sum(axis=(1, 2)) / (n * n - n)), np.mean(compared.mean(axis=(1, 2)))


def local_scale(Y, X, local):
    """Measure how well an embedding Y of X keeps local scale, in one of two senses.

    By "spacing" it is the rank correlation, between data and embedding, of the mean distance of a
    point to its ten nearest; by "neighbours" the share of its ten nearest that are kept.
    """
    near_y, squared_y = k_nearest(Y, K_LOCAL, "exact")
    near_x, squared_x = k_nearest(X, K_LOCAL, "exact")
    if local == "spacing":
        return spearman(np.sqrt(squared_y).mean(axis=1), np.sqrt(squared_x).mean(axis=1))
    return np.mean([np.isin(a, b).mean() for a, b in zip(near_y, near_x, strict=True)])


def measure(run):
    """Measure a run; *shuffled* are the points of t-ETE.

    - *violated*: the share of unseen triplets without noise that an embedding on the line violates;
      *cut*: the curve, cut open and straightened; *projection*: onto the first principal component,
      which folds it; *best rival*: of the other methods, that which violates fewest;
    - *constraints of the ends violated*: the sum of both shares of `violated_at_the_ends`;
      *fewest*: the smallest over all embeddings, 0 if one of them violates none;
    - *local scale*: see `local_scale`, of uneven points in the plane.
    """
    rng = np.random.default_rng(0)
    line, plane = (of | {"shuffled": rng.permutation(of["t-ETE"])} for of in (run.line, run.plane))
    violated = {name: 1 - fraction_satisfied(Y, run.test) for name, Y in line.items()}
    kept = {name: local_scale(Y, run.uneven, run.choices.local) for name, Y in plane.items()}
    violated["best rival"] = min(violated[name] for name in list(METHODS)[:-1])
    fewest = min(sum(violated_at_the_ends(Y, run.X)) for Y in line.values())
    scores = {"violated": violated, "local scale": kept, "loss": {"t-ETE": run.loss}}
    scores["constraints of the ends violated"] = {"fewest": fewest}
    return pd.DataFrame(scores).T


def embedding(run):
    """Return what is drawn of a run."""
    return run.plane["t-ETE"]


EMBEDDED = "shape", "n_points", "n_triplets", "n_neighbors", "far", "noise", "t", "descent"
OF_SCALE = (*EMBEDDED, "contrast", "local")
CLAIMS = [
    Claim(
        "tete-s1a",
        "Sec. 1",
        "regardless of the embedding, the end points of the line violate some constraints",
        [at_least("constraints of the ends violated", "fewest", 1e-4)],
        words="the end points of line will always violate some similarity constraints",
        rests_on=["shape"],
        kind="identity",
    ),
    # The paper calls a missing dimension noise, and t-ETE robust to noise; not that it helps here.
    Claim(
        "tete-s1b",
        "Sec. 1",
        "a missing dimension costs earlier methods much, t-ETE less",
        [
            more("violated", "best rival", than="cut", by=0.02, chance="cut"),
            less("violated", "t-ETE", than="best rival", by=0.02),
        ],
        rests_on=[*EMBEDDED, "n_starts"],
        by="us",
    ),
    Claim(
        "tete-s1c",
        "Abstract",
        "t-ETE better preserves local scale than t-STE",
        [more("local scale", "t-ETE", than="t-STE", by=0.05)],
        words="better preserves local scale than known methods, such as t-STE",
        rests_on=OF_SCALE,
    ),
    Claim(
        "tete-s1d",
        "Abstract",
        "t-ETE better preserves local scale than t-SNE",
        [more("local scale", "t-ETE", than="t-SNE", by=0.05)],
        words="better preserves local scale than known methods, such as t-STE and t-SNE",
        rests_on=[*OF_SCALE, "perplexity"],
    ),
]
