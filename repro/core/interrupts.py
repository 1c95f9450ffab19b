"""Ctrl-C in a fit: a reader gets the best iterate; evidence is whole, or there is none."""

import os
import sys

# The environment of kernels in which `repro run` executes notebooks.
VARIABLE = "REPRO_WHOLE_FITS"


def only_whole_fits():
    """Say whether a fit that Ctrl-C cuts short is to be given up.

    It is where an experiment made the fit, from a sweep or in Jupyter, and in all that
    `repro run` executes.
    """
    frame = sys._getframe(1)
    while frame:
        if frame.f_globals.get("__name__", "").startswith("repro.experiments."):
            return True
        frame = frame.f_back
    return VARIABLE in os.environ
