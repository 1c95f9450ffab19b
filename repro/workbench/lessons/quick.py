"""Quick runs for a class: a lesson makes one run instead of several, and judges nothing."""

from repro.core.switches import is_on


def is_quick():
    """Return whether the variable ``REPRO_QUICK`` asks for a quick run."""
    return is_on("REPRO_QUICK")
