"""What the models of Kernel Information Embedding share: parameters, annealing, what is learned."""

import numpy as np

from repro._check import check_count, check_positive
from repro.affinities import gaussian_kernel, likelihood_bandwidth, squared_distances
from repro.entropies import (
    KernelMatrix,
    check_penalty,
    check_power,
    entropy_sum,
    power_penalty,
)
from repro.estimator import DescentEstimator
from repro.sne import choose_backend


def annealing_schedule(start=0.1, factor=0.8, n_steps=20):
    """Penalties that start large and shrink, start · factor^k for k = 0…n_steps. KIE Sec. 2.1.

    Parameters
    ----------
    start : float
        The first λ.
    factor : float
        What it is multiplied by at each step, below 1.
    n_steps : int
        Number of multiplications.

    Returns
    -------
    penalties : (n_steps + 1,) float64 array
        The default is that of the paper's Figure 1.
    """
    start, factor = check_positive(start, "start"), check_positive(factor, "factor")
    return start * factor ** np.arange(check_count(n_steps, "n_steps", 0) + 1)


class InformationEmbedding(DescentEstimator):
    """What the three models share: parameters, annealing, what is learned.

    Parameters
    ----------
    n_components : int
        Latent dimensions d.
    bandwidth : float, optional
        h of the data's kernel exp(-|y - y'|² / h), in squared units of the data. Default: chosen
        by `repro.affinities.likelihood_bandwidth` for d dimensions, a heuristic: the data are
        taken to lie near a surface of the latent space's dimension.
    penalty : float or sequence of float, optional
        λ, or the λ of each annealing step; the last is the one that counts. Default:
        `annealing_schedule()`.
    power : int
        The penalty is on |z_l|^power; an even number. With 4 or more, axes are aligned.
    optimizer : {"l-bfgs", "cg", "scg", "gd"}
        See `repro.optimize`. The paper says "simple gradient based optimization".
    optimizer_options : dict, optional
        Further options of the optimiser.
    max_iter : int
        Most iterations in each step.
    init_scale : float
        Standard deviation of the normal start ("small random values").
    n_init : int
        Number of starts; the one with the lowest loss is kept.
    backend : {"numba", "numpy"}, optional
        See `kie_loss`.
    progress : bool
        Show a progress bar.
    random_state : int, numpy.random.Generator or None
        Source of the start.

    Attributes
    ----------
    embedding_ : (n, d) float64 array
    loss_ : float
        The objective at the last λ, in nats.
    loss_history_ : float64 array
        The objective at the start and after each iteration, step after step.
    n_iter_ : int
        Iterations in all.
    penalties_ : float64 array
        λ of each step.
    results_ : list of repro.optimize.Result
        One a step.
    result_ : repro.optimize.Result
        The last.
    """

    def __init__(
        self,
        n_components=2,
        *,
        bandwidth=None,
        penalty=None,
        power=2,
        optimizer="l-bfgs",
        optimizer_options=None,
        max_iter=200,
        init_scale=0.01,
        n_init=1,
        backend=None,
        progress=False,
        random_state=None,
    ):
        self.n_components = n_components
        self.bandwidth = bandwidth
        self.penalty = penalty
        self.power = power
        self.optimizer = optimizer
        self.optimizer_options = optimizer_options
        self.max_iter = max_iter
        self.init_scale = init_scale
        self.n_init = n_init
        self.backend = backend
        self.progress = progress
        self.random_state = random_state

    def _penalties(self):
        given = annealing_schedule() if self.penalty is None else np.atleast_1d(self.penalty)
        if np.ndim(given) != 1 or not np.size(given):
            raise ValueError(f"penalty must be a number or a sequence of numbers, got {given!r}")
        return np.array([check_penalty(value) for value in given.tolist()])

    def kernel_of(self, Y, bandwidth, name, data="X"):
        """Return the kernel of the data and its bandwidth."""
        D2 = squared_distances(Y, name=data)
        if bandwidth is None:
            bandwidth = likelihood_bandwidth(D2=D2, dimension=self.n_components, name=data)
        return KernelMatrix(gaussian_kernel(D2=D2, bandwidth=bandwidth), name), float(bandwidth)

    def anneal(self, parts, n):
        """Place n latent points; ``parts`` are the (signs, kernels, rows of Z) of the losses."""
        backend, power = choose_backend(self.backend), check_power(self.power)
        penalties = self._penalties()
        objectives = [_objective(parts, penalty, power, backend) for penalty in penalties.tolist()]
        self.results_ = self.descend(objectives, n)
        self.penalties_ = penalties[: len(self.results_)]  # fewer after Ctrl-C
        self.embedding_ = self.result_.x
        return self


def _objective(parts, penalty, power, backend):
    """Add up penalised losses, each of its own rows of Z and averaged over these."""

    def f(Z):
        value, gradient = 0.0, np.zeros_like(Z)
        for signs, kernels, rows in parts:
            of_rows, slopes = entropy_sum(signs, Z[rows], kernels, backend)
            more, more_slopes = power_penalty(Z[rows], penalty, power)
            value += of_rows + more
            gradient[rows] += slopes + more_slopes
        return value, gradient

    return f


def with_parameters(cls):
    """Add the documentation of the shared parameters and attributes to a model's own."""
    shared = InformationEmbedding.__doc__.split("\n", 2)[2]
    cls.__doc__ = f"{cls.__doc__.rstrip()}\n\n{shared}"
    return cls
