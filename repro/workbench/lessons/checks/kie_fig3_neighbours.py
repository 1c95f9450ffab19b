"""The checks of the exercises of KIE Figure 3."""

from dataclasses import replace
from functools import partial

import numpy as np

from repro.core.kernel_matrices import gaussian_kernel
from repro.core.optimize import minimize
from repro.experiments import kie_fig3_neighbours as experiment
from repro.kie import KernelMatrix, conditional_kie_loss
from repro.plots import principal_axes
from repro.workbench.lessons import agrees, compared

SEEDS = (583371, *range(583361, 583370))  # of the runs of record that the lesson shows


def objects():
    """Return the choices, the images, and the class, the view and the code of each."""
    choices = experiment.Choices()
    X, kind, view = experiment.load_objects(choices.objects, choices.n_views)
    return choices, X, kind, view, choices.code_length * np.eye(len(choices.objects))[kind]


def informed(n_components=2):
    """Return the fits of all starts of the lesson, told the classes."""
    choices, X, _, _, codes = objects()
    choices = replace(choices, n_components=n_components)
    return [experiment.fit(choices, X, seed, codes, choices.condition_bandwidth) for seed in SEEDS]


def informed_loss():
    """Return the loss of points as a function of the points alone, with its gradient."""
    choices, X, _, _, codes = objects()
    K_y, K_x = (
        KernelMatrix(gaussian_kernel(of, h))
        for of, h in ((X, choices.bandwidth), (codes, choices.condition_bandwidth))
    )
    return partial(conditional_kie_loss, K_y=K_y, K_x=K_x, penalty=choices.penalty)


def is_right_1(functions):
    """Check the mean errors of chance and of the best constant, as functions of the views."""
    by_chance, constant = functions
    views = np.array([10, 25, 72])
    chance, fixed = (views**2 - 1) / (3 * views), views**2 // 4 / views
    large = "the error by chance is right for large m only"
    usual = [("these are the two functions in the other order", [fixed, chance])]
    usual += [("the best fixed answer is right for even m only", [chance, views / 4])]
    usual += [(large, [views / 3, fixed]), (large, [views / 3, views / 4])]
    found = [[function(int(m)) for m in views] for function in (by_chance, constant)]
    return compared(found, [chance, fixed], usual)


def is_right_2(excess):
    """Check how much higher a descent ends if the block's points are reversed."""
    choices, _, kind, _, _ = objects()
    best, loss = min(informed(), key=lambda fitted: fitted.loss_), informed_loss()

    def reverse(c):  # the loss before and after the descent
        Z = best.embedding_.copy()
        Z[kind == c] = Z[kind == c][::-1]
        return loss(Z)[0], minimize(loss, Z, "l-bfgs", max_iter=choices.max_iter).value

    (before, block), (_, box) = reverse(1), reverse(4)
    usual = {before - best.loss_: "the difference before the descent"}
    usual |= {block: "the loss itself, not the difference"}
    usual |= {best.loss_ - block: "the difference with the other sign"}
    usual |= {box - best.loss_: "the difference for the box"}
    return agrees(excess, round(block - best.loss_, 8), usual=usual)  # 0 if it returns


def is_right_3(count):
    """Check how many starts reach the lowest loss if they are first fitted in three dimensions."""
    choices, loss, direct = objects()[0], informed_loss(), informed()
    solid = [principal_axes(fitted.embedding_, 2) for fitted in informed(n_components=3)]
    ends = [minimize(loss, Z, "l-bfgs", max_iter=choices.max_iter).value for Z in solid]
    low = min(fitted.loss_ for fitted in direct) + 0.001
    if count == sum(end < low for end in ends):
        return True
    if count == sum(loss(Z)[0] < low for Z in solid):
        return "this is the number before the second descent"
    if count == sum(fitted.loss_ < low for fitted in direct):
        return "this is the number without the third dimension"
    return False
