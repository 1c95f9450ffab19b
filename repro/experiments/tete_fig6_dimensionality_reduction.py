"""t-ETE Figure 6: data embedded by triplets of their own, weighted, beside t-SNE."""

import time
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, trustworthiness
from threadpoolctl import threadpool_limits

from repro.claims import Claim, above, at_most, below, choice
from repro.core.extras import needs
from repro.datasets import (
    fetch_brendan,
    fetch_isomap_faces,
    fetch_umist,
    load_labelled,
    make_s_curve,
    make_sphere,
    make_swiss_roll,
)
from repro.measures import distance_correlation, nearest_neighbor_error, pieces_per_class
from repro.tete import WeightedTETE

PAPER, ITEM = "t-ETE", "Fig. 6"
REPEATS = 10  # of the primary reading; a run takes some two minutes
SMALL = ("Wine", "Sphere", "Swiss Roll", "Faces", "COIL-20")  # at most 3000 points
SURFACES, LARGE = ("Swiss Roll", "Sphere"), ("MNIST", "USPS")
REST = ("Faces", "COIL-20", "Letters")  # of the paper's sets, those of which it says least
OPTIMIZERS = {"gd": "gradient descent", "l-bfgs": "L-BFGS"}
PAPERS = ("COIL-20", "MNIST", "USPS", "Wine", "Sphere", "Swiss Roll", "Faces", "Letters")
IN_PLACE = (  # of these, each in turn
    ("UMIST", "Letters", "MNIST", "Breast Cancer", "torus", "S-curve", "Brendan", "digits"),
    ("Brendan", "USPS", "Letters", "Iris", "hemisphere", "cylinder", "UMIST", "MIT Scenes"),
)
COLLECTIONS = {"Faces": fetch_isomap_faces, "UMIST": fetch_umist, "Brendan": fetch_brendan}
LARGEST = 11_000
PLANE = "principal plane"  # the baseline: the first two principal components
PLAIN = "t-SNE by plain gradient descent"  # without momentum, without early exaggeration


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    # Elsewhere, chosen before any run. No more, for of few surfaces distances along them are known.
    sets: tuple = choice(
        PAPERS,
        paper="Sec. 7.4",
        elsewhere={
            IN_PLACE[0]: (
                "the sets are heads, letters, MNIST for USPS, tumours, a flat torus, an S-curve, "
                "faces of Brendan and scikit-learn's digits"
            ),
            IN_PLACE[1]: (
                "the sets are faces of Brendan, USPS for MNIST, letters, irises, a hemisphere, a "
                "cylinder, heads and scenes"
            ),
        },
    )
    n_points: tuple = choice(
        (1000, 3000, 400, 4000),
        paper="1000 of the sphere, 3000 of the roll, 400 synthetic faces",
        ours="the faces are Isomap's; 4000 of the 20,000 letters, of which nothing is said",
    )
    n_neighbors: int = choice(
        20, paper="m = 20", others={10: "each point has ten neighbours, not 20"}
    )
    n_neighbors_coil: int = choice(10, paper="m = 10 for COIL-20")
    n_outliers: int | None = choice(
        None,
        paper="Sec. 6: n m² triplets",
        ours="m outliers for each neighbour",
        others={1: "each neighbour has one outlier, as Algorithm 1 is printed"},
    )
    weighting: str = choice(
        "exponential",
        paper="Eq. (13) over the largest weight",
        others={"none": "triplets are not weighted", "log": "weights are log(1 + ω)"},
    )
    bias: float = choice(0.01, paper="γ = 0.01", others={0.1: "the bias γ is ten times larger"})
    t: float = choice(2.0, paper="t = t' = 2, caption of Fig. 6")
    init: str = choice(
        "random",
        paper="Algorithm 1: N(0, 10⁻³ I)",
        ours="t-SNE starts at random, too",
        others={"pca": "both methods start from principal components"},
    )
    optimizer: str = choice(
        "gd",
        paper="“simple gradient descent”",
        ours="its step adapts; the paper gives none",
        others={"l-bfgs": "the loss is minimised by L-BFGS"},
    )
    max_iter: int = choice(
        500,
        ours="the number of iterations is not given",
        others={
            2000: "t-ETE makes 2000 iterations, not 500",
            5000: "t-ETE makes 5000 iterations, not 500",
        },
    )
    library: str = choice(
        "openTSNE",
        ours="of t-SNE, whose code is not named",
        others={"scikit-learn": "t-SNE is scikit-learn's"},
    )
    learning_rate: str | float = choice(
        "n / 12",
        ours="of t-SNE, as is customary; at least 200",
        others={"auto": "t-SNE has the learning rate that openTSNE chooses"},
    )
    perplexity: float = choice(30.0, ours="of t-SNE, as is customary")
    n_principal: int = choice(50, ours="principal components that t-SNE is given, as is customary")


