"""The checks of the exercises of MRE Figure 1."""

from dataclasses import replace

import numpy as np

from repro.experiments import mre_fig1_toy_cars as experiment
from repro.mre import MRE, Relation, class_blocks, gaussian_rows, mre_loss
from repro.workbench.lessons import agrees, compared


def relations():
    """Return the two relations of the three cars."""
    choices = experiment.Choices()
    images, car, _ = experiment.load_cars(choices.objects, choices.n_views)
    looks = gaussian_rows(images.X, choices.sigma2, include_self=True)
    return [Relation(looks, name="Eucl"), Relation(class_blocks(car), name="Class")]


def is_right_1(gradient):
    """Check a gradient with respect to the scales of one relation: a function of X, r and P."""
    rng, (looks, _) = np.random.default_rng(0), relations()
    X, r = rng.normal(size=(len(looks.P), 3)), np.array([1.0, 0.5, -2.0])
    found, expected = gradient(X, r, looks.P), mre_loss(X, r[None], [looks])[2][0]
    usual = [("the sign is that of a descent", -expected)]
    usual += [("a factor of 2 is missing", expected / 2)]
    usual += [("the factor 1/N is missing", len(X) * expected)]
    usual += [("the scale of the axis is missing as a factor", expected / r)]
    return compared(found, expected, usual)


def is_right_2(ratio):
    """Check by what factor the loss grows from three dimensions to two."""
    flat, whole = (
        MRE(n, init_scale=0.1, n_init=5, random_state=0).fit(relations()).loss_ for n in (2, 3)
    )
    usual = {whole / flat: "the factor the other way round", flat: "a loss, not a factor"}
    return agrees(ratio, flat / whole, usual=usual | {flat - whole: "a difference, not a factor"})


def is_right_3(ratio):
    """Check *same over other* of MRE for a duck, a wood block and a cat."""
    others = experiment.run(replace(experiment.Choices(), objects=(1, 2, 4)), seed=0)
    row = experiment.measure(others).loc["same over other"]
    usual = {row["SNE"]: "the value of SNE", row["pixels"]: "the value of the pixels"}
    return agrees(ratio, row["MRE"], usual=usual)
