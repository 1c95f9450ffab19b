"""The choices of an experiment: what the paper says, what we took, what else was tried.

An experiment declares them once, as the fields of a frozen dataclass `Choices`. The readings that a
sweep runs and the table "what the paper leaves open" are made from the same declaration.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import get_args

import numpy as np

N_COMBINATIONS = 8  # of several changed choices; enough to see whether they interact


@dataclass(frozen=True)
class Source:
    """Where the value of a choice comes from, and which other values are tried.

    Attributes
    ----------
    paper : str
        The place in the paper, or its words; empty if it says nothing.
    ours : str
        What we took it to mean, or why we chose the value.
    open : dict
        Other values that the paper could have meant, and what each means in words.
    stated : dict
        Values that its text rules out, or that we count as errors in it, tried to see how much
        depends on them.
    equal : dict
        Values as good as ours, among which only the result could decide. Their runs are pooled
        with ours, with equal weight, to answer whether a claim is reproduced.
    elsewhere : dict
        Values that the paper did not mean, such as other data, on which claims are tried too.
    """

    paper: str
    ours: str
    open: dict
    stated: dict
    equal: dict
    elsewhere: dict

    @property
    def others(self):
        """Other values on the paper's own data, with their words."""
        return self.open | self.stated | self.equal

    def meaning(self, value):
        """Return the words declared for another value; empty if there are none."""
        return (self.others | self.elsewhere).get(value, "")

    def list_values(self, values):
        """List values by their declared words, or as they are."""
        return "; ".join(self.meaning(value) or _as_text(value) for value in values)


