"""t-ETE Section 1 and abstract: a circle on a line, and how dense points lie."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from repro.claims import Claim, above, at_least, below, choice
from repro.core.distances import squared_distances
from repro.core.neighbors import k_nearest
from repro.datasets import fetch_coil20
from repro.measures import spearman
from repro.tete import TripletEmbedding, fraction_satisfied, reverse_triplets, sample_per_point

PAPER, ITEM = "t-ETE", "Sec. 1"
REPEATS = 20  # of the primary reading; a run takes less than three seconds
METHODS = {"GNMDS": "gnmds", "CKL": "ckl", "STE": "ste", "t-STE": "tste", "t-ETE": "tete"}
RIVALS = tuple(METHODS)[:-1]
K_LOCAL = 10  # nearest neighbours, at whose distance local scale is measured


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    shape: str = choice(
        "circle",
        paper="“uniformly distributed points on a two-dimensional circle”",
        # Chosen before any run: closed curves of other form, crossing, in space, and of pictures.
        elsewhere={
            "ellipse": "the points are of an ellipse, twice as long as wide",
            "square": "the points are of a square's outline",
            "eight": "the points are of a figure of eight, which crosses itself",
            "trefoil": "the points are of a trefoil knot in space",
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
        others={"farther": "the far item is any that is farther than the near one, as in Sec. 6"},
    )
    noise: float = choice(
        0.0,
        paper="a missing dimension is noise of its own",
        ours="so no triplets are reversed",
        others={
            0.05: "5 % of the triplets are reversed",
            0.15: "15 % of the triplets are reversed",
            0.2: "20 % of the triplets are reversed",
        },
    )
    contrast: float = choice(
        0.9, ours="where scale is measured, density along the curve is 1 + 0.9 cos"
    )
    local: str = choice(
        "spacing",
        paper="“better preserves local scale”, Abstract",
        ours="where points lie dense in the data, they do in the embedding",
        others={"neighbours": "local scale is which points are near each other"},
    )
    t: float = choice(
        2.0,
        ours="t = t′ = 2, as in Figs. 4 to 6",
        others={1.7: "t = 1.7, as in the noise experiments of Fig. 3"},
    )
    descent: tuple = choice(
        ("gd", 500),
        ours="gradient descent as in the authors' code, the same for every method",
        others={("l-bfgs", 200): "200 iterations of L-BFGS are made"},
    )
    n_starts: int = choice(
        2,
        ours="on the line, where descents get stuck; the lowest loss counts",
        others={1: "there is one start"},
    )
    perplexity: float = choice(30.0, ours="of t-SNE, as is customary")


class Fitted(NamedTuple):
    """What one run fits."""

    choices: Choices
    X: np.ndarray  # points of the curve, in its order
    line: dict  # embeddings of X on a line, by method; also "cut" and "projection"
    test: np.ndarray  # triplets of X that none of them has seen
    uneven: np.ndarray  # points that lie denser here than there
    plane: dict  # embeddings of these in the plane, by method; also "t-SNE"
    loss: float  # of t-ETE on the line


def curve(shape, u):
    """Return points of a closed curve, (n, D); u in [0, 1) says where."""
    a = 2 * np.pi * u
    if shape == "square":
        side, place = np.divmod(4 * u, 1)
        corner, along = np.exp(0.5j * np.pi * side), np.exp(0.5j * np.pi * (side + 1))
        z = corner + place * (along - corner)
        return np.column_stack([z.real, z.imag])
    columns = {
        "circle": [np.cos(a), np.sin(a)],
        "ellipse": [2 * np.cos(a), np.sin(a)],
        "eight": [np.sin(a), np.sin(2 * a) / 2],
        "trefoil": [
            np.sin(a) + 2 * np.sin(2 * a),
            np.cos(a) - 2 * np.cos(2 * a),
            -np.sin(3 * a),
        ],
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
    """Embed points by each method from triplets, of which a share is reversed."""
    c = choices
    triplets = sample_per_point(X, c.n_triplets, c.n_neighbors, c.far, rng=rng)
    triplets = reverse_triplets(triplets, c.noise, rng)
    optimizer, max_iter = c.descent
    options = {"optimizer": optimizer, "max_iter": max_iter, "n_init": n_starts}
    return {
        name: TripletEmbedding(loss, d, t=c.t, alpha=1.0, random_state=seed, **options).fit(
            triplets
        )
        for name, loss in METHODS.items()
    }


def run(choices, seed):
    """Embed even points of a curve on a line, and uneven ones in the plane."""
    c, rng = choices, np.random.default_rng(seed)
    X, uneven = draw(c, 0.0, rng), draw(c, c.contrast, rng)
    models = fit_all(c, X, 1, c.n_starts, seed, rng)
    line = {name: model.embedding_ for name, model in models.items()}
    # A curve may be cut open and straightened, or be projected, which folds it.
    steps = np.linalg.norm(np.diff(X, axis=0), axis=1)
    line["cut"] = np.append(0.0, np.cumsum(steps))[:, None]
    line["projection"] = PCA(1).fit_transform(X)
    test = sample_per_point(X, c.n_triplets, c.n_neighbors, c.far, rng=rng)
    plane = {name: model.embedding_ for name, model in fit_all(c, uneven, 2, 1, seed, rng).items()}
    tsne = TSNE(2, perplexity=c.perplexity, init="random", method="exact", random_state=seed)
    plane["t-SNE"] = tsne.fit_transform(uneven).astype(float)
    return Fitted(c, X, line, test, uneven, plane, models["t-ETE"].loss_)


def violated_at_the_ends(Y, X):
    """Compute which share of all constraints with an end of the line Y it violates.

    One share is of those in which the end is asked about, one of those in which it is compared.
    """
    D, d = squared_distances(X), squared_distances(Y)
    as_query, as_test = [], []
    for end in (Y.argmin(), Y.argmax()):
        own, own_y = D[end], d[end]
        wrong = (own[:, None] - own) * (own_y[:, None] - own_y) < 0
        as_query.append(wrong.sum() / (wrong.size - len(wrong)))
        wrong = (own[:, None] - D) * (own_y[:, None] - d) < 0
        as_test.append(wrong.mean())
    return np.mean(as_query), np.mean(as_test)


def local_scale(Y, X, local):
    """Measure how well an embedding Y of X keeps local scale, in one of two senses.

    By "spacing" it is the rank correlation, between data and embedding, of the mean distance of a
    point to its ten nearest; by "neighbours" the share of its ten nearest that are kept.
    """
    (near_y, of_y), (near_x, of_x) = (k_nearest(Z, K_LOCAL, "exact") for Z in (Y, X))
    if local == "spacing":
        return spearman(np.sqrt(of_y).mean(axis=1), np.sqrt(of_x).mean(axis=1))
    return np.mean([np.isin(a, b).mean() for a, b in zip(near_y, near_x, strict=True)])


def measure(fitted):
    """Measure a run.

    - *violated*: the share of unseen triplets without noise that an embedding on the line violates;
      *cut*: the curve, cut open and straightened; *projection*: onto the first principal component;
      *best rival*: of the other methods, that which violates fewest;
    - *constraints of the ends violated*: of all constraints between three points one of which is an
      end of the line, the share where the end is asked about, and that where it is compared;
      *fewest*: the smallest sum of both over all embeddings, 0 if none violates any;
    - *local scale*: see `local_scale`, of uneven points in the plane;
    - *shuffled*: the points of t-ETE's embedding in random order.
    """
    c, X, line, test, uneven, plane, loss = fitted
    rng = np.random.default_rng(0)
    line, plane = ({**Ys, "shuffled": rng.permutation(Ys["t-ETE"])} for Ys in (line, plane))
    values = {"loss": loss}
    for name, Y in line.items():
        values[f"violated, {name}"] = 1 - fraction_satisfied(Y, test)
    values["violated, best rival"] = min(values[f"violated, {name}"] for name in RIVALS)
    at_ends = (sum(violated_at_the_ends(Y, X)) for Y in line.values())
    values["constraints of the ends violated, fewest"] = min(at_ends)
    for name, Y in plane.items():
        values[f"local scale, {name}"] = local_scale(Y, uneven, c.local)
    return values


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.plane["t-ETE"]


OURS, CHANCE = "local scale, t-ETE", "local scale, shuffled"

CLAIMS = [
    Claim(
        "tete-s1a",
        "regardless of the embedding, the end points of the line violate some constraints",
        "Sec. 1",
        [at_least("constraints of the ends violated, fewest", 1e-4)],
        kind="identity",
    ),
    Claim(
        "tete-s1b",
        "a missing dimension is noise, which costs earlier methods much, t-ETE less",
        "Sec. 1",
        [
            above("violated, best rival", "violated, cut", 0.02, chance="violated, cut"),
            below("violated, t-ETE", "violated, best rival", 0.02, chance="violated, shuffled"),
        ],
    ),
    Claim(
        "tete-s1c",
        "t-ETE better preserves local scale than known methods, such as t-STE and t-SNE",
        "Abstract",
        [
            above(OURS, "local scale, t-STE", 0.05, chance=CHANCE),
            above(OURS, "local scale, t-SNE", 0.05, chance=CHANCE),
        ],
    ),
]
