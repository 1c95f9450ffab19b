"""t-ETE Figure 3: unseen triplets, near neighbours and noise, for t-ETE and its rivals."""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from operator import attrgetter
from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, KFold

from repro import tete
from repro.datasets import load_labelled
from repro.experiments import without_warning
from repro.experiments._choices import descent_of
from repro.experiments.claims import Claim, at_least, at_most, choice, question
from repro.measures import nearest_neighbor_error, shuffled

PAPER, ITEM, REPEATS = "t-ETE", "Fig. 3", 18
UNIT = "sample"  # what a seed draws
ORDER = "generalisation error gained by 15 %, worst set", "t-ETE"
# CKL in coordinates is t-STE with α = 1 in units of √μ, so it is not fitted again.
METHODS = {"GNMDS": "gnmds", "STE": "ste", "t-STE": "tste", "t-ETE": "tete"}
ERRORS = ("generalisation error", "1-NN error")
PENALTIES = 0.1, 1.0, 10.0, 100.0  # values of λ from which that of GNMDS is tuned
# What 15 % of noise may cost a method that is "almost unaffected": one of a hundred unseen
# triplets, and one of twenty neighbours. Errors within a share of it are equally good.
SPARED = dict(zip(ERRORS, (0.01, 0.05), strict=True))
load_set = cache(load_labelled)
# The choices by which triplets are drawn; settings with equal ones share draws and fits.
sizes_of = attrgetter("n_digits", "n_triplets", "n_neighbors", "far", "n_folds")


@dataclass(frozen=True)
class Choices:
    sets: tuple = choice(
        ("MNIST", "MIT Scenes"),
        paper="MNIST and MIT Scenes",
        other_data={
            ("COIL-20",): "the set is COIL-20",
            ("Wine",): "the set is Wine",
            ("USPS",): "the set is USPS",
        },
    )
    n_digits: int = choice(1000, paper="1000 digits of MNIST", ours="its test part; all 800 scenes")
    n_triplets: int = choice(100, paper="100 triplets for each point")
    n_neighbors: int = choice(20, paper="Sec. 1: the near item is one of the 20 nearest neighbours")
    far: str = choice(
        "farther half",
        paper="“located far away”, Sec. 1",
        ours="as for Fig. 1",
        settings={
            "farther": "the far item is any that is farther than the near one, as in Sec. 6",
            "clamped": "half of all far items are the farthest point, as in the authors' code",
        },
    )
    n_folds: int = choice(10, paper="10-fold cross-validation", ours="a run uses one of the folds")
    dimensions: tuple = choice((2, 4, 6, 8, 10), paper="read off the axis of Fig. 3")
    t: object = choice(
        "by dimension",
        paper="Fig. 3: t = 2 at first, smaller in more dimensions",
        ours="that of the authors' code, min(1.45 + 1.1/d, 2)",
        sensitivity={2.0: "t is 2 in any number of dimensions"},
    )
    levels: tuple = choice(
        (0.0, 0.05, 0.15, 0.3),
        paper="the axis of Fig. 3 goes to 30 % of noise; “up to 15 %”, Sec. 7.2",
        ours="5 % is “a small amount”",
        settings={
            (0.0, 0.025, 0.15, 0.3): "2.5 % of noise is a small amount",
            (0.0, 0.1, 0.15, 0.3): "10 % of noise is a small amount",
        },
    )
    noise_dimension: int = choice(
        2,
        ours="the paper gives no number for the noise curves",
        settings={10: "the noise curves are those of ten dimensions"},
    )
    t_noise: float = choice(
        1.7, paper="t = 1.7 for the noise", sensitivity={2.0: "t is 2 with noise"}
    )
    equal_within: float = choice(
        0.5,
        paper="“as good as the best performing method or even better”",
        ours="errors are as good within half of what noise may cost: 0.005 and 0.025",
        settings={
            0.25: "errors are as good within a quarter of what noise may cost",
            1.0: "errors are as good within all that noise may cost",
        },
    )
    penalty: float | str = choice(
        0.0,
        ours="the paper gives no λ for GNMDS; we take none, as in public code",
        settings={"tuned": "λ of GNMDS is chosen by cross-validation"},
    )
    alpha: float | str = choice(
        1.0,
        paper="t-STE has α = 1 in Sec. 5",
        settings={"d - 1": "α of t-STE is one less than the dimensions, as in its paper"},
    )
    descent: tuple = choice(
        ("gd", 1000),
        ours="gradient descent from one start, as in the authors' code, for every method",
        settings={("l-bfgs", 500): "500 iterations of L-BFGS are made"},
    )


