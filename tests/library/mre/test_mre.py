import numpy as np
import pandas as pd
import pytest
from reference import check_gradients, mre
from sklearn.exceptions import ConvergenceWarning
from turning import LABELS, curves

import repro
from repro import MRE, Relation, class_blocks, mre_loss
from repro.core.backend import backends
from repro.measures.axes import axis_shares, discriminant
from repro.mre.full_matrices import diagonal_equivalent, fit_full_matrices, full_matrices_loss

N = 14


def problem(d=3, include_self=True, seed=0):
    """Make three relations: on all points, on some, and on a set that overlaps these."""
    rng = np.random.default_rng(seed)

    def similar(n):
        return repro.gaussian_rows(rng.normal(size=(n, 2)), include_self=include_self)

    relations = [
        Relation(similar(N), name="all"),
        Relation(similar(6), index=[1, 3, 5, 7, 9, 11], name="some", weight=0.5),
        Relation(similar(4), index=[11, 2, 3, 0], name="few", weight=2.0),
    ]
    return rng.normal(size=(N, d)), rng.normal(size=(3, d)), relations


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("scale", [1e-2, 1.0, 20.0])
def test_the_loss_is_eqs_3_4_and_7_with_its_slopes(backend, include_self, d, scale):
    X, R, relations = problem(d, include_self)
    E = mre_loss(X, R, relations, include_self, backend)[0]
    assert pytest.approx(mre(X, R, relations, include_self), rel=1e-12) == E
    check_gradients(lambda x, r: mre_loss(x, r, relations, include_self, backend), scale * X, R)


def test_one_relation_with_identity_is_sne():
    X, R, relations = problem()
    P = relations[0].P
    E, dX, dR = mre_loss(X, R[:1], [Relation(P, metric="identity")])
    loss, gradient = repro.sne_loss(X, P, include_self=True)
    assert loss == E
    np.testing.assert_array_equal(dX, gradient)
    assert not dR.any()


@pytest.fixture
def relations():
    """Two relations of the points of three half circles: by their distances, and by class."""
    Y = 3 * curves(gap=2 / 3, noise=0.03)
    return [
        Relation(repro.gaussian_rows(Y, include_self=True), name="Eucl"),
        Relation(class_blocks(LABELS), name="Class"),
    ]


def test_a_class_gets_an_axis_of_its_own(relations):
    model = MRE(3, n_init=5, random_state=0).fit(relations)
    shares = axis_shares(model.metrics_, model.embedding_)[1]
    assert shares.max() > 0.9
    axis = shares.argmax()
    assert discriminant(model.embedding_[:, [axis]], LABELS).eta_squared > 0.95
    start = np.random.default_rng(0).normal(size=(60, 1))
    assert discriminant(start, LABELS).eta_squared < 0.5


def test_the_estimator_keeps_what_it_learned(relations):
    relations[1] = Relation(relations[1].P, metric="identity")
    model = MRE(2, max_iter=20, random_state=0).fit(relations, n_points=65)
    assert model.relations_ == tuple(relations)
    E = mre_loss(model.embedding_, model.metrics_, relations)[0]
    assert model.loss_ == pytest.approx(E, rel=1e-12)
    # Points without a relation stay at their start, and a fixed metric is the identity.
    start = 0.1 * np.random.default_rng(0).standard_normal((65, 2))
    np.testing.assert_array_equal(model.embedding_[60:], start[60:])
    np.testing.assert_array_equal(model.metrics_[1], 1.0)
    assert (model.metrics_[0] != 1).all()


def test_points_in_one_place_are_named_though_a_metric_is_not():
    alike = Relation(np.full((12, 12), 1 / 12), metric="identity")
    with pytest.warns(ConvergenceWarning, match="all points in one place"):
        MRE(random_state=0).fit([alike])
    with pytest.raises(ValueError, match="must not have metric='identity'"):
        fit_full_matrices([alike], 2)


def test_points_that_no_relation_names_are_counted_in_a_warning():
    P = class_blocks([0, 0, 1, 1])
    with pytest.warns(RuntimeWarning, match="counted from 1, subtract 1, or pass n_points"):
        MRE(2, max_iter=1).fit([Relation(P, index=[1, 2, 3, 4])])


