"""The checks of the exercises of KIE Section 2.2."""

import numpy as np

from repro.core.distances import squared_distances
from repro.core.kernel_matrices import gaussian_kernel
from repro.experiments import kie_sec22_generalization as experiment
from repro.kie import KIE, annealing_schedule, reconstruction_loss


def ducks():
    """Return the choices and the images of the duck."""
    choices = experiment.Choices()
    return choices, experiment.load_sets(choices)["duck"]


def is_right_1(unexplained):
    """Check the unexplained rest of a regression of images on places: a function of both."""
    Y = experiment.unit_variance(ducks()[1].X)
    Z = np.random.default_rng(0).normal(size=(len(Y), 2))
    return all(np.isclose(unexplained(s * Z, Y), reconstruction_loss(s * Z, Y)[0]) for s in (1, 2))


def is_right_2(content_of):
    """Check the information content of images with a place: a function of images and log_w."""
    choices, duck = ducks()
    w, centre = np.random.default_rng(0).dirichlet(np.ones(len(duck.X))), duck.X.mean(axis=0)
    images = centre + np.array([[0.5], [1], [2]]) * (duck.X[w.argmax()] - centre)
    K = gaussian_kernel(D2=squared_distances(images, duck.X), bandwidth=choices.duck_bandwidth)
    return np.allclose(content_of(images, np.log(w)), np.log(K @ w / K.sum(axis=1)))


def is_right_3(error):
    """Check the error of f(g(y)) if training ends at a weaker penalty."""
    choices, duck = ducks()
    start, factor, _ = choices.duck_schedule
    longer = annealing_schedule(start, factor, 15)
    own = {"bandwidth": choices.duck_bandwidth, "init_scale": choices.init_scale}
    model = KIE(2, penalty=longer, random_state=0, **own).fit(duck.X)
    back = model.inverse_transform(model.transform(duck.X_unseen, longer[-1] / 2))
    return abs(error / ((back - duck.X_unseen) ** 2).mean() - 1) < 0.02
