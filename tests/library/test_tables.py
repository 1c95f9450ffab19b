"""Tables, labels and names of one's own are taken as they are meant, or told in one line."""

import re

import numpy as np
import pandas as pd
import pytest
from models import warned
from scipy import sparse

import repro
from repro import BRE, KIE, MRE, SNE, Relation, class_blocks, gaussian_rows, measures

pytestmark = pytest.mark.usefixtures("warnings_are_errors")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4))
LABELS, VALUES = np.repeat([0, 1, 2], 10), X @ [1, 2, 0, 0]
VALUES += 0.1 * RNG.normal(size=30)
K, D2 = repro.gaussian_kernel(X, 2.0), repro.squared_distances(X)


def rng():
    return np.random.default_rng(0)


ROWS = repro.perplexity_rows(X, 5.0)
FEW = Relation(class_blocks(list("aabb")))
TABLE = pd.DataFrame({"size": X[:, 0], "kind": np.repeat(["a", "b"], 15)})


@pytest.mark.parametrize(
    ("kind", "relations"),
    [
        (MRE, [Relation(ROWS), FEW]),
        (MRE, [FEW, *repro.relations_from_table(TABLE)]),
        (MRE, [Relation(ROWS), *repro.relations_from_table(TABLE[8:22])]),
        (repro.MultipleBRE, [repro.AffinityRelation(K), repro.AffinityRelation(K[:9, :9])]),
    ],
)
def test_a_relation_of_fewer_points_without_index_is_named(kind, relations):
    says = "points and no index: it is tied to points 0 to "
    assert any(says in text for text in warned(lambda: kind(max_iter=1).fit(relations)))


@pytest.mark.parametrize("text", ["1,5", "?", "2.5", "12 cm"])
def test_numbers_in_text_are_no_classes_in_silence(text):
    column = [text, "170", "180", "170", "180", "190"]
    says = f"column 'size' holds numbers as text, and '{re.escape(text)}'.*to_numeric.*category"
    with pytest.raises(ValueError, match=says):
        repro.relations_from_table(pd.DataFrame({"size": column}))
    classes = pd.DataFrame({"size": pd.Categorical([*column, text])})
    P = repro.relations_from_table(classes)[0].P
    np.testing.assert_array_equal(P, class_blocks([*column, text]))


@pytest.mark.parametrize(
    ("values", "held"),
    [
        (TABLE["kind"], "holds 'a'.*get_dummies"),
        (pd.date_range("2020-01-01", periods=30), "holds Timestamp.*a count of days"),
        (pd.timedelta_range("1h", periods=30), "holds Timedelta"),
        (TABLE["kind"].astype("category"), "holds 'a'"),
    ],
)
@pytest.mark.parametrize("take", [SNE().fit, lambda table: gaussian_rows(table, 2.0)])
def test_a_column_without_numbers_is_named_with_its_remedy(values, held, take):
    with pytest.raises(TypeError, match=f"must hold real numbers, .*column 'when' {held}"):
        take(TABLE[["size"]].assign(when=values))


@pytest.mark.parametrize("missing", [np.nan, None, pd.NA])
def test_a_column_with_missing_values_is_named(missing):
    table = TABLE[["size"]].assign(age=[*range(29), missing])
    with pytest.raises(ValueError, match=r"1 of .*\(29, 1\), column 'age'; drop its rows or fill"):
        SNE().fit(table)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix, sparse.coo_array])
def test_a_model_with_a_sparse_parameter_is_shown(kind):
    model = BRE(affinity="truncated", related=kind(np.eye(30, k=1)))
    assert "related" in repr(model)
    assert "sparse" in model._repr_html_()


