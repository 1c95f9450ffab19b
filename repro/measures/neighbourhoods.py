"""Which points an embedding puts beside each other."""

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

# A piece that holds less than this share of its class is not counted.
SMALLEST_PIECE = 0.05


def nearest_neighbor_error(X, labels):
    """Share of the points whose nearest other point has another label (leave-one-out 1-NN error).

    X is (n, d), labels (n,). Of equally near points, that with the smaller index counts.
    """
    X = check_points(X, "X", min_points=2)
    labels = check_labels(labels, len(X))
    return float((labels[nearest_neighbors(X)] != labels).mean())


def nearest_is_adjacent(X):
    """Share of the points of a sequence whose nearest neighbour comes just before or after.

    X, (n, d), is in the order of the sequence. 2/n for a shuffled one. Ties go to the earlier.
    """
    X = check_points(X, "X", min_points=3)
    return float(np.mean(np.abs(nearest_neighbors(X) - np.arange(len(X))) == 1))


def neighbor_distance(X, data, n_neighbors=10):
    """Mean distance, in the data, of each point to its nearest neighbours in an embedding.

    X is (n, d), the data (n, D), and the distance in the units of the data.
    """
    data = check_points(data, "data")
    if len(data) != len(X):
        raise ValueError(f"data must have one row per row of X, {len(X)}, got {len(data)}")
    near, _ = k_nearest(X, n_neighbors, "exact")
    return float(np.mean([np.linalg.norm(data[j] - data, axis=1).mean() for j in near.T]))


def roughness(X, values, labels, n_neighbors=10):
    """Variance of a quantity among neighbours of one class, over its variance in that class.

    Parameters
    ----------
    X : (n, d) array
        The embedding.
    values : (n,) array
    labels : (n,) array
    n_neighbors : int
        Neighbours are looked for within the class.

    Returns
    -------
    roughness : float
        The mean over classes: 0 if neighbours are equal, about 1 in a shuffled embedding.
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
    """Count the pieces into which an embedding breaks the classes, strays apart.

    Parameters
    ----------
    X : (n, d) array
        The embedding.
    labels : (n,) array
    n_neighbors : int
        A piece is what hangs together in the graph that joins each point to so many nearest
        neighbours of its class.

    Returns
    -------
    pieces : float
        The mean over classes of the pieces with at least a twentieth of their class; 1 if all are
        in one piece.
    """
    from scipy.sparse.csgraph import connected_components

    X = check_points(X, "X", min_points=2)
    (kinds, classes), counts = classes_of(labels, len(X)), []
    n_neighbors = check_count(n_neighbors, "n_neighbors")
    for c in range(len(kinds)):
        own = X[classes == c]
        graph = graph_of_nearest(own, n_neighbors) if len(own) > 1 else [[0]]
        piece = connected_components(graph, directed=False)[1]
        counts.append((np.bincount(piece) >= SMALLEST_PIECE * len(own)).sum())
    return float(np.mean(counts))


def graph_of_nearest(X, n_neighbors):
    """Join each point to its nearest others, all at most: an (n, n) csr_array of distances."""
    from scipy.sparse import csr_array

    n, k = len(X), min(n_neighbors, len(X) - 1)
    near, D2 = k_nearest(X, k, "exact")
    return csr_array((np.sqrt(D2).ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
