"""The checks of the exercises of KIE Section 2.2."""

import numpy as np
from scipy.special import softmax

from repro.core.distances import squared_distances
from repro.core.kernel_matrices import gaussian_kernel
from repro.experiments import kie_sec22_generalization as experiment
from repro.kie import KIE, annealing_schedule, reconstruction_loss
from repro.workbench.lessons import agrees, compared


def ducks():
    """Return the choices and the images of the duck."""
    choices = experiment.Choices()
    return choices, experiment.load_sets(choices)["duck"]


def is_right_1(unexplained):
    """Check the unexplained rest of a regression of images on places: a function of both."""
    Y = 1 + experiment.unit_variance(ducks()[1].X)  # the mean image is not 0
    Z = np.random.default_rng(0).normal(size=(len(Y), 2))
    found = [unexplained(s * Z, Y) for s in (1, 2)]
    right = np.array([reconstruction_loss(s * Z, Y)[0] for s in (1, 2)])
    D2 = [squared_distances(s * Z) for s in (1, 2)]
    itself = [((Y - softmax(-of, axis=1) @ Y) ** 2).sum() / len(Y) for of in D2]
    usual = [("the mean contains the image itself: put -np.inf on the diagonal", itself)]
    scales = 1 / (1 + Y.shape[1]), len(Y)
    usual += [("divide by the squared distances from the mean image", right * s) for s in scales]
    usual += [("this is the share that is explained", 1 - right)]
    return compared(found, right, usual)


def is_right_2(content_of):
    """Check the information content of images with a place: a function of images and log_w."""
    choices, duck = ducks()
    w, centre = np.random.default_rng(0).dirichlet(np.ones(len(duck.X))), duck.X.mean(axis=0)
    images = centre + np.array([[0.5], [1], [2]]) * (duck.X[w.argmax()] - centre)
    K = gaussian_kernel(D2=squared_distances(images, duck.X), bandwidth=choices.duck_bandwidth)
    found, first, second = content_of(images, np.log(w)), np.log(K @ w), np.log(K.sum(axis=1))
    of_mean = first - second + np.log(len(w))
    usual = [("this is the content as printed: subtract log Σ k(y, y_j)", first)]
    usual += [("the sign is that of minus the content", second - first)]
    usual += [("the second term is the logarithm of a sum, not of a mean", of_mean)]
    return compared(found, first - second, usual)


def is_right_3(error):
    """Check the error of f(g(y)) if training ends at a weaker penalty."""
    choices, duck = ducks()
    start, factor, steps = choices.duck_schedule
    own = {"bandwidth": choices.duck_bandwidth, "init_scale": choices.init_scale}

    def error_of(n_steps, share):
        lambdas = annealing_schedule(start, factor, n_steps)
        model = KIE(2, penalty=lambdas, random_state=0, **own).fit(duck.X)
        back = model.inverse_transform(model.transform(duck.X_unseen, share * lambdas[-1]))
        return ((back - duck.X_unseen) ** 2).mean()

    nearest = duck.X[squared_distances(duck.X_unseen, duck.X).argmin(axis=1)]
    right = error_of(15, 0.5)
    usual = {error_of(15, 1.0): "the error with all of the last λ: take half of it"}
    usual |= {error_of(steps, 0.5): "the error after ten steps: fit fresh, with 15"}
    usual |= {((nearest - duck.X_unseen) ** 2).mean(): "the error of the nearest image"}
    usual |= {right * duck.X.shape[1]: "a sum over pixels, not a mean", right**0.5: "its root"}
    return agrees(error, right, usual=usual)
