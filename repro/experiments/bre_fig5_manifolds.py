"""BRE Figure 5: two curved surfaces, from a start by PCA that lays parts of them on each other."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.manifold import LocallyLinearEmbedding

from repro.bre import BRE
from repro.core.distances import squared_distances
from repro.core.estimator import options_of, principal_scores
from repro.core.neighbors import k_nearest
from repro.datasets import distances_along, make_surface
from repro.experiments import without_warning
from repro.experiments._choices import descent_of, names_of
from repro.experiments.claims import Claim, at_least, choice, question
from repro.measures import distance_correlation, geodesic_distances, shuffled

PAPER, ITEM, REPEATS = "BRE", "Fig. 5", 18
UNIT = "sample"  # what a seed draws
ORDER = "least gain in trustworthiness", "BRE"
VARIANCE = 4.5  # of the S-curve; other surfaces are scaled to it, as β is in squared units
N_TRUSTED = 12  # neighbours in the embedding that should be neighbours in the data
N_COMPARED = 500  # points whose distances are compared: 124,750 pairs


@dataclass(frozen=True)
class Choices:
    # The other surfaces were chosen one at a time, before any run on them: a tighter roll, the roll
    # with a hole, curvature of one sign and of both signs, and a closed curve. PCA lays parts of
    # each of them on each other.
    surfaces: tuple = choice(
        ("S-curve", "twin peaks"),
        paper="surfaces of the S-curve and the twin peaks",
        other_data={
            ("Swiss roll",): "the surface is the Swiss roll",
            ("Swiss roll with a hole",): "the surface is the Swiss roll with a hole",
            ("severed sphere",): "the surface is a sphere without its poles and a slice",
            ("torus patch",): "the surface is three quarters of a torus, both ways",
            ("trefoil",): "the surface is a curve tied into a trefoil",
        },
    )
    n_points: int = choice(2000, paper="2000 points on each of the surfaces")
    n_components: int = choice(2, paper="two dimensions")
    peak_height: float = choice(
        1.0,
        ours="x and y in ±1, height sin(πx) tanh(3y); the paper gives no formula",
        settings={0.5: "the peaks are half as high", 2.0: "the peaks are twice as high"},
    )
    affinity: str = choice("truncated", paper="Eqs. (6), (7)")
    n_neighbors: int = choice(
        200,
        ours="not given; we tried 100, 200, 400 and 800; 200 is the value in Fig. 7",
        settings={100: "K is 100", 400: "K is 400", 800: "K is 800"},
    )
    symmetric: str | None = choice(
        None,
        paper="one-sided: i ∼ j if x_i is a neighbour of x_j (Sec. 2; repeated for the faces)",
        ours="the paper does not repeat this for the surfaces",
        settings={"or": "points are related if either is among the other's nearest"},
    )
    beta: float = choice(
        5.0,
        ours="not given; the middle one of the three values that we tried, 1, 5 and 25",
        settings={1.0: "β is 1", 25.0: "β is 25"},
    )
    gamma: float = choice(1.0, paper="Sec. 3: γ = 1 in the following experiments")
    init_scale: float | None = choice(
        None,
        paper="“PCA is used to initialize the coordinates”",
        ours="the principal component scores, not scaled",
        settings={0.1: "the start is scaled to a standard deviation of 0.1"},
    )
    descent: tuple = choice(
        ("conditional-scg", 200),
        paper="Sec. 3: conditional SCG with parallel updates; 200 iterations for the other data",
        ours="SCG: scaled conjugate gradient; each point steps as if the others stood still",
        settings={("scg", 200): "all points move jointly"},
    )
    lle_neighbors: int = choice(
        12,
        ours="as in the code published with the cited paper on LLE",
        settings={6: "LLE has six neighbours", 24: "LLE has 24 neighbours"},
    )


def draw(name, choices, seed):
    """Draw points of a surface; they lie evenly along the S-curve, and in x and y on the peaks.

    ``factors`` are the true coordinates, ``along`` distances on the surface for the first points.
    """
    data = make_surface(name, choices.n_points, np.random.default_rng([seed, len(name)]))
    height = choices.peak_height if name == "twin peaks" else 1.0
    X = data.X * [1.0, 1.0, height]
    of_paper = name in ("S-curve", "twin peaks")
    unit = 1.0 if of_paper else np.sqrt(VARIANCE / X.var(axis=0).sum())
    points = unit * X
    factors = unit * data.factors
    first = SimpleNamespace(X=points[:N_COMPARED], factors=factors[:N_COMPARED])
    along = distances_along(name, first)
    if along is None:
        along = geodesic_distances(points)[:N_COMPARED, :N_COMPARED]
    return SimpleNamespace(points=points, factors=factors, along=along)


@without_warning()  # the fit stops after the paper's iterations, converged or not
def run(choices, seed):
    """Fit BRE and, for comparison, LLE to a sample of each surface.

    The results are by name of the surface: ``start`` has the principal component scores, ``bre``
    the models, and ``lle`` the embeddings.
    """
    options = options_of(BRE, choices) | descent_of(choices)
    d = choices.n_components
    k = choices.lle_neighbors
    lle = LocallyLinearEmbedding(n_components=d, n_neighbors=k, random_state=seed)
    fitted = SimpleNamespace(samples={}, start={}, bre={}, lle={})
    for name in choices.surfaces:
        sample = draw(name, choices, seed)
        start = principal_scores(sample.points, d)
        fitted.samples[name] = sample
        fitted.start[name] = start
        fitted.bre[name] = BRE(init=start, **options).fit(sample.points)
        fitted.lle[name] = lle.fit_transform(sample.points)
    return fitted


def trusted(points, spaces):
    """Compute the trustworthiness of several spaces, as scikit-learn does for one."""
    n, k = len(points), N_TRUSTED
    ranks = squared_distances(points).argsort(axis=1).argsort(axis=1)  # 0 for the point itself
    near = {space: k_nearest(Z, k, "exact")[0] for space, Z in spaces.items()}
    beyond = {s: np.take_along_axis(ranks, of, axis=1) - k for s, of in near.items()}
    most = n * k * (2 * n - 3 * k - 1) / 2
    return {space: 1 - of.clip(min=0).sum() / most for space, of in beyond.items()}


def measure(run):
    """Measure a run.

    - *trustworthiness*: for 12 neighbours, 1 if all neighbours in the embedding are neighbours in
      the data, about ½ if the points are shuffled;
    - *correlation*: Spearman's, of distances in the embedding with those along the surface;
    - *least gain*: the gain over PCA, over what PCA lacks to 1, on the surface with the least;
    - *least lead*: the lead over LLE, on the surface with the least.

    Every run has its own points, so no two runs end in one optimum.
    """
    table = pd.DataFrame()
    for name, sample in run.samples.items():
        Y = run.bre[name].embedding_
        spaces = {"PCA": run.start[name], "BRE": Y, "LLE": run.lle[name], "shuffled": shuffled(Y)}
        T = trusted(sample.points, spaces)
        for space, Z in spaces.items():
            table.loc[f"trustworthiness, {name}", space] = T[space]
            rho = distance_correlation(Z[:N_COMPARED], sample.along)
            table.loc[f"correlation, {name}", space] = rho
    for score in ("trustworthiness", "correlation"):
        of = table.filter(like=f"{score}, ", axis=0)
        reached, pca = of[["BRE", "shuffled"]], of["PCA"]
        table.loc[f"least gain in {score}"] = reached.sub(pca, axis=0).div(1 - pca, axis=0).min()
        table.loc[f"least lead in {score}"] = reached.sub(of["LLE"], axis=0).min()
    return table


def embedding(run):
    """Return the embedding that is drawn: of the paper's two, the twin peaks, which differ most."""
    return list(run.bre.values())[-1].embedding_


