"""Checks of arguments; each error names the argument."""

import numbers
from datetime import date, time, timedelta

import numpy as np

from repro.core.memory import row_blocks

# Squares of larger numbers, or sums of them, overflow.
LARGEST = 1e152
# What rounding, of float32 as well, may take an entry beyond a bound, relative to the largest one;
# and of a distance, the root of a difference that may have lost half of the digits.
ROUNDED, ROUNDED_DISTANCE = 1e-5, 1e-3


def check_finite(x, name):
    """Return x as an array; raise an error if it has entries that are not finite real numbers."""
    given, x = x, as_array(x, name)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {x.dtype}{_culprit(given, x)}")
    bad = ~np.isfinite(x)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        column = ""
        if hasattr(given, "columns"):
            column = f", column {given.columns[where[1]]!r}; drop its rows or fill them"
        raise ValueError(
            f"{name} must be finite, but {int(bad.sum())} of its entries are NaN or infinite "
            f"(the first at {where[0] if len(where) == 1 else where}{column})"
        )
    return x


def _culprit(given, x):
    """Name the first column of x that holds no numbers, and the remedy."""
    if x.ndim != 2 or x.dtype.kind == "c" or not x.size:
        return ""
    culprits = ((j, v) for j, column in enumerate(x.T) for v in column if not _are_numbers([v]))
    j, value = next(culprits, (None, None))
    if j is None:
        return ""
    name = repr(given.columns[j]) if hasattr(given, "columns") else j
    return (
        f": column {name} holds {value!r}; drop it or make numbers of it, with pandas.get_dummies "
        "of classes, pandas.to_numeric of text, a count of days of dates"
    )


def _are_numbers(values):
    return all(isinstance(value, numbers.Real | np.bool_) for value in values)


def as_array(x, name):
    """Return x as an array; raise an error if it is sparse, masked, or has rows of other lengths.

    A table that names the same points in its rows and columns, but out of order, is refused, too.

    Numbers stored as objects, as in pandas' nullable types, become NumPy's; missing ones, NaN.
    """
    if hasattr(x, "toarray"):
        raise TypeError(f"{name} must be a dense array: pass its toarray()")
    if hasattr(x, "index") and hasattr(x, "columns"):
        rows, columns = list(x.index), list(x.columns)
        by_name = any(isinstance(column, str) for column in columns)  # not by default, by number
        if by_name and rows != columns and set(rows) == set(columns):
            raise ValueError(f"{name} must have its rows and columns in the same order")
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise ValueError(f"{name} must not have masked values: NumPy would use what they hide")
    try:
        x = np.asarray(x)
    except ValueError as error:
        raise ValueError(f"{name} must have rows of one length: {error}") from None
    if x.dtype != object:
        return x
    import pandas as pd

    filled = np.where(pd.isna(x), np.nan, x)
    return np.array(filled.tolist()) if _are_numbers(filled.flat) else x


def check_data(X, name):
    """Raise an error if X, (n, d), holds what scikit-learn would convert: dates, digits, masks."""
    values = as_array(X, name)
    if values.dtype.kind not in "cO" or any(map(_is_no_number, values.flat)):
        check_finite(X, name)


def _is_no_number(value):
    dated = date | time | timedelta | np.datetime64 | np.timedelta64
    of_pandas = type(value).__module__.startswith("pandas.")  # a period, an interval
    return of_pandas or isinstance(value, str | bytes | dated)


def check_outcome(outcome, name):
    """Return a value and its gradients; raise an error if one of them is not finite."""
    if not all(np.isfinite(part).all() for part in outcome):
        raise ValueError(f"{name} is too large: the loss or its gradient there is not finite")
    return outcome


def check_size(x, name):
    """Return an array of numbers; raise an error if squares overflow, or all of them underflow."""
    largest = max(float(x.max()), -float(x.min())) if x.size else 0.0
    if largest > LARGEST:
        raise ValueError(f"{name} is too large: the squares of its entries overflow")
    if 0 < largest < 1 / LARGEST:
        raise ValueError(f"{name} is too small: the squares of its entries underflow; scale it up")
    return x


def check_points(X, name, min_points=1):
    """Return X as a C-contiguous (n, d) float64 array of numbers whose squares are finite."""
    return check_size(_check_matrix(X, name, min_points), name)


