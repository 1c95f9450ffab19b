"""BRE Figure 5: two curved surfaces, from principal components that overlay parts of them."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.manifold import LocallyLinearEmbedding, trustworthiness

from repro.bre import BRE
from repro.claims import Claim, at_least, choice
from repro.core.estimator import options_of, principal_scores
from repro.datasets import distances_along, make_surface
from repro.measures import distance_correlation, geodesic_distances, shuffled

PAPER, ITEM, REPEATS = "BRE", "Fig. 5", 10  # two fits of 2000 points take longer than three seconds
UNIT = "sample"  # what a seed draws
ORDER = "least gain in trustworthiness", "BRE"
VARIANCE = 4.5  # of the S-curve, which surfaces elsewhere are given, as β is in squared units
N_TRUSTED = 12  # neighbours in the embedding that are to be neighbours in the data
N_COMPARED = 1000  # points between all of which distances are compared


@dataclass(frozen=True)
class Choices:
    # Chosen before any run on them, one at a time: a tighter roll, a hole in it, curvature of its
    # own sign and of both signs, and a closed curve. All of them PCA lays over themselves.
    surfaces: tuple = choice(
        ("S-curve", "twin peaks"),
        paper="surfaces of the S-curve and the twin peaks",
        elsewhere={
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
        ours="x, y in ±1, height sin(πx) tanh(3y); the paper has no formula",
        open=[0.5, 1.5, 2.0, 3.0, 10.0],
    )
    affinity: str = choice("truncated", paper="Eqs. (6), (7)")
    n_neighbors: int = choice(
        800,
        ours="K is not given; of four values one in the middle",
        equal=[100, 200, 1600],
    )
    symmetric: str | None = choice(
        "or",
        ours="related if either is among the other's K nearest; for the faces the paper prints a "
        "one-sided relation",
        open={
            None: "the relation is one-sided",
            "and": "points are related only if each is among the other's nearest",
        },
    )
    beta: float = choice(5.0, ours="not given; of three values the middle one", equal=[1.0, 25.0])
    gamma: float = choice(1.0, paper="Sec. 3: γ = 1 in the following experiments")
    init_scale: float | None = choice(
        None,
        paper="“PCA is used to initialize the coordinates”",
        ours="the principal component scores as they are",
        open={0.1: "the start is scaled to a standard deviation of 0.1"},
    )
    descent: tuple = choice(
        ("scg", 200),
        paper="Sec. 3: SCG; 200 iterations for the other data sets",
        ours="of all points jointly",
        open={("conditional-scg", 60): "each point moves given the others, in 60 rounds"},
    )
    lle_neighbors: int = choice(12, ours="as in the paper on LLE that is cited", open=[24])


def draw(name, choices, seed):
    """Draw points of a surface; the paper's evenly along the S-curve, in x and y on the peaks.

    ``factors`` are their true coordinates, ``along`` distances on the surface, of the first points.
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


def run(choices, seed):
    """Fit BRE, and beside it LLE, to a sample of each surface; all is by name of the surface.

    ``start`` has principal component scores, ``bre`` the models, ``lle`` the embeddings.
    """
    optimizer, max_iter = choices.descent
    options = options_of(BRE, choices) | {"optimizer": optimizer, "max_iter": max_iter}
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


def measure(run):
    """Measure a run.

    - *trustworthiness*, for 12 neighbours: 1 if all neighbours in the embedding are neighbours in
      the data, about ½ if it is shuffled;
    - *correlation*: Spearman's, of distances in the embedding with those along the surface;
    - *least gain*: over PCA, as a share of what PCA lacks to 1, on the surface where it is least;
    - *least lead*: over LLE, on the surface where it is least.

    Every run has points of its own, so that no two end in one optimum.
    """
    table = pd.DataFrame()
    for name, sample in run.samples.items():
        Y = run.bre[name].embedding_
        spaces = {"PCA": run.start[name], "BRE": Y, "LLE": run.lle[name], "shuffled": shuffled(Y)}
        for space, Z in spaces.items():
            T = trustworthiness(sample.points, Z, n_neighbors=N_TRUSTED)
            table.loc[f"trustworthiness, {name}", space] = T
            rho = distance_correlation(Z[:N_COMPARED], sample.along)
            table.loc[f"correlation, {name}", space] = rho
    for score in ("trustworthiness", "correlation"):
        of = table.filter(like=f"{score}, ", axis=0)
        found, pca = of[["BRE", "shuffled"]], of["PCA"]
        table.loc[f"least gain in {score}"] = found.sub(pca, axis=0).div(1 - pca, axis=0).min()
        table.loc[f"least lead in {score}"] = found.sub(of["LLE"], axis=0).min()
    return table


def embedding(run):
    """Return what is drawn of a run: of the paper's the twin peaks, which differ most."""
    return list(run.bre.values())[-1].embedding_


FIT = (
    *("surfaces", "n_points", "n_components", "peak_height", "affinity", "n_neighbors"),
    *("symmetric", "beta", "gamma", "init_scale", "descent"),
)
# Both surfaces are asked at once, as Figure 5 shows both. The paper gives no measure: a tenth of
# what PCA lacks is the least that we call better. Only b is a claim that something can happen, in
# a sample that is shown; c is said of BRE in general.
CLAIMS = [
    Claim(
        "bre-5a",
        "Sec. 4, p. 5, and Fig. 5",
        "points keep the neighbours they have in the data better than by PCA",
        [at_least("least gain in trustworthiness", "BRE", 0.1)],
        words="each point in the embedding tries to keep the same neighbors",
        rests_on=FIT,
    ),
    Claim(
        "bre-5b",
        "Sec. 4, p. 6, and Fig. 5",
        "BRE can coordinate the points where PCA projects different areas onto one region",
        [at_least("least gain in correlation", "BRE", 0.1)],
        words="the BRE model can coordinate the points … as shown in Figure 5",
        rests_on=FIT,
        can=True,
    ),
    Claim(
        "bre-5c",
        "Sec. 3, p. 5",
        "BRE, “a probabilistic version of LLE”, keeps neighbours like LLE",
        [at_least("least lead in trustworthiness", "BRE", -0.01)],
        words="preserve the local neighborhood relation before and after embedding like LLE",
        rests_on=(*FIT, "lle_neighbors"),
    ),
    Claim(
        "bre-5d",
        "Sec. 3, p. 5",
        "BRE keeps distances along the surface like LLE",
        [at_least("least lead in correlation", "BRE", -0.05)],
        rests_on=(*FIT, "lle_neighbors"),
        by="us",
    ),
]
