"""Suppression of a warning that an experiment expects."""

import warnings
from contextlib import contextmanager

STILL_FALLING = "the loss was still falling"  # expected with the iterations that a paper states


@contextmanager
def without_warning(begins=STILL_FALLING):
    """Ignore warnings whose text begins with a match of a regular expression.

    Use as a context manager or a decorator. The default is the warning that the loss was still
    falling at the last iteration.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", begins)
        yield
