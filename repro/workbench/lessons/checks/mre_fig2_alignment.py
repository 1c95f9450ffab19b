"""The checks of the exercises of MRE Figure 2."""

from dataclasses import replace

import numpy as np

from repro.datasets import fetch_coil20
from repro.experiments import mre_fig2_alignment as experiment
from repro.mre import MRE
from repro.workbench.lessons import agrees

CHOICES = replace(experiment.Choices(), ends="identity")
SEEDS = 930235, *range(930220, 930225)  # those of the lesson


def is_right_1(between):
    """Check a rule for how far an image lies between the first and the last of a sequence."""
    cats, faces = experiment.load_images(CHOICES)

    def ends_of(images, kind=float):
        X = images.reshape(len(images), -1).astype(kind)
        return (np.linalg.norm((X - X[end]).astype(float), axis=1) for end in (0, -1))

    found = np.asarray(between(cats), dtype=float)
    first, last = ends_of(cats)
    if np.allclose(found, last / (first + last)):
        return "this is 1 for the first image and 0 for the last"
    if np.allclose(found, first**2 / (first**2 + last**2)):
        return "these are squared distances"
    first_round, last_round = ends_of(cats, cats.dtype)
    if np.allclose(found, first_round / (first_round + last_round), atol=0.02):
        return "the images' numbers cannot be negative, so differences go wrong: use astype(float)"
    first_face, last_face = ends_of(faces)
    return bool(
        np.allclose(found, first / (first + last))
        and np.allclose(between(faces), first_face / (first_face + last_face))
    )


def is_right_2(loss):
    """Check the lowest loss of six starts if all metrics are fixed."""
    cats, faces = experiment.load_images(CHOICES)
    options = {"init_scale": CHOICES.init_scale, "max_iter": CHOICES.max_iter}

    def losses(relations):
        models = [MRE(2, **options, random_state=seed).fit(relations) for seed in SEEDS]
        return [model.loss_ for model in models]

    relations = experiment.relations_of(cats, faces, CHOICES)
    found = losses([replace(relation, metric="identity") for relation in relations])
    usual = {
        max(found): "the highest loss",
        min(losses(relations)): "the loss if only those of the pairs are fixed",
    }
    return agrees(loss, min(found), usual=usual)


def is_right_3(ratios):
    """Check the squared distance of first and last image over that of neighbours, by object."""
    for number in (1, 3, 4, 13):
        X = fetch_coil20(objects=number, views=range(CHOICES.n_cats)).X.astype(float)
        steps, whole = (np.diff(X, axis=0) ** 2).sum(axis=1), ((X[0] - X[-1]) ** 2).sum()
        usual = {np.sqrt(whole) / np.sqrt(steps).mean(): "a ratio of distances, not of squares"}
        usual |= {steps.mean() / whole: "the ratio the other way round"}
        usual |= {whole / steps.sum(): "a ratio to the sum of the steps, not to their mean"}
        said = agrees(ratios[number], whole / steps.mean(), usual=usual)
        if said is not True:
            return said
    return True
