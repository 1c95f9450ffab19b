"""Turning objects of COIL-20, embedded by KIE with what is known about them."""

from functools import cache

import numpy as np

from repro.core.estimator import options_of
from repro.datasets import fetch_coil20
from repro.experiments.claims import choice
from repro.kie import KIE, ConditionalKIE


def penalty_over_n():
    """Declare whether λ is divided by the number of points, as `fit` does it."""
    # The second 1/N in print counts as an error, as the author's code has only one (ERRATA.md).
    return choice(
        False,
        paper="Sec. 2.1: λ/N tr C_Z",
        ours="λ times the mean over points of Σ z², which is λ tr C_Z",
        sensitivity={True: "λ itself is divided by the number of points"},
    )


@cache
def load_objects(objects, n_views):
    """Fetch the first views of some objects; return also the object and view of each image."""
    X = fetch_coil20(objects=objects, views=range(n_views)).X
    return X, np.repeat(np.arange(len(objects)), n_views), np.tile(np.arange(n_views), len(objects))


def fit(choices, X, seed, known=None, h=None):
    """Fit KIE to images, told nothing or, with the bandwidth h, what is known about each."""
    options = options_of(KIE, choices) | {"random_state": seed}
    if choices.penalty_over_n:
        options["penalty"] /= len(X)
    if known is None:
        return KIE(**options).fit(X)
    return ConditionalKIE(condition_bandwidth=h, **options).fit(X, known)
