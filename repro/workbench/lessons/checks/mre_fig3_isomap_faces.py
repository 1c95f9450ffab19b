"""The checks of the exercises of MRE Figure 3."""

from scipy.stats import spearmanr

from repro.experiments import mre_fig3_isomap_faces as experiment
from repro.mre import MRE


def fit(d=4, starts=1, **changes):
    """Fit the faces with the labels and the start of seed 0; return the model and both groups."""
    faces, factors = experiment.load_faces()
    labelled, others = experiment.split(len(factors), 100, seed=0)
    told = experiment.relations_of(faces, factors, labelled, experiment.Choices(), **changes)
    model = MRE(d, max_iter=1000, n_init=starts, init_scale=0.1, random_state=0)
    return model.fit(told), labelled, others


def is_right_1(weight):
    """Check the weight that replaces a mean over the labelled faces by one over all."""
    return abs(weight * len(experiment.load_faces()[1]) / 100 - 1) < 0.01


def is_right_2(names):
    """Check which factors share an axis in three dimensions."""
    model, labelled, _ = fit(d=3, starts=3)
    own = experiment.shares(model, labelled)[:4].argmax(axis=1)
    return {experiment.NAMES[k] for k in range(4) if (own == own[k]).sum() > 1} == set(names)


def is_right_3(rho):
    """Check the rank correlation of Pose2 with a tenth of the bandwidth of the pixels."""
    model, labelled, others = fit(sigma2_pixels=0.1)
    along = model.embedding_[:, experiment.shares(model, labelled)[1].argmax()]
    _, factors = experiment.load_faces()
    return abs(abs(spearmanr(factors[others, 1], along[others]).statistic) - rho) < 0.005
