"""The checks of the exercises of t-ETE Section 1."""

import numpy as np

from repro.experiments import tete_sec1_circle as experiment
from repro.tete import TripletEmbedding, fraction_satisfied, reverse_triplets, sample_per_point

SEED = 305191  # of the run that the lesson shows


def is_right_1(count):
    """Check the count of violated constraints of four corners on a line."""
    places = [0, 1, 2, 3.5], [0, 1, 5, 2], [0, 2, 3, 1.5]
    return [count(np.array(y)) for y in places] == [2, 4, 4]


def is_right_2(shares):
    """Check the shares that lines by t-STE and t-ETE violate, of triplets that two fifths hide."""
    choices, rng = experiment.Choices(), np.random.default_rng(SEED)
    X, _ = (experiment.draw(choices, contrast, rng) for contrast in (0.0, choices.contrast))
    asked = choices.n_triplets, choices.n_neighbors, choices.far
    right = sample_per_point(X, *asked, rng=rng)
    wrong = reverse_triplets(right, 0.4, np.random.default_rng(0))
    options = {"t": 2.0, "alpha": 1.0, "random_state": SEED}
    fits = [TripletEmbedding(loss, 1, **options).fit(wrong) for loss in ("tste", "tete")]
    found = [1 - fraction_satisfied(fitted.embedding_, right) for fitted in fits]
    return np.allclose(shares, found, rtol=0.1, atol=0)


def is_right_3(places):
    """Check an embedding of digits: local scale is kept, neighbours are not."""
    choices = experiment.Choices()
    X = experiment.draw_set("MNIST", choices.n_of_set, SEED)
    kept = [experiment.local_scale(places, X, of) for of in ("spacing", "neighbours")]
    return kept[0] > 0.9 and kept[1] < 0.1
