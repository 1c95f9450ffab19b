"""What losses of triplets share: functions of two squared distances, summed over triplets."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from repro._check import check_choice, check_outcome, check_points
from repro.tiles import MOST_DIMENSIONS
from repro.triplets import as_triplet_set

try:
    from repro import tripletwise
except ImportError:  # numba is missing: the NumPy lines below do the same, more slowly
    tripletwise = None

BACKENDS = ("numba", "numpy") if tripletwise else ("numpy",)


class Ranking(NamedTuple):
    """A loss of triplets, as NumPy and as the compiled loop take it.

    Attributes
    ----------
    formula : callable
        From the arrays near = |y_i - y_j|² and far = |y_i - y_k|² to the losses and their slopes
        by near and by far.
    shape : dict
        The entries of `repro.tripletwise.Shape`.
    """

    formula: Callable
    shape: dict


def ranking_loss(Y, triplets, weights, ranking, backend=None):
    """Sum a loss over triplets, with checks.

    Parameters
    ----------
    Y : (n, d) array
        The points.
    triplets : (T, 3) integer array or TripletSet
        Wrap an array once in `TripletSet` when calling more than once: checking and sorting it
        costs more than a call.
    weights : (T,) array or None
        Not negative.
    ranking : Ranking
    backend : {"numba", "numpy"}, optional

    Returns
    -------
    loss : float
    gradient : (n, d) float64 array
    """
    Y = check_points(Y, "Y", min_points=3)
    triplets = as_triplet_set(triplets, weights, len(Y))
    backend = choose_backend(backend)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return check_outcome(ranking_value_and_gradient(Y, triplets, ranking, backend), "Y")


def first_steps(optimizer, triplets):
    """Options of gradient descent as the t-ETE authors' code has them; none of other optimisers."""
    if optimizer != "gd":
        return {}
    step = 2 * triplets.n_items / triplets.total_weight
    return {"step": step, "grow": 1.01, "shrink": 0.5, "keep_rises": True}


def choose_backend(backend):
    """Return the backend to use; None means the fastest there is."""
    return BACKENDS[0] if backend is None else check_choice(backend, "backend", BACKENDS)


def ranking_value_and_gradient(Y, triplets, ranking, backend):
    """`ranking_loss` without its checks: what an optimiser calls."""
    if backend == "numba" and Y.shape[1] <= MOST_DIMENSIONS:
        shape = tripletwise.Shape(**ranking.shape)
        return tripletwise.triplet_sums(Y, *triplets.columns, shape)
    return ranking_numpy(Y, triplets, ranking)


def ranking_numpy(Y, triplets, ranking):
    """Sum a loss over triplets as written: by rows, and the forces added point by point."""
    i, j, k = triplets.triplets.T
    to_near, to_far = Y[i] - Y[j], Y[i] - Y[k]
    loss, by_near, by_far = ranking.formula((to_near**2).sum(axis=1), (to_far**2).sum(axis=1))
    if triplets.weights is not None:
        loss, by_near, by_far = (triplets.weights * x for x in (loss, by_near, by_far))
    pull, push = 2 * by_near[:, None] * to_near, 2 * by_far[:, None] * to_far
    gradient = np.zeros_like(Y)
    for items, force in ((i, pull + push), (j, -pull), (k, -push)):
        np.add.at(gradient, items, force)
    return float(loss.sum()), gradient
