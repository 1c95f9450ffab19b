"""What people bring: it is taken as it is meant, or told in one line with its remedy."""

import re

import numpy as np
import pandas as pd
import pytest
import sklearn
from models import MODELS, fit
from scipy import sparse
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RandomizedSearchCV,
    ShuffleSplit,
    cross_val_score,
)
from test_extremes import K, X

import repro
from repro import BRE, KIE, MRE, SNE, Relation, class_blocks, gaussian_rows, relations_from_table

ROWS = repro.perplexity_rows(X, 5.0)
FEW = Relation(class_blocks(list("aabb")))
TABLE = pd.DataFrame({"size": X[:, 0], "kind": np.repeat(["a", "b"], 15)})


def warned(f):
    """Return the warnings of a call, as texts."""
    with pytest.warns() as record:
        f()
    return [str(warning.message) for warning in record]


@pytest.mark.parametrize(
    ("kind", "relations"),
    [
        (MRE, [Relation(ROWS), FEW]),
        (MRE, [FEW, *relations_from_table(TABLE)]),
        (MRE, [Relation(ROWS), *relations_from_table(TABLE[8:22])]),
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
        relations_from_table(pd.DataFrame({"size": column}))
    classes = pd.DataFrame({"size": pd.Categorical([*column, text])})
    np.testing.assert_array_equal(relations_from_table(classes)[0].P, class_blocks([*column, text]))


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


# A function of points and a width; the name of the width; whether small ones tell nothing, too.
WIDTHS = {
    "gaussian_rows": (gaussian_rows, "sigma2", True),
    "with self": (lambda X, h: gaussian_rows(X, h, include_self=True), "sigma2", True),
    "of each row": (lambda X, h: gaussian_rows(X, np.full(len(X), h)), "sigma2", True),
    "gaussian_kernel": (repro.gaussian_kernel, "bandwidth", True),
    "bernoulli_gaussian": (repro.bernoulli_gaussian, "beta", True),
    "bernoulli_contrast": (
        lambda X, h: repro.bernoulli_contrast(X, h, repro.neighbor_graph(X, 3)),
        "beta",
        True,
    ),
    "embedding_affinities": (repro.embedding_affinities, "gamma", True),
    "radius_graph": (lambda X, h: repro.radius_graph(X, h**2), "radius2", True),
    "a table": (lambda X, h: relations_from_table(pd.DataFrame(X), h), "sigma2", True),
    "kernel_smoother": (lambda X, h: repro.kernel_smoother(X, X, X[:5], h), "sigma2", False),
}


@pytest.mark.parametrize("name", WIDTHS)
def test_a_width_that_tells_nothing_of_the_points_says_so(name, warnings_are_errors):
    f, width, both_sides = WIDTHS[name]
    f(X, 2.0)
    assert any(width in text for text in warned(lambda: f(X, 1e6)))
    if both_sides:
        assert any(width in text for text in warned(lambda: f(X, 1e-6)))


def test_rows_of_points_related_to_themselves_alone_are_no_relation_in_silence():
    alone = (1 - 1e-8) * np.eye(30) + 1e-8 * ROWS
    assert "itself alone" in warned(lambda: Relation(alone, name="looks"))[0]


def test_an_exact_start_is_no_fault_and_a_width_is_not_the_fault_of_the_start(warnings_are_errors):
    assert BRE().fit(X[:, :2]).loss_ == pytest.approx(0, abs=1e-12)
    texts = warned(lambda: BRE(beta=1e9).fit(X)) + warned(lambda: BRE(beta=1e-9).fit(X))
    assert not any("init_scale" in text for text in texts)


D = np.sqrt(repro.squared_distances(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_bound_missed_by_rounding_is_met(dtype):
    def by_rounding(x):
        moves = np.random.default_rng(1).uniform(-3, 3, x.shape)
        return (x + moves * np.finfo(dtype).eps * np.abs(x).max()).astype(dtype)

    for f, matrix in (
        (lambda D2: gaussian_rows(D2=D2), D**2),
        (lambda P: repro.sne_loss(X, P, True)[0], gaussian_rows(X, 2.0, include_self=True)),
        (lambda K: repro.kie_loss(X, K)[0], K),
        (lambda K: repro.twin_kernel_loss(X, K)[0], K),
        (lambda R: repro.bre_loss(X, R)[0], K),
        (lambda R: repro.bre_loss(X, sparse.csr_array(R))[0], K),
        (lambda r: repro.bernoulli_kl(r, 0.5), K),
    ):
        np.testing.assert_allclose(f(by_rounding(matrix)), f(matrix), rtol=2e-3, atol=1e-5)
    of_products = np.sqrt(np.abs(by_rounding(D**2)))  # the diagonal is some √eps
    for model in (SNE(), KIE(), BRE()):
        model.set_params(metric="precomputed", random_state=0, max_iter=3).fit(of_products)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_no_fit_underflows_aloud(name):
    for points in (X[:14, :3], 30 * X[:14, :3]):
        with np.errstate(all="raise"):
            model = fit(name, points)
            if hasattr(model, "transform"):
                model.transform(points[:3] * 1.01)
            if hasattr(model, "inverse_transform"):
                model.inverse_transform(3 * model.embedding_[:3])


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix, sparse.coo_array])
def test_a_model_with_a_sparse_parameter_is_shown(kind):
    model = BRE(affinity="truncated", related=kind(np.eye(30, k=1)))
    assert "related" in repr(model)
    assert "sparse" in model._repr_html_()


RNG = np.random.default_rng(0)
RIGHT = repro.sample_per_point(X[:20, :2], 10, 5, rng=RNG)
FALSE = np.arange(len(RIGHT)) % 2 == 1
ANSWERS = np.where(FALSE[:, None], RIGHT[:, [0, 2, 1]], RIGHT)


@pytest.mark.parametrize("cv", [KFold(2), GroupKFold(2), ShuffleSplit(1), LeaveOneGroupOut()])
def test_weights_reach_fits_and_scores_through_every_splitter_and_search(cv):
    given = {"weights": np.where(FALSE, 0.0, 1.0), "n_items": 20}
    if isinstance(cv, GroupKFold | LeaveOneGroupOut):
        given["groups"] = RIGHT[:, 0] % 2
    with sklearn.config_context(enable_metadata_routing=True):
        model = repro.TripletEmbedding(max_iter=60, random_state=0)
        model.set_fit_request(weights=True, n_items=True).set_score_request(weights=True)
        searches = [GridSearchCV(model, {"t": [1.4]}, cv=cv)]
        searches.append(RandomizedSearchCV(model, {"t": [1.4]}, n_iter=1, cv=cv))
        scores = [search.fit(ANSWERS, **given).best_score_ for search in searches]
        scores.append(cross_val_score(model, ANSWERS, cv=cv, params=given).mean())
    assert min(scores) > 0.75  # half of the answers are false, and weigh nothing