FIT = names_of(Choices, but=("lle_neighbors",))
# Each claim is about both surfaces, as Figure 5 shows both. The paper gives no measure. We call a
# gain better if it is a tenth of what PCA lacks (a), and say that the neighbours are back if it is
# half of that (b). Only b claims that something can happen, in the sample shown; c is about BRE in
# general. A hundredth (c) is a fiftieth of the way from shuffled points, ½, to 1. The paper does
# not ask for distances along the surface: embeddings "should not preserve" every pairwise one.
CLAIMS = [
    question(
        "bre-5a",
        "Sec. 4, p. 5, and Fig. 5",
        "points keep the neighbours they have in the data better than by PCA, the start",
        [at_least("least gain in trustworthiness", "BRE", 0.1)],
        rests_on=FIT,
    ),
    Claim(
        "bre-5b",
        "Sec. 4, p. 6, and Fig. 5",
        "where PCA projects different areas onto one region, BRE can bring the neighbours back",
        [at_least("least gain in trustworthiness", "BRE", 0.5)],
        words="can coordinate the points to keep the original neighborhood relations",
        reason="at least half of what PCA lacks: most neighbours are back",
        rests_on=FIT,
        can=True,
    ),
    question(
        "bre-5e",
        "Sec. 4, p. 6, and Fig. 5",
        "BRE keeps distances along the surface better than PCA, the start",
        [at_least("least gain in correlation", "BRE", 0.1)],
        rests_on=FIT,
    ),
    Claim(
        "bre-5c",
        "Sec. 3, p. 5",
        "BRE, “a probabilistic version of LLE”, keeps neighbours like LLE",
        [at_least("least lead in trustworthiness", "BRE", -0.02)],
        words="preserve the local neighborhood relation before and after embedding like LLE",
        reason="a fiftieth of trustworthiness is not seen in a map, as in tete-6f",
        can=True,
        rests_on=(*FIT, "lle_neighbors"),
    ),
    question(
        "bre-5d",
        "Sec. 3, p. 5",
        "BRE keeps distances along the surface like LLE",
        [at_least("least lead in correlation", "BRE", -0.05)],
        rests_on=(*FIT, "lle_neighbors"),
    ),
]
