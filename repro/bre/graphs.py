"""Which points are related: neighbours, points within a radius, edges of a graph, classes.

The concrete relations of the BRE paper, Sec. 2. Each is a boolean (n, n) matrix whose entry (i, j)
says that i ∼ j; no point is related to itself, since the self relation is never used.
"""

import numpy as np

from repro.core.checks import (
    check_choice,
    check_count,
    check_labels,
    check_positive,
    check_square,
)
from repro.core.distances import given_distances

BOTH = {"or": np.logical_or, "and": np.logical_and}


def neighbor_graph(Y=None, n_neighbors=10, *, D2=None, symmetric=None):
    """Relate each point to its nearest neighbours.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    n_neighbors : int
        K, less than n.
    D2 : (n, n) array, optional
        Squared distances, instead of Y.
    symmetric : {None, "or", "and"}
        None: i ∼ j if x_i is among the K nearest neighbours of x_j, as printed, so that j ∼ i need
        not hold. "or": if one is among the other's; "and": if each is.

    Returns
    -------
    related : (n, n) bool array
        Ties go to the smaller index.

    Raises
    ------
    ValueError
        If the data are not finite or a parameter is out of range.
    MemoryError
        If the n × n matrices need more memory than is free.
    """
    D2 = given_distances(Y, D2).copy()
    n = len(D2)
    k = check_count(n_neighbors, "n_neighbors")
    if k >= n:
        raise ValueError(f"n_neighbors must be less than the number of points, {n}, got {k}")
    check_choice(symmetric, "symmetric", (None, *BOTH))
    np.fill_diagonal(D2, np.inf)
    near = np.argsort(D2, axis=1, kind="stable")[:, :k]  # the neighbours of x_j, in row j
    related = np.zeros((n, n), bool)
    related[near, np.arange(n)[:, None]] = True
    return BOTH[symmetric](related, related.T) if symmetric else related


def radius_graph(Y=None, radius2=1.0, *, D2=None):
    """Relate points that are near each other: i ∼ j if |x_i - x_j|² ≤ radius2.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    radius2 : float
        In squared units of Y; 2β in Sec. 4 of the BRE paper.
    D2 : (n, n) array, optional
        Squared distances, instead of Y.

    Returns
    -------
    related : (n, n) bool array
        Symmetric.

    Raises
    ------
    ValueError
        If the data are not finite or the radius is not positive.
    MemoryError
        If the n × n matrices need more memory than is free.
    """
    related = given_distances(Y, D2) <= check_positive(radius2, "radius2")
    np.fill_diagonal(related, False)
    return related


def class_graph(labels):
    """Relate points of one class.

    Parameters
    ----------
    labels : (n,) array

    Returns
    -------
    related : (n, n) bool array
        Symmetric.

    Raises
    ------
    ValueError
        If labels is not one-dimensional, is empty, or has missing values.
    """
    labels = check_labels(labels)
    related = labels[:, None] == labels
    np.fill_diagonal(related, False)
    return related


def adjacency_graph(A):
    """Relate adjacent points of a given graph.

    Parameters
    ----------
    A : (n, n) array or scipy.sparse
        A non-zero entry (i, j) is an edge from i to j; the diagonal is not read.

    Returns
    -------
    related : (n, n) bool array
    """
    A = A.toarray() if hasattr(A, "toarray") else A
    related = check_square(A, "A") != 0
    np.fill_diagonal(related, False)
    return related