# The choices that concern one method alone; the optimiser of t-ETE is named in each fit.
OF_TETE = ("n_neighbors", "n_neighbors_coil", "n_outliers", "weighting", "bias", "t", "max_iter")
OF_TSNE = ("library", "learning_rate", "perplexity", "n_principal")


class Data(NamedTuple):
    """A set, and what is known of it."""

    X: np.ndarray
    labels: np.ndarray | None = None
    along: np.ndarray | None = None  # (n, n) distances along a surface
    factors: np.ndarray | None = None  # where the points are on it, or the turn and nod of a head


class Fit(NamedTuple):
    """An embedding, and what it took."""

    Y: np.ndarray
    seconds: float  # of a processor
    facts: dict | None = None  # about the weights


class Fitted(NamedTuple):
    """What one run fits: to each set, by name."""

    choices: Choices
    data: dict
    tete: dict  # by optimizer, then by set; but the small sets by the chosen one only
    tsne: dict
    plain: dict  # t-SNE of the small sets, by plain gradient descent


@cache
def collection(name):
    """Load a set that is no surface."""
    data = COLLECTIONS[name]() if name in COLLECTIONS else load_labelled(name)
    turn_and_nod = data.factors[:, 1:] if name == "Faces" else None
    return Data(data.X.astype(float), data.labels, factors=turn_and_nod)


def surface(name, n, rng):
    """Draw points of a surface along which distances are known."""
    if name in ("Sphere", "hemisphere"):
        sphere = make_sphere(n, rng)
        X = sphere.X
        if name == "hemisphere":
            X = np.column_stack([X[:, :2], np.abs(X[:, 2])])
        return Data(X, along=np.arccos(np.clip(X @ X.T, -1, 1)), factors=sphere.factors)
    if name in ("Swiss Roll", "S-curve"):
        sheet = (make_swiss_roll if name == "Swiss Roll" else make_s_curve)(n, rng)
        along = np.linalg.norm(sheet.factors[:, None] - sheet.factors, axis=2)
        return Data(sheet.X, along=along, factors=sheet.factors)
    at = rng.uniform(-np.pi, np.pi, (n, 2))  # two turns of a flat torus; of a cylinder one
    around = np.arange(2) < (2 if name == "torus" else 1)
    straight = np.abs(at[:, None] - at)
    steps = np.where(around, np.minimum(straight, 2 * np.pi - straight), straight)
    X = np.hstack([np.cos(at[:, around]), np.sin(at[:, around]), at[:, ~around]])
    return Data(X, along=np.linalg.norm(steps, axis=2), factors=at)


@lru_cache(maxsize=1)
def draw(n_points, seed, sets=PAPERS):
    """Return sets by the names of the paper's in whose places they are.

    Surfaces, faces and letters are drawn, and of other sets `LARGEST` points.
    """
    rng, data = np.random.default_rng(seed), {}
    count = dict(zip(("Sphere", "Swiss Roll", "Faces", "Letters"), n_points, strict=True))
    for place, name in zip(PAPERS, sets, strict=True):
        if place in SURFACES:
            data[place] = surface(name, count[place], rng)
            continue
        data[place] = whole = collection(name)
        if place in count or len(whole.X) > LARGEST:
            rows = rng.permutation(len(whole.X))[: count.get(place, LARGEST)]
            data[place] = Data(*(None if values is None else values[rows] for values in whole))
    return data


def without(choices, names):
    """Give the choices named their primary values, so that readings of them share a fit."""
    return replace(choices, **{name: getattr(Choices(), name) for name in names})


