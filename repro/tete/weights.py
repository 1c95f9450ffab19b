"""Weights of triplets sampled from data, and the local scales they use. t-ETE Sec. 6."""

import numpy as np

from repro.core.checks import check_choice, check_count, check_not_negative, check_points
from repro.core.neighbors import METHODS, distance_blocks, distinct_rows, k_nearest, nearest_among
from repro.core.warn import warn_user
from repro.tete.triplets import check_triplets, near_and_far

# σ_i is the distance of i to its neighbour of this rank.
SCALE_RANK = 10
# A new point more than this many scales from its nearest neighbour is far from all points.
FAR = 100


def log_triplet_weights(X, triplets, n_neighbors=SCALE_RANK):
    """Compute log ω, ω = e^(-|x_i - x_j|² / σ_i σ_j) / e^(-|x_i - x_k|² / σ_i σ_k). t-ETE Eq. (13).

    X is (n, D), and the triplets (T, 3). Return (T,) float64; ω itself overflows for ordinary
    data. σ_i is the distance of i to its n_neighbors-th nearest neighbour or, if that is 0, to the
    nearest point at a different place, which must exist.
    """
    near, far = near_and_far(X, triplets, "X")
    X, rank = check_points(X, "X"), check_count(n_neighbors, "n_neighbors")
    if rank >= len(X):
        raise ValueError(f"n_neighbors must be below the number of points, {len(X)}")
    sigma = local_scales(X, k_nearest(X, rank, "exact")[1], rank)
    i, j, k = check_triplets(triplets).T
    return far / (sigma[i] * sigma[k]) - near / (sigma[i] * sigma[j])


def triplet_weights(X, triplets, n_neighbors=SCALE_RANK, bias=0.01):
    """Compute weights of triplets, divided by the largest, plus a bias. t-ETE Sec. 6, Eq. (13).

    For X, triplets and n_neighbors see `log_triplet_weights`; bias is γ. The weights, (T,) float64,
    lie between γ and 1 + γ.
    """
    bias = check_not_negative(bias, "bias")
    log_weights = log_triplet_weights(X, triplets, n_neighbors)
    return np.exp(log_weights - log_weights.max()) + bias


def local_scales(X, D2, rank, rounding=0.0):
    """Compute the distance σ_i of each point to its ``rank``-th nearest neighbour. t-ETE Sec. 6.

    D2, (n, k), holds squared distances to neighbours. If σ_i is 0, use the nearest point at a
    different place. Points at most ``rounding``, a number or (n,), apart are at the same place.
    """
    sigma2, nearest2 = D2[:, rank - 1].copy(), np.broadcast_to(np.square(rounding), len(X))
    copies = np.flatnonzero(sigma2 <= nearest2)
    if len(copies):
        place, first = distinct_rows(X)
        copied, row_of_copy = np.unique(place[copies], return_inverse=True)
        places, next2 = X[first], np.empty(len(copied))
        for rows, apart in distance_blocks(places[copied], places):
            least = nearest2[first[copied[rows]], None]
            next2[rows] = np.min(apart, axis=1, initial=np.inf, where=apart > least)
        if np.isinf(next2).any():
            raise ValueError("X must contain at least two distinct points")
        sigma2[copies] = next2[row_of_copy]
    return np.sqrt(sigma2)


def near_items(X, n_neighbors, neighbors, rng, rounding=0.0):
    """Find the near items of each point, their squared distances, and the scale of each point."""
    m = min(check_count(n_neighbors, "n_neighbors"), (len(X) - 1) // 2)
    rank = min(SCALE_RANK, len(X) - 1)
    method = check_choice(neighbors, "neighbors", METHODS)
    near, D2 = k_nearest(X, max(m, rank), method, rng)
    return near[:, :m].astype(np.int32), D2[:, :m], local_scales(X, D2, rank, rounding)


def neighbors_of_new(X, points, scales, m, rounding=0.0):
    """Find at least m neighbours of new points in a fit, squared distances, and the scales.

    A new point that coincides with copies of a point takes its scale.
    """
    rank = min(SCALE_RANK, len(points))
    neighbors, D2 = nearest_among(X, points, max(m, rank))
    far = np.count_nonzero(D2[:, 0] > (FAR * scales[neighbors[:, 0]]) ** 2)
    if far:
        warn_user(f"{far} new points lie far from all points of the fit: their places tell little")
    own = np.sqrt(D2[:, rank - 1])
    return neighbors, D2, np.where(own > rounding, own, scales[neighbors[:, 0]])
