"""Measures of objects that turn: which views lie together, within a class and across classes."""

import numpy as np

from repro.core.checks import check_labels, check_points

# The steps of a full turn, 5° each in COIL-20.
TURN = 72


def view_distance_ratio(X, labels, views):
    """Mean distance of the same view in different classes over that of adjacent views in one.

    Small where classes share one curve of views; the views of a class are taken in steps of one.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array
        The class (object) of each point.
    views : (n,) int array
        The number of each view, counted in steps; a class has each view at most once. There must be
        adjacent ones, and some that two classes share.

    Returns
    -------
    ratio : float
    """
    X = check_points(X, "X", min_points=2)
    by_class = _by_class(X, labels, views)
    same, adjacent = [], []
    for c, points in by_class.items():
        adjacent += [
            np.linalg.norm(p - points[v + 1]) for v, p in points.items() if v + 1 in points
        ]
        for other, others in by_class.items():
            if c < other:
                same += [np.linalg.norm(p - others[v]) for v, p in points.items() if v in others]
    if not same or not adjacent:
        raise ValueError("views must hold adjacent views, and views that two classes share")
    return _ratio(same, adjacent)


def view_match(X, labels, views):
    """Mean distance of the same view in different classes over that of different views in them.

    0 where classes share one curve of views; 1 where views tell nothing, as after a shuffle. For
    the arguments see `view_distance_ratio`; there must be views that two classes share, and others.
    """
    X = check_points(X, "X", min_points=2)
    by_class = _by_class(X, labels, views)
    same, different = [], []
    for c, points in by_class.items():
        for other, others in by_class.items():
            if c < other:
                for v, p in points.items():
                    for w, q in others.items():
                        (same if v == w else different).append(np.linalg.norm(p - q))
    if not same or not different:
        raise ValueError("views must hold views that two classes share, and others")
    return _ratio(same, different)


def _ratio(distances, others):
    """Ratio of two means of distances in an embedding."""
    if np.mean(others) == 0:
        raise ValueError("X must not have all views of a class in one place")
    return float(np.mean(distances) / np.mean(others))


def view_gap(a, b):
    """Count the steps from one view to another, of 72 in a full turn, the shorter way around.

    a and b are int arrays that broadcast.
    """
    gap = np.abs(np.subtract(a, b)) % TURN
    return np.minimum(gap, TURN - gap)


def neighbor_views(X, labels, views, asked):
    """Find the view of the nearest neighbour, in each other class, of the points of one class.

    Parameters
    ----------
    X, labels, views
        See `view_distance_ratio`; two classes at least.
    asked : label
        The class whose m points look for their neighbours.

    Returns
    -------
    found : (C - 1, m) int array
        A row for each other class, in sorted order. Ties go to the smaller index.
    """
    X = check_points(X, "X", min_points=2)
    labels = check_labels(labels, len(X))
    views = check_labels(views, len(X), "views")
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError("labels must name at least two classes")
    if asked not in classes:
        raise ValueError(f"asked must be one of the labels, got {asked!r}")
    found = []
    for c in classes[classes != asked]:
        D = np.linalg.norm(X[labels == asked][:, None] - X[labels == c][None], axis=2)
        found.append(views[labels == c][D.argmin(axis=1)])
    return np.array(found)


def view_error(X, labels, views):
    """Mean error of the view of the nearest neighbour in each other class, in steps of `view_gap`.

    For the arguments see `neighbor_views`.
    """
    labels, views = np.asarray(labels), np.asarray(views)
    gaps = [
        view_gap(neighbor_views(X, labels, views, c), views[labels == c]).ravel()
        for c in np.unique(labels)
    ]
    return float(np.concatenate(gaps).mean())


def view_scores(X, labels, views):
    """Return the three scores of views by name.

    They are "same over adjacent" (`view_distance_ratio`), "same over other" (`view_match`) and
    "view error" (`view_error`); for the arguments see there.
    """
    return {
        "same over adjacent": view_distance_ratio(X, labels, views),
        "same over other": view_match(X, labels, views),
        "view error": view_error(X, labels, views),
    }


def _by_class(X, labels, views):
    labels = check_labels(labels, len(X))
    views = check_labels(views, len(X), "views")
    by_class = {}
    for x, c, v in zip(X, labels.tolist(), views.tolist(), strict=True):
        points = by_class.setdefault(c, {})
        if v in points:
            raise ValueError(f"views must not repeat within a class, but class {c!r} has {v} twice")
        points[v] = x
    return by_class
