"""The checks of the exercises of t-ETE Section 6."""

import numpy as np
from sklearn.manifold import trustworthiness

from repro.datasets import make_surface
from repro.experiments import without_warning
from repro.tete import WeightedTETE
from repro.workbench.lessons import agrees, compared


def is_right_1(effective):
    """Check the effective number of triplets, a function of their weights, as a share of all."""
    half, ramp = np.r_[np.ones(50), np.zeros(50)], np.arange(1, 10)
    known = (half, 1 / 2), (7 * half, 1 / 2), (7 * half + 7, 0.9), (ramp, 45**2 / 285 / 9)
    found = np.array([effective(weights) for weights, _ in known])
    shares = np.array([share for _, share in known])
    itself = "this is the effective number itself, not divided by the number of triplets"
    return compared(found, shares, [(itself, shares * [len(weights) for weights, _ in known])])


def is_right_2(soft):
    """Check weights log(1 + ω) over their largest, a function of log ω."""
    logs = np.array([-800.0, -1.0, 0.0, 3.0, 900.0])
    whole = np.logaddexp(0, logs)
    found = np.asarray(soft(logs))
    if not np.isfinite(found).all():
        return "a weight is infinite or no number, because ω overflows"
    return compared(found, whole / 900, [("these weights are not divided by the largest", whole)])


@without_warning("the loss|item|the largest")
def is_right_3(trust):
    """Check the trustworthiness of a map of the sphere from three triplets for a point."""
    X = make_surface("sphere", 1000, 0).X
    of = WeightedTETE(n_neighbors=3, n_outliers=1, max_iter=300, random_state=0)
    expected = trustworthiness(X, of.fit_transform(X), n_neighbors=12)
    return agrees(trust, expected)
