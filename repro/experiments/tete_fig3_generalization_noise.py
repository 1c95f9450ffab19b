"""t-ETE Figure 3: unseen triplets, near neighbours and noise, for t-ETE and four rivals."""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, KFold

from repro.claims import Claim, at_least, at_most, choice
from repro.datasets import load_labelled
from repro.measures import nearest_neighbor_error
from repro.tete import (
    TripletEmbedding,
    authors_temperature,
    fraction_satisfied,
    reverse_triplets,
    sample_per_point,
    split_folds,
)

PAPER, ITEM = "t-ETE", "Fig. 3"
REPEATS = 10  # of the primary reading; a run takes most of a minute
SETS = ("MNIST", "MIT Scenes")
METHODS = {"GNMDS": "gnmds", "CKL": "ckl", "STE": "ste", "t-STE": "tste", "t-ETE": "tete"}
RIVALS = tuple(METHODS)[:-1]
ERRORS = ("generalisation error", "1-NN error")
TUNED_AT = (2, 10)  # dimensions in which λ of GNMDS and the start of CKL are chosen
# μ of CKL is nothing but a unit of length: a start of 1e-4 is chosen in units of three of them.
STARTS = [1e-4 * (0.05 / mu) ** 0.5 for mu in (0.01, 0.05, 0.25)]
GRIDS = {"GNMDS": {"penalty": [0.0, 0.1, 1.0, 10.0, 100.0]}, "CKL": {"init_scale": STARTS}}


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    sets: tuple = choice(
        SETS,
        paper="MNIST and MIT Scenes",
        # Chosen before any run: other writers, turned objects, no pictures. Three only, since a
        # run takes up to a minute; scikit-learn's digits and Letters were left out.
        elsewhere={
            ("USPS",): "digits of USPS are embedded",
            ("COIL-20",): "turned objects are embedded",
            ("Wine",): "wines are embedded",
        },
    )
    n_digits: int = choice(
        1000, paper="1000 digits of MNIST", ours="of its test part; all 800 of the scenes"
    )
    n_triplets: int = choice(100, paper="100 triplets for each point")
    n_neighbors: int = choice(20, paper="Sec. 1: the near item is one of the 20 nearest neighbours")
    n_folds: int = choice(10, paper="10-fold cross-validation")
    n_fitted: int = choice(5, ours="of the ten folds, to save time")
    dimensions: tuple = choice((2, 4, 6, 8, 10), paper="read off the axis of Fig. 3")
    t: object = choice(
        "by dimension",
        paper="Fig. 3: from t = 2 on, smaller in more dimensions",
        ours="that of the authors' code, min(1.45 + 1.1/d, 2)",
        others={
            2.0: "t is 2 in any number of dimensions",
            1.7: "t is 1.7 in any number of dimensions",
        },
    )
    levels: tuple = choice(
        (0.0, 0.05, 0.15, 0.3),
        paper="the axis of Fig. 3 goes to 30 %; “up to 15 %”, Sec. 7.2",
        ours="shares of reversed triplets",
    )
    noise_dimension: int = choice(
        2,
        ours="not said of the noise curves",
        others={d: f"the noise curves are in {d} dimensions" for d in (4, 5, 6, 10)},
    )
    t_noise: float = choice(
        1.7, paper="t = 1.7 for the noise", others={2.0: "t is 2 for the noise curves"}
    )
    penalty: float | str = choice(
        "tuned",
        ours="λ of GNMDS is not given",
        others={0.0: "GNMDS has no penalty"},
    )
    alpha: float | str = choice(
        1.0,
        ours="α of t-STE is not given",
        others={"d - 1": "α of t-STE is one less than the dimensions"},
    )
    descent: tuple = choice(
        ("l-bfgs", 150),
        ours="the same for every method",
        others={("l-bfgs", 300): "twice as many iterations are made"},
    )
    noise_descent: tuple | None = choice(
        None,
        ours="as without noise",
        others={("gd", 1000): "the noise curves are fitted by the authors' gradient descent"},
    )


class Fitted(NamedTuple):
    """What one run fits: tables with a row per fit, columns set, d, method and `ERRORS`."""

    choices: Choices
    clean: pd.DataFrame  # of the cross-validation; also a column fold
    noisy: pd.DataFrame  # also a column noise


load_set = cache(load_labelled)


def draw(choices, name, seed):
    """Draw triplets to fit and to test; return labels, both, and the folds of the first."""
    c = choices
    return _draw(c.n_digits, c.n_triplets, c.n_neighbors, c.n_folds, name, seed)


