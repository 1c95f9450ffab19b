"""Readings of a paper as settings of a notebook's parameters, and which of them to run."""

import ast
from itertools import combinations, islice, product

import numpy as np

PRIMARY = ""  # the reading that sets nothing


def parse_settings(text):
    """Parse settings such as ``"PERSON = 'r'; FIRST = 5"``.

    Parameters
    ----------
    text : str
        Assignments with semicolons between them; empty for none.

    Returns
    -------
    settings : dict of str to str
        Expressions by name, written as Python writes them.

    Raises
    ------
    ValueError
        If it is no sequence of assignments to plain names, or sets a name twice.
    """
    try:
        lines = ast.parse(text).body
    except SyntaxError:
        lines = [None]
    settings = {}
    for line in lines:
        names = line.targets if isinstance(line, ast.Assign) else [None]
        if len(names) != 1 or not isinstance(names[0], ast.Name) or names[0].id in settings:
            raise ValueError(f"settings are NAME = value; NAME = value …, not {text!r}")
        settings[names[0].id] = ast.unparse(line.value)
    return settings


def write_settings(settings):
    """Write settings so that equal ones are equal texts: by name, values as Python writes them."""
    return "; ".join(single_settings(settings))


def single_settings(settings):
    """Write each setting by itself, by name."""
    return [f"{name} = {settings[name]}" for name in sorted(settings)]


def parse_values(text):
    """Parse ``"NAME=1,2,(3, 4)"`` into a name and its values.

    Raises
    ------
    ValueError
        If it is not of that form.
    """
    name, _, values = text.partition("=")
    try:
        listed = ast.parse(f"[{values}]", mode="eval").body.elts if values.strip() else []
    except (SyntaxError, AttributeError):
        listed = []
    if not name.strip().isidentifier() or not listed:
        raise ValueError(f"values of a parameter are NAME=value,value …, not {text!r}")
    return name.strip(), [ast.unparse(value) for value in listed]


def grid_of_values(given):
    """Combine the values of several parameters, each ``"NAME=value,value …"``; all combinations.

    Returns
    -------
    readings : list of str
    """
    named = dict(parse_values(text) for text in given)
    return [
        write_settings(dict(zip(named, values, strict=True))) for values in product(*named.values())
    ]


def grid_of_readings(alternatives, sample=0):
    """List the readings of a notebook: the primary, each other choice alone, and combinations.

    Parameters
    ----------
    alternatives : dict of str to list of str
        The other values of each choice, as in a notebook's metadata.
    sample : int
        How many combinations of two choices or more to take, of few changes before many; of as
        many changes, in a random but fixed order.

    Returns
    -------
    readings : list of str
        Each once; the primary reading first.
    """
    changes = [[parse_settings(text) for text in texts] for texts in alternatives.values()]
    single = [write_settings(settings) for texts in changes for settings in texts]
    several = islice(_combinations(changes), sample)
    return list(dict.fromkeys([PRIMARY, *single, *several]))


def _combinations(changes):
    rng = np.random.default_rng(0)
    for count in range(2, len(changes) + 1):
        of_count = [
            write_settings({name: value for one in chosen for name, value in one.items()})
            for choices in combinations(changes, count)
            for chosen in product(*choices)
        ]
        yield from (of_count[k] for k in rng.permutation(len(of_count)))


def parse_seeds(text):
    """Parse ``"0:10"`` or ``"3"``, the seeds from the first to before the last.

    Raises
    ------
    ValueError
        If it is not of that form, or empty.
    """
    first, colon, end = text.partition(":")
    try:
        seeds = range(int(first), int(end) if colon else int(first) + 1)
    except ValueError:
        seeds = range(0)
    if not seeds or seeds[0] < 0:
        raise ValueError(f"seeds are FIRST:END, such as 0:10, not {text!r}")
    return seeds
