"""Checks of what a caller passes: a choice of some, the name of a set."""

import difflib
import operator

from repro.core.records import UserError


def choice(values, allowed, argument):
    """Return the chosen values, of a range or of the letters of a text, as a tuple; None is all.

    TypeError for what is no whole number, ValueError for what does not exist or is there twice.
    """
    if values is None:
        return tuple(allowed)
    chosen = (values,) if isinstance(values, str) or not hasattr(values, "__iter__") else (*values,)
    if isinstance(allowed, range):
        chosen = tuple(operator.index(value) for value in chosen)
    known = set(allowed)
    if not chosen or len(known & set(chosen)) < len(chosen):
        there = f"{allowed[0]}…{allowed[-1]}"
        raise ValueError(f"{argument} must be one or several of {there}, not {values!r}")
    return chosen


def known_name(name, known, what):
    """Return `name` if it is one of `known`, else raise a UserError that suggests the nearest."""
    if name in known:
        return name
    near = difflib.get_close_matches(str(name), known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UserError(f"{what}: unknown data set {name!r}.{hint} Known: {', '.join(sorted(known))}.")
