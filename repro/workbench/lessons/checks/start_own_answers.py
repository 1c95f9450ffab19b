"""The checks of the exercises of the lesson on own answers, and the file they use."""

import io

import numpy as np
import pandas as pd

from repro.answers import read_answers, report_answers

N_ITEMS, EACH = 15, 120  # items; answers of each annotator
WHO = ["Ana", "Ben", "Chi", "Dov", "Eva"]
GUESSES = "Chi"


def odd_ones():
    """Simulate a file of "odd one out" answers: planted places, and one annotator who guesses."""
    rng = np.random.default_rng(5)
    places = rng.normal(size=(N_ITEMS, 2))
    asked = rng.permuted(np.tile(np.arange(N_ITEMS), (EACH * len(WHO), 1)), axis=1)[:, :3]
    who = np.tile(WHO, EACH)
    # The odd one is opposite the shortest side.
    pairs = places[asked[:, [1, 2, 0]]] - places[asked[:, [2, 0, 1]]]
    odd = (pairs**2).sum(axis=2).argmin(axis=1)
    random = (who == GUESSES) | (rng.random(len(who)) < 0.1)
    odd = np.where(random, rng.integers(3, size=len(who)), odd)
    names = np.array([f"item {k:02d}" for k in range(N_ITEMS)])[asked]
    table = pd.DataFrame(names, columns=["first", "second", "third"])
    table["odd"], table["who"] = names[np.arange(len(who)), odd], who
    return table.to_csv(index=False)


ODD_ONES = odd_ones()


def is_right_1(minutes):
    """Check how long 20 answers for each of 100 items and two dimensions take, 8 seconds each."""
    return abs(minutes - 20 * 100 * 2 * 8 / 60) < 1


def is_right_2(n_triplets):
    """Check how many triplets the file gives."""
    return n_triplets == 2 * EACH * len(WHO)


def is_right_3(name):
    """Check whose answers are predicted worst by maps of the others' answers."""
    answers = read_answers(io.StringIO(ODD_ONES), "odd one out", annotator="who")
    report = report_answers(answers, n_components=2, n_samples=2, random_state=0)
    return name == report.annotators_["accuracy"].idxmin()
