"""A quick run, for a class: a lesson makes one run instead of several, and judges nothing."""

from repro.core.switches import is_on


def is_quick():
    """Say whether the variable ``REPRO_QUICK`` asks for a quick run."""
    return is_on("REPRO_QUICK")


def seeds(n):
    """Return the seeds of a lesson's own runs, a range: the first n, in a quick run the first."""
    return range(1 if is_quick() else n)
