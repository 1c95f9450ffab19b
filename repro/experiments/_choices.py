"""Choices that several experiments share."""

from dataclasses import fields
from functools import partial

from repro.experiments.claims import choice


def names_of(choices, but=()):
    """List the names of all choices of a class `Choices`, but for some."""
    return tuple(field.name for field in fields(choices) if field.name not in but)


def descent_of(choices):
    """Return the way of descent and its limit of iterations as options of a model."""
    return dict(zip(("optimizer", "max_iter"), choices.descent, strict=True))


def small_start(
    paper="“small random values”",
    ours="normal, with a standard deviation of 0.1, as in the author's code",
):
    """Declare the spread of a start that the paper calls small."""
    tried = {0.01: "the start has a standard deviation of 0.01"}
    return choice(0.1, paper=paper, ours=ours, settings=tried)


start_of_mre = partial(
    small_start, ours="a standard deviation of 0.1, as in the first author's code of KIE"
)


def one_start(ours="no restarts are mentioned"):
    """Declare the number of starts where the paper mentions none."""
    return choice(1, ours=ours, settings={5: "the best of five starts is taken"})


def any_descent(paper="“simple gradient based optimization”"):
    """Declare the optimiser where the paper only says that it follows the gradient."""
    tried = {"gd": "it is gradient descent"}
    return choice("l-bfgs", paper=paper, ours="SciPy's L-BFGS", settings=tried)


def bandwidth_on_pixels(value, paper, sensitivity=()):
    """Declare a bandwidth h on the pixels of COIL-20: 0–255, 128 × 128."""
    tried = {
        value / 2: "the bandwidth h is half the paper's",
        value * 2: "the bandwidth h is twice the paper's",
    }
    return choice(value, paper=paper, sensitivity=tried | dict(sensitivity))
