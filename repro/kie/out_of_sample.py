"""Maps from the data space to the latent space and back: KIE Eqs. (9) and (10).

Both maps maximise the information content of a pair (y, z),

    Î(y, z) = log Σ_j k(z, z_j) k(y, y_j) - log Σ_j k(z, z_j),

over z given y, and over y given z. It is smooth, but may have several maxima, so each map climbs
from several starts, for all points at once.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from repro.core.blas import one_blas_thread
from repro.core.checks import (
    as_prepared,
    check_not_negative,
    check_points,
    check_positive,
    within_bounds,
)
from repro.core.distances import DistancesTo, center_of, central_point_if_far, squared_distances
from repro.core.warn import warn_user
from repro.kie.entropies import KernelMatrix, check_power

# Climbs start from the kernel smoother's result and further points. For z: up to N_APART points of
# greatest content, at least a latent bandwidth apart, among the training points and copies of them
# moved outward by OUT bandwidths. For y: the N_NEAREST likeliest training points.
N_APART, OUT, N_NEAREST = 8, (0.0, 2.0, 4.0), 2
# A climb ends when a step is shorter, in latent bandwidths or relative to the spread of the data.
TOLERANCE = 1e-8
# A climb has missed the maximum if a Newton step is longer, in latent bandwidths or relative to z.
MISSED = 1e-4
# Largest number of steps of Newton's method and of mean shift.
NEWTON_STEPS, SHIFTS = 100, 1000
# Rounding error of a content, in nats; without this allowance the last steps would be rejected.
ROUNDING = 1e-13


@np.errstate(under="ignore")
def backward_map(K_test, Z, penalty=0.0, power=2):
    """Find the latent point of greatest information content with a data point. KIE Eq. (9).

    Parameters
    ----------
    K_test : (q, n) array
        Kernel k(y, y_j) between unseen and training data.
    Z : (n, d) array
        Latent points of the training data.
    penalty, power
        λ and the power of the penalty in training ("the same restrictions apply as before").
        Without the penalty the content may grow outward without bound; z then is the 100th step
        of Newton's method, and a ConvergenceWarning is issued.

    Returns
    -------
    z : (q, d) float64 array
    """
    K_test, Z = check_points(K_test, "K_test"), check_points(Z, "Z")
    penalty, power = check_not_negative(penalty, "penalty"), check_power(power)
    log_K = _log_weights(K_test, len(Z))
    # The penalty depends on the distance from the origin.
    point = None if penalty else central_point_if_far(Z)
    origin = 0.0 if point is None else Z[point]
    Z = Z - origin
    z = _best_climb(
        lambda start: _climb(log_K, Z, start, penalty, power),
        _starts_apart(log_K, Z, penalty, power),
    )
    _, W, V = information_content(log_K, Z, z, penalty, power)
    ahead = np.abs(_newton_step(W, V, Z, z, penalty, power)) / np.maximum(1.0, np.abs(z))
    lost = (ahead > MISSED).any(axis=1)
    if lost.any():
        warn_user(
            f"{lost.sum()} of {len(z)} points have no maximum of the information "
            f"content within {NEWTON_STEPS} steps; a larger penalty brings it nearer",
            ConvergenceWarning,
        )
    return z + origin


@np.errstate(under="ignore")
def inserted_map(K_test, K, Z, penalty=0.0, power=2):
    """Place unseen points by inserting them into the fixed training problem. KIE Eq. (7).

    Eq. (9) keeps an unseen point's own contribution to Eq. (7), but for the point's kernel with
    itself, and drops the changes in the contents of its neighbours; here all count. L-BFGS starts
    from g of Eq. (9) and from the likeliest training point. K, (n, n), is the kernel between the
    training data; all else is as in `backward_map`.
    """
    K_test, Z = check_points(K_test, "K_test"), check_points(Z, "Z")
    K = as_prepared(K, KernelMatrix, Z, "Z", "K").K
    starts = [backward_map(K_test, Z, penalty, power), Z[np.argmax(K_test, axis=1)]]
    k_Z = np.exp(-squared_distances(Z))
    of_pair, of_z = (k_Z * K).sum(axis=1), k_Z.sum(axis=1)

    def loss(z, row):
        apart = z - Z
        k = np.exp(-(apart**2).sum(axis=1))
        both, alone = 1 + k @ row, 1 + k.sum()
        neighbors = np.log1p(k * row / of_pair) - np.log1p(k / of_z)
        value = np.log(both) - np.log(alone) + neighbors.sum() - penalty * (z**power).sum()
        slope = row / both - 1 / alone + row / (of_pair + k * row) - 1 / (of_z + k)
        gradient = -2 * (slope * k) @ apart - penalty * power * z ** (power - 1)
        return -value, -gradient

    placed = []
    for row, *places in zip(K_test, *starts, strict=True):
        fits = [minimize(loss, z, (row,), "L-BFGS-B", jac=True) for z in places]
        placed.append(min(fits, key=lambda fit: fit.fun).x)
    return np.array(placed)


def information_content(log_K, Z, z, penalty, power):
    """Compute Î(y, z) minus the penalty, (q,), and the weights of training points in its two sums.

    log_K, (q, n), holds log k(y, y_j); Z is (n, d) and z (q, d). The rows of the weights, (q, n)
    each, sum to 1.
    """
    log_k = -cdist(z, Z, "sqeuclidean")
    both, W = _softmax(log_K + log_k)
    alone, V = _softmax(log_k)
    return both - alone - penalty * (z**power).sum(axis=1), W, V


def _climb(log_K, Z, z, penalty, power):
    """Maximise `information_content` by Newton's method, for each row of z."""
    z = z.copy()
    content, W, V = information_content(log_K, Z, z, penalty, power)
    active = np.arange(len(z))
    for _ in range(NEWTON_STEPS):
        step = _newton_step(W[active], V[active], Z, z[active], penalty, power)
        before = z[active]
        waiting = np.arange(len(active))  # points without an ascending step yet
        for _ in range(30):
            rows = active[waiting]
            tried = before[waiting] + step[waiting]
            new, new_W, new_V = information_content(log_K[rows], Z, tried, penalty, power)
            up = new >= content[rows] - ROUNDING
            z[rows[up]], content[rows[up]] = tried[up], new[up]
            W[rows[up]], V[rows[up]] = new_W[up], new_V[up]
            waiting = waiting[~up]
            step[waiting] /= 2
            if not len(waiting):
                break
        active = active[np.abs(z[active] - before).max(axis=1) > TOLERANCE]
        if not len(active):
            break
    return z, content


