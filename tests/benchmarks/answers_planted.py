"""Test `repro.report_answers` on planted maps, and compare with cblearn.

    python tests/benchmarks/answers_planted.py dimension
    python tests/benchmarks/answers_planted.py ellipses
    python tests/benchmarks/answers_planted.py people
    python tests/benchmarks/answers_planted.py peers  # with the extra "benchmark"

30 items are normal in one to four dimensions. Mistakes are made at random (15 %), or more often
where distances are alike (15 to 23 %). Fits are those of the report, with 50 bootstrap samples.

Dimension, ten draws each, of 20 and of 40 answers per item and dimension: right in 79 of 80 draws
with mistakes at random (one of d = 4 is taken for 3), in 80 of 80 with mistakes by distance.

Ellipses, four draws: the share of the true places in the 95 % ellipses and, in brackets, their
median radius along the longest axis, where the root mean square distance from the centre is 1.

    answers per item and dimension                10          20          50         150
    t-ETE, at random, triplets, d = 1     .85 (.47)   .97 (.31)   .98 (.14)   .92 (.09)
                                d = 2     .98 (.66)   .98 (.41)   .96 (.23)   .93 (.11)
                                d = 3     .90 (.79)   .93 (.52)   .92 (.29)   .89 (.18)
                   odd one out, d = 1     .83 (.32)   .98 (.18)   .98 (.09)   .94 (.05)
                                d = 2     .97 (.42)   .99 (.29)   .97 (.16)   .91 (.10)
                                d = 3     .95 (.59)   .95 (.52)   .89 (.32)   .72 (.26)
           by distance, triplets, d = 1   .87 (.35)   .92 (.28)   .89 (.18)   .88 (.11)
                                d = 2     .95 (.48)   .91 (.33)   .93 (.21)   .93 (.12)
                                d = 3     .96 (.61)   .94 (.41)   .94 (.28)   .91 (.23)
                   odd one out, d = 1     .91 (.33)   .89 (.23)   .92 (.14)   .84 (.08)
                                d = 2     .97 (.42)   .97 (.28)   .91 (.18)   .93 (.12)
                                d = 3     .93 (.58)   .98 (.57)   .93 (.40)   .81 (.29)
    STE, at random, twelve means             .83–.97     .87–.96     .77–.93     .58–.93
         by distance                         .84–.99     .92–.97     .92–.99     .87–.95

Without the distortion that is measured on simulated answers, t-ETE's ellipses of three dimensions
held .89, .67 and .33 of the places with 20, 50 and 150 odd-one-out answers with random mistakes.

People, four draws of 50 answers per item and dimension in two dimensions, whose own places differ
from the common ones by normal numbers of standard deviation 0.25 or 0.5: ellipses from samples of
annotators held .76 to .80 of the common places for 5 people, .83 to .92 for 10, .92 to .96 for 20;
those from samples of answers .68 to .87, .74 to .90 and .88 to .95.

Peers, four draws of a study of 48 objects in three dimensions, 250 answers each of nine people with
mistakes by distance, and of three more who answer at random: accuracy on held-out answers of the
nine, by question, and Procrustes distance from the true places; cblearn 0.4.0 and ours, all with
their defaults (core seconds of a fit: 0.05 to 0.1 of ours, 0.1 to 2.8 of cblearn's).

                              nine people     all twelve
    t-ETE, repro              .826 (.044)    .808 (.065)
    SOE, cblearn              .829 (.032)    .803 (.075)
    t-STE, repro              .822 (.047)    .800 (.080)
    t-STE, cblearn            .822 (.047)    .794 (.086)
    STE, repro and cblearn    .825 (.038)    .796 (.085)
    GNMDS, repro              .825 (.042)    .794 (.094)
    GNMDS, cblearn            .825 (.041)    .792 (.080)
    CKL, repro                .811 (.087)    .794 (.092)
    CKL, cblearn              .810 (.088)    .795 (.094)
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial import procrustes
from scipy.stats import chi2

sys.path.insert(0, str(Path(__file__).parents[1] / "library" / "answers"))

from planted_answers import planted_answers

from repro import TripletEmbedding, read_answers, split_folds
from repro.answers.held_out import (
    bootstrap,
    distortion,
    place_downwards,
    predicted,
    share_and_error,
)
from repro.tete.embedding import LOSSES

HIGHEST = 6
ITEMS = 30
MISTAKES = {"15 % at random": {"wrong": 0.15}, "by distance": {"wrong": 0, "slope": 3.0}}


def nothing():
    """Do not move a progress bar."""


def dimension_found(answers, method, rng):
    """Choose the dimension like the report."""
    folds = split_folds(answers, 5, rng)
    given = predicted(
        folds,
        len(answers.table),
        lambda train: place_downwards(train, method, HIGHEST, 1, nothing),
    )
    accuracy, error = share_and_error(given, answers.table["question"])
    good = accuracy >= accuracy.max() - error[accuracy.idxmax()]
    return int(accuracy.index[good].min())


def onto(Y, X):
    """Return planted places laid onto a map, and the map."""
    Y = Y - Y.mean(axis=0)
    wide = ((0, 0), (0, 1))  # SciPy's Procrustes needs two columns
    found, placed, _ = procrustes(np.pad(Y, wide), np.pad(X, wide))
    size = np.linalg.norm(Y)
    return placed[:, :-1] * size, found[:, :-1] * size


def covered(X, answers, method, rng, resample="answer"):
    """Return the share of the planted places that lie in the 95 % ellipses, and their radius."""
    d = X.shape[1]
    Y = place_downwards(answers, method, HIGHEST, d, nothing)[d]
    S = bootstrap(answers, Y, method, 50, rng, nothing, resample)
    bias = distortion(answers, Y, method, rng, nothing)
    S += np.einsum("ni,nj->nij", bias, bias)
    placed, found = onto(Y, X)
    off = placed - found
    quantile = chi2.ppf(0.95, d)
    is_within = np.einsum("ni,nij,nj->n", off, np.linalg.inv(S), off) <= quantile
    longest = np.sqrt(quantile * np.linalg.eigvalsh(S)[:, -1])
    return is_within.mean(), np.median(longest) / np.sqrt((found**2).sum(axis=1).mean())


def drawn(seed, d, per, kind, **of):
    """Return planted places, ``per`` answers per item and dimension about them, a generator."""
    rng = np.random.default_rng([seed, d])
    X, table = planted_answers(ITEMS, d, per * ITEMS * d, of.pop("wrong"), rng, kind, **of)
    return X, read_answers(table, kind, annotator="who" if "who" in table else None), rng


def dimension(draws):
    for name, mistakes in MISTAKES.items():
        for d in (1, 2, 3, 4):
            for per in (20, 40):
                found = []
                for seed in range(draws):
                    _, answers, rng = drawn(seed, d, per, "triplets", **mistakes)
                    found.append(dimension_found(answers, "tete", rng))
                right = sum(k == d for k in found)
                print(f"{name}, d = {d}, {per}: {right} of {draws} {found}", flush=True)


def ellipses(draws):
    for method in ("tete", "ste"):
        for name, mistakes in MISTAKES.items():
            for kind in ("triplets", "odd one out"):
                for d in (2, 3, 1):
                    cells = []
                    for per in (10, 20, 50, 150):
                        of_draws = []
                        for seed in range(draws):
                            X, answers, rng = drawn(seed, d, per, kind, **mistakes)
                            of_draws.append(covered(X, answers, method, rng))
                        share, radius = np.mean(of_draws, axis=0)
                        cells.append(f"{share:.2f} ({radius:.2f})")
                    print(f"{method}, {name}, {kind}, d = {d}:", *cells, flush=True)


def people(draws):
    for count in (5, 10, 20):
        for differ in (0.25, 0.5):
            for name, mistakes in MISTAKES.items():
                shares = {"answer": [], "annotator": []}
                for resample, of_draws in shares.items():
                    for seed in range(draws):
                        X, answers, rng = drawn(
                            seed, 2, 50, "triplets", people=count, differ=differ, **mistakes
                        )
                        of_draws.append(covered(X, answers, "tete", rng, resample)[0])
                line = ", ".join(f"{k} {np.mean(v):.3f}" for k, v in shares.items())
                print(f"{count} people, differ {differ}, {name}: {line}", flush=True)


def peers(draws):
    """Compare on a study of 48 objects in space, 250 answers each of nine people or of twelve.

    Accuracy is that on held-out answers of the nine, by question; three answer at random.
    """
    from cblearn import embedding

    warnings.simplefilter("ignore")
    theirs = {"soe": embedding.SOE, "ste": embedding.STE, "tste": embedding.TSTE}
    theirs |= {"ckl": embedding.CKL, "gnmds": embedding.GNMDS}
    makers = {
        f"cblearn {k}": lambda C=C: C(n_components=3, random_state=0) for k, C in theirs.items()
    }
    for loss in LOSSES:
        makers[f"repro {loss}"] = lambda loss=loss: TripletEmbedding(loss, 3, random_state=0)
    rows = []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        X, table = planted_answers(48, 3, 3000, 0, rng, slope=3.0, people=12)
        bad = table["who"] >= "p09"
        at_random = bad & (rng.random(len(table)) < 0.5)
        table.loc[at_random, ["near", "far"]] = table.loc[at_random, ["far", "near"]].to_numpy()
        for who, of_study in (("nine", table[~bad]), ("twelve", table)):
            answers = read_answers(of_study, annotator="who", items=sorted(set(table["anchor"])))
            good = answers.table["annotator"] < "p09"
            folds = split_folds(answers, 5, np.random.default_rng(0))
            for name, make in makers.items():
                start = time.process_time()
                given = predicted(
                    folds,
                    len(answers.table),
                    lambda train, make=make: {0: make().fit(train.triplets).embedding_},
                )
                seconds = (time.process_time() - start) / 5
                whole = make().fit(answers.triplets).embedding_
                distance = procrustes(X, whole)[2]
                rows.append([name, who, given.loc[good, 0].mean(), distance, seconds])
    columns = ["method", "people", "accuracy", "Procrustes", "core seconds"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.groupby(["method", "people"]).mean().unstack().round(3).to_string())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what")
    parser.add_argument("--draws", type=int, default=10)
    options = parser.parse_args()
    globals()[options.what](options.draws)
