"""How computation time grows with the number of points: of anything, and of BRE and its rivals."""

from functools import lru_cache, partial
from time import process_time
from timeit import repeat, timeit

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.decomposition import KernelPCA
from sklearn.manifold import Isomap
from threadpoolctl import threadpool_limits

from repro import bre
from repro.core.estimator import principal_scores
from repro.core.kernel_matrices import gaussian_kernel
from repro.kernels.threads import using
from repro.mre import NeighborProbabilities, gaussian_rows, sne_loss

TIMED = ("BRE with few neighbours", "BRE with all pairs", "SNE", "twin kernel PCA")
UPDATED = ("BRE, one point", "SNE, one point")


def cost_exponent(make, sizes):
    """Measure how the time of a computation grows with its size, in CPU time on one thread.

    ``make(n)`` prepares a computation of size n and returns it as a callable. Return the slope of
    log time against log size, with the shortest of seven times after one warm-up call.
    """
    seconds = []
    with threadpool_limits(limits=1), using(1):
        for n in sizes:
            times = repeat(make(n), timer=process_time, repeat=8, number=1)
            seconds.append(min(times[1:]))
    return np.polyfit(np.log(sizes), np.log(seconds), 1)[0]


def update(method, n):
    """Return a function that computes the paper's gradient for one of n normal points."""
    rng = np.random.default_rng(n)
    X, Y = rng.normal(size=(n, 5)), rng.normal(size=(n, 2))
    if method == "BRE, one point":
        r = np.exp(-cdist(X[:1], X[1:], "sqeuclidean")[0] / 5)

        def gradient():  # only the relations of this point
            s = np.exp(-cdist(Y[:1], Y[1:], "sqeuclidean")[0])
            return (r - s) / (1 - s) @ (Y[0] - Y[1:])

    else:
        R = gaussian_kernel(X, 5.0)
        np.fill_diagonal(R, 0)
        P = R / R.sum(axis=1, keepdims=True)

        def gradient():  # probabilities of the others need all their distances
            S = np.exp(-cdist(Y, Y, "sqeuclidean"))
            np.fill_diagonal(S, 0)
            sums = S.sum(axis=1)
            return 2 * (P[0] - S[0] / sums[0] + P[:, 0] - S[:, 0] / sums) @ (Y[0] - Y)

    return gradient


def evaluation(choices, method, n):
    """Return a function that computes value and gradient of a method for n normal points."""
    rng = np.random.default_rng(n)
    data, Y = rng.normal(size=(n, 5)), rng.normal(size=(n, 2))
    if method == "SNE":
        return partial(sne_loss, Y, NeighborProbabilities(gaussian_rows(data, 5.0)))
    if method == "twin kernel PCA":
        K = bre.CovarianceMatrix(gaussian_kernel(data, 5.0) + choices.noise * np.eye(n))
        return partial(bre.twin_kernel_loss, Y, K, noise=choices.noise, direction=choices.direction)
    if method == "BRE with all pairs":
        return partial(bre.bre_loss, Y, bre.BernoulliRelation(bre.bernoulli_gaussian(data, 5.0)))
    R = bre.bernoulli_truncated(data, 5.0, bre.neighbor_graph(data, choices.timed_neighbors))
    return partial(bre.bre_loss, Y, bre.BernoulliRelation(R))


def of_evaluations(choices):
    """Measure how the time grows for evaluations, and for updates of one point."""
    sizes = dict.fromkeys(TIMED, choices.timed) | {"twin kernel PCA": choices.timed_inverting}
    powers = {m: cost_exponent(partial(evaluation, choices, m), n) for m, n in sizes.items()}
    sizes = dict(zip(UPDATED, (choices.timed_rows, choices.timed_pairs), strict=True))
    alone = {m: cost_exponent(partial(update, m), n) for m, n in sizes.items()}
    return {"power of k in the seconds": powers | alone}


def of_fits(choices):
    """Measure how the time of whole fits grows, and that of the largest, on one thread."""
    k, sizes = choices.timed_neighbors, choices.timed_fits
    solver = {"eigen_solver": choices.eigenvectors, "n_components": 2}
    options = {"affinity": "truncated", "n_neighbors": k, "beta": 5.0, "max_iter": choices.max_iter}
    fits = {
        "BRE": lambda X: bre.BRE(2, init=principal_scores(X, 2), **options).fit(X),
        "Isomap": Isomap(n_neighbors=k, **solver).fit,
        "kernel PCA": KernelPCA(kernel="rbf", gamma=0.2, random_state=0, **solver).fit,
    }
    seconds = {name: [] for name in fits}
    with threadpool_limits(limits=1), using(1):
        for n in (sizes[0], *sizes):  # the first fit is not counted
            X = np.random.default_rng(n).normal(size=(n, 5))
            for name, fit in fits.items():
                seconds[name].append(timeit(partial(fit, X), timer=process_time, number=1))
    powers = {name: np.polyfit(np.log(sizes), np.log(s[1:]), 1)[0] for name, s in seconds.items()}
    largest = {name: s[-1] for name, s in seconds.items()}
    return {"power of k in the seconds of a fit": powers, "seconds of the largest fit": largest}


@lru_cache(maxsize=256)
def clocks(seed, choices):
    """Measure all times; settings that do not change them share the times of a seed."""
    return of_evaluations(choices) | of_fits(choices)
