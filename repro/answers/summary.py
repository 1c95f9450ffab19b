"""The analysis of answers: dimension, rivals, learning curve, map and its uncertainty."""

import numpy as np
import pandas as pd
from scipy.stats import chi2
from tqdm.auto import tqdm

from repro.answers import held_out
from repro.answers.annotators import annotators_table, without_doubtful
from repro.answers.design import ENOUGH
from repro.answers.held_out import FOLDS
from repro.answers.reading import NamedTriplets
from repro.answers.report import RULE, AnswersReport
from repro.core.checks import check_choice, check_count
from repro.core.errors import UserError
from repro.core.estimator import principal_scores
from repro.core.optimize import as_generator
from repro.tete import split_folds
from repro.tete.embedding import LOSSES

HIGHEST = 6  # the highest dimension tried
SHARES = 1 / 8, 1 / 4, 1 / 2  # of the answers, for the learning curve


def report_answers(
    answers,
    *,
    method="tete",
    n_components=None,
    n_samples=100,
    resample="answer",
    progress=False,
    random_state=None,
):
    """Report on consistency, dimension, map and its 95 % ellipses: an `AnswersReport`.

    Collect 20 answers per item and dimension, about items drawn at random, as by
    `repro.design_questions`. On planted maps of 30 items, with mistakes at random (15 %) or where
    distances are alike, t-ETE's ellipses held 89 to 99 % of the places in one to three dimensions
    with 20 or 50 such answers (median radius 0.2 to 0.6, and 0.1 to 0.4), 83 to 98 % with 10, and
    72 to 94 % with 150. The dimension was right in 79 of 80 draws with 20 or 40. Of people who
    differ, ellipses for other people held 76 to 80 % with 5, 83 to 96 % with 10 or 20. An ellipse
    holds the bootstrap's scatter and the method's distortion, measured on simulated answers. See
    tests/benchmarks/answers_planted.py, also for STE.

    Parameters
    ----------
    answers : NamedTriplets
        See `repro.read_answers`.
    method : {"tete", "tste", "ste", "ckl", "gnmds"}
        The method of the map, see `repro.TripletEmbedding`. All are compared in its dimension.
    n_components : int, optional
        The dimension, less than the number of items. Default: chosen from one to six, at most three
        less than the number of items, by five-fold
        cross-validation, keeping answers about the same three items together.
    n_samples : int
        Number of bootstrap samples, for the ellipses.
    resample : {"answer", "annotator"}
        What a sample draws. With "answer" the ellipses hold for more answers of these people; with
        "annotator", which needs some ten of them, for other people like them.
    progress, random_state
        See `repro.TripletEmbedding`.

    Raises
    ------
    UserError
        A ValueError, if there are fewer answers than items, fewer than five items, or fewer than
        five times three items that were compared; if ``answers`` are not whole, if
        ``n_components`` is not less than the number of items, or if ``resample`` is "annotator" and
        there are fewer than two. A TypeError, if ``answers`` are no NamedTriplets.
    """
    if not isinstance(answers, NamedTriplets):
        kind = type(answers).__name__
        raise TypeError(f"answers must be NamedTriplets, as read_answers returns, got {kind}")
    rng, n, n_answers = as_generator(random_state), answers.n_items, len(answers.table)
    if len(answers.triplets) != n_answers * (answers.n_options - 1):
        raise UserError("answers must be whole: leave rows out of the table, and read it again")
    check_choice(method, "method", LOSSES)
    check_count(n_samples, "n_samples", 2)
    check_choice(resample, "resample", ("answer", "annotator"))
    if resample == "annotator" and answers.table.get("annotator", pd.Series()).nunique() < 2:
        raise UserError("resample='annotator' needs answers of two annotators or more")
    compared = np.unique(np.sort(answers.triplets, axis=1), axis=0)
    if n_answers < n or n < 5 or len(compared) < FOLDS:
        need = f"at least five items and questions, and {ENOUGH} answers per item and dimension"
        raise UserError(f"{n_answers} answers about {n} items are too few to tell: take {need}")
    least = 1 if n_components is None else check_count(n_components, "n_components")
    if least >= n:
        raise UserError(f"n_components must be less than the number of items, {n}, got {least}")
    most = max(min(HIGHEST, n - 3), least)
    n_others = len(LOSSES) - 1 + len(SHARES)
    n_fits = FOLDS * (most + 2 * n_others) + most + n_samples + held_out.SIMULATIONS
    with tqdm(total=n_fits, unit="fit", leave=False, disable=not progress) as bar:
        d, tried, curve = _cross_validate(answers, method, most, n_components, rng, bar.update)
        bar.total -= d - 1  # the last maps are made in `most` dimensions down to d
        Y = principal_scores(held_out.place_downwards(answers, method, most, d, bar.update)[d], d)
        S = held_out.bootstrap(answers, Y, method, n_samples, rng, bar.update, resample)
        off = held_out.distortion(answers, Y, method, rng, bar.update)
    S += np.einsum("ni,nj->nij", off, off)
    occurs = np.isin(np.arange(n), answers.triplets)
    size = np.sqrt((Y[occurs] ** 2).sum(axis=1).mean())
    Y[~occurs] = S[~occurs] = np.nan
    Y /= size
    S /= size**2
    question = answers.table["question"]
    annotators = annotators_table(answers, tried[method, d])
    return AnswersReport(
        answers_=answers,
        method_=method,
        n_components_=d,
        rule_="as asked" if n_components else RULE,
        embedding_=Y,
        ellipses_=S,
        accuracy_=_accuracies(tried, (method, d), question),
        learning_curve_=_accuracies(curve, curve.columns.max(), question),
        consistency_=held_out.agreement(answers),
        items_=_items_table(answers, Y, S),
        annotators_=annotators,
        without_=without_doubtful(answers, method, most, d, annotators, tried[method, d]),
        n_samples_=n_samples,
        resample_=resample,
    )