def _as_text(value):
    if isinstance(value, tuple):
        return " ".join(map(_as_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def choice(value, *, paper="", ours="", open=(), stated=(), equal=(), elsewhere=()):
    """Declare a choice of an experiment, as a field of its dataclass `Choices`.

    Parameters
    ----------
    value : bool, int, float, str, None or tuple of these
        The value of the primary reading.
    paper, ours : str
        See `Source`; at least one of them is required.
    open, stated, equal, elsewhere : sequence, or mapping of value to str
        See `Source`. The words complete the sentence "not if …"; they are not needed
        if ``name = value`` is clear.
    """
    if not (paper or ours):
        raise ValueError(f"a choice needs a source: paper=… or ours=…, value {value!r}")
    tried = [
        dict(v) if isinstance(v, Mapping) else dict.fromkeys(v, "")
        for v in (open, stated, equal, elsewhere)
    ]
    named = [repr(v) for v in (value, *chain(*tried))]
    if len(set(named)) < len(named):
        raise ValueError(f"each value of a choice may be named once, got {', '.join(named)}")
    return field(default=value, metadata={"source": Source(paper, ours, *tried)})


def fitting(choices, name, value):
    """Convert a value to the type of a choice: 5 to 5.0 if the choice takes floats.

    A choice takes the strings, booleans and None that it declares, all finite numbers of a declared
    type, and tuples of any length whose entries fit those of declared tuples. Raises ValueError for
    any other value.
    """
    (declared,) = [each for each in fields(choices) if each.name == name]
    source = declared.metadata["source"]
    known = [declared.default, *source.others, *source.elsewhere]
    kinds = {*map(type, known), *(get_args(declared.type) or [declared.type])}
    try:
        return _fitting(value, known, kinds)
    except ValueError:
        taken = ", ".join(map(repr, known))
        raise ValueError(f"{name} cannot be {value!r}; declared are {taken}") from None


def _fitting(value, known, kinds):
    """Match a value with known values, or with types of numbers."""
    for each in known:
        if type(value) is type(each) and value == each:
            return each
    entries = [entry for each in known if isinstance(each, tuple) for entry in each]
    if type(value) is tuple and entries:
        return tuple(_fitting(entry, entries, set(map(type, entries))) for entry in value)
    for kind in (int, float):
        if kind in kinds and type(value) in (int, kind) and abs(value) < float("inf"):
            return kind(value)
    raise ValueError


def sources(choices):
    """Return the `Source` of each choice by name; ``choices`` is a `Choices` or an instance."""
    return {f.name: f.metadata["source"] for f in fields(choices)}


def filled(choices, names):
    """Return those of the named choices that are ours, since the paper is silent."""
    declared = sources(choices)
    return [name for name in names if declared[name].ours]


@dataclass(frozen=True)
class Reading:
    """One way to read the paper: a value for each choice.

    Attributes
    ----------
    choices : dataclass
        An instance of the experiment's `Choices`.
    kind : {"primary", "open", "stated", "equal", "combination", "elsewhere"}
        One choice has another value, see `Source`, or several choices have other open values.
    changed : tuple of str
        Names of the choices that differ from the primary reading.
    """

    choices: object
    kind: str
    changed: tuple = ()

    @property
    def words(self):
        """What differs from the primary reading, in words."""
        declared = sources(self.choices)
        parts = []
        for name in self.changed:
            value = getattr(self.choices, name)
            parts.append(declared[name].meaning(value) or f"{name} = {_as_text(value)}")
        return " and ".join(parts) or "primary"


# Words for the choices that several experiments share, as in "not if the … is 5".
CALLED = {
    "bandwidth": "the bandwidth",
    "beta": "β",
    "condition_bandwidth": "the bandwidth of the condition",
    "descent_max_iter": "the limit of gradient descent's iterations",
    "init_scale": "the spread of the start",
    "lle_neighbors": "the number of LLE's neighbours",
    "max_iter": "the limit of iterations",
    "n_components": "the number of dimensions",
    "n_init": "the number of starts",
    "n_near": "the number of near items",
    "n_neighbors": "the number of neighbours",
    "n_starts": "the number of starts",
    "n_views": "the number of views",
    "optimizer": "the optimiser",
    "sigma2": "the bandwidth σ²",
    "sigma2_pixels": "the bandwidth σ² of the pixels",
    "times": "the factor of the weight",
    "weight_pixels": "the weight of the pixels",
}


def name_singles(readings):
    """Name readings in which one choice has another value: "width = 2 or 4, or it is centred".

    Choices that several experiments share are named in words: "the number of starts is 5".
    """
    parts = {}  # plain values by the name of the choice; words stand alone
    for reading in readings:
        (name,) = reading.changed
        value = getattr(reading.choices, name)
        if meaning := sources(reading.choices)[name].meaning(value):
            parts[meaning] = []
        else:
            parts.setdefault(name, []).append(_as_text(value))
    return ", or ".join(_equal(name, values) if values else name for name, values in parts.items())


def _equal(name, values):
    *most, last = values
    either = f"{', '.join(most)} or {last}" if most else last
    return f"{CALLED[name]} is {either}" if name in CALLED else f"{name} = {either}"


def readings_of(primary):
    """List the readings of an experiment, given the `Choices` of the primary one.

    It comes first, then each other value alone, combinations of open values, and other data.
    """

    def singles(*kinds):
        return [
            Reading(replace(primary, **{name: value}), kind, (name,))
            for kind in kinds
            for name, source in sources(primary).items()
            for value in getattr(source, kind)
        ]

    first = [Reading(primary, "primary"), *singles("equal", "open", "stated")]
    return first + _combinations(primary) + singles("elsewhere")


def _combinations(primary):
    """Draw combinations of two or more open values, equally likely, with a fixed seed."""
    values = {
        name: [getattr(primary, name), *source.open, *source.equal]
        for name, source in sources(primary).items()
        if source.open or source.equal
    }
    possible = math.prod(map(len, values.values()))
    possible -= 1 + sum(len(v) - 1 for v in values.values())  # the primary, and single changes
    rng = np.random.default_rng(0)
    drawn = {}
    while len(drawn) < min(N_COMBINATIONS, possible):
        taken = {name: v[rng.integers(len(v))] for name, v in values.items()}
        changed = tuple(name for name in taken if taken[name] != values[name][0])
        if len(changed) >= 2:
            reading = Reading(replace(primary, **taken), "combination", changed)
            drawn.setdefault(repr(taken), reading)
    return list(drawn.values())