def draw(choices, name, seed):
    """Draw triplets to fit and to test; return labels, both sets, and folds of the first one."""
    return _draw(sizes_of(choices), name, seed)


@lru_cache(maxsize=4)
def _draw(sizes, name, seed):
    n_digits, *how, n_folds = sizes
    data, rng = load_set(name), np.random.default_rng([seed, name == "MNIST"])
    n = len(data.labels)
    rows = rng.permutation(n)[:n_digits] if n > n_digits else np.arange(n)
    X = data.X[rows]
    train, test = (tete.sample_per_point(X, *how, rng=rng).astype(np.int32) for _ in range(2))
    return data.labels[rows], train, test, tete.split_folds(train, n_folds, rng, groups=None)


@cache
def tuned(name, d):
    """Choose λ of GNMDS by cross-validation on the clean triplets of seed 0.

    This is done once for all runs and settings, with the draws and descent of ours.
    Where seed 0 is judged, these triplets are among its own, which can only favour GNMDS.
    """
    model = tete.TripletEmbedding("gnmds", d, random_state=0, **descent_of(Choices()))
    labels, train, *_ = draw(Choices(), name, 0)
    halves = KFold(2, shuffle=True, random_state=0)
    search = GridSearchCV(model, {"penalty": PENALTIES}, cv=halves, refit=False)
    return search.fit(train, n_items=len(labels)).best_params_["penalty"]


def parameters(choices, method, name, d, t):
    """Return t, α or λ of a method; λ is chosen in 2 or 10 dimensions, whichever is nearer."""
    if method == "GNMDS":
        at = min((2, 10), key=lambda known: abs(known - d))
        return {"penalty": tuned(name, at) if choices.penalty == "tuned" else choices.penalty}
    alpha = max(d - 1, 1) if choices.alpha == "d - 1" else choices.alpha
    return {"t-ETE": {"t": t}, "t-STE": {"alpha": float(alpha)}}.get(method, {})


def fit_method(method, d, seed, descent, options, train, test, labels):
    """Fit a method; return a row of errors, for t-ETE also one of its points in random order."""
    optimizer, max_iter = descent
    options = {"optimizer": optimizer, "max_iter": max_iter, "random_state": seed} | options
    model = tete.TripletEmbedding(METHODS[method], d, **options).fit(train, n_items=len(labels))
    spaces, rows = {method: model.embedding_}, []
    if method == "t-ETE":
        spaces["shuffled"] = shuffled(model.embedding_)
    for space, Y in spaces.items():
        errors = 1 - tete.fraction_satisfied(Y, test), nearest_neighbor_error(Y, labels)
        rows.append({"d": d, "method": space} | dict(zip(ERRORS, errors, strict=True)))
    return rows


@cache
def _fit(sizes, name, seed, noise, method, d, descent, options):
    """Fit a method to clean triplets without a fold, or to noisy ones; settings share the fits."""
    labels, train, test, folds = _draw(sizes, name, seed)
    if noise is None:
        train, test = folds[seed % len(folds)]
    else:
        rng = np.random.default_rng([seed, round(100 * noise)])
        train = tete.reverse_triplets(train, noise, rng)
    return fit_method(method, d, seed, descent, dict(options), train, test, labels)


def fit(choices, name, seed, noise, method, d, t):
    """Fit a method with the given choices, see `_fit`."""
    options = tuple(parameters(choices, method, name, d, t).items())
    return _fit(sizes_of(choices), name, seed, noise, method, d, choices.descent, options)


