"""Input similarities: what an embedding is asked to reproduce."""

import numpy as np
from scipy.special import entr

from repro._check import (
    check_count,
    check_distances,
    check_finite,
    check_labels,
    check_points,
    check_positive,
    check_square,
    check_unmasked,
)

# Rows that say whether points lie far from the origin for their spread, and how far that is.
SAMPLE, FAR = 256, 1e-6
# If no squared distance reaches this, many have lost digits to underflow.
UNDERFLOW = 1e-302
# A bandwidth e^40 times smaller than this is still a normal number.
SMALLEST_SCALE = 1e-285


def squared_distances(Y, centers=None, name="Y"):
    """Squared Euclidean distances between all rows, or from all rows to others.

    Parameters
    ----------
    Y : (n, D) array
        One point per row.
    centers : (m, D) array, optional
        Other points. Default: Y itself.
    name : str
        What to call Y in an error message.

    Returns
    -------
    D2 : (n, n) or (n, m) float64 array
        In squared units of Y; symmetric and zero on the diagonal if from Y to itself, and then
        zero between copies of a point too. Computed on one thread, so that the bits do not depend
        on the number of threads; exact for integer pixels.

    Raises
    ------
    ValueError
        If Y is not a finite two-dimensional array, the dimensions differ, or distances are so
        large, or all of them so small, that their squares are out of range.
    """
    from sklearn.metrics import euclidean_distances
    from threadpoolctl import threadpool_limits

    Y = check_points(Y, name)
    if centers is not None:
        centers = check_points(centers, "centers")
        if centers.shape[1] != Y.shape[1]:
            raise ValueError(f"{name} must have {centers.shape[1]} columns, got shape {Y.shape}")
    with threadpool_limits(limits=1), np.errstate(over="ignore", invalid="ignore"):
        origin = _far_origin(Y if centers is None else centers)
        if origin is not None:
            Y, centers = Y - origin, None if centers is None else centers - origin
        D2 = euclidean_distances(Y, centers, squared=True)
    if not np.isfinite(D2.max()):
        raise ValueError(f"{name} is too large: its squared distances overflow")
    if D2.max() < UNDERFLOW and differ(Y, Y if centers is None else centers):
        raise ValueError(f"{name} is too small: its squared distances underflow")
    if centers is not None:
        return D2
    places = _places(Y)
    if (places < np.arange(len(Y))).any():
        D2[places[:, None] == places] = 0.0
    # Rounding can leave the two halves apart by a bit.
    return np.maximum(D2, D2.T)