TABLE = pd.DataFrame(
    {
        "pan": [0.0, 10.0, np.nan, 30.0, 45.0],
        "count": pd.array([1, 2, None, 4, 5], dtype="Int64"),
        "person": ["a", "b", "a", None, "b"],
        "glasses": [True, False, True, False, False],
        "mood": pd.Categorical(["sad", "glad", "glad", "sad", "odd"]),
        "object": np.array([1, 1.0, " 1", "é", "e\u0301"], dtype=object),  # two classes
    }
)


def test_a_table_becomes_relations():
    relations = {relation.name: relation for relation in repro.relations_from_table(TABLE)}
    assert list(relations) == list(TABLE.columns)
    pan = TABLE["pan"].dropna().to_numpy()
    standardised = (pan - pan.mean()) / pan.std()
    expected = repro.gaussian_rows(standardised[:, None], 1.0, include_self=True)
    np.testing.assert_allclose(relations["pan"].P, expected)
    as_objects = repro.relations_from_table(TABLE[["pan"]].astype(object))[0]
    np.testing.assert_array_equal(as_objects.P, relations["pan"].P)
    assert relations["pan"].index.tolist() == relations["count"].index.tolist() == [0, 1, 3, 4]
    assert relations["person"].index.tolist() == [0, 1, 2, 4]
    np.testing.assert_allclose(relations["person"].P[0], [0.5, 0, 0.5, 0])
    np.testing.assert_allclose(relations["glasses"].P, class_blocks(TABLE["glasses"]))
    np.testing.assert_allclose(relations["mood"].P, class_blocks(["s", "g", "g", "s", "o"]))
    np.testing.assert_allclose(relations["object"].P, class_blocks(["1", "1", "1", "a", "a"]))
    assert MRE(2, max_iter=5, random_state=0).fit(relations.values()).embedding_.shape == (5, 2)


def test_classes_that_differ_by_case_alone_cause_a_warning():
    table = pd.DataFrame({"person": ["Ann", "ann", "Ben", "Ann", "ann", "Ben"]})
    with pytest.warns(RuntimeWarning, match="classes of column 'person' differ by case .* 'Ann'"):
        (relation,) = repro.relations_from_table(table)
    np.testing.assert_array_equal(relation.P, class_blocks([0, 1, 2, 0, 1, 2]))


def test_without_self_a_class_of_one_is_left_out():
    mood = repro.relations_from_table(TABLE[["mood"]], include_self=False)[0]
    assert mood.index.tolist() == [0, 1, 2, 3]
    assert not mood.P.diagonal().any()


@pytest.mark.parametrize("scale", [0.1, 3.0])
def test_full_matrices_have_their_slopes_and_diagonal_ones_give_mre(scale):
    X, r, relations = problem()
    R = scale * np.random.default_rng(1).normal(size=(3, 3, 3))
    check_gradients(lambda x, r: full_matrices_loss(x, r, relations), scale * X, R)
    E, dX, dR = full_matrices_loss(X, np.array([np.diag(row) for row in r]), relations)
    of_diagonals = mre_loss(X, r, relations)
    np.testing.assert_allclose(E, of_diagonals[0], rtol=1e-12)
    np.testing.assert_allclose(dX, of_diagonals[1], atol=1e-12)
    np.testing.assert_allclose(np.diagonal(dR, axis1=1, axis2=2), of_diagonals[2], atol=1e-12)


def test_two_full_matrices_have_a_diagonal_equivalent():
    X, _, relations = problem()
    R = np.random.default_rng(1).normal(size=(2, 3, 3))
    R[1, :, 1:] = 0.0  # of rank one, like that of a class
    E = full_matrices_loss(X, R, relations[:2])[0]
    other, r = diagonal_equivalent(X, R)
    assert mre_loss(other, r, relations[:2])[0] == pytest.approx(E, rel=1e-9)
    np.testing.assert_allclose((r**2).sum(axis=0), 1.0)
    assert np.count_nonzero(r[1] > 1e-6) == 1


def test_a_fit_of_full_matrices_is_no_worse_than_one_of_diagonals():
    relations = problem()[2]
    full = fit_full_matrices(relations[:2], 3, n_init=3, max_iter=300, random_state=0)
    diagonal = MRE(3, n_init=3, max_iter=300, random_state=0).fit(relations[:2])
    assert full_matrices_loss(full.X, full.R, relations[:2])[0] == full.loss
    assert full.loss < 1.05 * diagonal.loss_