@cache
def fit_tete(choices, name, seed, optimizer):
    """Fit weighted t-ETE to a set."""
    X, begun = draw(choices.n_points, seed, choices.sets)[name].X, time.process_time()
    model = WeightedTETE(
        n_neighbors=choices.n_neighbors_coil if name == "COIL-20" else choices.n_neighbors,
        n_outliers=choices.n_outliers,
        t=choices.t,
        weighting=choices.weighting,
        bias=choices.bias,
        init=choices.init,
        optimizer=optimizer,
        max_iter=choices.max_iter,
        random_state=seed,
    ).fit(X)
    seconds = time.process_time() - begun
    w, total = model.triplets_.weights, model.groups_.total_weight
    facts = {
        "share of the bias": choices.bias * len(w) / total,
        "effective triplets": total**2 / (w**2).sum() / len(w),
    }
    return Fit(model.embedding_, seconds, facts)


@cache
def fit_tsne(choices, name, seed, plain=False):
    """Fit t-SNE to a set, on one core.

    If ``plain``, by openTSNE without momentum and early exaggeration: scikit-learn's has no choice.
    """
    c = choices
    X, begun = draw(c.n_points, seed, c.sets)[name].X, time.process_time()
    if X.shape[1] > c.n_principal:
        X = PCA(c.n_principal, random_state=seed).fit_transform(X)
    rate = max(200, len(X) / 12) if c.learning_rate == "n / 12" else c.learning_rate
    options = {"learning_rate": rate, "perplexity": c.perplexity, "random_state": seed, "n_jobs": 1}
    if c.library == "scikit-learn" and not plain:
        with threadpool_limits(1):
            Y = TSNE(init=c.init, **options).fit_transform(X).astype(float)
    else:
        needs("openTSNE", extra="notebooks")
        import openTSNE

        if plain:
            options |= {"early_exaggeration": 1, "initial_momentum": 0, "final_momentum": 0}
        Y = np.array(openTSNE.TSNE(initialization=c.init, **options).fit(X))
    return Fit(Y, time.process_time() - begun)


def run(choices, seed):
    """Fit weighted t-ETE and t-SNE to each set, and to the small ones in other ways as well."""
    data = draw(choices.n_points, seed, choices.sets)
    names = {o: data if o == choices.optimizer else SMALL for o in OPTIMIZERS}
    of_tete = without(choices, ("optimizer", *OF_TSNE))
    of_tsne = without(choices, ("optimizer", *OF_TETE))
    return Fitted(
        choices,
        data,
        {o: {name: fit_tete(of_tete, name, seed, o) for name in of} for o, of in names.items()},
        {name: fit_tsne(of_tsne, name, seed) for name in data},
        {name: fit_tsne(of_tsne, name, seed, plain=True) for name in SMALL},
    )


def class_measures(Y, labels, at):
    """Measure how an embedding shows classes."""
    pieces = round(pieces_per_class(Y, labels) * len(np.unique(labels)))
    return {f"1-NN error, {at}": nearest_neighbor_error(Y, labels), f"pieces, {at}": pieces}


def trust(X, Y):
    """Trustworthiness for 12 neighbours."""
    return trustworthiness(X, Y, n_neighbors=12)


def measure(fitted):
    """Measure a run.

    - *correlation*: of distances in the embedding with those along the surface, by ranks;
    - *trustworthiness*: for 12 neighbours; ½ by chance;
    - *1-NN error*: the share of points whose nearest neighbour is of another class;
    - *pieces*: the parts, of at least 5 % of a class and joined by 10 neighbours of the class, into
      which all classes fall; as many as classes if none is divided;
    - *seconds ratio*: t-ETE's processor time over t-SNE's, each on one core;
    - *mean trustworthiness*: of the small sets;
    - of the weights: the share of all weight that is the bias, and the effective number of
      triplets, (Σω)²/Σω², as a share of all.
    """
    choices, data, tete, tsne, plain = fitted
    values, chosen = {}, tete[choices.optimizer]
    plane = {name: PCA(2).fit_transform(data[name].X) for name in (*SURFACES, *REST, "USPS")}
    for name in SURFACES:
        spaces = {word: tete[o][name].Y for o, word in OPTIMIZERS.items()}
        spaces |= {"t-ETE": chosen[name].Y, "t-SNE": tsne[name].Y, PLANE: plane[name]}
        for word, Y in spaces.items():
            values[f"correlation, {name}, {word}"] = distance_correlation(Y, data[name].along)
    spaces = {word: tete[o] for o, word in OPTIMIZERS.items()} | {"t-SNE": tsne, PLAIN: plain}
    for word, of in spaces.items():
        found = {name: trust(data[name].X, of[name].Y) for name in SMALL}
        values |= {f"trustworthiness, {name}, {word}": value for name, value in found.items()}
        values[f"mean trustworthiness, {word}"] = np.mean(list(found.values()))
    for name in REST:
        compared = {"t-ETE": chosen[name].Y, "t-SNE": tsne[name].Y, PLANE: plane[name]}
        for word, Y in compared.items():
            values[f"trustworthiness, {name}, {word}"] = trust(data[name].X, Y)
    for name, fit in chosen.items():
        if data[name].labels is not None:
            values |= class_measures(fit.Y, data[name].labels, f"{name}, t-ETE")
            values |= class_measures(tsne[name].Y, data[name].labels, f"{name}, t-SNE")
        values |= {f"{fact}, {name}": value for fact, value in fit.facts.items()}
    values |= class_measures(plane["USPS"], data["USPS"].labels, f"USPS, {PLANE}")
    for name in LARGE:
        values[f"seconds ratio, {name}"] = chosen[name].seconds / tsne[name].seconds
    return values