def _far_origin(Y):
    """Return a point amid Y if the origin is so far off that distances would lose their digits.

    It is one of Y: integers stay integers, and differences of near numbers are exact.
    """
    some = Y[:: 1 + len(Y) // SAMPLE]
    origin = some.mean(axis=0)
    if not some.var(axis=0).sum() < FAR * (origin @ origin):
        return None
    return some[((some - origin) ** 2).sum(axis=1).argmin()]


def _square_distances(D2):
    return check_distances(check_square(D2, "D2"))


def differ(A, B):
    """Return whether any two of the rows of A and B differ."""
    first = B[0]
    return bool((first != A).any() or (first != B).any())


def _places(Y):
    """Return for each row the number of the first row that equals it."""
    first = {}
    rows = (row.tobytes() for row in Y + 0.0)  # without signs of zeros
    return np.array([first.setdefault(row, i) for i, row in enumerate(rows)])


def gaussian_rows(Y=None, sigma2=1.0, *, D2=None, include_self=False):
    """Gaussian similarities, normalised over each row. MRE Eq. (1).

    Parameters
    ----------
    Y : (n, D) array, optional
        One data point per row.
    sigma2 : float or (n,) array
        The bandwidth σ², in squared units of Y; one for all rows, or one a row.
        There is no factor 2: P_ij ∝ exp(-|y_i - y_j|² / σ²).
    D2 : (n, n) array, optional
        Squared distances, instead of Y.
    include_self : bool
        Whether the sum over k, and so P, includes the point itself. MRE's blocks of 1/30 do;
        stochastic neighbor embedding proper does not.

    Returns
    -------
    P : (n, n) float64 array
        Rows sum to 1; zero on the diagonal unless ``include_self``.

    Raises
    ------
    ValueError
        If the data are not finite, there are fewer than two points, or σ² is not positive.
    """
    if (Y is None) == (D2 is None):
        raise ValueError("give either Y or D2")
    D2 = squared_distances(Y) if D2 is None else _square_distances(D2)
    if len(D2) < 2:
        raise ValueError(f"Y must hold at least 2 points, got {len(D2)}")
    sigma2 = check_finite(sigma2, "sigma2").astype(float)
    if sigma2.ndim > 1 or (sigma2.ndim == 1 and len(sigma2) != len(D2)):
        raise ValueError(
            f"sigma2 must be a number or have one entry a row, got shape {sigma2.shape}"
        )
    if not (sigma2 > 0).all():
        raise ValueError(f"sigma2 must be positive, its smallest entry is {sigma2.min():.3g}")
    return _normalised(-D2 / sigma2.reshape(-1, 1), include_self)


def gaussian_kernel(Y=None, bandwidth=1.0, *, D2=None):
    """Gaussian kernel matrix, k(y, y') = exp(-|y - y'|² / h), not normalised. KIE Sec. 2.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    bandwidth : float
        h, in squared units of Y. The bandwidth of the latent space is always 1.
    D2 : (n, m) array, optional
        Squared distances, instead of Y.

    Returns
    -------
    K : (n, n) or (n, m) float64 array

    Raises
    ------
    ValueError
        If the data are not finite or h is not positive.
    """
    if (Y is None) == (D2 is None):
        raise ValueError("give either Y or D2")
    D2 = squared_distances(Y) if D2 is None else check_distances(D2)
    return np.exp(-D2 / check_positive(bandwidth, "bandwidth"))


def likelihood_bandwidth(Y=None, dimension=None, *, D2=None, name="Y"):
    """Bandwidth h under which each point is most likely, given a kernel density of the others.

    The leave-one-out log-likelihood Σ_i log (1/(n-1)) Σ_{j≠i} h^(-D/2) exp(-|y_i - y_j|² / h) is
    maximised over h. Copies of a point are left out too: with them h = 0 would be best.

    Parameters
    ----------
    Y : (n, D) array, optional
        One point per row.
    dimension : float, optional
        D, the dimension in which the kernel is normalised. Default: the columns of Y. That of the
        surface near which the data lie is the better choice where it is known: in thousands of
        dimensions the kernel shrinks until no point sees another.
    D2 : (n, n) array, optional
        Squared distances, instead of Y; then ``dimension`` must be given.
    name : str
        What to call the data in an error message.

    Returns
    -------
    h : float
        In squared units of Y.

    Raises
    ------
    ValueError
        If the data are not finite, or fewer than two points differ.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import logsumexp

    if (Y is None) == (D2 is None):
        raise ValueError("give either Y or D2")
    Y = Y if D2 is not None else check_points(Y, name, min_points=2)
    dimension = Y.shape[1] if dimension is None and D2 is None else dimension
    dimension = check_positive(dimension, "dimension")
    D2 = squared_distances(Y) if D2 is None else _square_distances(D2)
    D2 = np.where(D2 > 0, D2, np.inf)
    nearest = D2.min(axis=1)
    apart = np.isfinite(nearest)
    if not apart.any():
        raise ValueError(f"{name} must not be one and the same point n times")
    D2, nearest = D2[apart], nearest[apart]

    def minus_log_likelihood(log_h):
        return dimension / 2 * log_h - logsumexp(-D2 / np.exp(log_h), axis=1).mean()

    # The best h lies between twice the mean square of nearest and of all distances, over D.
    ends = np.log(2 / dimension * np.array([nearest.mean(), D2[np.isfinite(D2)].mean()]))
    bounds = (ends[0] - 1e-6, ends[1] + 1e-6)
    found = minimize_scalar(minus_log_likelihood, bounds=bounds, method="bounded")
    return float(np.exp(found.x))


def _normalised(log_weights, include_self):
    """Exponentiate and normalise each row, its largest entry shifted to 1 against underflow."""
    if not include_self:
        np.fill_diagonal(log_weights, -np.inf)
    log_weights -= log_weights.max(axis=1, keepdims=True)
    P = np.exp(log_weights, out=log_weights)
    P /= P.sum(axis=1, keepdims=True)
    return P


def perplexity_rows(Y=None, perplexity=30.0, *, D2=None, tol=1e-5, max_iter=64):
    """Gaussian similarities whose bandwidth is found for each row from a perplexity.

    Stochastic neighbor embedding as published (Hinton & Roweis 2002, Sec. 2) asks for rows whose
    entropy is log(perplexity); MRE sets σ² by hand instead, see `gaussian_rows`.

    Parameters
    ----------
    Y : (n, D) array, optional
        One data point per row.
    perplexity : float
        Effective number of neighbours, more than 1 and at most n - 1.
    D2 : (n, n) array, optional
        Squared distances, instead of Y.
    tol : float
        Largest error of a row's entropy, in nats.
    max_iter : int
        Most bisections.

    Returns
    -------
    P : (n, n) float64 array
        Rows sum to 1, zero on the diagonal.

    Raises
    ------
    ValueError
        If the data are not finite or the perplexity is out of range.
    """
    if (Y is None) == (D2 is None):
        raise ValueError("give either Y or D2")
    D2 = squared_distances(Y) if D2 is None else _square_distances(D2)
    n = len(D2)
    if n < 2:
        raise ValueError(f"Y must hold at least 2 points, got {n}")
    perplexity = check_positive(perplexity, "perplexity")
    check_count(max_iter, "max_iter")
    if not 1 <= perplexity <= n - 1:
        raise ValueError(f"perplexity must lie between 1 and n - 1 = {n - 1}, got {perplexity}")
    if not 1e-200 < D2.max() < 1e200:  # the perplexity does not depend on the unit
        D2 = D2 / (D2.max() or 1.0)
    others = D2.copy()
    np.fill_diagonal(others, np.inf)
    entropy, means = np.log(perplexity), D2.sum(axis=1) / (n - 1)
    P, excess = _rows_of_entropy(others, means, entropy, tol, max_iter)
    # Where some of the others are very far off, the mean distance is no place to start from.
    lost = np.flatnonzero(excess > tol)
    if len(lost):
        k = min(int(np.ceil(perplexity)), n - 1) - 1
        kth = np.partition(others[lost], k, axis=1)[:, k]
        P[lost], _ = _rows_of_entropy(others[lost], kth, entropy, tol, max_iter)
    return P


def _rows_of_entropy(D2, scales, entropy, tol, max_iter):
    """Bisect the logarithms of the bandwidths, all rows at once, starting around some scales.

    Parameters
    ----------
    D2 : (q, n) array
        Infinite where a point itself is.
    scales : (q,) array

    Returns
    -------
    P : (q, n) array
    excess : (q,) array
        Of its rows' entropies over the one asked for.
    """
    centre = np.log(np.maximum(scales, SMALLEST_SCALE))
    low, high = centre - 40.0, centre + 40.0
    for _ in range(max_iter):
        log_sigma2 = (low + high) / 2
        with np.errstate(over="ignore"):  # what is as far off as that has no weight
            P = _normalised(-D2 / np.exp(log_sigma2)[:, None], include_self=True)
        excess = entr(P).sum(axis=1) - entropy
        if np.abs(excess).max() <= tol:
            break
        high = np.where(excess > 0, log_sigma2, high)
        low = np.where(excess > 0, low, log_sigma2)
    return P, excess


def class_blocks(labels, include_self=True):
    """Class membership as a similarity: equal within a class, zero between classes. MRE Sec. 2.

    Parameters
    ----------
    labels : (n,) array
        The class of each point; any type that can be compared.
    include_self : bool
        Whether the point itself counts, as the paper's homogeneous blocks of 1/30 imply.

    Returns
    -------
    P : (n, n) float64 array
        Rows sum to 1.

    Raises
    ------
    ValueError
        If labels is not one-dimensional, is empty, or has missing values; or if a class has one
        point only and the point itself does not count.
    """
    labels = check_labels(labels)
    same = labels[:, None] == labels
    if not include_self:
        np.fill_diagonal(same, False)
    sizes = same.sum(axis=1, keepdims=True)
    if (sizes == 0).any():
        alone = labels[int(sizes.argmin())]
        raise ValueError(f"labels must name each class twice without self, but has one {alone!r}")
    return same / sizes


def bernoulli_gaussian(Y=None, beta=1.0, *, D2=None):
    """Affinities of all pairs, r_ij = exp(-|x_i - x_j|²/β). BRE Eq. (3).

    Parameters
    ----------
    Y : (n, D) array, optional
        One data point per row; the paper's X.
    beta : float
        The width β, in squared units of Y.
    D2 : (n, n) array, optional
        Squared distances, instead of Y.

    Returns
    -------
    R : (n, n) float64 array
        In [0, 1], 1 on the diagonal.

    Raises
    ------
    ValueError
        If the data are not finite or β is not positive.
    """
    return gaussian_kernel(Y, check_positive(beta, "beta"), D2=D2)


def bernoulli_contrast(Y=None, beta=1.0, related=None, *, D2=None):
    """Affinities ½ ± ½ exp(-|x_i - x_j|²/β), plus for related pairs, minus for others. BRE Eq. (5).

    Parameters
    ----------
    Y : (n, D) array, optional
        One data point per row; the paper's X.
    beta : float
        The width β, in squared units of Y.
    related : (n, n) bool array
        Where i ∼ j, see `repro.graphs`.
    D2 : (n, n) array, optional
        Squared distances, instead of Y.

    Returns
    -------
    R : (n, n) float64 array
        At least ½ for related pairs, at most ½ for others (the paper has it the other way round);
        1 on the diagonal.

    Raises
    ------
    ValueError
        If the data are not finite, β is not positive, or ``related`` has another shape.
    """
    E = bernoulli_gaussian(Y, beta, D2=D2)
    R = np.where(_check_related(related, len(E)), 0.5 + 0.5 * E, 0.5 - 0.5 * E)
    np.fill_diagonal(R, 1.0)
    return R


def bernoulli_truncated(Y=None, beta=1.0, related=None, *, D2=None):
    """Affinities exp(-|x_i - x_j|²/β) of related pairs; of others there are none. BRE Eq. (6).

    Parameters
    ----------
    Y, beta, related, D2
        See `bernoulli_contrast`.

    Returns
    -------
    R : (n, n) scipy.sparse.csr_array
        With an entry for every related pair, also where it underflows to zero: that the two are
        related is what `repro.bre_loss` reads from it. The printed zero between unrelated points
        stands on both sides of the divergence and drops out.

    Raises
    ------
    ValueError
        If the data are not finite, β is not positive, or ``related`` has another shape.
    """
    from scipy import sparse

    E = bernoulli_gaussian(Y, beta, D2=D2)
    i, j = np.nonzero(_check_related(related, len(E)))
    return sparse.coo_array((E[i, j], (i, j)), shape=E.shape).tocsr()


def _check_related(related, n):
    related = np.asarray(check_unmasked(related, "related"))
    if related.shape != (n, n) or related.dtype != bool:
        raise ValueError(
            f"related must be a bool array of shape {(n, n)}, got {related.dtype} of shape "
            f"{related.shape}"
        )
    return related
