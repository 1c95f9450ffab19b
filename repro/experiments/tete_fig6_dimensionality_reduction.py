"""t-ETE Figure 6: data embedded by triplets of their own, weighted, beside t-SNE."""

import time
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, trustworthiness
from threadpoolctl import threadpool_limits

from repro.core.estimator import options_of
from repro.core.extras import needs
from repro.datasets import FETCHERS, distances_along, load_labelled, make_surface
from repro.experiments.claims import Claim, at_least, at_most, choice, cost, less, more, question
from repro.measures import distance_correlation, nearest_neighbor_error, shuffled
from repro.measures.structure import graph_of_nearest
from repro.tete import WeightedTETE

PAPER, ITEM, REPEATS = "t-ETE", "Fig. 6", 10  # a run takes minutes
UNIT = "sample"  # what a seed draws
ORDER = "correlation, Swiss Roll", "t-ETE"
SMALL = ("Wine", "Sphere", "Swiss Roll", "Faces", "COIL-20")  # at most 3000 points
SMALLER = ("Wine", "Sphere", "Faces")  # at most 1000: on these other variants are fitted, too
SURFACES, LARGE = ("Swiss Roll", "Sphere"), ("MNIST", "USPS")
REST = ("Faces", "COIL-20", "Letters")  # of the paper's sets, those of which it says least
OPTIMIZERS = {"gd": "gradient descent", "l-bfgs": "L-BFGS"}
VARIANTS = {"no bias": {"bias": 0.0}, "one outlier": {"n_outliers": 1}}
PAPERS = ("COIL-20", "MNIST", "USPS", "Wine", "Sphere", "Swiss Roll", "Faces", "Letters")
# In the places of the paper's sets, each in turn; chosen before any run. One, as a run is long.
ELSEWHERE = {
    ("UMIST", "Letters", "MNIST", "Breast Cancer", "torus", "S-curve", "Brendan", "digits"): (
        "the sets are heads, letters, MNIST for USPS, tumours, a flat torus, an S-curve, "
        "faces of Brendan and scikit-learn's digits"
    )
}
# The names in `repro.datasets` of sets that have other names in the paper, or here.
SURFACE_NAMES = {"Sphere": "sphere", "Swiss Roll": "Swiss roll", "torus": "flat torus"}
FETCHED_NAMES = {"Faces": "isomap_faces", "Brendan": "brendan", "UMIST": "umist"}
LARGEST = 11_000
OF_SMALLER = "mean trustworthiness, smaller sets"
PLANE = "principal plane"  # the baseline: the first two principal components
PLAIN = "t-SNE by plain gradient descent"  # without momentum, without early exaggeration


@dataclass(frozen=True)
class Choices:
    sets: tuple = choice(PAPERS, paper="Sec. 7.4", other_data=ELSEWHERE)
    n_points: tuple = choice(
        (1000, 3000, 400, 2000),
        paper="1000 of the sphere, 3000 of the roll, 400 synthetic faces",
        ours="the faces are Isomap's; 2000 of the 20,000 letters, of which nothing is said",
    )
    n_neighbors: int = choice(20, paper="m = 20")
    n_neighbors_coil: int = choice(10, paper="m = 10 for COIL-20")
    n_outliers: int | None = choice(
        None,
        paper="Sec. 6: n m² triplets",
        ours="m outliers for each neighbour; Algorithm 1 has one",
        settings={1: "each neighbour has one outlier, as Algorithm 1 is printed"},
    )
    weighting: str = choice("exponential", paper="Eq. (13) over the largest weight")
    bias: float = choice(0.01, paper="γ = 0.01")
    t: float = choice(2.0, paper="t = t' = 2, caption of Fig. 6")
    init: str = choice(
        "random", paper="Algorithm 1: N(0, 10⁻³ I)", ours="t-SNE starts at random, too"
    )
    max_iter: int = choice(
        1000,
        paper="“simple gradient descent”",
        ours="of t-ETE, whose step adapts; steps as in the authors' code for triplets",
        settings={500: "t-ETE makes 500 iterations", 2000: "t-ETE makes 2000 iterations"},
    )
    library: str = choice(
        "openTSNE",
        ours="of t-SNE; none is named",
        settings={"scikit-learn": "t-SNE is scikit-learn's"},
    )
    learning_rate: str = choice("n / 12", ours="of t-SNE, as is customary; at least 200")
    perplexity: float = choice(
        30.0,
        ours="of t-SNE, as is customary",
        settings={15.0: "the perplexity of t-SNE is 15", 60.0: "the perplexity of t-SNE is 60"},
    )
    n_principal: int = choice(50, ours="principal components that t-SNE is given, as is customary")