def _check_matrix(X, name, min_points=1):
    table, X = X, as_array(X, name)
    if X.ndim != 2:
        raise ValueError(f"{name} must have one row per point, shape (n, d), got shape {X.shape}")
    if X.shape[0] < min_points or X.shape[1] < 1:
        least = f"{min_points} row{'s' * (min_points > 1)} and one column"
        raise ValueError(f"{name} must have at least {least}, got shape {X.shape}")
    return np.ascontiguousarray(check_finite(table, name), dtype=float)


def check_square(D, name, min_points=1):
    """Return D as a finite (n, n) float64 array."""
    D = as_array(D, name)
    _check_shape(D, name, min_points)
    return np.ascontiguousarray(check_finite(D, name), dtype=float)


def _check_shape(D, name, min_points):
    if D.ndim != 2 or D.shape[0] != D.shape[1]:
        raise ValueError(f"{name} must be square, got shape {D.shape}")
    if D.shape[0] < min_points:
        least = f"{min_points} point{'s' * (min_points > 1)}"
        raise ValueError(f"{name} must relate at least {least}, got shape {D.shape}")


def within_bounds(A, name, most=np.inf):
    """Return A, with entries that rounding took below 0 or above ``most`` set to the bound."""
    low, high = (float(A.min()), float(A.max())) if A.size else (0.0, 0.0)
    slack = ROUNDED * min(max(high, 0.0), most)
    if low < -slack or high > most + slack:
        if most == np.inf:
            raise ValueError(f"{name} must not be negative, its smallest entry is {low:.3g}")
        raise ValueError(f"{name} must lie in [0, {most}], but goes from {low:.3g} to {high:.3g}")
    return A if low >= 0 and high <= most else np.clip(A, 0.0, most)


def check_distances(D2, name="D2"):
    """Return distances as a finite, non-negative (n, n) or (n, m) float64 array."""
    return within_bounds(_check_matrix(D2, name), name)


def check_probabilities(P, name):
    """Return P as an (n, n) float64 array of probabilities whose rows sum to 1."""
    P = within_bounds(check_square(P, name, min_points=2), name)
    sums = P.sum(axis=1)
    worst = int(np.abs(sums - 1).argmax())
    if abs(sums[worst] - 1) > ROUNDED:
        raise ValueError(
            f"{name} must have rows that sum to 1, but row {worst} sums to {sums[worst]:.6g}"
        )
    return P


def check_kernel(K, name):
    """Return K as a symmetric, non-negative (n, n) float64 array, positive on the diagonal."""
    return within_bounds(check_covariance(K, name), name)


def check_covariance(K, name):
    """Return K as a symmetric (n, n) float64 array, positive on the diagonal."""
    K = check_square(K, name, min_points=2)
    if not (K.diagonal() > 0).all():
        raise ValueError(f"{name} must be positive on the diagonal")
    return check_symmetric(K, name)


def check_symmetric(K, name, rounded=ROUNDED):
    """Return K, (n, n), with the means of entries that differ from the transpose by rounding."""
    gap = max(np.abs(K[rows] - K[:, rows].T).max() for rows in row_blocks(K))
    largest = max(K.max(), -K.min())
    if gap > rounded * largest:
        raise ValueError(f"{name} must be symmetric, but differs from its transpose by {gap:.3g}")
    return (K + K.T) / 2 if gap > 1e-10 * largest else K


def check_relation(R, name):
    """Return R with entries in [0, 1] off the diagonal, as an (n, n) float64 array or a coo_array.

    The coo_array holds the stored off-diagonal entries, each (i, j) once.
    """
    from scipy import sparse

    if sparse.issparse(R):
        _check_shape(R, name, min_points=2)
        R = sparse.coo_array(R)
        check_finite(R.data, name)
        R = sparse.csr_array(R.astype(float))  # before sums of small integers overflow
        R.sum_duplicates()  # as SciPy does
        R = R.tocoo()
        off = R.row != R.col
        entries = within_bounds(R.data[off], name, 1)
        return sparse.coo_array((entries, (R.row[off], R.col[off])), shape=R.shape)
    R = check_square(R, name, min_points=2)
    off = ~np.eye(len(R), dtype=bool)
    entries = R[off]
    bounded = within_bounds(entries, name, 1)
    if bounded is not entries:
        R = R.copy()
        R[off] = bounded
    return R


