"""The checks of the exercises of KIE Figure 2."""

import numpy as np

from repro.core.kernel_matrices import gaussian_kernel
from repro.experiments import kie_fig2_conditional_cars as experiment
from repro.kie import conditional_kie_loss, kie_loss
from repro.measures import nearest_neighbor_error
from repro.workbench.lessons import agrees, compared


def cars():
    """Return the choices, the images, and the car and the view of each."""
    choices = experiment.Choices()
    return choices, *experiment.load_objects(choices.objects, choices.n_views)


def is_right_1(loss):
    """Check the loss without penalty for cars far apart: a function of the points."""
    choices, images, car, _ = cars()
    Z = np.random.default_rng(0).normal(size=(len(car), 2))
    K_y = gaussian_kernel(images, choices.bandwidth)
    found = np.asarray(loss(Z)).item()
    one_car = (car[:, None] == car).astype(float)
    expected = conditional_kie_loss(Z, K_y, one_car)[0]
    penalised = conditional_kie_loss(Z, K_y, one_car, choices.penalty)[0]
    usual = [("this is the sum of the three losses, not their mean", 3 * expected)]
    usual += [("this contains the penalty", penalised)]
    usual += [("this is the loss of plain KIE, which compares the cars", kie_loss(Z, K_y)[0])]
    return compared(found, expected, usual)


def is_right_2(worth):
    """Check by how much the least loss falls per unit of allowed power."""
    choices, images, car, _ = cars()
    known = np.take(choices.positions, car)[:, None]
    fitted = experiment.fit(choices, images, 0, known, choices.condition_bandwidth)
    # At the optimum under a penalty this is the λ of the penalty.
    power = (fitted.embedding_**2).sum() / len(car)
    K_y, K_x = (gaussian_kernel(Y, h) for Y, h in ((images, choices.bandwidth), (known, 1.0)))
    ends = (experiment.fit_bounded(choices, images, known, s * power, 0)[0] for s in (0.95, 1.05))
    low, high = (conditional_kie_loss(Z, K_y, K_x)[0] for Z in ends)
    expected = (low - high) / (0.1 * power)
    usual = {low - high: "the fall of the loss, not divided by the rise of R"}
    usual |= {10 * (low - high): "the fall per rise of 10 %, not per unit of R"}
    return agrees(worth, expected, usual=usual | {-expected: "the rise, not the fall"})


def is_right_3(error):
    """Check the share of points whose nearest neighbour is another car, given the view."""
    choices, images, car, view = cars()
    angle = 2 * np.pi * view / 72
    circle = 72 / (2 * np.pi) * np.column_stack([np.cos(angle), np.sin(angle)])
    told = experiment.fit(choices, images, 0, circle, choices.view_bandwidth)
    plain = experiment.fit(choices, images, 0)
    expected, nothing = (nearest_neighbor_error(k.embedding_, car) for k in (told, plain))
    usual = {nothing: "the share in plain KIE", 1 - expected: "the share of the same car"}
    return agrees(error, expected, usual=usual)