# The choices that concern one method alone.
OF_TETE = ("n_neighbors", "n_neighbors_coil", "n_outliers", "weighting", "bias", "t", "max_iter")
OF_TSNE = ("library", "learning_rate", "perplexity", "n_principal")


@cache
def collection(name):
    """Load a set that is no surface."""
    return FETCHERS[FETCHED_NAMES[name]]() if name in FETCHED_NAMES else load_labelled(name)


@lru_cache(maxsize=1)
def draw(n_points, seed, sets=PAPERS):
    """Return sets, each by the name of the paper's set whose place it takes.

    Points of surfaces, faces and letters are drawn, and `LARGEST` of any set that is larger. A set
    has ``X`` and these, or None: ``labels``; distances ``along`` the surface; ``factors``, of which
    the last two are where the points are on it, or the turn and nod of a head.
    """
    rng, data = np.random.default_rng(seed), {}
    count = dict(zip(("Sphere", "Swiss Roll", "Faces", "Letters"), n_points, strict=True))
    for place, name in zip(PAPERS, sets, strict=True):
        rows, along = slice(None), None
        if place in SURFACES:
            name = SURFACE_NAMES.get(name, name)
            whole = make_surface(name, count[place], rng)
            along = distances_along(name, whole)
        else:
            whole = collection(name)
            if place in count or len(whole.X) > LARGEST:
                rows = rng.permutation(len(whole.X))[: count.get(place, LARGEST)]
        X = whole.X[rows].astype(float)
        labels, factors = (v if v is None else v[rows] for v in (whole.labels, whole.factors))
        data[place] = SimpleNamespace(X=X, labels=labels, along=along, factors=factors)
    return data


@cache
def fit_tete(choices, name, seed, optimizer):
    """Fit weighted t-ETE to a set."""
    X = draw(choices.n_points, seed, choices.sets)[name].X
    options = options_of(WeightedTETE, choices) | {"optimizer": optimizer, "random_state": seed}
    if name == "COIL-20":
        options["n_neighbors"] = choices.n_neighbors_coil
    begun = time.process_time()
    model = WeightedTETE(**options).fit(X)
    seconds = time.process_time() - begun
    w, total = model.triplets_.weights, model.groups_.total_weight
    facts = {
        "share of the bias": choices.bias * len(w) / total,
        "effective triplets": total**2 / (w**2).sum() / len(w),
    }
    return SimpleNamespace(Y=model.embedding_, seconds=seconds, facts=facts)


@cache
def fit_tsne(choices, name, seed, plain=False):
    """Fit t-SNE on one core; if ``plain``, openTSNE's without momentum and early exaggeration."""
    c = choices
    X = draw(c.n_points, seed, c.sets)[name].X
    begun = time.process_time()
    if X.shape[1] > c.n_principal:
        X = PCA(c.n_principal, random_state=seed).fit_transform(X)
    options = {
        "learning_rate": max(200, len(X) / 12),
        "perplexity": c.perplexity,
        "random_state": seed,
        "n_jobs": 1,
    }
    if c.library == "scikit-learn" and not plain:  # its momentum cannot be turned off
        with threadpool_limits(1):
            Y = TSNE(init=c.init, **options).fit_transform(X).astype(float)
    else:
        needs("openTSNE", extra="notebooks")
        import openTSNE

        if plain:
            options |= {"early_exaggeration": 1, "initial_momentum": 0, "final_momentum": 0}
        Y = np.array(openTSNE.TSNE(initialization=c.init, **options).fit(X))
    return SimpleNamespace(Y=Y, seconds=time.process_time() - begun)


