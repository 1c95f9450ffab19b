import numpy as np
import pandas as pd
import pytest
from reference import check_gradients, mre
from sklearn.base import clone
from turning import LABELS, curves

from repro import (
    MRE,
    Relation,
    class_blocks,
    gaussian_rows,
    mre_loss,
    relations_from_table,
    sne_loss,
)
from repro.core.backend import backends
from repro.measures.axes import axis_shares, discriminant

N = 14


def problem(d=3, include_self=True, seed=0):
    """Make three relations: on all points, on some, and on a set that overlaps these."""
    rng = np.random.default_rng(seed)

    def similar(n):
        return gaussian_rows(rng.normal(size=(n, 2)), include_self=include_self)

    relations = [
        Relation(similar(N), name="all"),
        Relation(similar(6), index=[1, 3, 5, 7, 9, 11], name="some", weight=0.5),
        Relation(similar(4), index=[11, 2, 3, 0], name="few", weight=2.0),
    ]
    return rng.normal(size=(N, d)), rng.normal(size=(3, d)), relations


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3, 4])
class TestAgainstThePaper:
    def test_the_loss_is_eqs_3_4_and_7(self, backend, include_self, d):
        X, R, relations = problem(d, include_self)
        E = mre_loss(X, R, relations, include_self, backend)[0]
        assert pytest.approx(mre(X, R, relations, include_self), rel=1e-12) == E

    @pytest.mark.parametrize("scale", [1e-2, 1.0, 20.0])
    def test_gradients_against_differences(self, backend, include_self, d, scale):
        X, R, relations = problem(d, include_self)
        check_gradients(lambda x, r: mre_loss(x, r, relations, include_self, backend), scale * X, R)


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("include_self", [True, False])
def test_one_relation_with_identity_is_sne(backend, include_self):
    X, R, relations = problem(include_self=include_self)
    P = relations[0].P
    E, dX, dR = mre_loss(X, R[:1], [Relation(P, metric="identity")], include_self, backend)
    loss, gradient = sne_loss(X, P, include_self, backend)
    assert loss == E
    np.testing.assert_array_equal(dX, gradient)
    assert not dR.any()


def planted():
    """Relate the points of three half circles: by their distances, and by class."""
    Y = 3 * curves(gap=2 / 3, noise=0.03)
    return [
        Relation(gaussian_rows(Y, include_self=True), name="Eucl"),
        Relation(class_blocks(LABELS), name="Class"),
    ]


def test_a_class_gets_an_axis_of_its_own():
    relations = planted()
    model = MRE(3, n_init=5, random_state=0).fit(relations)
    shares = axis_shares(model.metrics_, model.embedding_)[1]
    assert shares.max() > 0.9
    axis = shares.argmax()
    assert discriminant(model.embedding_[:, [axis]], LABELS).eta_squared > 0.95
    start = np.random.default_rng(0).normal(size=(60, 1))
    assert discriminant(start, LABELS).eta_squared < 0.5


def test_the_estimator_keeps_what_it_learned():
    relations = planted()
    relations[1] = Relation(relations[1].P, metric="identity")
    model = MRE(2, max_iter=20, random_state=0).fit(relations, n_points=65)
    assert model.relations_ == tuple(relations)
    assert len(model.loss_history_) == model.n_iter_ + 1
    E = mre_loss(model.embedding_, model.metrics_, relations)[0]
    assert model.loss_ == pytest.approx(E, rel=1e-12)
    # Points without a relation stay at their start, and a fixed metric is the identity.
    start = 0.1 * np.random.default_rng(0).standard_normal((65, 2))
    np.testing.assert_array_equal(model.embedding_[60:], start[60:])
    np.testing.assert_array_equal(model.metrics_[1], 1.0)
    assert (model.metrics_[0] != 1).all()
    fitted = clone(model).fit_transform(relations, n_points=65)
    np.testing.assert_array_equal(fitted, model.embedding_)


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
    }
)


def test_a_table_becomes_relations():
    relations = {relation.name: relation for relation in relations_from_table(TABLE)}
    assert list(relations) == list(TABLE.columns)
    pan = TABLE["pan"].dropna().to_numpy()
    standardised = (pan - pan.mean()) / pan.std()
    expected = gaussian_rows(standardised[:, None], 1.0, include_self=True)
    np.testing.assert_allclose(relations["pan"].P, expected)
    np.testing.assert_array_equal(
        relations_from_table(TABLE[["pan"]].astype(object))[0].P, relations["pan"].P
    )
    assert relations["pan"].index.tolist() == relations["count"].index.tolist() == [0, 1, 3, 4]
    assert relations["person"].index.tolist() == [0, 1, 2, 4]
    np.testing.assert_allclose(relations["person"].P[0], [0.5, 0, 0.5, 0])
    np.testing.assert_allclose(relations["glasses"].P, class_blocks(TABLE["glasses"]))
    np.testing.assert_allclose(relations["mood"].P, class_blocks(["s", "g", "g", "s", "o"]))
    assert MRE(2, max_iter=5, random_state=0).fit(relations.values()).embedding_.shape == (5, 2)


def test_whole_numbers_among_words_are_one_class():
    column = pd.DataFrame({"object": np.array([1, 1.0, "1", "a", "a"], dtype=object)})
    np.testing.assert_array_equal(
        relations_from_table(column)[0].P, class_blocks(["1", "1", "1", "a", "a"])
    )


def test_without_self_a_class_of_one_is_left_out():
    mood = relations_from_table(TABLE[["mood"]], include_self=False)[0]
    assert mood.index.tolist() == [0, 1, 2, 3]
    assert not mood.P.diagonal().any()
