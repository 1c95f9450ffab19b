"""Measures of turning objects: which views lie together, within an object and across objects.

X holds an embedding, (n, d), ``labels`` the object of each point, ``views`` the number of each view
in steps of 5°. A view occurs once per object.
"""

import numpy as np
from scipy.spatial.distance import cdist, pdist

TURN = 72  # steps in a full turn
CLEANLY = 2.5  # steps: the largest error of a turn that is captured cleanly; 10 by chance


def view_gap(a, b):
    """Count the steps from one view to another, the shorter way around; arrays broadcast."""
    gap = np.subtract(a, b) % TURN
    return np.minimum(gap, TURN - gap)


def neighbor_views(X, labels, views, query):
    """Find the view of the nearest neighbour, in each other object, of the m points of one object.

    Return a (C - 1, m) array with a row per other object, in sorted order.
    """
    D = cdist(X[labels == query], X)
    others = [labels == c for c in np.unique(labels) if c != query]
    return np.array([views[members][D[:, members].argmin(axis=1)] for members in others])


def view_error(X, labels, views):
    """Compute the mean `view_gap` to the view of the nearest neighbour in each other object."""
    gaps = [
        view_gap(neighbor_views(X, labels, views, c), views[labels == c]).ravel()
        for c in np.unique(labels)
    ]
    return np.concatenate(gaps).mean()


def _pairs(X, labels, views):
    """Return the distance of each pair, whether it is of one object, and the steps between."""
    i, j = np.triu_indices(len(X), 1)
    return pdist(X), labels[i] == labels[j], np.abs(views[i] - views[j])


def view_distance_ratio(X, labels, views):
    """Compute the mean distance of equal views of two objects over that of adjacent views of one.

    It is small if the objects share one curve of views.
    """
    D, is_one, steps = _pairs(X, labels, views)
    return D[~is_one & (steps == 0)].mean() / D[is_one & (steps == 1)].mean()


def view_match(X, labels, views):
    """Compute the mean distance, across objects, of equal views over that of different views.

    It is 0 if the objects share one curve of views, and 1 by chance.
    """
    D, is_one, steps = _pairs(X, labels, views)
    return D[~is_one & (steps == 0)].mean() / D[~is_one & (steps > 0)].mean()


def view_scores(X, labels, views):
    """Return `view_distance_ratio`, `view_match` and `view_error` by the names of their scores."""
    return {
        "same over adjacent": view_distance_ratio(X, labels, views),
        "same over other": view_match(X, labels, views),
        "view error": view_error(X, labels, views),
    }
