"""What every fetcher returns, and the record of the stand-ins in use."""

import html
from dataclasses import dataclass

import numpy as np

from .layouts import few

_ROW_FIELDS = ("images", "X", "labels", "factors", "names", "keywords")
_standins = set()


class DatasetUnavailable(RuntimeError):  # noqa: N818 - the name says the state, not a fault
    """A data set could not be had; the message says what was tried and which file to put where."""


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
    keywords : tuple of tuple of str, or None
        Words that go with each row, such as the ingredients of a dish.

    Raises
    ------
    ValueError
        If the fields that have one entry per row differ in length, or triplets name other items
        than these rows.
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
    keywords: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self):
        if self.images is not None and self.X is None:
            n = len(self.images)
            object.__setattr__(self, "X", np.reshape(self.images, (n, -1)).astype(np.float64))
        if self.factors is not None and np.shape(self.factors)[1:] != (len(self.factor_names),):
            raise ValueError(f"factors of shape {np.shape(self.factors)} need as many factor_names")
        rows = {f: len(getattr(self, f)) for f in _ROW_FIELDS if getattr(self, f) is not None}
        if len(set(rows.values())) > 1:
            raise ValueError(f"the number of rows differs: {rows}")
        if self.triplets is not None:
            _check_triplets(self.triplets, max(rows.values(), default=None))
        self._seal()

    def __setstate__(self, state):
        # Unpickling, say in a worker process, must neither unlock arrays nor forget a stand-in.
        self.__dict__.update(state)
        self._seal()

    def _seal(self):
        for field, value in vars(self).items():
            if isinstance(value, np.ndarray):
                locked = value.view()  # the caller's own array stays as it is
                locked.setflags(write=False)
                object.__setattr__(self, field, locked)
        if self.is_standin:
            _standins.add(self.name)

    def _facts(self):
        """List (field, words) for the two representations."""
        facts = []
        for field in ("images", "X", "triplets", "labels", "factors"):
            value = getattr(self, field)
            if value is not None:
                words = f"{value.shape} {value.dtype}"
                if field == "factors":
                    words += f" ({few(self.factor_names, most=6)})"
                facts.append((field, words))
        return [*facts, ("licence", self.licence), ("source", self.source)]

    def __repr__(self):
        lines = [f"Dataset {self.name}" + (" — STAND-IN, not the real data" * self.is_standin)]
        return "\n".join(lines + [f"  {field}: {words}" for field, words in self._facts()])

    def _repr_html_(self):
        loud = ' <strong style="color:#b00">STAND-IN, not the real data</strong>' * self.is_standin
        rows = "".join(
            f"<tr><th>{field}</th><td>{html.escape(words)}</td></tr>"
            for field, words in self._facts()
        )
        return f"<div>Dataset <b>{html.escape(self.name)}</b>{loud}<table>{rows}</table></div>"


def _check_triplets(triplets, n):
    """Refuse triplets that are not three indices each of n items; n None: of any number."""
    if triplets.shape[1:] != (3,) or triplets.dtype.kind not in "iu":
        raise ValueError(
            f"triplets must be whole numbers of shape (T, 3), not {triplets.dtype} of shape "
            f"{triplets.shape}"
        )
    end = np.inf if n is None else n
    if triplets.size and not 0 <= triplets.min() <= triplets.max() < end:
        items = "0…" if n is None else f"0…{n - 1}"
        raise ValueError(
            f"triplets must name items {items}, but go from {triplets.min()} to {triplets.max()}"
        )


def standins_in_use():
    """Return the names of the data sets of which a stand-in was made in this process.

    Figures and claims ask this before they are written, so that a stand-in is never silent.
    A name stays in the set until the process ends.

    Returns
    -------
    frozenset of str
    """
    return frozenset(_standins)
