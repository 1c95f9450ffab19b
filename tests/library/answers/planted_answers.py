"""Simulated answers about known places, some of them wrong."""

import numpy as np
import pandas as pd

from repro.answers.reading import KINDS


def planted_answers(n, d, n_answers, wrong, rng, kind="triplets", asked=None):
    """Draw places, (n, d), and a table of answers about random items for `read_answers`.

    A wrong answer is another option, at random. ``asked``, (n_answers, 3), are the items of the
    questions, by default drawn at random. Items are named i00, i01, …
    """
    X = rng.normal(size=(n, d))
    if asked is None:
        asked = rng.random((n_answers, n)).argsort(axis=1)[:, :3]
    sides = np.stack(
        [((X[asked[:, a]] - X[asked[:, b]]) ** 2).sum(axis=1) for a, b in ((1, 2), (0, 2), (0, 1))],
        axis=1,
    )  # opposite to each item
    is_wrong = rng.random(len(asked)) < wrong
    if kind == "triplets":
        swap = (sides[:, 2] > sides[:, 1]) ^ is_wrong
        cells = np.where(swap[:, None], asked[:, [0, 2, 1]], asked)
    else:
        chosen = sides.argmin(axis=1) if kind == "odd one out" else sides.argmax(axis=1)
        chosen = (chosen + is_wrong * rng.integers(1, 3, len(asked))) % 3
        cells = np.column_stack([asked, asked[np.arange(len(asked)), chosen]])
    names = np.array([f"i{item:02d}" for item in range(n)])
    return X, pd.DataFrame(names[cells], columns=KINDS[kind][: cells.shape[1]])
