"""Ctrl-C in a fit: interactive use keeps the best iterate; experiments discard the fit."""

import os
import sys

# Set in the environment of the kernels in which `repro run` executes notebooks.
VARIABLE = "REPRO_WHOLE_FITS"


def only_whole_fits():
    """Return whether to discard a fit that Ctrl-C interrupts.

    This holds for fits made by an experiment, in a sweep or in Jupyter, and for everything that
    `repro run` executes.
    """
    frame = sys._getframe(1)
    while frame:
        if frame.f_globals.get("__name__", "").startswith("repro.experiments."):
            return True
        frame = frame.f_back
    return VARIABLE in os.environ