def copied_if_shared(checked, given, copy=True):
    """Return the checked array, copied if it shares memory with the given one."""
    shared = copy and np.may_share_memory(checked, np.asarray(given))
    return checked.copy() if shared else checked


def one_each(values, n, name):
    """Return values as a list of n; raise an error if there are more or fewer."""
    values = list(values)
    if len(values) != n:
        raise ValueError(f"{name} must have {n} entries, got {len(values)}")
    return values


def check_same_columns(table, other, name):
    """Raise an error if two tables have columns of the same names in another order."""
    names = [list(getattr(given, "columns", ())) for given in (table, other)]
    if names[0] != names[1] and set(names[0]) == set(names[1]):
        raise ValueError(f"{name} must have its columns in the order {names[0]}, got {names[1]}")


def as_prepared(matrix, kind, points, name, *names):
    """Wrap a matrix in its class, and check that it has one row per point."""
    matrix = matrix if isinstance(matrix, kind) else kind(matrix, *names, copy=False)
    if len(matrix) != len(points):
        raise ValueError(
            f"{matrix.name} relates {len(matrix)} points, but {name} has {len(points)} rows"
        )
    return matrix


def check_flag(value, name):
    """Raise an error if value is not True or False: the string "False" would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")


def check_real(value, name):
    """Return a finite number as float."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not np.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return float(value)


def check_positive(value, name):
    """Return a positive finite number as float."""
    if check_real(value, name) <= 0:
        raise ValueError(f"{name} must be positive, got {value!r}")
    return float(value)


def check_not_negative(value, name):
    """Return a finite, non-negative number as float."""
    if check_real(value, name) < 0:
        raise ValueError(f"{name} must not be negative, got {value!r}")
    return float(value)


def check_count(value, name, minimum=1):
    """Return an integer of at least ``minimum``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


def check_choice(value, name, choices):
    """Return value if it is one of the choices, strings or None."""
    if not isinstance(value, str | None) or value not in choices:
        known = ", ".join(repr(c) for c in choices)
        raise ValueError(f"{name} must be one of {known}, got {value!r}")
    return value


def check_labels(labels, n=None, name="labels"):
    """Return labels as an (n,) array without missing entries; ``n=None`` allows any length.

    Any other value names a class, including -1 and the empty string; 1 and "1" are two classes.
    """
    given, labels = labels, as_array(labels, name)
    if labels.dtype.kind in "US":  # NumPy makes strings of numbers and NaNs among strings
        labels = np.array(given, dtype=object)
    if labels.ndim != 1 or not len(labels) or n not in (None, len(labels)):
        count = "point" if n is None else f"row, ({n},)"
        raise ValueError(f"{name} must have one entry per {count}, got shape {labels.shape}")
    if labels.dtype.kind not in "biu":
        import pandas as pd

        missing = pd.isna(labels)
        if missing.any():
            raise ValueError(
                f"{name} must not have missing values, but {int(missing.sum())} are missing "
                f"(the first at {int(missing.argmax())})"
            )
    return labels


def classes_of(labels, n=None, name="labels"):
    """Return the distinct classes, (C,), and the index of the class of each label, (n,).

    Classes are sorted, numbers before strings, and strings are named as by
    `repro.core.names.name_of`.
    """
    import pandas as pd

    from repro.core.names import name_of, warn_of_similar

    labels = check_labels(labels, n, name)
    if labels.dtype == object:
        is_text = np.array([isinstance(label, str) for label in labels])
        names = {text: name_of(text) for text in set(labels[is_text])}
        warn_of_similar(names.values(), name)
        labels = labels.copy()
        labels[is_text] = [names[text] for text in labels[is_text]]
    numbers, kinds = pd.factorize(labels, sort=True)
    return kinds, numbers


def check_values(values, n=None, name="values"):
    """Return one finite number per point as an (n,) float64 array."""
    return check_finite(check_labels(values, n, name), name).astype(float)


def check_generator(rng):
    """Return rng if it is a NumPy Generator."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {rng!r}")
    return rng