@without_warning()
def fit_folds(choices, seed):
    """Fit the methods to nine tenths of the clean triplets, in every number of dimensions."""
    rows = []
    for name, d, method in product(choices.sets, choices.dimensions, METHODS):
        t = tete.authors_temperature(d) if choices.t == "by dimension" else choices.t
        rows += [{"set": name, **row} for row in fit(choices, name, seed, None, method, d, t)]
    return pd.DataFrame(rows)


@without_warning()
def fit_noise(choices, seed):
    """Fit the methods to triplets with a share reversed; test them on clean ones."""
    rows = []
    how = choices.noise_dimension, choices.t_noise
    for name, part, method in product(choices.sets, choices.levels, METHODS):
        errors = fit(choices, name, seed, part, method, *how)
        rows += [{"set": name, "noise": part, **row} for row in errors]
    return pd.DataFrame(rows)


def run(choices, seed):
    """Fit all methods to a fold of clean triplets, and to noisy ones: tables with a row per fit."""
    clean, noisy = fit_folds(choices, seed), fit_noise(choices, seed)
    return SimpleNamespace(choices=choices, clean=clean, noisy=noisy)


def times_among_the_best(table, of, by):
    """Count in how many dimensions a method's error is at most ``by`` more than the best rival's.

    The table has a row per ``d`` and ``method``, and ``of`` is the error.
    """
    errors = table.pivot(index="d", columns="method", values=of)
    best = errors[[method for method in METHODS if method != "t-ETE"]].min(axis=1)
    return errors.le(best + by, axis=0).sum()


def measure(run):
    """Measure a run.

    - *generalisation error*: the share of held-out triplets that do not hold in the embedding; with
      noise, the share of clean test triplets; by chance ½;
    - *1-NN error*: the share of points whose nearest neighbour has another label;
    - *dimensions, of five*: the number of dimensions in which an error is as good as the smallest
      of the rivals, within a share of `SPARED`;
    - *at 15 %*: with 15 % of the triplets reversed; *less chance*: minus that of *shuffled*; *above
      the best rival*: minus the smallest of the rivals';
    - *gained by 15 %*: the error with 15 % reversed minus that with none; *5 %*: with the small
      amount of noise, 5 % in ours; *over any rival*: minus that of the rival that gains least;
    - *shuffled*: t-ETE's points in random order; *worst set*: the set that favours a claim least.
    """
    scores, own, least = {}, ["t-ETE", "shuffled"], "least of the rivals"
    for of in ERRORS:
        noisy = run.noisy.pivot(index=["noise", "method"], columns="set", values=of)
        small = run.choices.levels[1]
        gained = {part: noisy.loc[part] - noisy.loc[0.0] for part in (small, 0.15)}
        for table in gained.values():
            table.loc[least] = table.drop(own).min()
        over = gained[0.15].loc[own] - gained[0.15].loc[least]
        gained[small]["worst set"] = gained[small].loc[[least, "shuffled"]].min(axis=1)
        gained[0.15]["worst set"] = gained[0.15].loc[own].max(axis=1)
        at_15 = noisy.loc[0.15]
        above = at_15.loc[own] - at_15.drop(own).min()
        at_15 = at_15.loc[own]
        less_chance = at_15 - at_15.loc["shuffled"]
        clean = run.clean.groupby("set")
        within = run.choices.equal_within * SPARED[of]
        counts = {name: times_among_the_best(fits, of, within) for name, fits in clean}
        counts = pd.DataFrame(counts).loc[own]
        counts["worst set"] = counts.min(axis=1)
        scores |= {
            f"dimensions, of five, {of}": counts,
            f"{of} gained by 5 %": gained[small],
            f"{of} gained by 15 %": gained[0.15],
            f"{of} gained over any rival": over.max(axis=1).to_frame("worst set"),
            f"{of} at 15 %": at_15,
            f"{of} at 15 % above the best rival": above.max(axis=1).to_frame("worst set"),
            f"{of} at 15 % less chance": less_chance.max(axis=1).to_frame("worst set"),
        }
    table = pd.concat(scores, axis=1).T  # a row per score and set
    return table.set_axis(table.index.map(", ".join))


