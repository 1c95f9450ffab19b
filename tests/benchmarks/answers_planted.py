"""Test whether `repro.report_answers` recovers planted maps, and compare with cblearn.

    python tests/benchmarks/answers_planted.py planted --answers 20 --draws 10
    python tests/benchmarks/answers_planted.py peers  # with the extra "benchmark"

Items are normal in one to four dimensions; 15 % of the answers are wrong.

Results with 30 items, five folds and 50 bootstrap samples of triplets (in how many of 10 draws the
dimension is right, and coverage by t-ETE):

    answers per item and dimension         d = 1      2      3      4
    20, dimension                             10     10     10      9
    20, covered                             .913   .950   .950   .953

With 100 iterations per fit instead of 50, eight draws, and five draws for the coverage, the
dimension was right in 31 of 32 draws with 20 answers and in 32 of 32 with 40; t-ETE covered .960,
.967, .960 (d = 1, 2, 3), STE .847, .900, .893, GNMDS .887, .907, .873; with 40 answers (d = 2)
t-ETE .927, STE .840, GNMDS .773. The losses of STE and GNMDS do not model wrong answers that are
independent of the distances. Such answers bend the map, which does not improve with more answers
while the ellipses shrink. A rule by the paired difference instead of one standard error was right
as often with 20 answers, and in 5 of 8 draws with 40 in four dimensions.

20 items in two dimensions, 800 answers: right in 10 of 10 draws, half a second of core time each.
cblearn 0.4.0, held-out accuracy on two folds of 3,000 answers about 60 items in two dimensions, and
core seconds per fit: STE .767, 0.3 (ours .767, 0.008); t-STE .682, 0.8 (.752, 0.011); CKL .703, 1.4
(.751, 0.011); ours also GNMDS .774, 0.013, and t-ETE .787, 0.02. cblearn has its defaults; ours are
fitted as in `repro.report_answers`.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.spatial import procrustes
from scipy.stats import chi2

sys.path.insert(0, str(Path(__file__).parents[1] / "library" / "answers"))

from planted_answers import planted_answers

from repro import TripletEmbedding, read_answers, split_folds
from repro.answers.held_out import bootstrap, place_downwards, predicted, share_and_error

HIGHEST = 6


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


def covered(X, answers, method, rng, n_samples=100):
    """Return the share of the planted places that lie in the 95 % ellipses."""
    d = X.shape[1]
    Y = place_downwards(answers, method, HIGHEST, d, nothing)[d]
    S = bootstrap(answers, Y, method, n_samples, rng, nothing)
    Y = Y - Y.mean(axis=0)
    X = np.pad(X, ((0, 0), (0, 1)))  # SciPy's Procrustes needs two columns
    found, placed, _ = procrustes(np.pad(Y, ((0, 0), (0, 1))), X)
    off = (placed - found)[:, :d] * np.linalg.norm(Y)
    return (np.einsum("ni,nij,nj->n", off, np.linalg.inv(S), off) <= chi2.ppf(0.95, d)).mean()


def planted(options):
    for d in options.dimensions:
        found, shares, start = [], [], time.process_time()
        for seed in range(options.draws):
            rng = np.random.default_rng([seed, d])
            n_answers = options.answers * options.items * d
            X, table = planted_answers(
                options.items, d, n_answers, options.wrong, rng, options.kind
            )
            answers = read_answers(table, options.kind)
            if not options.only_ellipses:
                found.append(dimension_found(answers, options.method, rng))
            if not options.only_dimension:
                shares.append(covered(X, answers, options.method, rng))
        line = f"{options.kind}, {options.method}, {options.items} items, {n_answers} answers, "
        line += f"d = {d}: right {sum(k == d for k in found)} of {len(found)} {found}, "
        cover = f"{np.mean(shares):.3f}" if shares else "-"
        print(line + f"covered {cover}, {time.process_time() - start:.0f} s of a core", flush=True)


def peers(options):
    from cblearn import embedding

    warnings.simplefilter("ignore")
    theirs = {"ste": embedding.STE, "tste": embedding.TSTE, "ckl": embedding.CKL}
    theirs |= {"gnmds": embedding.GNMDS}
    rng = np.random.default_rng(0)
    _, table = planted_answers(60, 2, 3000, 0.15, rng)
    folds = [(a.triplets, b.triplets) for a, b in split_folds(read_answers(table), 5, rng)]
    makers = {
        f"cblearn {k}": lambda C=C: C(n_components=2, random_state=0) for k, C in theirs.items()
    }
    makers["cblearn soe"] = lambda: embedding.SOE(n_components=2, random_state=0)
    for loss in ("tete", *theirs):
        makers[f"repro {loss}"] = lambda loss=loss: TripletEmbedding(
            loss, optimizer="l-bfgs", init_scale=0.1, max_iter=50, random_state=0
        )
    for name, make in makers.items():
        times, scores = [], []
        for train, test in folds:
            start = time.process_time()
            Y = make().fit(train).embedding_
            times.append(time.process_time() - start)
            near, far = (((Y[test[:, 0]] - Y[test[:, k]]) ** 2).sum(axis=1) for k in (1, 2))
            scores.append(np.mean(near < far))
        print(f"{name}: {np.mean(scores):.3f}, {np.median(times):.2f} s of a core", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["planted", "peers"])
    parser.add_argument("--answers", type=int, default=20, help="for each item and dimension")
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--wrong", type=float, default=0.15)
    parser.add_argument("--kind", default="triplets")
    parser.add_argument("--method", default="tete")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--only-dimension", action="store_true")
    parser.add_argument("--only-ellipses", action="store_true")
    options = parser.parse_args()
    {"planted": planted, "peers": peers}[options.what](options)
