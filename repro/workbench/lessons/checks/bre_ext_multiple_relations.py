"""The checks of the exercises of several relations in BRE."""

import numpy as np

from repro.bre import (
    AffinityRelation,
    MultipleBRE,
    bernoulli_gaussian,
    bernoulli_truncated,
    bre_loss,
    multiple_bre_loss,
    neighbor_graph,
)
from repro.core.quiet import without_warning
from repro.experiments import (
    bre_ext_multiple_relations as experiment,
    mre_fig3_isomap_faces as fig3,
)
from repro.measures import abs_spearman

SEED = 924282  # the run of median loss


def relate(weight=1.0, truncated=False):
    """Return the relations of the faces, and the indices of labelled and other faces of a run."""
    choices, (faces, factors) = experiment.Choices(), fig3.load_faces()
    labelled, others = fig3.split(len(factors), choices.n_labelled, SEED)
    told = [bernoulli_gaussian(column[:, None], choices.beta) for column in factors[labelled].T]
    if truncated:
        pixels = bernoulli_truncated(faces.X, choices.beta_pixels, neighbor_graph(faces.X, 100))
    else:
        pixels = bernoulli_gaussian(faces.X, choices.beta_pixels)
    relations = [AffinityRelation(P, index=labelled) for P in told]
    return [*relations, AffinityRelation(pixels, weight=weight)], labelled, others


def is_right_1(weight):
    """Check the weight of the pixels that turns means over pairs into sums, up to a factor."""
    relations, labelled, others = relate(weight)
    Y = np.random.default_rng(0).normal(size=(len(labelled) + len(others), 4))
    means, *_ = multiple_bre_loss(Y, np.ones((5, 4)), relations)
    parts = [bre_loss(Y[r.rows], r.P)[0] for r in relations]
    return np.isclose(means * len(labelled) * (len(labelled) - 1), sum(parts), rtol=0.01)


def is_right_2(slope):
    """Check the slope at which labelled faces have no loss, with β = 3 for the factors."""
    pair = np.array([[0.0], [1.0]])
    apart = bernoulli_gaussian(pair, 3.0), bernoulli_gaussian(slope * pair, 1.0)
    return slope > 0 and np.allclose(*apart, atol=0.01)


@without_warning()
def is_right_3(name):
    """Check which factor keeps the largest rank correlation if the pixels are truncated."""
    choices = experiment.Choices()
    relations, labelled, others = relate(truncated=True)
    options = {"init_scale": choices.init_scale, "random_state": SEED}
    model = MultipleBRE(4, max_iter=choices.max_iter, **options).fit(relations)
    own = fig3.shares(model, labelled)[:4].argmax(axis=1)
    rho = abs_spearman(fig3.load_faces()[1][others], model.embedding_[others][:, own]).diagonal()
    return name == fig3.NAMES[rho.argmax()]
