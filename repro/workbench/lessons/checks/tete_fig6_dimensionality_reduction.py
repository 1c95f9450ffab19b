"""The checks of the exercises of t-ETE Figure 6."""

import numpy as np

from repro.tete import tete_loss
from repro.workbench.lessons import compared


def _example():
    """Return a map of 20 points and 61 triplets."""
    rng = np.random.default_rng(0)
    triplets = np.array([rng.permutation(20)[:3] for _ in range(61)])
    return rng.normal(size=(20, 2)), triplets


def is_right_1(share):
    """Check the share of triplets that a map violates, a function of both."""
    Y, triplets = _example()
    i, j, k = Y[triplets].transpose(1, 0, 2)
    near, far = (((i - other) ** 2).sum(axis=1) for other in (j, k))
    found = np.asarray(share(Y, triplets)).item()
    violated = (near > far).mean()
    usual = [("this is the share of triplets that are satisfied", 1 - violated)]
    usual += [("this is a number of triplets, not their share", (near > far).sum())]
    return compared(found, violated, usual)


def is_right_2(descend):
    """Check a descent with momentum: a function of start, triplets, weights and steps."""
    start, triplets = _example()
    weights = np.linspace(0.5, 1.5, len(triplets))

    def losses(momentum, sign=-1):
        Y, step, move, path = start, 2 * len(start) / weights.sum() / 1.01, 0, []
        for _ in range(31):
            loss, gradient = tete_loss(Y, triplets, t=2.0, weights=weights)
            step *= 1.01 if not path or loss < path[-1] else 0.5
            path.append(loss)
            move = momentum * move + sign * step * gradient
            Y = Y + move
        return path

    path = descend(start.copy(), triplets, weights, 30)
    found = [loss for loss, _ in path]
    if len(found) != 31:
        return f"a path of 30 steps has 31 places, with the start; this one has {len(found)}"
    usual = [("this descends without momentum", losses(0)), ("this climbs", losses(0.8, 1))]
    return compared(found, losses(0.8), usual)


def is_right_3(steps):
    """Check after how many steps a descent is below all of another, a function of both losses."""
    slow, fast = 0.99 ** np.arange(200), 0.9 ** np.arange(50)
    last = slow.copy()
    last[-1] = 2.0  # the last loss need not be the lowest
    known = (slow, fast, 19), (last, fast, 19), (slow[:11], fast, 1), (slow[:1], slow, 1)
    found = [steps(first, second) for first, second, _ in known]
    right = [k for *_, k in known]
    if found == [k + 1 for k in right]:
        return "the loss at the start belongs to no step, so this is one too many"
    if found[0] == right[0] and found[1] != right[1]:
        return "the last loss of the slow descent need not be its lowest"
    return found == right
