"""The checks of the exercises of KIE Figures 5 and 6."""

from itertools import product

import numpy as np
from scipy.spatial.distance import cdist

from repro.experiments import kie_fig5_6_regression as experiment
from repro.mre import kernel_smoother

SEED = 377892  # the run of record of median order


def objects():
    """Return the choices, and the images of the inputs and of the outputs."""
    choices = experiment.Choices()
    return choices, *(experiment.load_object(k, choices.n_views).X for k in choices.objects)


def is_right_1(error):
    """Check the least error of means of the four outputs, in the first draw."""
    choices, _, outputs = objects()
    pairs = experiment.draw_pairs(choices.n_views, choices.pairs, SEED)
    given, truth = outputs[pairs], np.delete(outputs, pairs, axis=0)
    grid = np.array([w for w in product(range(21), repeat=4) if sum(w) == 20]) / 20
    squares = (grid @ given @ given.T * grid).sum(axis=1)[:, None] - 2 * grid @ given @ truth.T
    least = (squares.min(axis=0) + (truth**2).sum(axis=1)).mean() / truth.shape[1]
    return 0.98 < error / least <= 1.0001


def is_right_2(mix):
    """Check a regression that mixes the outputs of two points: a function of points and outputs."""
    rng = np.random.default_rng(0)
    A, new = rng.normal(size=(4, 3)), rng.normal(size=(5, 3))
    t = np.linspace(0, 1, 10001)[:, None]
    for z, guess in zip(new, mix(A, np.eye(4), new), strict=True):
        i, j = cdist([z], A)[0].argsort()[:2]
        best = t[cdist([z], A[i] + t * (A[j] - A[i])).argmin(), 0]
        if not np.allclose(guess[[i, j]], [1 - best, best], atol=1e-3):
            return False
    return True


def is_right_3(ratio):
    """Check the median ratio of the errors over five draws of twelve pairs."""
    choices, inputs, outputs = objects()
    ratios = []
    for seed in range(5):
        views = np.random.default_rng(seed).choice(choices.n_views, 12, replace=False)
        pairs = np.sort(views)
        rest = np.setdiff1d(np.arange(choices.n_views), pairs)
        model = experiment.joint_model(choices, 0.9, seed)
        model.fit(inputs[pairs], outputs[pairs], inputs[rest])
        of_joint = model.embedding_, model.x_embedding_, 1.0
        of_direct = inputs[pairs], inputs[rest], choices.bandwidth
        joint, direct = (
            ((kernel_smoother(A, outputs[pairs], new, width) - outputs[rest]) ** 2).mean()
            for A, new, width in (of_joint, of_direct)
        )
        ratios.append(joint / direct)
    return abs(ratio / np.median(ratios) - 1) < 0.01