def embedding(fitted):
    """Return what is drawn of a run: the Swiss roll."""
    return fitted.tete[fitted.choices.optimizer]["Swiss Roll"].Y


def as_good(measure, by, chance):
    """Ask that gradient descent be no worse than L-BFGS, but for a tolerance."""
    return above(f"{measure}, gradient descent", f"{measure}, L-BFGS", -by, chance=chance)


def over_tsne(measure, by):
    """Ask that t-ETE exceed t-SNE by an effect size; by chance it is the principal plane."""
    return above(f"{measure}, t-ETE", f"{measure}, t-SNE", by, chance=f"{measure}, {PLANE}")


CLAIMS = [
    Claim(
        "tete-6a",
        "manifolds are preserved, where t-SNE tears them up",
        "Sec. 7.4, Fig. 6",
        [over_tsne(f"correlation, {name}", 0.05) for name in SURFACES],
        was="t-ETE's correlation larger by any amount",
    ),
    Claim(
        "tete-6b",
        "classes are not divided into smaller clusters, as by t-SNE",
        "Sec. 7.4, Fig. 6",
        [
            below("pieces, USPS, t-ETE", "pieces, USPS, t-SNE", 3, chance=f"pieces, USPS, {PLANE}"),
            below(
                "1-NN error, USPS, t-ETE",
                f"1-NN error, USPS, {PLANE}",
                0.1,
                chance=f"1-NN error, USPS, {PLANE}",
            ),
        ],
        was="fewer pieces than by t-SNE, which one piece of one class decided, and which any plane "
        "onto which the data are projected meets as well; the paper names three digits",
    ),
    Claim(
        "tete-6c",
        "lower complexity than t-SNE: less time on the larger sets",
        "Sec. 6, abstract",
        [at_most(f"seconds ratio, {name}", 0.9) for name in LARGE],
        kind="cost",
        was="less time by any amount; now by a tenth, as much as times differ between two runs",
    ),
    Claim(
        "tete-6d",
        "simple gradient descent converges to a good solution",
        "Sec. 7.4, Fig. 6",
        [
            *(as_good(f"trustworthiness, {name}", 0.02, chance=0.5) for name in SMALL),
            *(as_good(f"correlation, {n}", 0.05, f"correlation, {n}, {PLANE}") for n in SURFACES),
        ],
        was="a loss within 1 % of that which L-BFGS reaches; but whether a solution is good is to "
        "be seen from the embedding, and the loss can be higher where that is as good",
    ),
    Claim(
        "tete-6e",
        "the structure of faces, objects and letters is preserved as well",
        "Sec. 7.4, Fig. 6",
        [over_tsne(f"trustworthiness, {name}", -0.05) for name in REST],
    ),
    Claim(
        "tete-6f",
        "plain gradient descent suffices, where t-SNE needs momentum and early exaggeration",
        "Sec. 7.4",
        [
            below(f"mean trustworthiness, {PLAIN}", "mean trustworthiness, t-SNE", 0.02),
            above(
                "mean trustworthiness, gradient descent",
                f"mean trustworthiness, {PLAIN}",
                0.02,
                chance=0.5,
            ),
        ],
    ),
]
