"""Measures of rotating objects: which views lie together, within a class and across classes."""

import numpy as np
from scipy.spatial.distance import cdist, pdist

from repro.core.checks import check_finite, check_labels, check_points, check_values, classes_of
from repro.core.memory import check_memory

# Number of steps in a full turn, 5° each in COIL-20.
TURN = 72
# Float64 numbers of steps are exact up to this.
MOST_STEPS = 2**53


def view_distance_ratio(X, labels, views):
    """Compute the mean distance of equal views across classes over that of adjacent views in one.

    It is small if classes share one curve of views. Adjacent views differ by one step.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array
        The class (object) of each point.
    views : (n,) int array
        The number of each view, in steps; each view occurs at most once per class. There must be
        adjacent views, and views that two classes share.

    Returns
    -------
    ratio : float
    """
    D, of_one, steps = _pairs(X, labels, views)
    same, adjacent = D[~of_one & (steps == 0)], D[of_one & (steps == 1)]
    if not same.size or not adjacent.size:
        raise ValueError("views must hold adjacent views, and views that two classes share")
    return _ratio(same, adjacent)


def view_match(X, labels, views):
    """Compute the mean distance, across classes, of equal views over that of different views.

    It is 0 if classes share one curve of views, and 1 by chance. For the arguments see
    `view_distance_ratio`; there must be views that two classes share, and others.
    """
    D, of_one, steps = _pairs(X, labels, views)
    same, different = D[~of_one & (steps == 0)], D[~of_one & (steps > 0)]
    if not same.size or not different.size:
        raise ValueError("views must hold views that two classes share, and others")
    return _ratio(same, different)


def _pairs(X, labels, views):
    """Return the distance of each pair, whether it is of one class, and the steps between them."""
    X = check_points(X, "X", min_points=2)
    check_memory(len(X), 4)
    (kinds, classes), views = classes_of(labels, len(X)), check_values(views, len(X), "views")
    i, j = np.triu_indices(len(X), 1)
    of_one, steps = classes[i] == classes[j], np.abs(views[i] - views[j])
    if (of_one & (steps == 0)).any():
        twice = i[(of_one & (steps == 0)).argmax()]
        raise ValueError(
            f"views must not repeat within a class, but class {kinds[classes[twice]]!r} has "
            f"{views[twice]:g} twice"
        )
    return pdist(X), of_one, steps


def _ratio(distances, others):
    """Return the ratio of two mean distances in an embedding."""
    if others.mean() == 0:
        raise ValueError("X must not have all views of a class in one place")
    return float(distances.mean() / others.mean())


def view_gap(a, b):
    """Count the steps from one view to another, of 72 in a full turn, the shorter way around.

    ``a`` and ``b`` are int arrays that broadcast.
    """
    a, b = _check_steps(a, "a"), _check_steps(b, "b")
    gap = np.subtract(a, b, dtype=np.int64, casting="unsafe") % TURN
    return np.minimum(gap, TURN - gap)


def _check_steps(views, name):
    views = check_finite(views, name)
    if (views != np.round(views)).any() or (np.abs(views) > MOST_STEPS).any():
        raise ValueError(f"{name} must hold whole numbers of steps, at most {MOST_STEPS:.0g}")
    return views


def neighbor_views(X, labels, views, asked):
    """Find the view of the nearest neighbour, in each other class, of the points of one class.

    Parameters
    ----------
    X, labels, views
        See `view_distance_ratio`; at least two classes.
    asked : label
        The class of the m query points.

    Returns
    -------
    found : (C - 1, m) int array
        One row per other class, in sorted order. Ties go to the smaller index.
    """
    X = check_points(X, "X", min_points=2)
    kinds, classes = classes_of(labels, len(X))
    views = _check_steps(check_labels(views, len(X), "views"), "views")
    if len(kinds) < 2:
        raise ValueError("labels must name at least two classes")
    own = np.flatnonzero([kind == asked for kind in kinds])
    if not len(own):
        raise ValueError(f"asked must be one of the labels, got {asked!r}")
    check_memory(np.count_nonzero(classes == own), 2, columns=len(X))
    D, others = cdist(X[classes == own], X), np.delete(np.arange(len(kinds)), own)
    return np.array([views[classes == c][D[:, classes == c].argmin(axis=1)] for c in others])


def view_error(X, labels, views):
    """Compute the mean `view_gap` to the view of the nearest neighbour in each other class.

    For the arguments see `neighbor_views`.
    """
    views, (kinds, classes) = check_labels(views, name="views"), classes_of(labels)
    gaps = [
        view_gap(neighbor_views(X, classes, views, c), views[classes == c]).ravel()
        for c in range(len(kinds))
    ]
    return float(np.concatenate(gaps).mean())


def view_scores(X, labels, views):
    """Return the three view scores by name.

    They are "same over adjacent" (`view_distance_ratio`), "same over other" (`view_match`) and
    "view error" (`view_error`); see these functions for the arguments.
    """
    return {
        "same over adjacent": view_distance_ratio(X, labels, views),
        "same over other": view_match(X, labels, views),
        "view error": view_error(X, labels, views),
    }