def _newton_step(W, V, Z, z, penalty, power):
    """Return Newton steps, with Hessian eigenvalues made negative so that every step ascends."""
    mean_W, mean_V = W @ Z, V @ Z
    gradient = 2 * (mean_W - mean_V) - penalty * power * z ** (power - 1)
    products = (Z[:, :, None] * Z[:, None, :]).reshape(len(Z), -1)
    d = Z.shape[1]
    hessian = 4 * ((W - V) @ products).reshape(-1, d, d)
    hessian -= 4 * (mean_W[:, :, None] * mean_W[:, None] - mean_V[:, :, None] * mean_V[:, None])
    hessian -= penalty * power * (power - 1) * z[:, :, None] ** (power - 2) * np.eye(d)
    values, vectors = np.linalg.eigh(hessian)
    along = np.einsum("qij,qi->qj", vectors, gradient) / np.maximum(np.abs(values), 1e-3)
    step = np.einsum("qij,qj->qi", vectors, along)
    # Where the content is nearly flat, limit the step to a few latent bandwidths.
    size = np.linalg.norm(step, axis=1, keepdims=True)
    return step * np.minimum(1.0, 3.0 / np.maximum(size, 1e-300))


@np.errstate(under="ignore")
def forward_map(K_test, Y, bandwidth):
    """Find the data point of greatest information content with a latent point. KIE Eq. (10).

    In Î, as printed below Eq. (9), only log Σ_j k(z, z_j) k(y, y_j) depends on y. Its maximum is
    the most likely y given z, a mode of a kernel density, found by mean shift from several starts
    (a higher mode may be missed); it stays among the training data. (Î drops the term log Σ_j k(y,
    y_j), constant in Eq. (9); with this term, the content would grow without bound as y moves away
    from the data.)

    K_test, (q, n), is the kernel k(z, z_j) between given and training latent points; Y, (n, D), the
    training data; ``bandwidth`` h of their kernel. If h is far below the squared distances of the
    data, y is one of them; if far above, a weighted mean. y is (q, D) float64.
    """
    K_test, Y = check_points(K_test, "K_test"), check_points(Y, "Y")
    h = check_positive(bandwidth, "bandwidth")
    log_K = _log_weights(K_test, len(Y))
    mean = center_of(Y)
    centred = Y - mean
    # All results lie in the span of the data: reduce images to as many numbers as there are images.
    axes = None
    if Y.shape[1] > len(Y):
        with one_blas_thread():
            axes = np.linalg.svd(centred, full_matrices=False)[2]
            centred = centred @ axes.T
    y = _best_climb(lambda start: _mean_shift(log_K, centred, start, h), _starts(log_K, centred))
    return mean + (y if axes is None else y @ axes)