DRAWN = "sets", "n_digits", "n_triplets", "n_neighbors", "far"
OF_RIVALS = "penalty", "alpha"
OF_NOISE = (*DRAWN, "noise_dimension", "descent")
UNAFFECTED = "performance is almost unaffected for up to 15%"
ROBUST = "while being significantly more robust to noise than any other method"
DROP = "all the other methods starts to drop immediately"


def embeds(of):
    """Ask that t-ETE with 15 % of noise beat chance, since an embedding at chance loses nothing."""
    return at_most(f"{of} at 15 % less chance, worst set", "t-ETE", -0.2)


def spared(of):
    """Ask that 15 % of noise cost t-ETE almost nothing."""
    return [at_most(f"{of} gained by 15 %, worst set", "t-ETE", SPARED[of]), embeds(of)]


def leads(of):
    """Ask that with 15 % of noise t-ETE be better than any rival, by half of what it may cost."""
    score = f"{of} at 15 % above the best rival, worst set"
    return [at_most(score, "t-ETE", -SPARED[of] / 2), embeds(of)]


def loses_less(of):
    """Ask that 15 % of noise cost each rival more than t-ETE, by half of what it may cost t-ETE."""
    score = f"{of} gained over any rival, worst set"
    return [at_most(score, "t-ETE", -SPARED[of] / 2), embeds(of)]


def drops(of):
    """Ask that 5 % of noise cost every rival at least what 15 % may cost t-ETE."""
    score = f"{of} gained by 5 %, worst set"
    return [at_least(score, "least of the rivals", SPARED[of])]


TRIPLETS, NEAREST = ERRORS
CLAIMS = [
    Claim(
        "tete-3a",
        "Sec. 7.1, Fig. 3 a, b",
        "t-ETE performs as well as the best method or better on both errors, in most dimensions",
        [at_least(f"dimensions, of five, {of}, worst set", "t-ETE", 3) for of in ERRORS],
        words="performs as good as the best performing method or even better",
        reason="at most a step above the best rival, in most dimensions",
        rests_on=[*DRAWN, *OF_RIVALS, "n_folds", "dimensions", "t", "descent", "equal_within"],
    ),
    Claim(
        "tete-3b",
        "Sec. 7.2, Fig. 3 c, d",
        "t-ETE is almost unaffected by 15 % of noise, on unseen triplets and on nearest neighbours",
        [*spared(TRIPLETS), *spared(NEAREST)],
        words=UNAFFECTED,
        reason="of the triplets a hundredth, of the neighbours a twentieth; chance is beaten",
        rests_on=[*OF_NOISE, "t_noise"],
    ),
    Claim(
        "tete-3d",
        "Sec. 1; Sec. 7.2, Fig. 3 c, d",
        "by 15 % of noise all others lose more accuracy than t-ETE, on unseen triplets and on "
        "nearest neighbours",
        [*loses_less(TRIPLETS), *loses_less(NEAREST)],
        words=ROBUST,
        reason="half of what may count as unaffected",
        rests_on=[*OF_NOISE, "t_noise", *OF_RIVALS],
    ),
    question(
        "tete-3h",
        "Sec. 7.2, Fig. 3 c, d",
        "with 15 % of noise t-ETE is more accurate than all others, on unseen triplets and on "
        "nearest neighbours",
        [*leads(TRIPLETS), *leads(NEAREST)],
        rests_on=[*OF_NOISE, "t_noise", *OF_RIVALS],
    ),
    Claim(
        "tete-3f",
        "Sec. 7.2, Fig. 3 c, d",
        "5 % of noise already costs all others accuracy, on unseen triplets and on nearest "
        "neighbours",
        [*drops(TRIPLETS), *drops(NEAREST)],
        words=DROP,
        reason="more than what may count as unaffected",
        rests_on=[*OF_NOISE, *OF_RIVALS, "levels"],
    ),
]
