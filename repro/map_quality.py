"""What a map keeps: distances along the data, neighbours, and quantities that vary smoothly."""

import numpy as np
from scipy.stats import rankdata

from repro._check import (
    check_count,
    check_finite,
    check_generator,
    check_labels,
    check_points,
    check_square,
    check_squares,
    within_range,
)
from repro.affinities import squared_distances
from repro.neighbors import k_nearest, row_distances


def surface_distances(X, n_neighbors=12):
    """Lengths of the shortest paths between points, from neighbour to neighbour.

    Parameters
    ----------
    X : (n, D) array
        Points that lie on a surface.
    n_neighbors : int
        Steps lead from each point to so many neighbours, and back.

    Returns
    -------
    D : (n, n) float64 array
        In the units of X.

    Raises
    ------
    ValueError
        If X is not finite, or the steps do not connect all points.
    """
    from scipy.sparse.csgraph import shortest_path
    from sklearn.neighbors import kneighbors_graph

    X = check_points(X, "X", min_points=2)
    k = min(check_count(n_neighbors, "n_neighbors"), len(X) - 1)
    unit, X = _in_units(X)
    D = shortest_path(kneighbors_graph(X, k, mode="distance"), directed=False)
    if not np.isfinite(D).all():
        raise ValueError(f"n_neighbors = {k} steps do not connect all points")
    return D * unit


def _in_units(X):
    """Return a unit in which squares of X are within range, mostly 1, and X in that unit."""
    largest = float(np.abs(X).max())
    (scaled,) = within_range(X)
    return (1.0 if scaled is X else largest), scaled


def distance_correlation(X, D):
    """Spearman rank correlation of the distances in a map with given ones, over all pairs.

    Parameters
    ----------
    X : (n, d) array
        The map.
    D : (n, n) array
        Given distances; those below the diagonal are not read.

    Returns
    -------
    rho : float
        In [-1, 1]; 0 where all distances are equal.
    """
    X = check_points(X, "X", min_points=3)
    if np.shape(D) != (len(X), len(X)):
        raise ValueError(f"D must have shape {(len(X), len(X))}, got {np.shape(D)}")
    pairs = np.triu_indices(len(X), 1)
    of_map, given = squared_distances(X, name="X"), check_square(D, "D")
    ranks = [rankdata(of[pairs]) for of in (of_map, given)]
    if min(np.ptp(rank) for rank in ranks) == 0:
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def plane_fit(X, values):
    """Share of the variance of a quantity that a plane over the map explains, R².

    Parameters
    ----------
    X : (n, d) array
    values : (n,) array

    Returns
    -------
    r2 : float
        1 if the quantity rises evenly in one direction of the map; 0 if none tells of it.
    """
    X = check_points(X, "X", min_points=3)
    values = check_points(np.reshape(values, (-1, 1)), "values")[:, 0]
    check_labels(values, len(X), "values")
    if np.ptp(values) == 0:
        raise ValueError("values must not be one and the same number")
    (X,), (values,) = within_range(X), within_range(values)
    X, values = X - X.mean(axis=0), values - values.mean()
    X = X / (np.abs(X).max() or 1.0)  # no column counts as zero for its unit
    rest = values - X @ np.linalg.lstsq(X, values, rcond=None)[0]
    return float(1 - rest.var() / values.var())


def neighbor_distance(X, data, n_neighbors=10):
    """Mean distance, in the data, of each point to its nearest neighbours in a map.

    Parameters
    ----------
    X : (n, d) array
        The map.
    data : (n, D) array
    n_neighbors : int

    Returns
    -------
    distance : float
        In the units of the data.
    """
    data = check_points(data, "data")
    if len(data) != len(X):
        raise ValueError(f"data must have one row per row of X, {len(X)}, got {len(data)}")
    check_squares(data, "data")
    near, _ = k_nearest(X, n_neighbors, "exact")
    unit, data = _in_units(data)
    return unit * float(np.mean([np.linalg.norm(data[j] - data, axis=1).mean() for j in near.T]))


