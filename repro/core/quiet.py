"""Silences a warning that an experiment expects."""

import warnings
from contextlib import contextmanager

STILL_FALLING = "the loss was still falling"  # a fit of as many iterations as a paper states


@contextmanager
def without_warning(begins=STILL_FALLING):
    """Ignore warnings whose text begins with a regular expression, in a block or a function.

    It is a context manager and a decorator. By default the warning is that the loss of a fit was
    still falling when its iterations were spent.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", begins)
        yield
