"""The checks of the exercises of t-ETE Figure 6."""

import numpy as np

from repro.datasets import make_sphere
from repro.experiments import without_warning
from repro.tete import WeightedTETE


def is_right_1(effective):
    """Check the effective number of triplets, a function of their weights, as a share of all."""
    half, ramp = np.r_[np.ones(50), np.zeros(50)], np.arange(1, 10)
    known = (half, 1 / 2), (7 * half, 1 / 2), (7 * half + 7, 0.9), (ramp, 45**2 / 285 / 9)
    return all(np.isclose(effective(weights), share) for weights, share in known)


@without_warning()
def is_right_2(trust):
    """Check the trustworthiness of the map of a sphere without a bias."""
    from sklearn.manifold import trustworthiness

    X = make_sphere(1000, 0).X
    Y = WeightedTETE(bias=0.0, max_iter=300, random_state=0).fit_transform(X)
    return abs(trust - trustworthiness(X, Y, n_neighbors=12)) < 0.001


def is_right_3(steps):
    """Check after how many steps a descent is below all of another, a function of both losses."""
    slow, fast = 0.99 ** np.arange(200), 0.9 ** np.arange(50)
    last = slow.copy()
    last[-1] = 2.0  # the last loss need not be the lowest
    known = (slow, fast, 19), (last, fast, 19), (slow[:11], fast, 1), (slow[:1], slow, 1)
    return all(steps(first, second) == k for first, second, k in known)
