"""Similarity relations over all points or some of them, and their construction from a table."""

import numbers
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
    most = np.iinfo(np.int32).max
    if (index < 0).any() or (index > most).any():
        raise ValueError(
            f"index must name points 0 to {most}, but goes from {index.min()} to {index.max()}"
        )
    if len(np.unique(index)) != m:
        raise ValueError("index must not name a point twice")
    return index.astype(np.intp)


def check_relations(relations, kind=Relation):
    """Return a tuple of relations of one class; raise an error if there are others or none.

    Warn if a relation without ``index`` has fewer points than another one names.
    """
    if hasattr(relations, "columns"):
        raise TypeError(
            f"relations must be a list of {kind.__name__}, got a table: relations_from_table makes "
            "a Relation from each of its columns"
        )
    if isinstance(relations, Relation):
        relations = (relations,)
    try:
        relations = tuple(relations)
    except TypeError:
        raise TypeError(f"relations must be a list of {kind.__name__}, got {relations!r}") from None
    if not relations:
        raise ValueError("relations must not be empty")
    for relation in relations:
        if type(relation) is not kind:
            raise TypeError(
                f"relations must be a list of {kind.__name__}, but holds a "
                f"{type(relation).__name__}: wrap a matrix as {kind.__name__}(P)"
            )
    n = max(relation.n_points for relation in relations)
    for c, relation in enumerate(relations):
        if relation.index is None and relation.n_points < n:
            m = relation.n_points
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
        "?", is refused. In a column of classes, 1, 1.0 and "1" are the same class. A
        point with a missing value is left out of that column's index set. A column that holds one
        number only, or only classes of one point, is refused.
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
    if not table.columns.is_unique:
        twice = table.columns[table.columns.duplicated()][0]
        raise ValueError(f"table must not have two columns of one name, as {twice!r}")
    return [_relation_from_column(table[name], sigma2, include_self) for name in table.columns]


def _class_name(value):
    """Return the name of a class as a string; 1, 1.0 and "1" give the same name."""
    whole = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    return str(int(value)) if whole and value == value // 1 else str(value)


def _check_text(names, column):
    """Raise an error if classes named in a column of text look like a measured quantity."""
    measured = [name for name in names if NUMBER.fullmatch(name)]
    odd = [name for name in names if not WHOLE.fullmatch(name)]
    odd.sort(key=lambda name: (name in measured, name))
    if odd and 2 * len(measured) > len(names):
        raise ValueError(
            f"column {column!r} holds numbers as text, and {odd[0]!r}: make numbers of it, with "
            "pandas.to_numeric(…, errors='coerce') after replacing decimal commas, or call "
            "astype('category') if they name classes"
        )


def _relation_from_column(column, sigma2, include_self):
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    column = column.convert_dtypes() if column.dtype == object else column  # numbers as objects
    continuous = is_numeric_dtype(column) and not is_bool_dtype(column)
    is_text = column.dtype == object or isinstance(column.dtype, pd.StringDtype)
    index = np.flatnonzero(column.notna())
    classes = np.array([_class_name(value) for value in column], dtype=str)
    if is_text:
        _check_text(set(classes[index].tolist()), column.name)
    if not continuous and len(index) > 1 and len(set(classes[index])) == len(index):
        raise ValueError(
            f"column {column.name!r} must name a class twice, but all its values differ: leave "
            "names of points out, and make numbers of what is measured"
        )
    if not (continuous or include_self):
        _, inverse, sizes = np.unique(classes[index], return_inverse=True, return_counts=True)
        index = index[sizes[inverse] > 1]
    known = None if len(index) == len(column) else index
    if len(index) < 2:
        raise ValueError(f"column {column.name!r} must have at least 2 known values")
    if not continuous:
        P = class_blocks(classes[index], include_self)
        return Relation(P, index=known, name=str(column.name))
    if is_complex_dtype(column):
        raise TypeError(f"column {column.name!r} must hold real numbers, got complex ones")
    values = column.to_numpy(dtype=float, na_value=np.nan)[index]
    values = check_size(check_finite(values, str(column.name)), str(column.name))
    if np.ptp(values) == 0:
        raise ValueError(f"column {column.name!r} must not hold one and the same number")
    values = (values - values.mean()) / values.std()
    P = gaussian_rows(values[:, None], sigma2, include_self=include_self)
    return Relation(P, index=known, name=str(column.name))
