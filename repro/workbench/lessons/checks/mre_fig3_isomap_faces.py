"""The checks of the exercises of MRE Figure 3."""

import numpy as np

from repro.experiments import mre_fig3_isomap_faces as experiment
from repro.mre import MRE, Relation, perplexity_rows
from repro.workbench.lessons import agrees


def fit(pixels=None, d=4, starts=1):
    """Fit the faces with the labels and the start of seed 0; return the model and both groups."""
    choices = experiment.Choices()
    faces, factors = experiment.load_faces()
    labelled, others = experiment.split(len(factors), choices.n_labelled, seed=0)
    told = experiment.relations_of(faces, factors, labelled, choices)
    if pixels is not None:
        told[-1] = Relation(pixels, name="Eucl")
    options = {"init_scale": choices.init_scale, "max_iter": choices.max_iter}
    model = MRE(d, n_init=starts, random_state=0, **options)
    return model.fit(told), labelled, others


def is_right_1(weight):
    """Check the weight that replaces a mean over the labelled faces by one over all."""
    share = experiment.Choices().n_labelled / len(experiment.load_faces()[1])
    usual = {1 / share: "the weight that turns 1/N into 1/N^c", 1 - share: "the others' share"}
    return agrees(weight, share, usual=usual)


def is_right_2(names):
    """Check which factors share an axis in three dimensions."""
    model, labelled, _ = fit(d=3, starts=3)
    own = experiment.shares(model, labelled)[:4].argmax(axis=1)
    return {experiment.NAMES[k] for k in range(4) if (own == own[k]).sum() > 1} == set(names)


def is_right_3(error):
    """Check the pose error of the darkest tenth if each face has a bandwidth of its own."""
    faces, factors = experiment.load_faces()
    model, labelled, others = fit(perplexity_rows(faces.X, 15))
    own = experiment.shares(model, labelled)[:2].argmax(axis=1)
    found, true = model.embedding_[others][:, own], factors[others]
    errors = [experiment.rank_errors(true[:, k], found[:, k]) for k in (0, 1)]
    tenths = np.array_split(true[:, 3].argsort(), 10)
    dark, bright = (np.mean(errors, axis=0)[tenths[k]].mean() for k in (0, -1))
    usual = {np.mean(errors): "the error of all faces", bright: "the error of the brightest tenth"}
    return agrees(error, dark, usual=usual)
