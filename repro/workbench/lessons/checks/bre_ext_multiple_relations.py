"""The checks of the exercises of several relations in BRE."""

import numpy as np

from repro.bre import (
    AffinityRelation,
    MultipleBRE,
    bernoulli_gaussian,
    bernoulli_truncated,
    neighbor_graph,
)
from repro.experiments import (
    bre_ext_multiple_relations as experiment,
    mre_fig3_isomap_faces as fig3,
    without_warning,
)
from repro.measures import abs_spearman

SEED = 294295  # the run of median loss


def is_right_1(weight):
    """Check the weight of the pixels that turns means over pairs into sums, up to a factor."""
    n_labelled = experiment.Choices().n_labelled
    n_faces = len(fig3.load_faces()[1])
    return np.isclose(weight * n_labelled * (n_labelled - 1), n_faces * (n_faces - 1), rtol=0.02)


def is_right_2(slope):
    """Check the slope at which labelled faces have no loss, with β = 3 for the factors."""
    return abs(slope - 1 / np.sqrt(3)) < 0.02


@without_warning()
def is_right_3(name):
    """Check which factor keeps the largest rank correlation if the pixels are truncated."""
    choices = experiment.Choices()
    faces, factors = fig3.load_faces()
    labelled, others = fig3.split(len(factors), choices.n_labelled, SEED)
    columns = [bernoulli_gaussian(column[:, None], choices.beta) for column in factors[labelled].T]
    pixels = bernoulli_truncated(faces.X, choices.beta_pixels, neighbor_graph(faces.X, 100))
    relations = [*(AffinityRelation(P, index=labelled) for P in columns), AffinityRelation(pixels)]
    options = {"init_scale": choices.init_scale, "random_state": SEED}
    model = MultipleBRE(4, max_iter=choices.max_iter, **options).fit(relations)
    own = fig3.shares(model, labelled)[:4].argmax(axis=1)
    rho = abs_spearman(factors[others], model.embedding_[others][:, own]).diagonal()
    return name == fig3.NAMES[rho.argmax()]
