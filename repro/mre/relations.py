"""Similarity relations over all points or some of them, and their construction from a table."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from repro.core.checks import (
    LARGEST,
    as_array,
    check_choice,
    check_finite,
    check_positive,
    check_size,
)
from repro.core.distances import is_constant
from repro.core.names import name_of, warn_of_similar
from repro.core.warn import warn_user
from repro.mre.similarities import class_blocks, gaussian_rows
from repro.mre.sne import NeighborProbabilities

# Numbers in text.
WHOLE, NUMBER = re.compile(r"[-+]?\d+"), re.compile(r"[-+]?\d*[.,]?\d+([eE][-+]?\d+)?")


@dataclass(frozen=True, eq=False)
class Relation:
    """One similarity relation over all points or some of them. MRE Sec. 2 and 2.1.

    Parameters
    ----------
    P : (m, m) array
        Similarities, not negative; rows sum to 1.
    index : (m,) int array, optional
        Indices of the related points, the paper's I^c, without repeats. Default: 0 … m - 1.
    name : str
        Name in figures and messages.
    weight : float
        The paper's λ^c, positive; the paper sets all to 1.
    metric : {"learned", "identity"}
        Whether the diagonal R^c is learned, or fixed to ones.
    """

    P: np.ndarray = field(repr=False)
    index: np.ndarray | None = field(default=None, repr=False)
    name: str = ""
    weight: float = 1.0
    metric: str = "learned"

    def __post_init__(self):
        what = f"P of the relation {self.name!r}" if self.name else "P of a relation"
        for name, value in self.prepared(what).items():
            object.__setattr__(self, name, value)
        if not 1 / LARGEST < check_positive(self.weight, "weight") < LARGEST:
            raise ValueError(f"weight must be of ordinary size, got {self.weight!r}")
        check_choice(self.metric, "metric", ("learned", "identity"))
        if self.index is not None:
            object.__setattr__(self, "index", _check_index(self.index, self.P.shape[0]))

    def prepared(self, what):
        """Check P, named ``what`` in messages; return the attributes to set."""
        similarities = NeighborProbabilities(self.P, what)
        return {"similarities": similarities, "P": similarities.P}

    @property
    def learned(self):
        """Whether R^c is learned."""
        return self.metric == "learned"

    @property
    def share(self):
        """Factor of the relation's loss in the sum over relations, λ^c."""
        return self.weight

    @cached_property
    def n_points(self):
        """Smallest number of points that X must have."""
        return self.P.shape[0] if self.index is None else int(self.index.max()) + 1

    @property
    def rows(self):
        """Slice or indices of the rows of X that the relation covers."""
        return slice(self.P.shape[0]) if self.index is None else self.index


def _check_index(index, m):
    index = as_array(index, "index")
    if index.dtype.kind not in "iu":
        raise TypeError(f"index must hold integers, got dtype {index.dtype}")
    if index.shape != (m,):
        raise ValueError(f"index must have one entry per row of P, {m}, got shape {index.shape}")
    if len(np.unique(index[index >= 0])) != m:
        raise ValueError("index must name each point once, by a number that is not negative")
    return index.astype(np.intp)


def check_relations(relations, kind=Relation):
    """Return a tuple of relations of one class; raise an error if there are others or none.

    Warn if a relation without ``index`` has fewer points than another one names.
    """
    relations = tuple(relations) if np.iterable(relations) else (relations,)
    if not relations:
        raise ValueError("relations must not be empty")
    for relation in relations:
        if type(relation) is not kind:
            table = ", and make relations of the columns of a table with relations_from_table"
            raise TypeError(
                f"relations must be a list of {kind.__name__}, but holds a "
                f"{type(relation).__name__}: wrap a matrix as {kind.__name__}(P)"
                + (table if kind is Relation else "")
            )
    n = max(relation.n_points for relation in relations)
    for c, relation in enumerate(relations):
        m = relation.n_points
        if relation.index is None and m < n:
            warn_user(
                f"relation {relation.name or c!r} has {m} of {n} points and no index: it is tied "
                f"to points 0 to {m - 1}; say which they are, index=range({n - m}, {n}) for the "
                "last, or fill a table up with missing values"
            )
    return relations