def run(choices, seed):
    """Fit weighted t-ETE and t-SNE to each set, and to small ones in other ways as well.

    ``fits``, by space and set, have ``Y``, ``seconds`` of a processor, and ``facts`` on weights.
    """
    data, fits = draw(choices.n_points, seed, choices.sets), {}
    ours = vars(Choices())  # so that settings share the fits of a method they do not concern
    of_tete = replace(choices, **{k: ours[k] for k in OF_TSNE})
    of_tsne = replace(choices, **{k: ours[k] for k in OF_TETE})
    fits["t-ETE"] = {name: fit_tete(of_tete, name, seed, "gd") for name in data}
    fits["L-BFGS"] = {name: fit_tete(of_tete, name, seed, "l-bfgs") for name in SMALL}
    fits["t-SNE"] = {name: fit_tsne(of_tsne, name, seed) for name in data}
    fits[PLAIN] = {name: fit_tsne(of_tsne, name, seed, plain=True) for name in SMALLER}
    for variant, other in VARIANTS.items():
        choices_of = replace(of_tete, **other)
        fits[variant] = {name: fit_tete(choices_of, name, seed, "gd") for name in SMALLER}
    return SimpleNamespace(data=data, fits=fits)


def pieces_per_class(X, labels, n_neighbors=10):
    """Compute the mean number of pieces per class, without those of less than 5 % of their class.

    Pieces are the connected parts of the graph that joins each point to neighbours of its class.
    """
    counts = []
    for c in np.unique(labels):
        own = X[labels == c]
        graph = graph_of_nearest(own, n_neighbors)
        _, piece = connected_components(graph, directed=False)
        counts.append((np.bincount(piece) >= 0.05 * len(own)).sum())
    return np.mean(counts)


SCORES = {
    "correlation": lambda of, Y: distance_correlation(Y, of.along),
    "trustworthiness": lambda of, Y: trustworthiness(of.X, Y, n_neighbors=12),
    "1-NN error": lambda of, Y: nearest_neighbor_error(Y, of.labels),
    "pieces": lambda of, Y: round(pieces_per_class(Y, of.labels) * len(np.unique(of.labels))),
}


def share_better(table):
    """Compute the share of scores, of all sets that have both, by which t-ETE is before t-SNE."""
    both = table.filter(regex="^(correlation|trustworthiness|1-NN error), ", axis=0)
    lead = (both["t-ETE"] - both["t-SNE"]).dropna()
    lead[lead.index.str.startswith("1-NN error")] *= -1
    return (lead > 0).mean()


def measure(run):
    """Measure a run.

    - *correlation*: of distances in the embedding with those along the surface, by ranks;
    - *trustworthiness*: for 12 neighbours; ½ by chance; *mean*: of the small sets; *smaller sets*:
      of those of at most 1000 points;
    - *no bias*, *one outlier*: t-ETE with γ = 0, or with one outlier for each neighbour;
    - *1-NN error*: the share of points whose nearest neighbour is of another class;
    - *pieces*: the parts, of at least 5 % of a class and joined by 10 neighbours of the class, into
      which all classes fall; as many as classes if none is divided;
    - *share of scores better than t-SNE's*: of all scores of all sets, except the pieces;
    - *seconds over t-SNE's*: a ratio of processor times, each on one core;
    - of the weights: the share of all weight that is the bias, and the effective number of
      triplets, (Σω)²/Σω², as a share of all.
    """
    data, table = run.data, pd.DataFrame(dtype=float)
    spaces = {space: {name: fit.Y for name, fit in of.items()} for space, of in run.fits.items()}
    spaces[PLANE] = {n: PCA(2).fit_transform(data[n].X) for n in (*SURFACES, *REST, "USPS")}
    labelled = [n for n in data if data[n].labels is not None]
    spaces["shuffled"] = {n: shuffled(spaces["t-ETE"][n]) for n in labelled}
    for scores, names, of in (
        (["correlation"], SURFACES, ("t-ETE", "L-BFGS", "t-SNE", PLANE)),
        (["trustworthiness"], (*SMALL, "Letters"), ("t-ETE", "t-SNE")),
        (["trustworthiness"], SMALL, ["L-BFGS"]),
        (["trustworthiness"], SMALLER, (PLAIN, *VARIANTS)),
        (["trustworthiness"], REST, [PLANE]),
        (["1-NN error"], labelled, ("t-ETE", "t-SNE", "shuffled")),
        (["pieces"], labelled, ("t-ETE", "t-SNE")),
        (["1-NN error", "pieces"], ["USPS"], [PLANE]),
    ):
        for score, name, space in product(scores, names, of):
            table.loc[f"{score}, {name}", space] = SCORES[score](data[name], spaces[space][name])
    for names, title in ((SMALL, "mean trustworthiness"), (SMALLER, OF_SMALLER)):
        rows = table.loc[[f"trustworthiness, {name}" for name in names]]
        table.loc[title] = rows.dropna(axis=1).mean()
    table.loc["share of scores better than t-SNE's", "t-ETE"] = share_better(table)
    judged = [row for row in table.index if row.startswith(("correlation", "mean", "trust"))]
    table.loc[judged, OPTIMIZERS["gd"]] = table.loc[judged, "t-ETE"]
    for name, fit in run.fits["t-ETE"].items():
        for fact, value in fit.facts.items():
            table.loc[f"{fact}, {name}", "t-ETE"] = value
    for name in LARGE:
        ratio = run.fits["t-ETE"][name].seconds / run.fits["t-SNE"][name].seconds
        table.loc[f"seconds over t-SNE's, {name}", "t-ETE"] = ratio
    return table


