"""Simulated answers about known places, some of them wrong."""

import numpy as np
import pandas as pd

from repro.answers.reading import KINDS


def planted_answers(
    n, d, n_answers, wrong, rng, kind="triplets", asked=None, *, slope=None, people=0, differ=0.0
):
    """Draw places, (n, d), and a table of answers about random items for `read_answers`.

    A wrong answer is another option, at random; or, with a ``slope``, an answer is more often
    wrong if it is hard: its probability is proportional to exp(-slope · distance), where the
    distance is that of the two items that the answer puts together. ``asked``, (n_answers, 3), are
    the items of the questions, by default drawn at random. Items are named i00, i01, … Each of the
    ``people`` ("who") answers equally often, and sees places of his own, which ``differ`` from the
    common ones by normal numbers of that standard deviation.
    """
    X = rng.normal(size=(n, d))
    if asked is None:
        asked = rng.random((n_answers, n)).argsort(axis=1)[:, :3]
    who = np.arange(len(asked)) % max(people, 1)
    own = X + differ * rng.normal(size=(people, n, d)) if people else X[None]
    A, B, C = (own[who, asked[:, k]] for k in range(3))
    # opposite to each item
    sides = np.stack([((P - Q) ** 2).sum(axis=1) for P, Q in ((B, C), (A, C), (A, B))], axis=1)
    if slope is not None:
        wrong = 0
        # The largest of logits with Gumbel noise is drawn with the probabilities above.
        sides = np.sqrt(sides) - rng.gumbel(size=sides.shape) / slope
    is_wrong = rng.random(len(asked)) < wrong
    if kind == "triplets":
        swap = (sides[:, 2] > sides[:, 1]) ^ is_wrong
        cells = np.where(swap[:, None], asked[:, [0, 2, 1]], asked)
    else:
        chosen = sides.argmin(axis=1) if kind == "odd one out" else sides.argmax(axis=1)
        chosen = (chosen + is_wrong * rng.integers(1, 3, len(asked))) % 3
        cells = np.column_stack([asked, asked[np.arange(len(asked)), chosen]])
    names = np.array([f"i{item:02d}" for item in range(n)])
    table = pd.DataFrame(names[cells], columns=KINDS[kind][: cells.shape[1]])
    if people:
        table["who"] = [f"p{k:02d}" for k in who]
    return X, table
