"""The Gaussian kernel matrix, and a bandwidth for it."""

import numpy as np

from repro.core.checks import check_distances, check_points, check_positive
from repro.core.distances import check_either, given_distances, squared_distances
from repro.core.memory import row_blocks
from repro.core.warn import warn_user

# Squared distances, in bandwidths, at which the kernel is 1e-13 and 0.999.
ALONE, ALIKE = 30.0, 1e-3
# Relative squared distance below which points count as copies; size of the sample that sets it.
COPIES, SAMPLE = 1e-10, 200
# Entries of a matrix that differ less, relative to the largest one, count as the same.
SAME = 1e-9


def gaussian_kernel(Y=None, bandwidth=1.0, *, D2=None, name="bandwidth"):
    """Compute the Gaussian kernel matrix, exp(-|y - y'|² / h), not normalised. KIE Sec. 2.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    bandwidth : float
        h, in squared units of Y. The bandwidth of the latent space is always 1.
    D2 : (n, m) array, optional
        Squared distances, instead of Y.
    name : str
        Name of the bandwidth in messages, such as the warning that it tells nothing of the points.

    Returns
    -------
    K : (n, n) or (n, m) float64 array
    """
    check_either(Y, D2)
    D2 = squared_distances(Y) if D2 is None else check_distances(D2)
    bandwidth = check_positive(bandwidth, name)
    warn_of_bandwidth(D2, bandwidth, name)
    return exponential(D2, bandwidth)


@np.errstate(under="ignore")
def exponential(D2, bandwidth=1.0):
    """Compute `gaussian_kernel` of squared distances without checks."""
    K = D2 / -bandwidth
    return np.exp(K, out=K)


@np.errstate(under="ignore")
def likelihood_bandwidth(Y=None, dimension=None, *, D2=None, name="Y"):
    """Choose the bandwidth h by leave-one-out likelihood of a kernel density.

    The leave-one-out log-likelihood Σ_i log (1/(n-1)) Σ_{j≠i} h^(-D/2) exp(-|y_i - y_j|² / h) is
    maximised over h. Left out are copies of a point, with which h = 0 would be best, and, with a
    warning, a few points far from all others, with which h would be of that distance squared.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    dimension : float, optional
        D, the dimension in which the kernel is normalised. Default: the number of columns of Y. The
        dimension of a surface near the data, if known, is better: in thousands of dimensions the
        bandwidth shrinks until the kernel vanishes between points.
    D2 : (n, n) array, optional
        Squared distances, instead of Y; then ``dimension`` must be given.
    name : str
        Name of the data in error messages.

    Returns
    -------
    h : float
        In squared units of Y.

    Raises
    ------
    ValueError
        If all points coincide.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import logsumexp

    check_either(Y, D2)
    Y = Y if D2 is not None else check_points(Y, name, min_points=2)
    dimension = Y.shape[1] if dimension is None and D2 is None else dimension
    dimension = check_positive(dimension, "dimension")
    D2 = given_distances(Y, D2)
    copies = copies_within(D2)
    nearest = np.min(D2, axis=1, initial=np.inf, where=copies < D2)
    apart = np.isfinite(nearest)
    if not apart.any():
        raise ValueError(f"{name} must contain at least two distinct points")
    kept = _not_isolated(nearest, name)
    if not kept.all():
        return likelihood_bandwidth(dimension=dimension, D2=D2[np.ix_(kept, kept)], name=name)

    def minus_log_likelihood(log_h):
        densities = []
        for rows in row_blocks(D2):  # a large matrix is not copied as a whole
            others = np.where(D2[rows] > copies, D2[rows], np.inf)[apart[rows]]
            densities.append(logsumexp(others / -np.exp(log_h), axis=1))
        return dimension / 2 * log_h - np.concatenate(densities).mean()

    # The best h lies between 2/D times the mean squared nearest and mean squared distance.
    ends = np.log(2 / dimension * np.array([nearest[apart].mean(), D2[copies < D2].mean()]))
    bounds = (ends[0] - 1e-6, ends[1] + 1e-6)
    best = minimize_scalar(minus_log_likelihood, bounds=bounds, method="bounded")
    return float(np.exp(best.x))


def copies_within(D2):
    """Return the squared distance within which two points count as copies of each other.

    Neither outliers nor copies determine the median of the 0.9 quantiles of squared distances.
    """
    sample = D2[:: 1 + len(D2) // SAMPLE]
    k = int(0.9 * (len(D2) - 1))
    return COPIES * float(np.median(np.partition(sample, k, axis=1)[:, k]))


def _not_isolated(nearest2, name):
    """Return which points have another one not much farther than most; warn about the others."""
    usual = np.sort(nearest2)[int(0.9 * (len(nearest2) - 1))]
    kept = ~(nearest2 > usual * max(100, 5 * len(nearest2)))
    if not kept.all():
        more = np.count_nonzero(~kept) - 1
        warn_user(
            f"row {int(kept.argmin())} of {name}{f' and {more} more lie' if more else ' lies'} far "
            "from all others, without effect on the choice of a bandwidth"
        )
    return kept


@np.errstate(over="ignore", under="ignore")
def warn_of_bandwidth(D2, bandwidth, name):
    """Warn if a kernel is near 1 for all pairs, or near 0 even for nearest neighbours.

    The latter only if D2, (n, m), holds squared distances of all pairs, zero on the diagonal. The
    bandwidth, one or (n,), is a parameter of that name.
    """
    largest = D2.max()
    if largest == 0:  # no bandwidth is right
        warn_user(f"{name} tells nothing: all squared distances are zero")
        return
    nearest = np.zeros(1)
    if D2.shape[0] == D2.shape[1] and not D2.diagonal().any():
        nearest = np.min(D2, axis=1, initial=np.inf, where=D2 > 0)
        nearest[(D2 == 0).sum(axis=1) > 1] = 0.0  # a copy
    if np.median(nearest / bandwidth) > ALONE:
        apart = f"median squared distance to the nearest other point, {np.median(nearest):.3g}"
        reason = f"small: {name} is far below the {apart}"
    elif (D2.max(axis=1) / bandwidth).max() < ALIKE:
        reason = f"large: {name} is far above the largest squared distance, {largest:.3g}"
    else:
        return
    warn_user(f"a bandwidth of {np.median(bandwidth):.3g} is too {reason}")


def warn_of_one_value(K, name):
    """Warn if a matrix, (n, n), has one value for all pairs of different points."""
    if np.ptp(K[~np.eye(len(K), dtype=bool)]) <= SAME * np.abs(K).max():
        warn_user(f"{name} relates all pairs of points alike, and tells nothing")
