"""The experiments, one module per notebook: choices, one run, its measures, the claims.

Each module declares ``PAPER``, ``ITEM``, ``REPEATS`` (runs of the primary reading), the frozen
dataclass ``Choices``, ``run(choices, seed)``, ``measure(fitted)``, ``embedding(fitted)`` where
there is one to draw, and ``CLAIMS``.
"""

import warnings
from importlib import import_module
from pkgutil import iter_modules

# Experiments and their lessons make as many iterations as the papers say, settled or not.
warnings.filterwarnings("ignore", "the loss was still falling", UserWarning)
# What joint KIE makes of pairs at random, and of penalties that bind all, is part of KIE Sec. 4.
warnings.filterwarnings("ignore", "the fit put all points in one place", UserWarning)
# KIE Fig. 3 asks what remains as what is known counts less and less.
warnings.filterwarnings("ignore", "a bandwidth of 1 is too large for y", RuntimeWarning)
# KIE Sec. 2.2 is about maps that have no maximum.
warnings.filterwarnings("ignore", ".* have no maximum of the information content", UserWarning)


def names():
    """List the experiments."""
    return sorted(info.name for info in iter_modules(__path__))


def load(name):
    """Import an experiment.

    Raises
    ------
    ModuleNotFoundError
        If there is none of that name.
    """
    return import_module(f"{__name__}.{name}")
