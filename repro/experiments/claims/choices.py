"""The choices of an experiment: what the paper says, what we took, what else was tried.

An experiment declares them once, as the fields of a frozen dataclass `Choices`. The settings that a
sweep runs and the table of a lesson's settings are made from the same declaration.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import get_args

import numpy as np

N_COMBINATIONS = 8  # of several changed choices; enough to see whether they interact
OURS = "ours"  # the kind of our setting, and its words


@dataclass(frozen=True)
class Source:
    """Where the value of a choice comes from, and which other values are tried.

    Attributes
    ----------
    paper : str
        The place in the paper, or its words; empty if it says nothing.
    ours : str
        What we took it to mean, or why we chose the value.
    settings : dict
        Other values that the text admits, and what each means in words. A free number has half
        and double of it, unless the text narrows it.
    sensitivity : dict
        Values that the text or its time rules out, or that we count as errors in it, tried to see
        how much depends on them.
    other_data : dict
        Values that the paper did not mean, on which claims are tried too.
    """

    paper: str
    ours: str
    settings: dict
    sensitivity: dict
    other_data: dict

    @property
    def others(self):
        """All other values that are tried, with their words."""
        return self.settings | self.sensitivity | self.other_data

    def meaning(self, value):
        """Return the words declared for another value; empty if there are none."""
        return self.others.get(value, "")

    def list_values(self, values):
        """List values by their declared words, or as they are."""
        return "; ".join(self.meaning(value) or _as_text(value) for value in values)


def _as_text(value):
    if isinstance(value, tuple):
        return " ".join(map(_as_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def choice(value, *, paper="", ours="", settings=(), sensitivity=(), other_data=()):
    """Declare a choice of an experiment, as a field of its dataclass `Choices`.

    Parameters
    ----------
    value : bool, int, float, str, None or tuple of these
        Our value.
    paper, ours : str
        See `Source`; at least one of them is required.
    settings, sensitivity, other_data : sequence, or mapping of value to str
        See `Source`. The words complete the sentence "not if …"; they are not needed
        if ``name = value`` is clear.
    """
    if not (paper or ours):
        raise ValueError(f"a choice needs a source: paper=… or ours=…, value {value!r}")
    tried = [
        dict(v) if isinstance(v, Mapping) else dict.fromkeys(v, "")
        for v in (settings, sensitivity, other_data)
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
    known = [declared.default, *source.others]
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
class Setting:
    """A value for each choice.

    Attributes
    ----------
    choices : dataclass
        An instance of the experiment's `Choices`.
    kind : {"ours", "settings", "sensitivity", "combination", "other_data"}
        All values are ours; or one choice has another value, see `Source`; or several choices have
        other values that the text admits.
    changed : tuple of str
        Names of the choices that are not ours.
    """

    choices: object
    kind: str
    changed: tuple = ()

    @property
    def words(self):
        """What differs from ours, in words."""
        declared = sources(self.choices)
        parts = []
        for name in self.changed:
            value = getattr(self.choices, name)
            parts.append(declared[name].meaning(value) or f"{name} = {_as_text(value)}")
        return " and ".join(parts) or OURS


# Words for the choices that several experiments share.
CALLED = {
    "against_tsne": "triplets beside t-SNE",
    "bandwidths": "range of bandwidths",
    "beta": "β",
    "beta_pixels": "β of the pixels",
    "condition_bandwidth": "bandwidth of the condition",
    "contradicted": "contradicted triplets",
    "dark": "share of faces called dark",
    "descent_max_iter": "limit of gradient descent's iterations",
    "embedded": "what is embedded",
    "ends": "metric of the end points",
    "equal_within": "step within which methods are equal",
    "far": "far items",
    "fronts_meet": "pairing of the ends",
    "height": "width of the S-curve",
    "held_out": "share held out",
    "include_self": "whether a point is its own neighbour",
    "init_scale": "spread of the start",
    "library": "library of t-SNE",
    "lle_neighbors": "number of LLE's neighbours",
    "max_iter": "limit of iterations",
    "n_clusters": "number of clusters",
    "n_components": "number of dimensions",
    "n_init": "number of starts",
    "n_near": "number of near items",
    "n_neighbors": "number of neighbours",
    "n_outliers": "number of outliers",
    "n_starts": "number of starts",
    "n_views": "number of views",
    "optimizer": "optimiser",
    "pixels": "range of the pixels",
    "rotation_in": "space of the rotation",
    "sigma2": "bandwidth σ²",
    "sigma2_pixels": "bandwidth σ² of the pixels",
    "smoother_times": "bandwidth of the smoother",
    "standardised_over": "faces to standardise over",
    "t_noise": "t under noise",
    "taught_components": "dimensions learned",
    "times": "factor of bandwidths and weights",
    "weight_pixels": "weight of the pixels",
}


def called(name):
    """Return a choice in words: "number of starts" for "n_init"."""
    return CALLED.get(name, name.replace("_", " "))


def settings_of(ours):
    """List the settings of an experiment, given the `Choices` of ours.

    It comes first, then each other value alone, combinations of settings, and other data.
    """

    def singles(*kinds):
        return [
            Setting(replace(ours, **{name: value}), kind, (name,))
            for kind in kinds
            for name, source in sources(ours).items()
            for value in getattr(source, kind)
        ]

    first = [Setting(ours, OURS), *singles("settings", "sensitivity")]
    return first + _combinations(ours) + singles("other_data")


def _combinations(ours):
    """Draw combinations of two or more values of settings, equally likely, with a fixed seed."""
    values = {
        name: [getattr(ours, name), *source.settings]
        for name, source in sources(ours).items()
        if source.settings
    }
    possible = math.prod(map(len, values.values()))
    possible -= 1 + sum(len(v) - 1 for v in values.values())  # ours, and single changes
    rng = np.random.default_rng(0)
    drawn = {}
    while len(drawn) < min(N_COMBINATIONS, possible):
        taken = {name: v[rng.integers(len(v))] for name, v in values.items()}
        changed = tuple(name for name in taken if taken[name] != values[name][0])
        if len(changed) >= 2:
            setting = Setting(replace(ours, **taken), "combination", changed)
            drawn.setdefault(repr(taken), setting)
    return list(drawn.values())
