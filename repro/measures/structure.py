"""Measures of global structure in an embedding: distances, and smoothly varying quantities."""

import numpy as np
from sklearn.linear_model import LinearRegression

from repro.core.blas import one_blas_thread
from repro.core.checks import (
    check_count,
    check_generator,
    check_points,
    check_size,
    check_square,
    check_values,
)
from repro.core.distances import centred, row_squared_distances, squared_distances
from repro.core.memory import check_memory
from repro.measures.axes import spearman
from repro.measures.neighbourhoods import graph_of_nearest


def geodesic_distances(X, n_neighbors=12):
    """Compute the lengths of shortest paths between points in the neighbour graph.

    Parameters
    ----------
    X : (n, D) array
        Points that lie on a surface.
    n_neighbors : int
        Number of neighbours joined to each point, in both directions; must connect all points.

    Returns
    -------
    D : (n, n) float64 array
        In the units of X.
    """
    from scipy.sparse.csgraph import shortest_path

    X, k = check_points(X, "X", min_points=2), check_count(n_neighbors, "n_neighbors")
    check_memory(len(X), 2.2)
    D = shortest_path(graph_of_nearest(X, k), directed=False)
    if not np.isfinite(D).all():
        raise ValueError(f"the graph of n_neighbors = {k} does not connect all points: raise it")
    return D


def distance_correlation(X, D):
    """Compute the Spearman rank correlation of embedding distances with given ones, over all pairs.

    X is (n, d) and D, the given distances, (n, n); entries below the diagonal are ignored. The
    result is in [-1, 1]; 0 if all distances are equal.
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
    steps = rng.integers(1, n - 1, (n, per_point, 2))
    steps[..., 1] += steps[..., 1] >= steps[..., 0]
    others = (np.arange(n)[:, None, None] + steps).reshape(n, -1) % n
    nearer = []
    for points in (X, data):
        D2 = row_squared_distances(points, points, others).reshape(n, per_point, 2)
        nearer.append(D2[..., 0] < D2[..., 1])
    return float((nearer[0] == nearer[1]).mean())


@one_blas_thread()
def plane_fit(X, values):
    """Compute R², the share of the variance of a quantity that a linear fit on X explains.

    X is (n, d), values (n,), not all equal. The result is 1 if the quantity is linear in the
    embedding; 0 if it is linearly unrelated.
    """
    X = check_points(X, "X", min_points=3)
    values = check_size(check_values(values, len(X)), "values")
    if np.ptp(values) == 0:
        raise ValueError("values must not be one and the same number")
    if np.ptp(values) < 1e-6 * np.abs(values).max():  # sums would lose the digits that differ
        values = values - values[0]
    X = centred(X) / (np.ptp(X, axis=0).max() or 1.0)  # the fit treats tiny columns as 0
    return float(LinearRegression().fit(X, values).score(X, values))
