"""Checks of what a caller passes: a choice of indices, a count, a source of randomness, a name."""

import difflib
import operator
from collections.abc import Iterable

import numpy as np

from repro.core.records import UserError


def _index(value, argument):
    """Return `value` as a plain int; a bool, a float and a string are refused."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{argument} must be whole numbers, not {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{argument} must be whole numbers, not {value!r}") from None


def choice(values, allowed, argument):
    """Return the chosen indices as a tuple of ints, in the order given.

    Parameters
    ----------
    values : None, int or iterable of int
        What the caller asked for; None is everything that is allowed.
    allowed : range
        The indices there are.
    argument : str
        The name of the caller's argument, for the message.

    Returns
    -------
    tuple of int

    Raises
    ------
    TypeError
        If `values` is a string or holds anything but whole numbers.
    ValueError
        If it is empty, holds an index twice, or one that does not exist.
    """
    if values is None:
        return tuple(allowed)
    if isinstance(values, str | bytes):
        raise TypeError(f"{argument} must be whole numbers, not the text {values!r}")
    single = (
        values.ndim == 0 if isinstance(values, np.ndarray) else not isinstance(values, Iterable)
    )
    if single:
        values = (values,)
    chosen = tuple(_index(value, argument) for value in values)
    if not chosen:
        raise ValueError(f"{argument} is empty: leave it out to have all")
    wrong = sorted(set(chosen) - set(allowed))
    if wrong:
        raise ValueError(
            f"{argument} must lie in {allowed[0]}…{allowed[-1]}, but {wrong[0]} was asked for"
        )
    if len(set(chosen)) < len(chosen):
        twice = next(value for value in chosen if chosen.count(value) > 1)
        raise ValueError(f"{argument} holds {twice} more than once")
    return chosen


def count(n, argument="n"):
    """Return a number of points as an int of at least 1.

    Raises
    ------
    TypeError
        If `n` is no whole number.
    ValueError
        If it is less than 1.
    """
    n = _index(n, argument)
    if n < 1:
        raise ValueError(f"{argument} must be at least 1, not {n}")
    return n


def generator(rng, argument="rng"):
    """Return a `numpy.random.Generator`: the one given, or a new one from a seed or from None.

    Raises
    ------
    TypeError
        If `rng` is neither a Generator, nor a whole number, nor None.
    ValueError
        If the seed is negative.
    """
    if rng is None or isinstance(rng, np.random.Generator):
        return np.random.default_rng(rng)
    try:
        seed = _index(rng, argument)
    except TypeError:
        raise TypeError(
            f"{argument} must be a numpy.random.Generator, a whole number or None, not {rng!r}"
        ) from None
    if seed < 0:
        raise ValueError(f"{argument} must not be negative as a seed, but is {seed}")
    return np.random.default_rng(seed)


def known_name(name, known, what):
    """Return `name` if it is one of `known`, else raise an error that suggests the nearest.

    Raises
    ------
    UserError
        If `name` is not in `known`; the message names `what` and lists the known names.
    """
    if name in known:
        return name
    near = difflib.get_close_matches(str(name), known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UserError(f"{what}: unknown data set {name!r}.{hint} Known: {', '.join(sorted(known))}.")
