"""Accepted input: pandas' types like NumPy's, and labels of any type; and refused input."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from repro import (
    MRE,
    SNE,
    AffinityRelation,
    MultipleBRE,
    Relation,
    TripletEmbedding,
    class_blocks,
    class_graph,
    gaussian_rows,
    measures,
    nearest_neighbor_error,
)
from repro.core.checks import (
    check_finite,
    check_labels,
    check_points,
    check_square,
    check_values,
    classes_of,
)
from repro.tete.triplets import check_triplets

X = np.random.default_rng(0).normal(size=(30, 2))
CODES = np.repeat([0, 1, 2], 10)
WHOLE = np.array([[0, 1, 2], [2, 0, 3], [1, 3, 0]])
MASKED = np.ma.masked_equal(WHOLE, 3)
points, square = partial(check_points, name="X"), partial(check_square, name="D")
finite, labels = partial(check_finite, name="r"), check_labels


def table(values, *kinds):
    """Make a DataFrame with columns of the given pandas types."""
    kinds = [kinds[k % len(kinds)] for k in range(values.shape[1])]
    return pd.DataFrame({k: pd.array(values[:, k], kind) for k, kind in enumerate(kinds)})


@pytest.mark.parametrize(
    ("check", "given", "plain"),
    [
        (points, table(X, "Float64"), X),
        (points, table(WHOLE, "Int64", "Float64"), WHOLE),
        (points, table(WHOLE > 1, "boolean", "bool"), WHOLE > 1),
        (points, [pd.Series(row, dtype="Int64") for row in WHOLE], WHOLE),
        (points, X.astype(object), X),
        (square, table(WHOLE, "Int64", "float", "Float64"), WHOLE),
        (finite, pd.Series([1, 2], dtype="Int64"), [1, 2]),
        (check_values, pd.Index([3, 1]), [3, 1]),
        (check_values, [True, np.float32(0.5)], [1, 0.5]),
        (labels, pd.array([3, -1], "Int64"), [3, -1]),
        (labels, pd.Series(["b", "a"], dtype="category"), ["b", "a"]),
        (check_triplets, table(WHOLE, "Int64"), WHOLE),
        (check_triplets, WHOLE.astype(object), WHOLE),
    ],
)
def test_numbers_and_words_of_pandas_are_numpys(check, given, plain):
    found = check(given)
    np.testing.assert_array_equal(found, plain)
    assert found.dtype == np.asarray(plain).dtype or found.dtype.kind in "fO"


@pytest.mark.parametrize(
    ("check", "given", "says"),
    [
        (points, table(X, "Float64").mask(X[9, 0] == X), r"X must be finite, but 1 .*\(9, 0\)"),
        (square, [[1, None], [2, 3]], "D must be finite, but 1"),
        (points, [[1, "2"], [3, 4]], "X must hold real numbers"),
        (points, [[1, 10**400]], "X must hold real numbers, got dtype object"),
        (points, MASKED, "X must not have masked values"),
        (labels, MASKED[1], "labels must not have masked values"),
        *(
            (SNE().fit, given, f"X must {says}")
            for given, says in (
                (MASKED, "not have masked values"),
                (WHOLE.astype("M8[D]"), "hold real numbers, got dtype datetime64"),
                (WHOLE.astype(str), "hold real numbers, got dtype <U"),
                (WHOLE.astype(str).astype(object), "hold real numbers"),
                ([[1], [2, 3]], "have rows of one length"),
            )
        ),
        (finite, pd.array([1, None], "Int64"), "r must be finite, but 1"),
        (check_values, pd.array([1.0, None], "Float64"), "values must not have missing .*at 1"),
        (check_triplets, [[0, 1, None]], r"triplets must be finite.*\(0, 2\)"),
        (check_triplets, [[0.0, 1.0, 2.0]], "triplets must be integers, got dtype float64"),
        (check_triplets, [["ox", "cow", "hen"]], "triplets must be integers.*number items"),
        (check_triplets, [[0, 1, -1]], "row 0 names -1, which is pandas' code of a missing value"),
        (labels, ["a", np.nan], "labels must not have missing values.*first at 1"),
        (labels, [1, None], "labels must not have missing values.*first at 1"),
    ],
)
def test_what_is_missing_or_no_number_is_named(check, given, says):
    with pytest.raises((TypeError, ValueError), match=says):
        check(given)


# Labels of three classes, in the order of CODES if their types can be compared.
@pytest.mark.parametrize(
    "kinds", [(-1, 2, 2.5), (1, 2.5, "a"), (1, "1", "x"), (True, 7, "word"), (b"a", b"b", b"c")]
)
def test_labels_of_any_type_are_classes(kinds):
    functions = [
        lambda c: classes_of(c)[1],
        lambda c: measures.discriminant(X, c).eta_squared,
        lambda c: measures.roughness(X, X[:, 0], c, 3),
        lambda c: nearest_neighbor_error(X, c),
        class_blocks,
        class_graph,
    ]
    given = [kinds[c] for c in CODES]
    for f in functions:
        np.testing.assert_array_equal(f(given), f(CODES))
        np.testing.assert_array_equal(f(pd.Series(given, dtype=object)), f(CODES))
    assert classes_of(given)[0].tolist() == list(kinds)


@pytest.mark.parametrize(
    ("fit", "argument"),
    [
        (lambda ids: TripletEmbedding().fit([ids]), "n_items"),
        (lambda ids: MRE().fit([Relation(gaussian_rows(X[:3]), ids)]), "n_points"),
        (lambda ids: MultipleBRE().fit([AffinityRelation(np.ones((3, 3)), ids)]), "n_points"),
    ],
)
def test_numbers_far_beyond_what_is_named_are_refused_at_once(fit, argument):
    says = f"up to 3000000, but only 3 different ones: number them .* or pass {argument}"
    with pytest.raises(ValueError, match=says):
        fit([0, 1, 3_000_000])


def test_the_memory_of_as_many_items_as_are_said_is_looked_at_first():
    with pytest.raises(MemoryError, match="2000000000 points need"):
        TripletEmbedding().fit([[0, 1, 2]], n_items=2_000_000_000)