@lru_cache(maxsize=4)
def _draw(n_digits, n_triplets, n_neighbors, n_folds, name, seed):
    data, rng = load_set(name), np.random.default_rng([seed, name == "MNIST"])
    rows = slice(None)
    if len(data.labels) > n_digits:
        rows = rng.permutation(len(data.labels))[:n_digits]
    train, test = (
        sample_per_point(data.X[rows], n_triplets, n_neighbors, rng=rng).astype(np.int32)
        for _ in range(2)
    )
    return data.labels[rows], train, test, split_folds(train, n_folds, rng, groups=None)


def estimator(method, d, seed, descent, **parameters):
    """Make the estimator of a method."""
    optimizer, max_iter = descent
    options = {"optimizer": optimizer, "max_iter": max_iter, "random_state": seed}
    return TripletEmbedding(METHODS[method], d, **options, **parameters)


@cache
def tuned(method, name, d):
    """Choose λ of GNMDS or the start of CKL by cross-validation on the clean triplets of seed 0.

    Once for all runs and readings. Those triplets are among those on which seed 0 is judged, which
    can only favour the two.
    """
    primary = Choices()
    labels, train, *_ = draw(primary, name, 0)
    halves = KFold(2, shuffle=True, random_state=0)
    model = estimator(method, d, 0, primary.descent)
    search = GridSearchCV(model, GRIDS[method], cv=halves, refit=False)
    return search.fit(train, n_items=len(labels)).best_params_


def parameters(choices, method, name, d, t):
    """Return the parameters of a method: t, α, λ, or a start, as chosen in the nearer dimension."""
    if method == "GNMDS" and choices.penalty != "tuned":
        return {"penalty": choices.penalty}
    if method in GRIDS:
        return tuned(method, name, min(TUNED_AT, key=lambda at: abs(at - d)))
    alpha = max(d - 1, 1) if choices.alpha == "d - 1" else choices.alpha
    return {"t-ETE": {"t": t}, "t-STE": {"alpha": float(alpha)}}.get(method, {})


def fit_method(method, d, seed, descent, options, train, test, labels):
    """Fit a method and measure it: a row, and for t-ETE one of its points in random order."""
    model = estimator(method, d, seed, descent, **options).fit(train, n_items=len(labels))
    spaces = {method: model.embedding_}
    if method == "t-ETE":
        spaces["shuffled"] = np.random.default_rng(0).permutation(model.embedding_)
    return [
        {
            "d": d,
            "method": name,
            "generalisation error": 1 - fraction_satisfied(Y, test),
            "1-NN error": nearest_neighbor_error(Y, labels),
        }
        for name, Y in spaces.items()
    ]


@cache
def _fit_fold(sizes, name, seed, fold, method, d, descent, options):
    """Fit a method to a fold; readings that do not concern the method share the fit."""
    labels, _, _, folds = _draw(*sizes, name, seed)
    start = len(folds) * seed + fold
    return fit_method(method, d, start, descent, dict(options), *folds[fold], labels)


def fit_folds(choices, seed):
    """Fit the methods to nine tenths of the clean triplets, in every number of dimensions."""
    c, rows = choices, []
    sizes = c.n_digits, c.n_triplets, c.n_neighbors, c.n_folds
    for name, fold, d, method in product(c.sets, range(c.n_fitted), c.dimensions, METHODS):
        t = authors_temperature(d) if c.t == "by dimension" else c.t
        options = tuple(parameters(c, method, name, d, t).items())
        found = _fit_fold(sizes, name, seed, fold, method, d, c.descent, options)
        rows += [{"set": name, "fold": fold, **row} for row in found]
    return pd.DataFrame(rows)


def fit_noise(choices, seed):
    """Fit the methods to triplets of which a share is reversed; test them on clean ones."""
    c, d, rows = choices, choices.noise_dimension, []
    for name, level in product(c.sets, c.levels):
        labels, train, test, _ = draw(c, name, 100 + seed)
        noisy = reverse_triplets(train, level, np.random.default_rng([seed, round(100 * level)]))
        for method in METHODS:
            options = parameters(c, method, name, d, c.t_noise)
            descent = c.noise_descent or c.descent
            found = fit_method(method, d, seed, descent, options, noisy, test, labels)
            rows += [{"set": name, "noise": level, **row} for row in found]
    return pd.DataFrame(rows)


def run(choices, seed):
    """Fit all methods: to folds of clean triplets, and to triplets with noise."""
    return Fitted(choices, fit_folds(choices, seed), fit_noise(choices, seed))