def _mean_shift(log_K, Y, y, h):
    """Move each y to the mean of the data under its kernel weights, until convergence."""
    y = y.copy()
    content = np.full(len(y), -np.inf)
    active, to_data = np.arange(len(y)), DistancesTo(Y)
    norms2 = (Y**2).sum(axis=1)
    tolerance = TOLERANCE * np.sqrt(min(norms2.mean(), 100 * np.median(norms2)))  # robust spread
    for _ in range(SHIFTS):
        at = y[active]
        content[active], W = _softmax(log_K[active] - to_data.rows(at) / h)
        moved = W @ Y
        y[active] = moved
        active = active[np.abs(moved - at).max(axis=1) > tolerance]
        if not len(active):
            break
    return y, content


def _log_weights(K_test, n):
    if K_test.shape[1] != n:
        raise ValueError(f"K_test must have one column per training point, {n}, got {K_test.shape}")
    with np.errstate(divide="ignore"):
        log_K = np.log(within_bounds(K_test, "K_test"))
    lost = np.isneginf(log_K).all(axis=1)
    if lost.any():
        row = int(np.flatnonzero(lost)[0])
        raise ValueError(
            f"point {row} lies too far from all training points for the bandwidth: "
            f"row {row} of K_test, its kernel with each of them, is zero"
        )
    return log_K


def _softmax(log_weights):
    """Return log Σ exp and exp / Σ exp of each row."""
    top = log_weights.max(axis=1, keepdims=True)
    weights = np.exp(log_weights - top)
    total = weights.sum(axis=1, keepdims=True)
    return (top + np.log(total))[:, 0], weights / total


def _starts(log_K, values):
    """Yield the starts: the kernel smoother's result, then the values of the likeliest points."""
    yield _softmax(log_K)[1] @ values
    order = np.argsort(-log_K, axis=1, kind="stable")
    for k in range(min(N_NEAREST, values.shape[0])):
        yield values[order[:, k]]


def _starts_apart(log_K, Z, penalty, power):
    """Yield the kernel smoother's result, then points of high content that lie apart.

    The likeliest training points alone often lead to one local maximum, and for closely spaced data
    the global maximum can lie far outside.
    """
    yield _softmax(log_K)[1] @ Z
    away = Z - Z.mean(axis=0)
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    z = np.concatenate([Z + out * away for out in OUT])
    D2 = squared_distances(z, Z)
    k = np.exp(D2.min(axis=1, keepdims=True) - D2)
    with np.errstate(divide="ignore"):  # log 0 at a point far from all likely points
        both = np.log(np.exp(log_K - log_K.max(axis=1, keepdims=True)) @ k.T)
    content = both - np.log(k.sum(axis=1)) - penalty * (z**power).sum(axis=1)
    for _ in range(min(N_APART, len(Z))):
        best = z[content.argmax(axis=1)]
        yield best
        content[squared_distances(best, z) < 1] = -np.inf


def _best_climb(climb, starts):
    """Climb from each start; keep the point of greatest content in each row."""
    best = None
    with one_blas_thread():
        for start in starts:
            x, content = climb(start)
            if best is None:
                best_x, best = x, content
            greater = content > best
            best_x[greater], best[greater] = x[greater], content[greater]
    return best_x
