"""Measures of global structure in an embedding: its distances; and the chance level of measures."""

import numpy as np

from repro.core.checks import check_count, check_generator, check_points, check_square
from repro.core.distances import row_squared_distances, squared_distances
from repro.core.memory import check_memory
from repro.core.neighbors import k_nearest
from repro.measures.axes import spearman


def geodesic_distances(X, n_neighbors=12):
    """Compute the lengths of shortest paths between points in the neighbour graph.

    X is (n, D), points of a surface; each is joined to ``n_neighbors`` others, in both directions,
    which must connect all points. Returns (n, n) float64 in the units of X.
    """
    from scipy.sparse.csgraph import shortest_path

    X, k = check_points(X, "X", min_points=2), check_count(n_neighbors, "n_neighbors")
    check_memory(len(X), 2.2)
    D = shortest_path(graph_of_nearest(X, k), directed=False)
    if not np.isfinite(D).all():
        raise ValueError(f"the graph of n_neighbors = {k} does not connect all points: raise it")
    return D


def graph_of_nearest(X, n_neighbors):
    """Build the graph of ``n_neighbors`` or fewer neighbours: (n, n) csr_array of distances."""
    from scipy.sparse import csr_array

    n, k = len(X), min(n_neighbors, len(X) - 1)
    near, D2 = k_nearest(X, k, "exact")
    return csr_array((np.sqrt(D2).ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))


def distance_correlation(X, D):
    """Compute the Spearman rank correlation of embedding distances with given ones, over all pairs.

    X is (n, d) and D, the given distances, (n, n), finite; entries below the diagonal have no
    effect. The result is in [-1, 1]; 0 if all distances are equal.
    """
    X = check_points(X, "X", min_points=3)
    if np.shape(D) != (len(X), len(X)):
        raise ValueError(f"D must have shape {(len(X), len(X))}, got {np.shape(D)}")
    pairs = np.triu_indices(len(X), 1)
    of_embedding, given = squared_distances(X, name="X"), check_square(D, "D")
    return spearman(of_embedding[pairs], given[pairs])


def random_triplet_accuracy(X, data, rng, per_point=5):
    """Compute the fraction of random triplets (i, j, k) whose order of distances is preserved.

    X is (n, d), the data (n, D); ``per_point`` triplets are drawn per point. Chance level is ½.
    """
    X, data = check_points(X, "X", min_points=3), check_points(data, "data", min_points=3)
    n, rng = len(data), check_generator(rng)
    check_count(per_point, "per_point")
    if len(X) != n:
        raise ValueError(f"X and data must have as many rows, got {len(X)} and {n}")
    # Three different points: j and k are steps from i around all points.
    steps = rng.integers(1, [n, n - 1], (n, per_point, 2))
    steps[..., 1] += steps[..., 1] >= steps[..., 0]
    others = (np.arange(n)[:, None, None] + steps).reshape(n, -1) % n
    nearer = []
    for points in (X, data):
        D2 = row_squared_distances(points, points, others).reshape(n, per_point, 2)
        nearer.append(D2[..., 0] < D2[..., 1])
    return float((nearer[0] == nearer[1]).mean())


def shuffled(X):
    """Return the points of an embedding, (n, d), in a fixed random order.

    A measure of the result is its chance level: the shape of the cloud is kept, but all information
    about individual points is lost.
    """
    return np.random.default_rng(0).permutation(check_points(X, "X"))