def times_among_the_best(table, of, method, among=tuple(METHODS)):
    """Count in how many dimensions a method is the best, or within one standard error of the best.

    The table has several rows, such as folds, of each ``d`` and ``method``. The best of the methods
    in ``among`` has the smallest mean of the error ``of``.
    """
    errors = table.groupby(["d", "method"])[of]
    means, standard_errors = errors.mean().unstack(), errors.sem().unstack()
    best = means[list(among)].idxmin(axis=1)
    allowed = [means.loc[d, m] + standard_errors.loc[d, m] for d, m in best.items()]
    return int((means[method] <= allowed).sum())


def measure(fitted):
    """Measure a run.

    - *generalisation error*: share of held-out triplets that do not hold in the embedding, mean of
      the folds; with noise, of clean triplets; chance is 0.5;
    - *1-NN error*: share of the points whose nearest neighbour has another label;
    - *dimensions, of five*: in how many t-ETE's error is the smallest, or larger by no more than
      the standard error, over the folds, of the smallest;
    - *gained by 15 %*: the error with 15 % of the triplets reversed less that with none; *least of
      the rivals*: of the rival that gains least;
    - *shuffled*: the points of t-ETE's embedding in random order;
    - *worst set*: what is least in t-ETE's favour among the sets.
    """
    choices, clean, noisy = fitted
    values, by_set = {}, {}
    for name, of in product(choices.sets, ERRORS):
        table = noisy[noisy["set"] == name].pivot(index="noise", columns="method", values=of)
        gained, at_15 = table.loc[0.15] - table.loc[0.0], table.loc[0.15]
        gained["least of the rivals"] = gained[list(RIVALS)].min()
        values |= {f"{of} gained by 15 %, {name}, {m}": g for m, g in gained.items()}
        for m in ("t-ETE", "shuffled"):
            count = times_among_the_best(clean[clean["set"] == name], of, m)
            values[f"dimensions, of five, {of}, {name}, {m}"] = count
            values[f"{of}, {name}, 15 % reversed, {m}"] = at_15[m]
            more, over = gained[m] - gained["least of the rivals"], at_15[m] - at_15["shuffled"]
            by_set.setdefault((of, m), []).append((count, gained[m], more, over))
    for (of, m), found in by_set.items():
        counts, gained, more, over = zip(*found, strict=True)
        values |= {
            f"dimensions, of five, {of}, worst set, {m}": min(counts),
            f"{of} gained by 15 %, worst set, {m}": max(gained),
            f"{of} gained by 15 % less any rival's, worst set, {m}": max(more),
            f"{of} at 15 % less that of shuffled points, worst set, {m}": max(over),
        }
    return values


def ask(make, measure, bound):
    """Ask something of t-ETE on the worst set; by chance its points are shuffled."""
    return make(f"{measure}, worst set, t-ETE", bound, chance=f"{measure}, worst set, shuffled")


def robust(of, bound):
    """Ask that noise add almost nothing to t-ETE's error, and more to every rival's."""
    return [
        ask(at_most, f"{of} gained by 15 %", bound),
        ask(at_most, f"{of} gained by 15 % less any rival's", -bound),
        ask(at_most, f"{of} at 15 % less that of shuffled points", -0.2),
    ]


ROBUST_WAS = (
    "first, all others had to lose more by any amount, and t-ETE could have been at chance; then "
    "by half of the bound on t-ETE's own loss, {}, on which the verdict depended; now by the whole "
    "bound, since what is almost nothing for t-ETE cannot be a loss for a rival"
)

CLAIMS = [
    Claim(
        "tete-3a",
        "t-ETE performs as well as the best method or better on both errors",
        "Sec. 7.1, Fig. 3 a, b",
        [ask(at_least, f"dimensions, of five, {of}", 3) for of in ERRORS],
        was="the same count, once over five folds of one draw; now once in every run",
    ),
    Claim(
        "tete-3b",
        "accuracy is almost unaffected up to 15 % of noise, where all others have lost more",
        "Sec. 7.2, Fig. 3 c, d",
        robust("generalisation error", 0.01),
        was=ROBUST_WAS.format(0.005),
    ),
    Claim(
        "tete-3c",
        "nearest-neighbour accuracy, too, is almost unaffected, where all others have lost more",
        "Sec. 7.2, Fig. 3 c, d",
        robust("1-NN error", 0.05),
        was=ROBUST_WAS.format(0.025),
    ),
]
