"""The experiments, one module per notebook: choices, one run, its measures, the claims.

Each module declares

- ``PAPER``, ``ITEM``: what is reproduced; ``REPEATS``: the number of runs of our setting;
- ``UNIT``: what a seed draws: a new "sample", or only a "start" on data that are always the same;
- ``ORDER``: the score and the space that order the runs; the median run is shown. If the score is
  "loss", it also tells in how many optima the runs ended;
- ``Choices``: a frozen dataclass of what the paper says, what we took, and the other values that
  are tried, see `repro.experiments.claims.choices`;
- ``run(choices, seed)``: makes one run, and returns what it fitted;
- ``measure(run)``: returns a table with a row per score and a column per space, see
  `repro.experiments.claims.tables`; a loss in the column of a space tells in which optimum its fit
  ended;
- ``embedding(run)``: returns the embedding of a run, if there is one to draw;
- ``CLAIMS``: what the paper says, and what each claim asks of cells of the table.

What several experiments share is in modules whose names begin with an underscore; no experiment
imports another.
"""

import warnings
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules


def names():
    """List the experiments."""
    modules = [module.name for module in iter_modules(__path__) if not module.ispkg]
    return sorted(name for name in modules if not name.startswith("_"))


def load(name):
    """Import an experiment; raise a ModuleNotFoundError if there is none of that name."""
    return import_module(f"{__name__}.{name}")


@contextmanager
def without_warning(beginning="the loss was still falling"):
    """Ignore warnings whose text begins with a match of a regular expression.

    Use as a context manager or a decorator. The default is expected with the iterations that a
    paper states.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", beginning)
        yield
