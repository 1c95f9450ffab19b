"""The checks of the exercises of KIE Figure 4."""

import numpy as np

from repro.core.kernel_matrices import gaussian_kernel
from repro.experiments import kie_fig4_joint as experiment
from repro.kie import JointKIE, joint_kie_loss
from repro.workbench.lessons import agrees, compared

SEED = 582625  # the run of record of median order


def images(objects=None):
    """Return the images of both objects."""
    choices = experiment.Choices()
    return [experiment.load_object(k, choices.n_views).X for k in objects or choices.objects]


def is_right_1(of_line):
    """Check what remains for pairs on a line, as a function of the step between them."""
    kernels = [gaussian_kernel(of, experiment.Choices().bandwidth) for of in images()]
    line = np.arange(len(kernels[0]))[:, None]
    steps = 0.1, 1
    found = np.array([of_line(s) for s in steps], dtype=float)
    on_line = [gaussian_kernel(s * line, 1.0) for s in steps]
    right = np.array([experiment.left_over(K_z, *kernels) for K_z in on_line])
    usual = [("this is in bits, not in nats", right / np.log(2))]
    usual += [("the answer does not depend on the step", of_one) for of_one in right]
    return compared(found, right, usual)


def is_right_2(loss):
    """Check the loss of partners at random without annealing."""
    choices, (x, y) = experiment.Choices(), images()
    order = np.random.default_rng(SEED).permutation(choices.n_views)
    options = {"bandwidth": choices.bandwidth, "penalty": 0.8**10, "init_scale": 0.1}
    stuck, pairs = 0.65, JointKIE(3, **options, random_state=0).fit(x, y).loss_
    usual = {stuck: "the loss with annealing", pairs: "the loss of the true pairs"}
    expected = JointKIE(3, **options, random_state=0).fit(x, y[order]).loss_
    return agrees(loss, expected, usual=usual)


def is_right_3(first):
    """Check the λ below which pairs of a wooden block and a cup leave the origin.

    Near the origin the gradient of the loss is 2/n (λ z + L z), so that -L z is found from it.
    """
    K_x, K_y = (gaussian_kernel(of, experiment.Choices().bandwidth) for of in images((7, 18)))
    unit = 1e-4 * np.eye(len(K_x))
    columns = [joint_kie_loss(z[:, None], K_x, K_y, 0.0)[1].ravel() for z in unit]
    hessian = np.array(columns) / 1e-4 * len(K_x) / 2
    expected = -np.linalg.eigvalsh((hessian + hessian.T) / 2)[0]
    usual = {-expected: "the eigenvalue, not minus the eigenvalue"}
    return agrees(first, expected, usual=usual | {0.2: "a first λ, not λ*"})
