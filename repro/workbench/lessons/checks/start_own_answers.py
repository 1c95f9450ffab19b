"""The checks of the exercises of the lesson on own answers, and answers that are made up for it."""

import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from repro import datasets
from repro.answers import read_answers
from repro.tete import TripletEmbedding, fraction_satisfied
from repro.workbench.lessons import agrees, compared

COLUMNS = ["tastes", "more like", "than like"]
N_ITEMS, EACH = 15, 120  # items; answers of each annotator
WHO = ["Ana", "Ben", "Chi", "Dov", "Eva"]
GUESSES = "Chi"
SHARES = np.array([0.5, 0.6, 0.75, 0.9])  # of pairs of answers that agree


def about_few_dishes():
    """Return the answers about 26 dishes with short names: a table with a row per answer."""
    food = datasets.fetch_food()
    few = [k for k, name in enumerate(food.names) if 0 < len(name) <= 22][:26]
    about = food.triplets[np.isin(food.triplets, few).all(axis=1)]
    return pd.DataFrame(np.array(food.names)[about], columns=COLUMNS)


def odd_of(places, asked, careless, rng):
    """Return which of three items, 0 to 2, people call the odd one: some of them by chance."""
    # The odd one is opposite the shortest side.
    pairs = places[asked[:, [1, 2, 0]]] - places[asked[:, [2, 0, 1]]]
    odd = (pairs**2).sum(axis=2).argmin(axis=1)
    random = careless | (rng.random(len(asked)) < 0.1)
    return np.where(random, rng.integers(3, size=len(asked)), odd)


def odd_ones():
    """Simulate a file of "odd one out" answers: planted places, and one annotator who guesses."""
    rng = np.random.default_rng(5)
    places = rng.normal(size=(N_ITEMS, 2))
    asked = rng.permuted(np.tile(np.arange(N_ITEMS), (EACH * len(WHO), 1)), axis=1)[:, :3]
    who = np.tile(WHO, EACH)
    odd = odd_of(places, asked, who == GUESSES, rng)
    names = np.array([f"item {k:02d}" for k in range(N_ITEMS)])[asked]
    table = pd.DataFrame(names, columns=["first", "second", "third"])
    table["odd"], table["who"] = names[np.arange(len(who)), odd], who
    return table.to_csv(index=False)


ODD_ONES = odd_ones()


def answered(study, guesses):
    """Answer the questions of a study, "odd one out", in a column ``odd``; one person guesses."""
    rng = np.random.default_rng(0)
    names = study[["first", "second", "third"]].to_numpy(str)
    items = np.unique(names)
    places = rng.normal(size=(len(items), 2))
    careless = study["annotator"].to_numpy() == guesses
    odd = odd_of(places, np.searchsorted(items, names), careless, rng)
    return study.assign(odd=names[np.arange(len(names)), odd])


def share_of_half(drop):
    """Return the share of answers given, of the half that a map has not seen and of its own."""
    answers = read_answers(about_few_dishes(), columns=COLUMNS, drop=drop)
    mixed = np.random.default_rng(0).permutation(answers.triplets)
    halves = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
    options = {"optimizer": "l-bfgs", "init_scale": 0.1, "max_iter": 200, "n_init": 5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = TripletEmbedding("tete", 2, **options, random_state=0).fit(halves[0])
    return [fraction_satisfied(model.embedding_, half) for half in halves[::-1]]


def is_right_1(most):
    """Check the most that a map can give: a function of the share of pairs that agree."""
    found = np.array([most(share) for share in SHARES], dtype=float)
    right = (1 + np.sqrt(2 * SHARES - 1)) / 2
    usual = [("this is the share of pairs that agree", SHARES)]
    usual += [("two wrong answers agree, too, so A is more than q²", np.sqrt(SHARES))]
    usual += [("this is the share of wrong answers", 1 - right)]
    return np.allclose(found, right, rtol=0, atol=0.005) or compared(found, right, usual)


def is_right_2(share):
    """Check the share of unseen answers that a map gives if contradictions are kept."""
    kept, own = share_of_half(())
    usual = {share_of_half("contradictory")[0]: "the share without contradictory answers"}
    usual |= {own: "the share of the answers that the map was fitted to"}
    return agrees(share, kept, usual=usual | {0.5: "what chance gives, and contradictory pairs"})


def is_right_3(n_triplets):
    """Check how many triplets are left in the file without the annotator who guesses."""
    usual = {
        2 * EACH * len(WHO): "these are the triplets of all five",
        EACH * (len(WHO) - 1): "these are answers, and each gives two triplets",
        2 * EACH: "these are the triplets of one person",
        EACH * len(WHO): "these are the answers of all five",
    }
    return n_triplets == 2 * EACH * (len(WHO) - 1) or usual.get(n_triplets, False)
