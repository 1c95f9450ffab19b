"""Comparison of two maps of the same points."""

import numpy as np

from repro.core.neighbors import k_nearest


def shared_neighbors(A, B, k=10):
    """Compute the mean share of a point's k neighbours in A that are also neighbours in B."""
    near_A, near_B = (k_nearest(Y, k, "exact")[0] for Y in (A, B))
    return np.mean([np.isin(a, b).mean() for a, b in zip(near_A, near_B, strict=True)])