RIGHT = repro.sample_per_point(X[:20, :2], 10, 5, rng=np.random.default_rng(0))
LOOKS = ["caf\u00e9", "cafe\u0301 ", "tea", "t\u200bea"] * 5
OF_LABELS = {
    "class_blocks": class_blocks,
    "class_graph": repro.class_graph,
    "nearest_neighbor_error": lambda labels: repro.nearest_neighbor_error(X[:20], labels),
    "discriminant": lambda labels: measures.discriminant(X[:20], labels).eta_squared,
    "roughness": lambda labels: measures.roughness(X[:20], VALUES[:20], labels, 3),
    "split_folds": lambda labels: repro.split_folds(RIGHT[:20], 2, rng(), labels)[0][0],
}


@pytest.mark.parametrize("name", OF_LABELS)
def test_labels_that_look_alike_are_one_class_and_a_difference_of_case_is_told(name):
    f = OF_LABELS[name]
    np.testing.assert_array_equal(f(LOOKS), f(["caf\u00e9", "caf\u00e9", "tea", "tea"] * 5))
    assert "differ by case" in warned(lambda: f(["Tea", "Tea", "tea", "tea"] * 5))[0]


def test_columns_that_look_alike_are_refused_and_those_that_differ_by_case_told():
    for names in (["size", "size "], [1, "1"]):
        with pytest.raises(ValueError, match=r"two columns of one name, as '(size|1)'"):
            repro.relations_from_table(pd.DataFrame(X[:, :2], columns=names))
    table = pd.DataFrame(X[:, :2], columns=["size", "Size"])
    assert "some columns differ by case" in warned(lambda: repro.relations_from_table(table))[0]
    (relation,) = repro.relations_from_table(pd.DataFrame({"size\u200b": VALUES}))
    assert relation.name == "size"


def test_empty_text_is_a_missing_value_and_no_class():
    kinds = ["a", "b", " ", "", "\u200b"] * 2
    (relation,) = repro.relations_from_table(pd.DataFrame({"kind": kinds}))
    assert relation.index.tolist() == [0, 1, 5, 6]
    np.testing.assert_array_equal(relation.P, class_blocks(["a", "b", "a", "b"]))


def test_a_fit_has_a_row_for_each_row_of_a_table_even_if_the_last_is_empty():
    relations = repro.relations_from_table(pd.concat([TABLE, TABLE[:1] * np.nan]))
    model = MRE(max_iter=1, random_state=0)
    assert "1 of these occur in none" in "".join(warned(lambda: model.fit(relations)))
    assert len(model.embedding_) == len(TABLE) + 1


NAMES = list("abcdefghij")
TURNED = pd.DataFrame(K[:10, :10], NAMES, NAMES[::-1])


@pytest.mark.parametrize(
    "f",
    [
        Relation,
        repro.KernelMatrix,
        lambda D2: gaussian_rows(D2=D2),
        BRE(affinity="precomputed").fit,
        KIE(metric="precomputed").fit,
        lambda related: BRE(affinity="truncated", related=related).fit(X[:10]),
    ],
)
def test_a_table_of_pairs_with_rows_and_columns_in_other_orders_is_refused(f):
    with pytest.raises(ValueError, match="must have its rows and columns in the same order"):
        f(TURNED)


def test_points_in_another_order_whose_columns_have_no_names_are_taken():
    moved = pd.DataFrame(X[:4])[::-1]
    np.testing.assert_array_equal(repro.squared_distances(moved)[::-1, ::-1], D2[:4, :4])


A, B = pd.DataFrame(X[:, :2], columns=["x", "y"]), pd.DataFrame(X[:, :2], columns=["y", "x"])


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda: repro.squared_distances(A, B), "centers"),
        (lambda: repro.kernel_smoother(A, VALUES, B), "queries"),
        (lambda: repro.JointKIE().fit(A, X, B), "x_only"),
        (lambda: repro.JointKIE().fit(X, A, None, B), "y_only"),
    ],
)
def test_two_tables_with_columns_in_other_orders_are_refused(f, name):
    with pytest.raises(
        ValueError, match=rf"{name} must have its columns in the order \['x', 'y'\]"
    ):
        f()