def roughness(X, values, labels, n_neighbors=10):
    """Variance of a quantity among neighbours of one class, over its variance in that class.

    Parameters
    ----------
    X : (n, d) array
        The map.
    values : (n,) array
    labels : (n,) array
    n_neighbors : int
        Neighbours are looked for within the class.

    Returns
    -------
    roughness : float
        The mean over classes: 0 if neighbours are equal, about 1 in a shuffled map.
    """
    X = check_points(X, "X", min_points=3)
    labels, values = check_labels(labels, len(X)), check_labels(values, len(X), "values")
    values = check_finite(values, "values")
    n_neighbors = check_count(n_neighbors, "n_neighbors", 2)
    ratios = []
    for c in np.unique(labels):
        (own,) = within_range(values[labels == c])
        if len(own) <= n_neighbors or np.ptp(own) == 0:
            raise ValueError(
                f"labels must name classes of more than n_neighbors = {n_neighbors} points that "
                f"differ in their values, but {c!r} has {len(own)} points, "
                f"{len(np.unique(own))} values"
            )
        among = own[k_nearest(X[labels == c], n_neighbors, "exact")[0]]
        ratios.append(among.var(axis=1, ddof=1).mean() / own.var(ddof=1))
    return float(np.mean(ratios))


def pieces_per_class(X, labels, n_neighbors=10, share=0.05):
    """Count the pieces into which a map breaks the classes.

    Parameters
    ----------
    X : (n, d) array
        The map.
    labels : (n,) array
    n_neighbors : int
        A piece is what hangs together in the graph that joins each point to so many nearest
        neighbours of its class.
    share : float
        Pieces that hold less than this share of their class are not counted.

    Returns
    -------
    pieces : float
        The mean over classes; 1 if all are in one piece.
    """
    from scipy.sparse.csgraph import connected_components
    from sklearn.neighbors import kneighbors_graph

    (X,) = within_range(check_points(X, "X", min_points=2))
    labels, counts = check_labels(labels, len(X)), []
    for c in np.unique(labels):
        own = X[labels == c]
        k = min(check_count(n_neighbors, "n_neighbors"), len(own) - 1)
        piece = connected_components(kneighbors_graph(own, k), directed=False)[1] if k else [0]
        counts.append((np.bincount(piece) >= share * len(own)).sum())
    return float(np.mean(counts))


def centroid_correlation(X, data, labels):
    """Spearman rank correlation of the distances between class means, in a map and in the data.

    Parameters
    ----------
    X : (n, d) array
        The map.
    data : (n, D) array
    labels : (n,) array
        Of three classes at least.

    Returns
    -------
    rho : float
        In [-1, 1].
    """
    X, data = check_points(X, "X", min_points=3), check_points(data, "data", min_points=3)
    labels = check_labels(labels, len(X))
    if len(data) != len(X):
        raise ValueError(f"data must have one row per row of X, {len(X)}, got {len(data)}")
    classes = np.unique(labels)
    if len(classes) < 3:
        raise ValueError(f"labels must name at least three classes, got {len(classes)}")
    means = [np.array([P[labels == c].mean(axis=0) for c in classes]) for P in (X, data)]
    return distance_correlation(means[0], squared_distances(means[1]))


def random_triplet_accuracy(X, data, rng, per_point=5):
    """Share of random triplets (i, j, k) whose order of distances the map keeps: global structure.

    Parameters
    ----------
    X : (n, d) array
        The map.
    data : (n, D) array
    rng : numpy.random.Generator
    per_point : int
        Triplets of each point.

    Returns
    -------
    accuracy : float
        In [0, 1]; by chance ½.
    """
    X, data = check_points(X, "X", min_points=3), check_points(data, "data", min_points=3)
    n, rng = len(data), check_generator(rng)
    if len(X) != n:
        raise ValueError(f"X and data must have as many rows, got {len(X)} and {n}")
    # Three different points: j and k are steps from i around all points.
    steps = rng.integers(1, n - 1, (n, per_point, 2))
    steps[..., 1] += steps[..., 1] >= steps[..., 0]
    others = (np.arange(n)[:, None, None] + steps).reshape(n, -1) % n
    nearer = []
    for points in (*within_range(X), *within_range(data)):
        D2 = row_distances(points, points, others).reshape(n, per_point, 2)
        nearer.append(D2[..., 0] < D2[..., 1])
    return float((nearer[0] == nearer[1]).mean())
