"""The checks of the exercises of MRE Figure 2."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from repro.datasets import fetch_coil20
from repro.experiments import mre_fig2_alignment as experiment
from repro.measures import spearman
from repro.mre import MRE

CHOICES = replace(experiment.Choices(), ends="identity")


def is_right_1(between):
    """Check a rule for how far an image lies between the first and the last of a sequence."""
    cats, faces = experiment.load_images(CHOICES)
    gaps = np.abs(np.subtract.outer(between(cats), between(faces)))
    return (gaps.argmin(axis=1) == experiment.places_by_pixels(cats, faces)).all()


def is_right_2(count):
    """Check in how many of ten starts the first pair alone makes the head turn the right way."""
    cats, faces = experiment.load_images(CHOICES)
    images = SimpleNamespace(choices=CHOICES, cats=cats, faces=faces)
    relations = experiment.relations_of(cats, faces, CHOICES)[:4]
    options = {"init_scale": CHOICES.init_scale, "max_iter": CHOICES.max_iter}
    found = 0
    for seed in range(10):
        model = MRE(CHOICES.n_components, **options, random_state=seed).fit(relations)
        place = experiment.reconstruct(images, model)[1]
        found += spearman(place, np.arange(len(cats))) > 0
    return count == found


def is_right_3(ratios):
    """Check the squared distance of first and last image over that of neighbours, by object."""
    for number in (1, 3, 4, 13):
        X = fetch_coil20(objects=number, views=range(CHOICES.n_cats)).X.astype(float)
        steps = (np.diff(X, axis=0) ** 2).sum(axis=1).mean()
        if abs(ratios[number] * steps / ((X[0] - X[-1]) ** 2).sum() - 1) > 0.01:
            return False
    return True
