"""The checks of the exercises of t-ETE Section 1."""

import numpy as np

from repro.experiments import tete_sec1_circle as experiment
from repro.workbench.lessons import compared

SEED = 305191  # of the run that the lesson shows
PLACES = [0, 1, 2, 3.5], [0, 1, 5, 2], [0, 2, 3, 1.5]
CASES = (0.2, 1.0), (0.2, 1.5), (0.4, 1.25), (0.3, 1.75)


def violated(y, steps=(1, 3), equal=True):
    """Count the constraints of four corners that the places y on a line violate."""
    triplets = [(i, (i + step) % 4, (i + 2) % 4) for i in range(4) for step in steps]
    near, far = np.abs([(y[i] - y[j], y[i] - y[k]) for i, j, k in triplets]).T
    return int((near >= far if equal else near > far).sum())


def surest(q, t):
    """Compute the odds p / (1 − p) of least mean cost, if a share q is wrong."""
    return ((1 - q) / q) ** (1 / (2 - t))


def is_right_1(count):
    """Check the count of violated constraints of four corners on a line."""
    places = [np.array(y) for y in PLACES]
    found, right = [count(y) for y in places], [violated(y) for y in places]
    if found == [8 - number for number in right]:
        return "these are the satisfied constraints"
    if found == [violated(y, equal=False) for y in places]:
        return "if j and k are equally far, j is not nearer"
    if found == [violated(y, steps=(1,)) for y in places]:
        return "each corner has two neighbours, so there are eight constraints"
    return found == right


def is_right_2(best):
    """Check the p of least mean cost: a function of the wrong share q and the temperature t."""
    found, odds = np.array([best(q, t) for q, t in CASES]), np.array([surest(*c) for c in CASES])
    right, wrong = odds / (1 + odds), np.array([q for q, _ in CASES])
    usual = [("these are the odds, p divided by 1 − p", odds)]
    usual += [("this is the p of t-STE, whatever t is", 1 - wrong)]
    usual += [("this is the p that is given to the wrong triplets", 1 - right)]
    return np.allclose(found, right, rtol=0, atol=0.005) or compared(found, right, usual)


def is_right_3(places):
    """Check an embedding of digits: local scale is kept, neighbours are not."""
    choices = experiment.Choices()
    X = experiment.draw_set("MNIST", choices.n_of_set, SEED)
    spacing, near = (experiment.local_scale(places, X, of) for of in ("spacing", "neighbours"))
    if spacing > 0.9 and near >= 0.1:
        return f"the local scale is {spacing:.2f}, but {near:.0%} of the neighbours are kept"
    if spacing <= 0.9 and near < 0.1:
        return f"few neighbours are kept, but the local scale is only {spacing:.2f}"
    return bool(spacing > 0.9) and bool(near < 0.1)
