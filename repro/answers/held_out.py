"""Agreement of answers, and maps of them: accuracy on held-out answers, and bootstrap."""

import warnings

import numpy as np
import pandas as pd
from scipy.linalg import orthogonal_procrustes
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression

from repro.core.estimator import principal_scores
from repro.tete import TripletEmbedding, TripletSet
from repro.tete.triplets import near_and_far

# More iterations change no accuracy by 0.001; half of them may end in a worse local optimum.
FIT = {"optimizer": "l-bfgs", "init_scale": 0.1, "max_iter": 100, "random_state": 0}
FOLDS, SIMULATIONS = 5, 10  # of the cross-validation; of the distortion


def agreement(answers):
    """Measure agreement on repeated questions, which bounds the accuracy of any map.

    If the answers to a question have shares q, two agree with probability A = Σ q², and a map is
    right on at most max q ≤ (1 + √((K - 1) (K A - 1))) / K of them, for K options. The bound holds
    for means over questions, weighted by their answers; it is reached if everybody errs at one
    rate. The pandas.DataFrame has rows for ``all`` pairs of answers, and those of the ``same
    annotator`` or ``different annotators``: their number (``pairs``), the share that agrees
    (``agreement``; 95 % interval ``low``, ``high``), and the bound (``at best``; 95 % interval
    ``best low``, ``best high``).
    """
    # If contradictions were dropped, the agreement of the rest says nothing.
    table = answers.table[: 0 if "contradictory" in answers.dropped else None]
    groups = {"all": pairs_within(table, ["question"])}
    if "annotator" in table:
        same = groups["same annotator"] = pairs_within(table, ["question", "annotator"])
        of_one = same.groupby("question").sum().assign(asked=0)
        groups["different annotators"] = groups["all"] - of_one
    K = answers.n_options
    rows = {}
    for kind, questions in groups.items():
        repeated = questions[questions["pairs"] > 0]
        share = repeated["agree"] / repeated["pairs"]
        weight = repeated["asked"]
        n = repeated["pairs"].sum()
        mean = np.average(share, weights=weight) if n else np.nan
        off = (weight * (share - mean)).groupby(level="question").sum() / weight.sum()
        # Half a pair is added, since a few pairs that all agree are no certainty.
        error = np.hypot(np.linalg.norm(off), 0.5 / max(n, 1))
        ends = np.clip(mean + 1.96 * error * np.array([0, -1, 1]), 0, 1)
        best = (1 + np.sqrt((K - 1) * np.maximum(K * ends - 1, 0))) / K
        rows[kind] = [n, *ends, *best]
    names = ["pairs", "agreement", "low", "high", "at best", "best low", "best high"]
    return pd.DataFrame(rows, names).T


def pairs_within(table, key):
    """Count pairs of answers, pairs that agree, and answers, within groups."""
    asked = table.groupby(key).size()
    alike = table.groupby([*key, "choice"]).size()
    agree = (alike * (alike - 1) / 2).groupby(level=key).sum()
    return pd.DataFrame({"pairs": asked * (asked - 1) / 2, "agree": agree, "asked": asked})


def fit_map(triplets, loss, n_components, start=None):
    """Fit a map, (n, d), from a start if one is given; it may stop before convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = TripletEmbedding(loss, n_components, init=start, **FIT)
        return model.fit(triplets, n_items=triplets.n_items).embedding_


def place_downwards(triplets, loss, highest, lowest, tick):
    """Fit maps of ``highest`` to ``lowest`` dimensions, a dict, and call ``tick`` after each.

    Each starts at the principal axes of the one before: in the dimension that is then dropped,
    items can pass others.
    """
    maps, start = {}, None
    for d in range(highest, lowest - 1, -1):
        maps[d] = fit_map(triplets, loss, d, start)
        start = principal_scores(maps[d], d - 1)
        tick()
    return maps


def predicted(folds, n_answers, fit):
    """Return which held-out answers maps predict, all triplets of each: a column of bool per map.

    ``fit`` returns a dict of maps of triplets.
    """
    right = {}
    for train, test in folds:
        for name, Y in fit(train).items():
            near, far = near_and_far(Y, test)
            right.setdefault(name, np.ones(n_answers, bool))[test.of_answer[near >= far]] = False
    return pd.DataFrame(right)


def share_and_error(given, question):
    """Return the mean of each column and its standard error, clustered by question."""
    off = (given - given.mean()).groupby(np.asarray(question)).sum()
    return given.mean(), np.sqrt((off**2).sum()) / len(given)


def bootstrap(answers, Y, loss, n_samples, rng, tick, resample="answer"):
    """Return the covariance of each item's place, (n, d, d), over bootstrap samples.

    A sample draws answers, or annotators with all their answers. Each map starts at Y, and is
    rotated, mirrored and scaled to fit Y best (Procrustes).
    """
    unit = pd.factorize(answers.table["row" if resample == "answer" else resample])[0]
    n_units = unit.max() + 1
    moves = []
    for _ in range(n_samples):
        times = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)
        drawn = times[unit][answers.of_answer]
        moves.append(_move(answers.triplets[drawn > 0], drawn[drawn > 0], loss, Y))
        tick()
    moves = np.array(moves) - np.mean(moves, axis=0)
    return np.einsum("bni,bnj->nij", moves, moves) / (n_samples - 1)


def distortion(answers, Y, loss, rng, tick):
    """Return how far a map of a method is from the true places, (n, d), if these are Y.

    This is the mean move of maps of answers that are simulated from the places Y. An answer agrees
    with Y as often as those given do, by the difference of distances (isotonic regression).
    """
    K, n_answers = answers.n_options, len(answers.table)
    given = answers.triplets.reshape(n_answers, -1, 3)
    # All answers make their triplets alike of three items; other orders of these are other options.
    pattern = (given[0, ..., None] == given[0, 0]).argmax(axis=2)
    orders = [[0, 1, 2], [0, 2, 1]] if K == 2 else [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    options = np.stack([given[:, 0, np.array(order)[pattern]] for order in orders])
    near, far = near_and_far(Y, options.reshape(-1, 3))
    margin = (np.sqrt(far) - np.sqrt(near)).reshape(K, n_answers, -1).min(axis=2)
    preferred = margin.argmax(axis=0)
    clear = margin.max(axis=0)
    model = IsotonicRegression(y_min=1 / K, y_max=1.0, out_of_bounds="clip")
    agrees = model.fit(clear, preferred == 0).predict(clear)
    moves = []
    for _ in range(SIMULATIONS):
        steps = np.where(rng.random(n_answers) < agrees, 0, rng.integers(1, K, n_answers))
        simulated = options[(preferred + steps) % K, np.arange(n_answers)]
        moves.append(_move(simulated.reshape(-1, 3), None, loss, Y))
        tick()
    return np.mean(moves, axis=0)


def _move(triplets, weights, loss, Y):
    """Return how far the items of a map that starts at Y are from Y, laid onto it."""
    given = TripletSet(triplets, weights, len(Y), copy=False)
    Z = fit_map(given, loss, Y.shape[1], Y)
    Z = Z - Z.mean(axis=0)
    centred = Y - Y.mean(axis=0)
    turn, size = orthogonal_procrustes(Z, centred)
    return size / (Z**2).sum() * Z @ turn - centred
