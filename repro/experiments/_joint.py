"""Views of objects of COIL-20, and joint KIE as the paper fits it to two of them."""

from functools import cache

import numpy as np

from repro.core.estimator import options_of
from repro.datasets import fetch_coil20
from repro.experiments.claims import choice
from repro.kie import JointKIE, annealing_schedule


def steps_of_annealing(paper):
    """Declare which values λ takes in ten steps."""
    return choice(
        "eleven values",
        paper=paper,
        ours="ten multiplications, so eleven values",
        settings={"ten values": "λ has ten values"},
        sensitivity={"last value": "λ is not annealed"},
    )


@cache
def load_object(number, n):
    """Fetch n views of an object: the first n, or, if n divides 72, n that fill a turn."""
    return fetch_coil20(objects=number, views=np.arange(n) * (1 if 72 % n else 72 // n))


def joint_model(choices, factor, seed):
    """Return joint KIE, not fitted; λ starts at 1 and is multiplied by a factor in ten steps."""
    by = choices.n_views if choices.penalty_by_n else 1
    penalties = annealing_schedule(1.0, factor, 10) / by
    taken = {"eleven values": penalties, "ten values": penalties[:-1], "last value": penalties[-1:]}
    options = options_of(JointKIE, choices)
    return JointKIE(penalty=taken[choices.annealing], random_state=seed, **options)
