"""The checks of the exercises of t-ETE Figure 3."""

from functools import cache

import numpy as np

from repro.experiments import tete_fig3_generalization_noise as experiment, without_warning
from repro.tete import TripletEmbedding

SEED = 347711  # the run of the lesson


def is_right_1(scale):
    """Check the scale by which points in CKL's unit of length become those of t-STE."""
    return all(np.isclose(scale(mu), mu**-0.5) for mu in (0.05, 0.4, 3.0))


def is_right_2(best):
    """Check the ratio of least mean cost, a function of the share reversed and of t."""
    return all(
        np.isclose(best(share, t), (share / (1 - share)) ** (1 / (2 - t)), rtol=1e-3)
        for share in (0.05, 0.15, 0.3)
        for t in (1.0, 1.5, 1.7)
    )


@cache
@without_warning("item")
@without_warning()
def violated_with_misread_scenes():
    """Fit t-ETE to triplets of which all about every seventh scene are reversed."""
    kinds, train, unseen, _ = experiment.draw(experiment.Choices(), "MIT Scenes", SEED)
    given = np.where((train[:, 0] % 7 == 0)[:, None], train[:, [0, 2, 1]], train)
    options = {"t": 1.7, "optimizer": "l-bfgs", "max_iter": 500, "random_state": SEED}
    model = TripletEmbedding("tete", **options).fit(given, n_items=len(kinds))
    return 1 - model.score(unseen)


def is_right_3(share):
    """Check the share of unseen triplets that are violated if every seventh scene is misread."""
    return abs(share - violated_with_misread_scenes()) < 0.01
