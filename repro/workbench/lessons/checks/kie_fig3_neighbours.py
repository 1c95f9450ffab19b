"""The checks of the exercises of KIE Figure 3."""

from functools import partial

import numpy as np

from repro.core.kernel_matrices import gaussian_kernel
from repro.core.optimize import minimize
from repro.experiments import kie_fig3_neighbours as experiment
from repro.kie import KernelMatrix, conditional_kie_loss

SEEDS = (583371, *range(583361, 583370))  # of the runs of record that the lesson shows


def objects():
    """Return the choices, the images, and the class, the view and the code of each."""
    choices = experiment.Choices()
    X, kind, view = experiment.load_objects(choices.objects, choices.n_views)
    return choices, X, kind, view, choices.code_length * np.eye(len(choices.objects))[kind]


def lowest():
    """Return the fit with the lowest loss among the lesson's starts."""
    choices, X, _, _, codes = objects()
    fits = [experiment.fit(choices, X, seed, codes, choices.condition_bandwidth) for seed in SEEDS]
    return min(fits, key=lambda fitted: fitted.loss_)


def is_right_1(functions):
    """Check the mean errors of chance and of the best constant, as functions of the views."""
    by_chance, constant = functions
    return all(
        np.allclose([by_chance(m), constant(m)], [(m * m - 1) / (3 * m), (m * m // 4) / m])
        for m in (10, 30, 72)
    )


def is_right_2(names):
    """Check which classes regain their order after it was reversed."""
    choices, X, kind, _, codes = objects()
    best = lowest()
    K_y, K_x = (
        KernelMatrix(gaussian_kernel(of, h))
        for of, h in ((X, choices.bandwidth), (codes, choices.condition_bandwidth))
    )
    loss = partial(conditional_kie_loss, K_y=K_y, K_x=K_x, penalty=choices.penalty)
    back = set()
    for c, name in enumerate(experiment.OTHERS, start=1):
        start = best.embedding_.copy()
        start[kind == c] = start[kind == c][::-1]
        end = minimize(loss, start, "l-bfgs", max_iter=choices.max_iter).value
        back |= {name} if end < best.loss_ + 0.001 else set()
    return set(names) == back


def is_right_3(name):
    """Check for which object the informed space improves the neighbours least."""
    _, X, kind, view, _ = objects()
    Z, own, gain = lowest().embedding_, view[kind == 0], {}
    for c, asked in enumerate(("duck", *experiment.OTHERS)):
        pixels, latent = (experiment.neighbor_views(points, kind, view, c) for points in (X, Z))
        gain[asked] = np.abs(pixels - own).mean() - np.abs(latent - own).mean()
    return name == min(gain, key=gain.get)
