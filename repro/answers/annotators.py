"""People who answer: how well maps predict each, and what changes without the doubtful."""

from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import chi2

from repro.answers import held_out
from repro.tete import split_folds

FEW = 10  # with fewer answers nothing is said of a person


def annotators_table(answers, right):
    """Make the table ``annotators_`` of a report; ``right`` says which answers the map gives."""
    if "annotator" not in answers.table:
        return pd.DataFrame()
    people = right.groupby(answers.table["annotator"])
    table = people.agg(answers="size", accuracy="mean", error="sem")
    pairs = held_out.pairs_within(answers.table, ["annotator", "question"])
    repeated = pairs.groupby("annotator").sum()
    table["consistency"] = repeated["agree"] / repeated["pairs"]
    if "place" in answers.table:
        once = answers.table.drop_duplicates(["annotator", "question"])
        counts = pd.crosstab(once["annotator"], once["place"])
        n = counts.sum(axis=1)
        # Of one person alone it cannot be told whether places matter.
        expected = np.outer(n, counts.sum() / n.sum() if len(n) > 1 else counts.sum() * np.nan)
        table["place"] = (counts - np.nan_to_num(expected)).idxmax(axis=1)
        table["share"] = [counts.loc[who, place] for who, place in table["place"].items()] / n
        # Against the others: the share of all differs less, as this person is one of them.
        squares = ((counts - expected) ** 2 / expected).sum(axis=1) / (1 - n / n.sum())
        table["p"] = chi2.sf(squares, len(counts.T) - 1)
    accuracy, error, enough = table["accuracy"], own_error(table), table["answers"] >= FEW
    middle = accuracy[enough].median()
    spread = error.clip(lower=1.4826 * (accuracy[enough] - middle).abs().fillna(0).median())
    # Of all at chance nobody is named, nor for a few errors that chance alone makes likely.
    least = np.minimum(1 / answers.n_options + 2 * error, right.mean() - 2 * error)
    table["doubtful"] = ((accuracy < least) | (accuracy < middle - 3 * spread)) & enough
    return table.sort_values("accuracy")


def own_error(people):
    """Return an error of each accuracy, with a right and a wrong answer more, so that none is 0."""
    n = people["answers"]
    share = (people["accuracy"] * n + 1) / (n + 2)
    return np.sqrt(share * (1 - share) / n)


def without_doubtful(answers, method, most, d, annotators, right):
    """Return accuracies on the answers of those who are not doubtful: with the others, without."""
    if annotators.empty or not 0 < annotators["doubtful"].sum() < len(annotators):
        return None
    trusted = ~answers.table["annotator"].map(annotators["doubtful"]).to_numpy(bool)
    theirs = answers.take(trusted[answers.of_answer])
    folds = split_folds(theirs, held_out.FOLDS, np.random.default_rng(0))
    fit = partial(held_out.place_downwards, loss=method, highest=most, lowest=d, tick=lambda: None)
    alone = held_out.predicted(folds, len(trusted), fit)
    return float(right[trusted].mean()), float(alone.loc[trusted, d].mean())