def relations_from_table(table, sigma2=1.0, include_self=True):
    """Make a relation from each column of a table of factors. MRE Sec. 3.2.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per point, in the order of the points; its index is ignored. A numeric column is
        standardised (mean 0, variance 1 over the known values) and compared by `gaussian_rows`.
        Any other column, including Booleans, holds classes, compared by `class_blocks`: cast
        numeric class codes to str or category. Text that is mostly numbers, such as "1,5" beside
        "?", is refused. Classes are named as by `repro.core.names.name_of`: 1, 1.0 and "1" are one,
        and a warning tells of names that differ by case or accents alone. A point with a missing
        value, or empty text, is left out of that column's index set. A column that holds one number
        only, one class of all points, or only classes of one point, is refused.
    sigma2 : float
        Bandwidth of the standardised numbers; 1 in the paper.
    include_self : bool
        Whether a point counts among its own neighbours. If not, classes of one point are also
        left out.

    Returns
    -------
    relations : list of Relation
        Named after the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from repro import relations_from_table
    >>> table = pd.DataFrame({"pan": [0.0, 10, 20, None], "person": ["a", "a", "b", "b"]})
    >>> [(relation.name, len(relation.P)) for relation in relations_from_table(table)]
    [('pan', 3), ('person', 4)]
    """
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"table must be a pandas DataFrame, got {type(table).__name__}")
    names = pd.Index([name_of(str(name)) for name in table.columns], dtype=object)
    if not names.is_unique:
        twice = names[names.duplicated()][0]
        raise ValueError(f"table must not have two columns of one name, as {twice!r}")
    warn_of_similar(names, "columns")
    return [_relation_from_column(column, sigma2, include_self) for _, column in table.items()]


def _relation_from_column(column, sigma2, include_self):
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    what = f"column {column.name!r}"
    column = column.convert_dtypes() if column.dtype == object else column  # numbers as objects
    is_measured = is_numeric_dtype(column) and not is_bool_dtype(column)
    values = column if is_measured else column.astype(object).map(name_of)
    index = np.flatnonzero(values.notna() if is_measured else values.notna() & (values != ""))
    values = values.iloc[index]
    if not is_measured:
        values = values.to_numpy(str)
        warn_of_similar(values.tolist(), f"classes of {what}")
        kinds, values, sizes = np.unique(values, return_inverse=True, return_counts=True)
        if not isinstance(column.dtype, pd.CategoricalDtype):
            _check_text(kinds.tolist(), what)
        if len(kinds) == len(values) > 1:
            raise ValueError(
                f"{what} must name a class twice, but all its values differ: leave names of points "
                "out, and make numbers of what is measured"
            )
        if 1 == len(kinds) < len(values) == len(column):
            raise ValueError(f"{what} must not hold one class only, that of all points")
        if not include_self:
            shared = sizes[values] > 1
            index, values = index[shared], values[shared]
    if len(index) < 2:
        raise ValueError(f"{what} must have at least 2 known values")
    if is_measured:
        values = check_size(check_finite(values, what).astype(float), what)
        if is_constant(values):
            raise ValueError(f"{what} must not hold one and the same number")
        values = (values - values.mean()) / values.std()
        P = gaussian_rows(values[:, None], sigma2, include_self=include_self)
    else:
        P = class_blocks(values, include_self)
    known = None if len(index) == len(column) else index
    relation = Relation(P, index=known, name=name_of(str(column.name)))
    object.__setattr__(relation, "n_points", len(column))  # the last ones may have no value
    return relation


def _check_text(kinds, what):
    """Raise an error if classes named in a column of text look like a measured quantity."""
    measured = [kind for kind in kinds if NUMBER.fullmatch(kind)]
    odd = [kind for kind in kinds if not WHOLE.fullmatch(kind)]
    if odd and 2 * len(measured) > len(kinds):
        raise ValueError(
            f"{what} holds numbers as text, and {odd[-1]!r}: make numbers of it, with "
            "pandas.to_numeric(…, errors='coerce') after replacing decimal commas, or call "
            "astype('category') if they name classes"
        )
