"""Shared by the fetchers: the `Dataset` class, a check of arguments, and the stand-ins in use."""

import operator
from dataclasses import dataclass

import numpy as np

_standins = set()


class DatasetUnavailable(RuntimeError):  # noqa: N818 - a state, not an error
    """A data set cannot be obtained; the message says what was tried and where to put files."""


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
        In the type and scale of the original files (by default uint8, 0–255).
    X : ndarray of shape (n, d) or None
        The same data as rows, float64. Default: the flattened images, one entry per pixel and
        colour, on the same scale.
    triplets : ndarray of shape (T, 3) or None
        Rows (i, j, k): item i is more like j than like k; indices start at 0.
    labels : ndarray of shape (n,) or None
        One class per row.
    factors : ndarray of shape (n, k) or None
        Known factors of variation, float64, one column for each of `factor_names`.
    names : tuple of str or None
        One name per row.
    factor_names : tuple of str
        Names of the columns of `factors`.
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
        # The caller's arrays stay writable.
        arrays = {f: v.copy() for f, v in vars(self).items() if isinstance(v, np.ndarray)}
        if self.X is None and self.images is not None:
            images = arrays["images"]
            arrays["X"] = images.reshape(len(images), -1).astype(np.float64)
        for field, array in arrays.items():
            array.setflags(write=False)
            object.__setattr__(self, field, array)
        if self.is_standin:
            _standins.add(self.name)

    def __repr__(self):
        standin = " — STAND-IN, not the real data" if self.is_standin else ""
        lines = [f"Dataset {self.name}{standin}"]
        for field in ("images", "X", "triplets", "labels", "factors"):
            value = getattr(self, field)
            if value is not None:
                lines.append(f"  {field}: {value.shape} {value.dtype}")
        return "\n".join([*lines, f"  licence: {self.licence}", f"  source: {self.source}"])


def check_selection(values, allowed, argument):
    """Return the selected values of a range, or letters of a string, as a tuple; None selects all.

    Raises TypeError if an entry of a range is not an integer, ValueError if one is unknown or
    repeated.
    """
    if values is None:
        return tuple(allowed)
    chosen = (values,) if isinstance(values, str) or not hasattr(values, "__iter__") else (*values,)
    if isinstance(allowed, range):
        chosen = tuple(operator.index(value) for value in chosen)
    if not chosen or len(set(allowed).intersection(chosen)) < len(chosen):
        there = f"{allowed[0]}…{allowed[-1]}"
        raise ValueError(f"{argument} must be one or several of {there}, each once, not {values!r}")
    return chosen


def standins_in_use():
    """Return the names of all data sets replaced by stand-ins in this process, a frozenset.

    Figures and claims check it before they are written, so that every stand-in is marked.
    """
    return frozenset(_standins)
