"""The checks of the exercises of KIE Figures 5 and 6."""

import numpy as np
from scipy.spatial.distance import cdist

from repro.experiments import kie_fig5_6_regression as experiment
from repro.mre import kernel_smoother
from repro.workbench.lessons import agrees, compared


def is_right_1(least):
    """Check the least error of a mean of two images: a function of both errors and of D."""
    rng, a = np.random.default_rng(0), np.linspace(0, 1, 10001)
    cases = [*rng.uniform(1, 2, size=(4, 3)), (1.0, 3.0, 1.0), (3.0, 1.0, 1.0)]
    found = np.array([least(*case) for case in cases], dtype=float)
    errors = [a * e1 + (1 - a) * e2 - a * (1 - a) * D for e1, e2, D in cases]
    if np.allclose(found, [of_mean.min() for of_mean in errors], atol=1e-6):
        return True
    if np.allclose(found, [of_mean[5000] for of_mean in errors]):
        return "this is the error with equal weights"
    if np.allclose(found[:4], [of_mean.min() for of_mean in errors[:4]], atol=1e-6):
        return "a weight lies outside 0 and 1 where one of the two images is much better"
    return False


def is_right_2(mix):
    """Check a regression that mixes the outputs of two points: a function of points and outputs."""
    rng = np.random.default_rng(0)
    A, new = rng.normal(size=(4, 3)), rng.normal(size=(5, 3))
    t = np.linspace(-10, 10, 200001)[:, None]
    found = np.asarray(mix(A, np.eye(4), new), dtype=float)
    expected, beyond, exchanged = [], [], []
    for z in new:
        i, j = cdist([z], A)[0].argsort()[:2]
        on_line = t[cdist([z], A[i] + t * (A[j] - A[i])).argmin(), 0]
        best, (first, second) = np.clip(on_line, 0, 1), np.eye(4)[[i, j]]
        expected.append((1 - best) * first + best * second)
        beyond.append((1 - on_line) * first + on_line * second)
        exchanged.append(best * first + (1 - best) * second)
    usual = [("a point lies on the line, but beyond the ends of the segment", beyond)]
    usual += [("the shares of the two outputs are exchanged", exchanged)]
    return compared(found, expected, usual, atol=1e-3)


def is_right_3(ratio):
    """Check the median ratio of the errors over five draws of twelve pairs."""
    choices = experiment.Choices()
    inputs, outputs = (experiment.load_object(k, choices.n_views).X for k in choices.objects)
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
    expected = np.median(ratios)
    usual = {1 / expected: "the ratio the other way round", np.mean(ratios): "the mean"}
    return agrees(ratio, expected, digits=3, usual=usual)
