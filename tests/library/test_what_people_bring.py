"""What people bring, extreme data too: it is taken as it is meant, or told in one line."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from models import MODELS, OF_TRIPLETS, fit
from scipy import sparse
from scipy.special import entr
from sklearn import model_selection
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, ShuffleSplit

import repro
from repro import BRE, KIE, MRE, SNE, Relation, class_blocks, gaussian_rows, measures
from repro.core import neighbors
from repro.kie import out_of_sample
from repro.mre import smoother

pytestmark = pytest.mark.usefixtures("warnings_are_errors")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4))
LABELS, VALUES = np.repeat([0, 1, 2], 10), X @ [1, 2, 0, 0]
VALUES += 0.1 * RNG.normal(size=30)
MOVED = X + 0.3 * RNG.normal(size=X.shape)
K, D2 = repro.gaussian_kernel(X, 2.0), repro.squared_distances(X)
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))


def rng():
    return np.random.default_rng(0)


DISTINCT = "must contain at least two distinct points"
# Functions of points; the power of the points' unit in each, None if the unit is not free; and the
# message that refuses points all in one place, which have no direction or scale, but still have
# neighbours, order and similarities.
FUNCTIONS = {
    "nearest_neighbor_error": (lambda Y: repro.nearest_neighbor_error(Y, LABELS), 0, None),
    "k_nearest": (lambda Y: neighbors.k_nearest(Y, 4, "exact")[0], 0, None),
    "nearest_among": (lambda Y: neighbors.nearest_among(Y[:5], Y[5:], 3)[0], 0, None),
    "nearest_neighbors": (neighbors.nearest_neighbors, 0, None),
    "fraction_satisfied": (lambda Y: repro.fraction_satisfied(Y, TRIPLETS), 0, None),
    "sample_per_point": (lambda Y: repro.sample_per_point(Y, 5, 3, rng=rng()), 0, None),
    "sample_triplets": (lambda Y: repro.sample_triplets(Y, 3, rng=rng()), 0, None),
    "triplet_weights": (lambda Y: repro.triplet_weights(Y, TRIPLETS), 0, DISTINCT),
    "relations_from_table": (lambda Y: repro.relations_from_table(pd.DataFrame(Y))[0].P, 0, "0 "),
    "embedding_similarities": (repro.embedding_similarities, None, None),
    "kernel_smoother": (lambda Y: repro.kernel_smoother(Y, VALUES, Y[:3]), 0, DISTINCT),
    "values of kernel_smoother": (lambda Y: repro.kernel_smoother(MOVED, Y, MOVED[:3]), 1, None),
    "leave_one_out": (lambda Y: smoother.leave_one_out_bandwidth(Y, VALUES), 2, DISTINCT),
    "backward_map": (lambda Y: out_of_sample.backward_map(K, Y, 0.1), None, None),
    "forward_map": (lambda Y: out_of_sample.forward_map(K, Y, 1.0), None, None),
    "step_weights": (lambda Y: repro.bre.step_weights(Y, K, 0.1).toarray(), None, None),
    "axis_shares": (lambda Y: measures.axis_shares(np.ones(4), Y), 0, "r must not be zero"),
    "distance_correlation": (lambda Y: measures.distance_correlation(Y, D2), 0, None),
    "geodesic_distances": (lambda Y: measures.geodesic_distances(Y, 8), 1, None),
    "roughness": (lambda Y: measures.roughness(Y, VALUES, LABELS, 3), 0, None),
    "roughness of values": (lambda Y: measures.roughness(X, Y[:, 0], LABELS, 3), 0, "differ in"),
    "random_triplets": (lambda Y: measures.random_triplet_accuracy(Y, MOVED, rng()), 0, None),
    "exp_t": (lambda Y: 1 / repro.exp_t(np.abs(Y), 1), None, None),
    "discriminant": (lambda Y: measures.discriminant(Y, LABELS).eta_squared, 0, DISTINCT),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("scale", [1e-165, 1e-150, 1e-20, 30.0, 1e50, 1e151, 1e200, 1e300, 5e307])
def test_the_unit_does_not_matter_or_points_are_too_large_or_small(name, scale):
    f, power, _ = FUNCTIONS[name]
    refusal = ""
    try:
        with np.errstate(under="raise"):
            found = f(X * scale)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        assert re.match(rf"[A-Za-z0-9 ]+ is too {'small' if scale < 1 else 'large'}", refusal)
        assert not 1e-150 <= scale <= 1e150
        return
    assert np.isfinite(found).all()
    if power == 0 or (power and 1e-50 < scale < 1e150):
        np.testing.assert_allclose(found / scale**power, f(X), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_points_in_one_place_are_refused_where_there_is_no_answer(name):
    f, _, words = FUNCTIONS[name]
    if words is None:
        assert np.isfinite(f(0 * X)).all()
    else:
        with pytest.raises(ValueError, match=words):
            f(0 * X)


@pytest.mark.parametrize("offset", [0, 1_000, 1_000_000])
def test_distances_of_integers_are_exact_and_ties_go_to_the_smaller_index(offset):
    points = np.random.default_rng(1).integers(0, 3, size=(30, 2)) + float(offset)
    D2 = ((points[:, None] - points) ** 2).sum(axis=2)
    np.testing.assert_array_equal(repro.squared_distances(points), D2)
    np.testing.assert_array_equal(repro.squared_distances(points[:5], points), D2[:5])
    np.fill_diagonal(D2, np.inf)
    nearest = np.argsort(D2, axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(neighbors.k_nearest(points, 3, "exact")[0], nearest)


def test_perplexity_beside_a_distant_outlier_and_in_any_unit():
    points = X.copy()
    points[0, 0] = 1e20
    for scale in (1.0, 1e-10, 1e10):
        P = repro.perplexity_rows(points * scale, 4.0)
        np.testing.assert_allclose(np.exp(entr(P[1:]).sum(axis=1)), 4.0, rtol=1e-4)
        np.testing.assert_allclose(P[0, 1:], 1 / 29)  # all others are equally far from it
    with pytest.warns(RuntimeWarning, match="4 points have more copies than the perplexity, 2"):
        P = repro.perplexity_rows(np.ones((4, 2)), 2.0)
    np.testing.assert_allclose(P[0], [0, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("loss", OF_TRIPLETS)
def test_triplets_that_contradict_each_other_hold_the_points_together(loss):
    both = np.vstack([TRIPLETS, TRIPLETS[:, [0, 2, 1]]])
    assert repro.contradictions(both).all()
    model = repro.TripletEmbedding(loss, max_iter=200, random_state=0).fit(both)
    assert np.isfinite(model.embedding_).all()
    assert model.loss_ <= model.loss_history_[0]
    # One triplet of each pair is satisfied, unless there is a tie.
    assert model.score(both) == pytest.approx(0.5)


def test_contradictions_among_items_of_any_number():
    far = np.array([[0, 1, 2**31 - 2], [0, 2**31 - 2, 1], [2**31 - 2, 0, 1], [2**30, 0, 1]])
    assert repro.contradictions(far).tolist() == [True, True, False, False]
    many = np.random.default_rng(0).integers(0, 5, (300, 3))
    many = many[[len(set(row)) == 3 for row in many.tolist()]]
    np.testing.assert_array_equal(repro.contradictions(many), repro.contradictions(many * 2**28))


def test_relations_in_two_parts_that_nothing_joins_are_embedded_apart():
    related = np.kron(np.eye(2), np.ones((6, 6)))
    for model in (
        BRE(affinity="precomputed", max_iter=20).fit(related),
        MRE(max_iter=20, random_state=0).fit([Relation(related / 6)]),
    ):
        D2 = repro.squared_distances(model.embedding_)
        assert D2[related == 1].max() < 0.1 * D2[related == 0].min()


def test_classes_next_to_each_other_have_no_direction():
    next_to = np.where(np.arange(len(LABELS)) % 2, 1e-150, np.nextafter(1e-150, 1))[:, None]
    with pytest.raises(ValueError, match=DISTINCT):
        measures.discriminant(next_to, LABELS)


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


# A function of points and a width; the name of the width; whether small ones tell nothing, too.
WIDTHS = {
    "gaussian_rows": (gaussian_rows, "sigma2", True),
    "with self": (lambda X, h: gaussian_rows(X, h, include_self=True), "sigma2", True),
    "of each row": (lambda X, h: gaussian_rows(X, np.full(len(X), h)), "sigma2", True),
    "gaussian_kernel": (repro.gaussian_kernel, "bandwidth", True),
    "bernoulli_gaussian": (repro.bernoulli_gaussian, "beta", True),
    "embedding_affinities": (repro.embedding_affinities, "gamma", True),
    "radius_graph": (lambda X, h: repro.radius_graph(X, h**2), "radius2", True),
    "a table": (lambda X, h: repro.relations_from_table(pd.DataFrame(X), h), "sigma2", True),
    "kernel_smoother": (lambda X, h: repro.kernel_smoother(X, X, X[:5], h), "sigma2", False),
}


def of_gaussian(R):
    return BRE(affinity="precomputed", max_iter=1).fit(R)


# Calls with what tells nothing of the points, and the words that say so.
TELLING_NOTHING = {
    "one class": (lambda: repro.relations_from_table(pd.DataFrame({"a": ["b"] * 30})), "one class"),
    "one condition": (lambda: repro.ConditionalKIE(max_iter=1).fit(X, 0 * VALUES), "condition_b"),
    "all neighbours": (lambda: BRE(affinity="contrast").fit(X[:20]), "related joins all"),
    "no affinities": (lambda: of_gaussian(np.eye(30)), "all pairs of points alike"),
    "one affinity": (lambda: of_gaussian(np.ones((30, 30))), "all pairs of points alike"),
    "no kernel": (
        lambda: repro.TwinKernelPCA(kernel="precomputed", max_iter=1).fit(np.eye(30)),
        "all pairs of points alike",
    ),
    "a perplexity": (lambda: SNE(perplexity=0.1).fit(X), "perplexity must lie between 1"),
    "noise": (lambda: repro.TwinKernelPCA(noise=1e6).fit(X), "noise may be too large"),
    "a penalty": (lambda: KIE(penalty=1e6, max_iter=30).fit(X), "penalty may be too large"),
    "another penalty": (
        lambda: repro.TripletEmbedding("gnmds", penalty=1e9, max_iter=5).fit(TRIPLETS),
        "penalty may be too large",
    ),
    "a point beyond": (
        lambda: KIE(max_iter=2, random_state=0).fit(X).transform(X + 1e4),
        "point 0 lies too far .* its kernel with each of them, is zero",
    ),
}


@pytest.mark.parametrize("name", TELLING_NOTHING)
def test_what_tells_nothing_is_said_by_its_name(name):
    call, words = TELLING_NOTHING[name]
    with warnings.catch_warnings(record=True, action="always") as record:
        try:
            call()
        except ValueError as error:
            warnings.warn(str(error), stacklevel=1)
    assert any(re.search(words, str(warning.message)) for warning in record), record


@pytest.mark.parametrize("name", WIDTHS)
def test_a_width_that_tells_nothing_of_the_points_says_so(name):
    f, width, both_sides = WIDTHS[name]
    f(X, 2.0)
    assert any(width in text for text in warned(lambda: f(X, 1e6)))
    if both_sides:
        assert any(width in text for text in warned(lambda: f(X, 1e-6)))


def test_rows_of_points_related_to_themselves_alone_are_no_relation_in_silence():
    alone = (1 - 1e-8) * np.eye(30) + 1e-8 * ROWS
    assert "itself alone" in warned(lambda: Relation(alone, name="looks"))[0]


def test_an_exact_start_is_no_fault_and_a_width_is_not_the_fault_of_the_start():
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
    unit = (10 + X).astype(dtype)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    cosines = unit @ unit.T  # all near 1, so that rounding is not small beside the distances
    assert np.isfinite(gaussian_rows(D2=1 - cosines, sigma2=0.01)).all()
    of_products = np.sqrt(np.abs(by_rounding(D**2)))  # the diagonal is some √eps
    for model in (SNE(), KIE(), BRE()):
        model.set_params(metric="precomputed", random_state=0, max_iter=3)
        model.fit(of_products)
        model.fit(1 - cosines)
    weights = by_rounding(np.linspace(0, 1, len(TRIPLETS)))
    assert (repro.TripletSet(TRIPLETS, weights - weights.max() * 1e-6).weights >= 0).all()
    moved = K.astype(dtype)
    moved = moved - moved.mean(axis=0) - moved.mean(axis=1)[:, None] + moved.mean()
    with warnings.catch_warnings(action="ignore"):  # of jitter
        assert np.isfinite(repro.twin_kernel_loss(X, moved)[0])


def test_numbers_that_differ_by_rounding_alone_are_one_number():
    same = np.where(np.arange(30) % 2, 0.1 + 0.2, 0.3)
    assert same[0] != same[1]
    assert measures.spearman(same, VALUES) == 0
    assert np.isnan(measures.abs_spearman(same[:, None], VALUES[:, None])).all()
    assert measures.axis_shares([1, 1e16], np.column_stack([VALUES, same]))[1] == 0
    with pytest.raises(ValueError, match="two distinct points"):
        measures.discriminant(same[:, None], LABELS)
    with pytest.raises(ValueError, match="one and the same number"):
        repro.relations_from_table(pd.DataFrame({"same": same}))
    # A step of 0.1 is not the same number everywhere.
    grid = np.arange(10)[:, None] / 10
    assert repro.radius_graph(grid, 0.1**2).sum() == 18


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("unit", "apart"), [(1, 0), (30, 0), (1, 1e4)])
def test_no_fit_underflows_aloud(name, unit, apart):
    points = unit * X[:14, :3] + apart * (np.arange(14) < 4)[:, None]
    with warnings.catch_warnings(action="ignore"), np.errstate(all="raise"):
        model = fit(name, points)
        if hasattr(model, "transform"):
            model.transform(points[-3:] + 0.01)
        if hasattr(model, "inverse_transform"):
            model.inverse_transform(3 * model.embedding_[:3])


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix, sparse.coo_array])
def test_a_model_with_a_sparse_parameter_is_shown(kind):
    model = BRE(affinity="truncated", related=kind(np.eye(30, k=1)))
    assert "related" in repr(model)
    assert "sparse" in model._repr_html_()


RIGHT = repro.sample_per_point(X[:20, :2], 10, 5, rng=np.random.default_rng(0))
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
        searches = [model_selection.GridSearchCV(model, {"t": [1.4]}, cv=cv)]
        searches.append(model_selection.RandomizedSearchCV(model, {"t": [1.4]}, n_iter=1, cv=cv))
        scores = [search.fit(ANSWERS, **given).best_score_ for search in searches]
        scores.append(model_selection.cross_val_score(model, ANSWERS, cv=cv, params=given).mean())
    assert min(scores) > 0.75  # half of the answers are false, and weigh nothing


@pytest.mark.parametrize("cv", [2, KFold(2), ShuffleSplit(1), GroupKFold(2)])
def test_a_set_keeps_its_weights_through_every_splitter_and_search_by_default(cv):
    triplets = repro.TripletSet(ANSWERS, np.where(FALSE, 0.0, 1.0), 20)
    groups = RIGHT[:, 0] % 2 if isinstance(cv, GroupKFold) else None
    model = repro.TripletEmbedding(max_iter=60, random_state=0)
    search = model_selection.GridSearchCV(model, {"t": [1.4]}, cv=cv)
    scores = [search.fit(triplets, groups=groups).best_score_]
    scores.append(model_selection.cross_val_score(model, triplets, cv=cv, groups=groups).mean())
    train, test = model_selection.train_test_split(triplets, random_state=0)
    scores.append(model.fit(train).score(test))
    assert min(scores) > 0.75
    assert train.n_items == test.n_items == 20
    assert len(train) + len(test) == len(triplets)


def test_a_search_that_gives_weights_to_the_fit_alone_says_so():
    search = model_selection.GridSearchCV(repro.TripletEmbedding(max_iter=1), {"t": [1.4]}, cv=2)
    with pytest.warns(RuntimeWarning, match="the fit had weights, and the score has none: .*Set"):
        search.fit(ANSWERS, weights=np.where(FALSE, 0.0, 1.0), n_items=20)


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
