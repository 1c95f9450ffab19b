"""Measures of neighbourhoods in an embedding."""

import numpy as np

from repro.core.checks import check_count, check_points, check_size, check_values, classes_of
from repro.core.distances import is_constant
from repro.core.neighbors import k_nearest, nearest_neighbors


def nearest_neighbor_error(X, labels):
    """Compute the leave-one-out 1-NN error: the fraction of nearest neighbours of another class.

    X is (n, d), labels (n,). Ties go to the smaller index.
    """
    X = check_points(X, "X", min_points=2)
    classes = classes_of(labels, len(X))[1]
    return float((classes[nearest_neighbors(X)] != classes).mean())


def roughness(X, values, labels, n_neighbors=10):
    """Compute the variance of a quantity among neighbours of a class over that in the class.

    X is the embedding, (n, d); values and labels are (n,); the ``n_neighbors`` of a point are those
    in its class. Returns the mean over classes: 0 if neighbours have equal values, about 1 by
    chance.
    """
    X = check_points(X, "X", min_points=3)
    kinds, classes = classes_of(labels, len(X))
    values = check_size(check_values(values, len(X)), "values")
    n_neighbors = check_count(n_neighbors, "n_neighbors", 2)
    ratios = []
    for c, kind in enumerate(kinds):
        own = values[classes == c]
        if len(own) <= n_neighbors or is_constant(own):
            raise ValueError(
                f"labels must name classes of more than n_neighbors = {n_neighbors} points that "
                f"differ in their values, but {kind!r} has {len(own)} points, "
                f"{len(np.unique(own))} values"
            )
        among = own[k_nearest(X[classes == c], n_neighbors, "exact")[0]]
        ratios.append(among.var(axis=1, ddof=1).mean() / own.var(ddof=1))
    return float(np.mean(ratios))
