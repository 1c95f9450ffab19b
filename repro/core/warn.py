"""Warnings that point to the line of the user that they are about."""

import sys
import warnings

LIBRARIES = ("repro", "sklearn", "scipy")


def warn_user(message, category=RuntimeWarning):
    """Warn of what was called from the nearest line outside of the libraries."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in LIBRARIES:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
