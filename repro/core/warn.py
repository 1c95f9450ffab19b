"""Warnings that point to the line of user code that caused them."""

import sys
import warnings

import numpy as np

LIBRARIES = ("repro", "sklearn", "scipy", "numpy", "contextlib")
# The largest number may not exceed a constant plus this many per given number.
FEW, PER_NAME = 1000, 10


def warn_user(message, category=RuntimeWarning):
    """Issue a warning that points to the nearest calling line outside the libraries."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in LIBRARIES:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def warn_of_gaps(numbers, claim, argument, n=0):
    """Warn if some numbers below n or the largest are missing; raise an error if nearly all are.

    ``claim`` introduces the numbers, such as "triplets name items"; ``argument`` is the parameter
    that sets their count.
    """
    n = max(n, int(numbers.max()) + 1)
    if n > FEW + PER_NAME * numbers.size:
        raise ValueError(
            f"{claim} up to {n - 1}, but only {len(np.unique(numbers))} different ones: number "
            f"them without gaps, or pass {argument}"
        )
    absent = np.ones(n, bool)
    absent[numbers] = False
    absent = np.flatnonzero(absent)
    if not len(absent):
        return
    hint = f"the first are {', '.join(map(str, absent[:5]))}; number them without gaps"
    if absent.tolist() == [0]:
        hint = "if they are counted from 1, subtract 1"
    warn_user(
        f"{claim} up to {n - 1}, but {len(absent)} of these occur in none, and stay at their "
        f"start: {hint}, or pass {argument}"
    )