def _cross_validate(answers, method, most, n_components, rng, tick):
    """Return the dimension, and which held-out answers maps predict: two tables of bool.

    Their columns are methods and dimensions, and numbers of answers to which maps are fitted.
    """
    folds = split_folds(answers, FOLDS, rng)
    n_answers = len(answers.table)
    rank = rng.permutation(n_answers) / n_answers

    def predicted_by(loss, highest, lowest, share=1.0):
        def fit(train):
            own = rank[train.of_answer]
            train = train.take((own < share) | (own == own.min()))  # one answer at least
            return held_out.place_downwards(train, loss, highest, lowest, tick)

        return held_out.predicted(folds, n_answers, fit)

    tried = predicted_by(method, most, 1)
    d = n_components
    if d is None:
        accuracy, error = held_out.share_and_error(tried, answers.table["question"])
        good = accuracy >= accuracy.max() - error[accuracy.idxmax()]
        d = int(accuracy.index[good].min())
    n_fitted = (1 - 1 / FOLDS) * n_answers
    curve = {round(s * n_fitted): predicted_by(method, d + 1, d, s)[d] for s in SHARES}
    curve[round(n_fitted)] = tried[d]
    tried.columns = pd.MultiIndex.from_product([[method], tried], names=["method", "d"])
    for loss in LOSSES:
        if loss != method:
            tried[loss, d] = predicted_by(loss, d + 1, d)[d]
    return d, tried, pd.DataFrame(curve)


def _items_table(answers, Y, ellipses):
    # All triplets of an answer are about the same three items.
    occurrences = np.bincount(answers.triplets.ravel(), minlength=answers.n_items)
    n_answers = occurrences // (len(answers.triplets) // len(answers.table))
    longest = np.linalg.eigvalsh(np.nan_to_num(ellipses))[:, -1]
    radius = np.sqrt(chi2.ppf(0.95, ellipses.shape[1]) * np.where(n_answers, longest, np.nan))
    columns = {"answers": n_answers, "rare": n_answers < np.median(n_answers) / 2, "radius": radius}
    columns |= {f"axis {k}": places for k, places in enumerate(Y.T, 1)}
    return pd.DataFrame(columns, answers.names)


def _accuracies(given, chosen, question):
    gains = given.astype(float).sub(given[chosen], axis=0)
    columns = *held_out.share_and_error(given, question), *held_out.share_and_error(gains, question)
    return pd.concat(columns, axis=1, keys=["accuracy", "error", "gain", "gain error"])
