"""Which points an embedding puts beside each other."""

import numpy as np

from repro.core.checks import check_count, check_finite, check_labels, check_points
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
    labels, values = check_labels(labels, len(X)), check_labels(values, len(X), "values")
    values = check_finite(values, "values")
    n_neighbors = check_count(n_neighbors, "n_neighbors", 2)
    ratios = []
    for c in np.unique(labels):
        own = values[labels == c]
        if len(own) <= n_neighbors or np.ptp(own) == 0:
            raise ValueError(
                f"labels must name classes of more than n_neighbors = {n_neighbors} points that "
                f"differ in their values, but {c!r} has {len(own)} points, "
                f"{len(np.unique(own))} values"
            )
        among = own[k_nearest(X[labels == c], n_neighbors, "exact")[0]]
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
    from sklearn.neighbors import kneighbors_graph

    X = check_points(X, "X", min_points=2)
    labels, counts = check_labels(labels, len(X)), []
    for c in np.unique(labels):
        own = X[labels == c]
        k = min(check_count(n_neighbors, "n_neighbors"), len(own) - 1)
        piece = connected_components(kneighbors_graph(own, k), directed=False)[1] if k else [0]
        counts.append((np.bincount(piece) >= SMALLEST_PIECE * len(own)).sum())
    return float(np.mean(counts))
