"""What fetchers share: the `Dataset` they return, the check of a choice, stand-ins in use."""

import operator
from dataclasses import dataclass
from textwrap import shorten

import numpy as np

from repro.core.last_digits import moved_if_asked

_standins = set()


class DatasetUnavailable(RuntimeError):  # noqa: N818 - the name says the state, not a fault
    """A data set cannot be had; the message says what was tried and which file to put where."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set with its origin. The arrays are read-only; copy one to change it.

    Attributes
    ----------
    name : str
        The short name, such as ``"coil20"``.
    source, licence, citation : str
        Where it comes from, on what terms, and what to cite.
    is_standin : bool
        True for generated data in place of the real set; `standins_in_use` then lists the name.
    images : ndarray of shape (n, h, w), or (n, h, w, 3) in colour, or None
        In the type and scale of the original files (uint8, 0–255, unless the fetcher says other).
    X : ndarray of shape (n, d) or None
        The same data as rows, float64; without it, made from the images: one entry a pixel and
        colour, same scale.
    triplets : ndarray of shape (T, 3) or None
        Rows (i, j, k): item i is more like j than like k; indices start at 0.
    labels : ndarray of shape (n,) or None
        One class per row.
    factors : ndarray of shape (n, k) or None
        What is known to vary, float64, one column for each of `factor_names`.
    names : tuple of str or None
        One name per row.
    factor_names : tuple of str
        The columns of `factors`.

    Raises
    ------
    ValueError
        If the fields that have one entry per row differ in length.
    """

    name: str
    source: str
    licence: str
    citation: str
    is_standin: bool = False
    images: np.ndarray | None = None
    X: np.ndarray | None = None
    triplets: np.ndarray | None = None
    labels: np.ndarray | None = None
    factors: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    factor_names: tuple[str, ...] = ()

    def __post_init__(self):
        for field, value in vars(self).items():
            if isinstance(value, np.ndarray):  # the caller's own array stays as it is
                object.__setattr__(self, field, value.copy())
        if self.images is not None and self.X is None:
            n = len(self.images)
            object.__setattr__(self, "X", np.reshape(self.images, (n, -1)).astype(np.float64))
        if self.X is not None:
            object.__setattr__(self, "X", moved_if_asked(np.asarray(self.X)))
        if self.factors is not None and np.shape(self.factors)[1:] != (len(self.factor_names),):
            raise ValueError(f"factors of shape {np.shape(self.factors)} need as many factor_names")
        fields = "images", "X", "labels", "factors", "names"
        rows = {f: len(getattr(self, f)) for f in fields if getattr(self, f) is not None}
        if len(set(rows.values())) > 1:
            raise ValueError(f"the number of rows differs: {rows}")
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        if self.is_standin:
            _standins.add(self.name)

    def __repr__(self):
        standin = " — STAND-IN, not the real data" if self.is_standin else ""
        lines = [f"Dataset {self.name}{standin}"]
        for field in ("images", "X", "triplets", "labels", "factors"):
            value = getattr(self, field)
            if value is not None:
                lines.append(f"  {field}: {value.shape} {value.dtype}")
        if self.factor_names:
            lines[-1] += f" ({shorten(', '.join(self.factor_names), 70, placeholder=' …')})"
        return "\n".join([*lines, f"  licence: {self.licence}", f"  source: {self.source}"])


def check_selection(values, allowed, argument):
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


def standins_in_use():
    """Return the names of all data sets replaced by stand-ins in this process, a frozenset.

    Figures and claims ask this before they are written, so that a stand-in is never silent.
    """
    return frozenset(_standins)
