"""Relations between points: neighbours, points within a radius, edges of a graph, classes.

The concrete relations of the BRE paper, Sec. 2. Each is a Boolean (n, n) matrix whose entry (i, j)
is true if i ∼ j; no point is related to itself, since the self relation is never used.
"""

import numpy as np

from repro.core.checks import check_choice, check_count, check_positive, check_square, classes_of
from repro.core.distances import given_distances
from repro.core.memory import check_memory
from repro.core.neighbors import smallest_of_rows
from repro.core.warn import warn_user

# What rounding may add to a squared distance, relative to it: points of a grid are related alike.
ROUNDED = 1e-12
BOTH = {"or": np.logical_or, "and": np.logical_and}


def neighbor_graph(Y=None, n_neighbors=10, *, D2=None, symmetric=None):
    """Relate each point to its nearest neighbours, in an (n, n) bool array.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    n_neighbors : int
        K, less than n. Ties go to the smaller index.
    D2 : (n, n) array, optional
        Squared distances, instead of Y.
    symmetric : {None, "or", "and"}
        None: i ∼ j if x_i is among the K nearest neighbours of x_j, as in the paper, so that j ∼ i
        need not hold. "or": one is among the other's neighbours. "and": each is.
    """
    D2 = given_distances(Y, D2).copy()
    n = len(D2)
    k = check_count(n_neighbors, "n_neighbors")
    if k >= n:
        raise ValueError(f"n_neighbors must be less than the number of points, {n}, got {k}")
    check_choice(symmetric, "symmetric", (None, *BOTH))
    np.fill_diagonal(D2, np.inf)
    near = smallest_of_rows(D2, k)  # the neighbours of x_j, in row j
    related = np.zeros((n, n), bool)
    related[near, np.arange(n)[:, None]] = True
    return BOTH[symmetric](related, related.T) if symmetric else related


def radius_graph(Y=None, radius2=1.0, *, D2=None):
    """Relate points within a radius: i ∼ j if |x_i - x_j|² ≤ radius2.

    ``radius2`` is in squared units of Y; 2β in Sec. 4 of the BRE paper. For Y and D2 see
    `neighbor_graph`. Return an (n, n) bool array.
    """
    within = (1 + ROUNDED) * check_positive(radius2, "radius2")
    related = given_distances(Y, D2) <= within
    np.fill_diagonal(related, False)
    n_pairs = np.count_nonzero(related)
    if n_pairs in (0, related.size - len(related)):
        warn_user(f"a radius2 of {radius2:.3g} relates {'all' if n_pairs else 'no'} points")
    return related


def class_graph(labels):
    """Relate points of the same class, in an (n, n) bool array; the label -1 is a class, too."""
    classes = classes_of(labels)[1]
    check_memory(len(classes), 0.2)
    related = classes[:, None] == classes
    np.fill_diagonal(related, False)
    return related


def adjacency_graph(A, name="A"):
    """Relate adjacent points of a given graph, in an (n, n) bool array.

    A, (n, n), dense or scipy.sparse, has a non-zero entry (i, j) for an edge from i to j; its
    diagonal is ignored. ``name`` is that of A in error messages.
    """
    if hasattr(A, "toarray"):
        check_memory(A.shape[0], 2.2, columns=A.shape[-1])
        A = A.toarray()
    related = check_square(A, name) != 0
    np.fill_diagonal(related, False)
    return related