def embedding(run):
    """Return what is drawn of a run: the Swiss roll."""
    return run.fits["t-ETE"]["Swiss Roll"].Y


# What the fits rest on: those of t-ETE, and those of t-SNE.
OWN = "sets", "n_neighbors", "n_outliers", "weighting", "bias", "t", "init", "max_iter"
RIVAL = "library", "learning_rate", "perplexity"
SETS = "n_points", "n_neighbors_coil", "n_principal"  # that concern some of the sets only
AS_TRUSTED = {  # how trustworthiness is compared, and on which sets
    "gradient descent": (("Wine", "Sphere", "Swiss Roll"), 0.5),
    "t-ETE": (REST, PLANE),
}
KEPT = {"trustworthiness": (SMALL, -0.02, 0.5), "correlation": (SURFACES, -0.05, PLANE)}
CLAIMS = [
    # Not of the sphere: the principal plane, on which its halves lie on each other, keeps the
    # order of distances better than any method.
    Claim(
        "tete-6a",
        "Sec. 7.4, Fig. 6 c",
        "the Swiss roll is preserved, where t-SNE tears it up",
        [more("correlation, Swiss Roll", "t-ETE", than="t-SNE", by=0.05, chance=PLANE)],
        words="successfully preserves the underlying structure … t-SNE … tears up the manifold",
        reason="a twentieth more of the order of distances",
        rests_on=[*OWN, *RIVAL, "n_points"],
    ),
    Claim(
        "tete-6b",
        "Sec. 7.4, Fig. 6 g",
        "classes are not divided into smaller clusters, as by t-SNE",
        [
            less("pieces, USPS", "t-ETE", than="t-SNE", by=3, chance=PLANE),
            less("1-NN error, USPS", "t-ETE", than=PLANE, by=0.1, chance=PLANE),
        ],
        words="‘333’s, ‘777’s, and ‘888’s are divided into several smaller sub-clusters",
        reason="three digits are named, each is divided; classes are told, better than by PCA",
        rests_on=[*OWN, *RIVAL, "n_principal"],
    ),
    Claim(
        "tete-6l",
        "Sec. 1",
        "it outperforms t-SNE in many cases: on half of the scores of eight sets or more",
        [at_least("share of scores better than t-SNE's", "t-ETE", 0.5, chance=0.0)],
        words="outperforms the commonly used t-SNE … in many cases",
        reason="many: half",
        rests_on=[*OWN, *RIVAL, *SETS],
    ),
    cost(
        "tete-6c",
        "Abstract, Sec. 6",
        "it takes less time than t-SNE on the larger sets",
        [at_most(f"seconds over t-SNE's, {name}", "t-ETE", 0.9) for name in LARGE],
        words="while also being faster to compute",
        reason="a tenth less time",
        rests_on=[*OWN, *RIVAL, "n_principal"],
    ),
    question(
        "tete-6d",
        "Sec. 7.4",
        "simple gradient descent ends in as good a solution as L-BFGS after as many iterations",
        [
            more(f"{score}, {name}", "gradient descent", than="L-BFGS", by=by, chance=chance)
            for score, (names, by, chance) in KEPT.items()
            for name in names
        ],
        rests_on=[*OWN, "n_points", "n_neighbors_coil"],
    ),
    Claim(
        "tete-6e",
        "Sec. 7.4, Fig. 6",
        "the embedding keeps neighbours of six sets and classes of four about as well as t-SNE's",
        [
            more(f"trustworthiness, {name}", space, than="t-SNE", by=-0.05, chance=chance)
            for space, (names, chance) in AS_TRUSTED.items()
            for name in names
        ]
        + [
            less(f"1-NN error, {name}", "t-ETE", than="t-SNE", by=-0.1)
            for name in ("Wine", "MNIST", "USPS", "Letters")
        ],
        words="produces high-quality embedding on all datasets … or clusters of points",
        reason="a tenth of the way from chance to the best",
        rests_on=[*OWN, *RIVAL, *SETS],
    ),
    Claim(
        "tete-6f",
        "Sec. 7.4",
        "by plain gradient descent it is as trustworthy as t-SNE with its two tricks",
        [more("mean trustworthiness", "gradient descent", than="t-SNE", by=-0.02, chance=0.5)],
        words="eliminates the need for more complex optimization tricks … early over-emphasis",
        reason="a fiftieth of trustworthiness is not seen in a map",
        rests_on=[*OWN, *RIVAL, *SETS],
    ),
    Claim(
        "tete-6m",
        "Sec. 7.4",
        "it converges better than t-SNE: both by plain gradient descent, it is more trustworthy",
        [more(OF_SMALLER, "t-ETE", than=PLAIN, by=0.02, chance=0.5)],
        words="Our objective function also enjoys better convergence properties",
        reason="as tete-6f",
        rests_on=[*OWN, "learning_rate", "perplexity", "n_points", "n_principal"],
    ),
    question(
        "tete-6h",
        "Sec. 7.4",
        "t-SNE needs momentum and early exaggeration: without them it is less trustworthy",
        # Points in random order are so, too: so it has to find something.
        [
            less(OF_SMALLER, PLAIN, than="t-SNE", by=0.02),
            at_least(OF_SMALLER, PLAIN, 0.6, chance=0.5),
        ],
        rests_on=["sets", "init", *RIVAL, "n_points", "n_principal"],
    ),
    Claim(
        "tete-6i",
        "Sec. 1",
        "the triplets, few of all, hold local and global structure: the embedding shows it",
        [
            more(f"{score}, {name}", "t-ETE", than="t-SNE", by=-0.05, chance=chance)
            for score, (names, _, chance) in KEPT.items()
            for name in names
        ],
        words="even a small carefully chosen subset of triplets capture sufficient information",
        reason="as tete-6e, and of distances a twentieth",
        rests_on=[*OWN, *RIVAL, *SETS],
    ),
    Claim(
        "tete-6j",
        "Sec. 6",
        "adding γ to all weights makes the embeddings more trustworthy, mean of three small sets",
        [more(OF_SMALLER, "t-ETE", than="no bias", by=0.02, chance=0.5)],
        words="adding a constant positive bias … to all weight improves the results",
        reason="as tete-6f",
        rests_on=[*OWN, "n_points"],
    ),
    Claim(
        "tete-6k",
        "Sec. 6",
        "most triplets are redundant: a twentieth of them, one of each neighbour, does as well",
        [more(OF_SMALLER, "one outlier", than="t-ETE", by=-0.02, chance=0.5)],
        words="most of the these triplets are redundant and contain the same amount",
        reason="as tete-6f",
        rests_on=[name for name in (*OWN, "n_points") if name != "n_outliers"],
    ),
]
