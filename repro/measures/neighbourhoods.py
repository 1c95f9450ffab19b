"""Measures of neighbourhoods in an embedding."""

import numpy as np

from repro.core.checks import (
    check_count,
    check_labels,
    check_points,
    check_size,
    check_values,
    classes_of,
)
from repro.core.neighbors import k_nearest, nearest_neighbors

# A piece with less than this fraction of its class is not counted.
SMALLEST_PIECE = 0.05


def nearest_neighbor_error(X, labels):
    """Compute the leave-one-out 1-NN error: the fraction of nearest neighbours of another class.

    X is (n, d), labels (n,). Ties go to the smaller index.
    """
    X = check_points(X, "X", min_points=2)
    labels = check_labels(labels, len(X))
    return float((labels[nearest_neighbors(X)] != labels).mean())


def nearest_is_adjacent(X):
    """Compute the fraction of points of a sequence whose nearest neighbour is adjacent in it.

    X, (n, d), is in the order of the sequence. Chance level is 2/n. Ties go to the earlier point.
    """
    X = check_points(X, "X", min_points=3)
    return float(np.mean(np.abs(nearest_neighbors(X) - np.arange(len(X))) == 1))


def neighbor_distance(X, data, n_neighbors=10):
    """Compute the mean distance, in the data, to the nearest neighbours in an embedding.

    X is (n, d), the data (n, D). The distance is in the units of the data. ``n_neighbors`` is less
    than n.
    """
    X, data = check_points(X, "X", min_points=2), check_points(data, "data")
    if len(data) != len(X):
        raise ValueError(f"data must have one row per row of X, {len(X)}, got {len(data)}")
    if check_count(n_neighbors, "n_neighbors") >= len(X):
        raise ValueError(f"n_neighbors must be less than {len(X)}, got {n_neighbors}")
    near, _ = k_nearest(X, n_neighbors, "exact")
    return float(np.mean([np.linalg.norm(data[j] - data, axis=1).mean() for j in near.T]))


def roughness(X, values, labels, n_neighbors=10):
    """Compute the variance of a quantity among neighbours of a class over that in the class.

    Parameters
    ----------
    X : (n, d) array
        The embedding.
    values : (n,) array
    labels : (n,) array
    n_neighbors : int
        Number of neighbours, within the class.

    Returns
    -------
    roughness : float
        The mean over classes: 0 if neighbours have equal values, about 1 by chance.
    """
    X = check_points(X, "X", min_points=3)
    kinds, classes = classes_of(labels, len(X))
    values = check_size(check_values(values, len(X)), "values")
    n_neighbors = check_count(n_neighbors, "n_neighbors", 2)
    ratios = []
    for c, kind in enumerate(kinds):
        own = values[classes == c]
        if len(own) <= n_neighbors or np.ptp(own) == 0:
            raise ValueError(
                f"labels must name classes of more than n_neighbors = {n_neighbors} points that "
                f"differ in their values, but {kind!r} has {len(own)} points, "
                f"{len(np.unique(own))} values"
            )
        among = own[k_nearest(X[classes == c], n_neighbors, "exact")[0]]
        ratios.append(among.var(axis=1, ddof=1).mean() / own.var(ddof=1))
    return float(np.mean(ratios))


def pieces_per_class(X, labels, n_neighbors=10):
    """Compute the mean number of pieces per class in an embedding, without stray points.

    Parameters
    ----------
    X : (n, d) array
        The embedding.
    labels : (n,) array
    n_neighbors : int
        Number of neighbours within the class to which each point is joined; pieces are the
        connected components of this graph.

    Returns
    -------
    pieces : float
        The mean over classes of the number of pieces with at least a twentieth of their class; 1
        if no class is split.
    """
    from scipy.sparse.csgraph import connected_components

    X = check_points(X, "X", min_points=2)
    (kinds, classes), counts = classes_of(labels, len(X)), []
    n_neighbors = check_count(n_neighbors, "n_neighbors")
    for c in range(len(kinds)):
        own = X[classes == c]
        graph = graph_of_nearest(own, n_neighbors) if len(own) > 1 else np.zeros((1, 1))
        piece = connected_components(graph, directed=False)[1]
        counts.append((np.bincount(piece) >= SMALLEST_PIECE * len(own)).sum())
    return float(np.mean(counts))


def graph_of_nearest(X, n_neighbors):
    """Build the graph of ``n_neighbors`` or fewer neighbours: (n, n) csr_array of distances."""
    from scipy.sparse import csr_array

    n, k = len(X), min(n_neighbors, len(X) - 1)
    near, D2 = k_nearest(X, k, "exact")
    return csr_array((np.sqrt(D2).ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
