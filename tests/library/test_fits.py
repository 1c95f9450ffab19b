"""Properties of every fit: it depends on its data and its seed, and on nothing else."""

import tracemalloc
import warnings

import models
import numpy as np
import pytest
from models import MODELS, OF_POINTS, OF_TRIPLETS, WITH_TRANSFORM, X, fit, triplets_of
from planted import planted_classes
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

import repro
from repro import BRE, KIE, SNE, FastTETE, TripletEmbedding, TwinKernelPCA, WeightedTETE
from repro.core import estimator, memory
from repro.core.backend import backends
from repro.kernels.threads import using

RNG = np.random.default_rng(6)


def not_its_training(estimator):
    """List the checks that a model fails because new points are not its training points."""
    if not hasattr(estimator, "transform"):
        return {}
    why = "a point is placed given all others, in training with them"
    return dict.fromkeys(("check_transformer_general", "check_transformer_data_not_an_array"), why)


@parametrize_with_checks(
    [
        model.set_params(max_iter=5, random_state=0)
        for model in (SNE(), BRE(), TwinKernelPCA(), KIE(penalty=0.1), WeightedTETE(), FastTETE())
    ],
    expected_failed_checks=not_its_training,
)
def test_scikit_learn_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads(name):
    points, found = np.random.default_rng(0).normal(size=(400, 3)), []
    for threads in (1, 2):
        with using(threads), threadpool_limits(threads):
            found.append(fit(name, points).embedding_)
    np.testing.assert_array_equal(*found)
    # A generator gives the same as its seed.
    again = fit(name, points, random_state=np.random.default_rng(0)).embedding_
    np.testing.assert_array_equal(again, found[0])


def test_what_blas_shares_between_its_threads_has_the_same_bits_with_any_number_of_them():
    data, found = np.random.default_rng(0).normal(size=(1100, 40)), []
    model = fit("KIE", data, bandwidth=30.0)
    Y, some = model.embedding_, data[:500]
    for threads in (1, 2):
        with using(threads), threadpool_limits(threads):
            maps = model.transform(data[:50]), model.inverse_transform(Y[:50])
            of_values = repro.kernel_smoother(Y[:500], some, Y[:100])
            linear = TwinKernelPCA(kernel="linear", max_iter=5).fit(some).embedding_
            found.append([*maps, of_values, linear])
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("name", [n for n in MODELS if "n_init" in MODELS[n][0].get_params()])
def test_the_best_of_several_starts_is_kept(name):
    random = {"init": "random"} if "init" in MODELS[name][0].get_params() else {}
    one, five = (
        [fit(name, X, n_init=n, random_state=seed, **random).loss_ for seed in range(3)]
        for n in (1, 5)
    )
    assert (np.array(five) <= one).all()
    assert sum(five) < sum(one)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("SNE", lambda: {"X": X}),
        ("ConditionalKIE", lambda: {"X": X, "y": X}),
        ("JointKIE", lambda: {"X": X, "Y": X, "x_only": X[:4]}),
        ("MRE", lambda: {"relations": models.relations_of(X)[0]}),
        ("tete", lambda: {"triplets": triplets_of(X), "n_items": 15}),
    ],
)
def test_fit_transform_takes_the_names_of_fit(name, arguments):
    model = clone(MODELS[name][0]).set_params(max_iter=5, random_state=0)
    found = model.fit_transform(**arguments())
    np.testing.assert_array_equal(found, model.fit(**arguments()).embedding_)


def test_a_random_start_can_be_asked_for_by_name():
    found = [fit("tete", X, init=init).embedding_ for init in (None, "random")]
    np.testing.assert_array_equal(*found)


# Models that recover three planted classes.
FINDERS = {
    "SNE": SNE(),
    "SNE with a bandwidth": SNE(sigma2=30.0),
    "SNE with self": SNE(sigma2=30.0, include_self=True),
    "BRE Eq. 3": BRE(),
    "BRE Eq. 5": BRE(affinity="contrast", related="radius"),
    "BRE Eq. 6": BRE(affinity="truncated", n_neighbors=30),
    # In 200 iterations it may end on a probe of the curvature that is lower than each iterate.
    "BRE of classes": BRE(affinity="contrast", related="class", max_iter=1000),
    "BRE point by point": BRE(optimizer="conditional-scg", max_iter=30),
    "BRE from random starts": BRE(init="random", n_init=2),
    "TwinKernelPCA": TwinKernelPCA(),
    "TwinKernelPCA, Lawrence's": TwinKernelPCA(direction="lawrence"),
    "TwinKernelPCA, linear": TwinKernelPCA(kernel="linear"),
    "WeightedTETE": WeightedTETE(n_neighbors=10),
    "WeightedTETE from axes": WeightedTETE(n_neighbors=10, init="pca"),
    "WeightedTETE by L-BFGS": WeightedTETE(n_neighbors=10, optimizer="l-bfgs", max_iter=200),
    "WeightedTETE, t = 1.5": WeightedTETE(n_neighbors=10, t=1.5),
    "FastTETE": FastTETE(),
    "FastTETE from a random start": FastTETE(init="random"),
    "FastTETE by L-BFGS": FastTETE(optimizer="l-bfgs"),
    "FastTETE without outliers' triplets": FastTETE(outlier_weight=0),
}


@pytest.mark.parametrize("name", FINDERS)
def test_a_fit_finds_planted_classes_and_a_start_does_not(name):
    points, labels = planted_classes(150)
    model = clone(FINDERS[name]).set_params(random_state=0).fit(points, labels)
    start = np.random.default_rng(0).normal(size=(150, 2))
    assert repro.nearest_neighbor_error(start, labels) > 0.4
    error = repro.nearest_neighbor_error(model.embedding_, labels)
    assert error < (0.1 if "TETE" in name else 0.05)
    if "Fast" not in name:  # its outliers, and so its loss, change in each round
        assert len(model.loss_history_) == model.n_iter_ + 1
        assert model.loss_ == pytest.approx(model.loss_history_.min(), rel=1e-6)
        assert model.loss_ < 0.9 * model.loss_history_[0]


@pytest.mark.parametrize("layout", models.LAYOUTS)
@pytest.mark.parametrize("name", MODELS)
def test_fits_do_not_depend_on_the_layout_and_leave_their_input_alone(name, layout):
    laid_out = models.LAYOUTS[layout](X)
    before = np.array(laid_out)
    found, expected = fit(name, laid_out).embedding_, fit(name, X).embedding_
    # Sums over other strides may differ in the last bit; FastTETE keeps float32.
    tolerance = 1e-4 if (name, layout) == ("FastTETE", "float32") else 1e-9
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(np.array(laid_out), before)


@pytest.mark.parametrize("name", WITH_TRANSFORM)
def test_neither_a_refused_fit_nor_later_changes_of_the_data_change_a_model(name):
    data = X.copy()
    model = clone(OF_POINTS[name]).set_params(max_iter=5, random_state=0)
    embedding = model.fit_transform(data)
    before, right = model.transform(X[:2]), model.get_params()
    data[:], embedding[:] = 7.0, 7.0
    for wrong in ({"optimizer": "newton"}, {"n_components": "2"}):
        with pytest.raises((TypeError, ValueError)):
            model.set_params(**wrong).fit(2 * X[:9, :2])
        np.testing.assert_array_equal(model.set_params(**right).transform(X[:2]), before)


@pytest.mark.usefixtures("warnings_are_errors")
@pytest.mark.parametrize("name", OF_POINTS)
@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_the_unit_of_the_data_does_not_matter(name, scale):
    one, other = fit(name, X), fit(name, X * scale)
    # The search for a bandwidth stops at 1e-5 of its logarithm.
    np.testing.assert_allclose(other.embedding_, one.embedding_, atol=1e-4, rtol=1e-4)
    if hasattr(one, "transform"):
        places = one.transform(X), other.transform(X * scale)
        np.testing.assert_allclose(*places, atol=1e-3)


WEIGHTED = {
    "MRE": (repro.MRE(), lambda w: {"relations": models.relations_of(X, w)}),
    "MultipleBRE": (repro.MultipleBRE(), lambda w: {"relations": models.affinities_of(X, w)}),
    **{
        loss: (
            TripletEmbedding(loss, penalty=0.1),
            lambda w: {"triplets": triplets_of(X), "weights": w * np.linspace(1, 2, 140)},
        )
        for loss in OF_TRIPLETS
    },
}


def assert_alike(one, other, unit=1.0):
    assert one.n_iter_ == other.n_iter_ > 0
    np.testing.assert_allclose(other.embedding_ / unit, one.embedding_, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("scale", [1e-10, 1e7])
@pytest.mark.filterwarnings("ignore:the loss was still falling")
def test_a_factor_of_all_weights_does_not_matter(name, scale):
    model, data_of = WEIGHTED[name]
    model.set_params(random_state=0, max_iter=20)
    penalty = {"penalty": 0.1 * scale} if name in OF_TRIPLETS else {}
    one = clone(model).fit(**data_of(1.0))
    assert_alike(one, clone(model).set_params(**penalty).fit(**data_of(scale)))


@pytest.mark.parametrize(
    ("model", "parameter", "data_of"),
    [
        (BRE(), "gamma", np.array),
        (BRE(init="random"), "gamma", np.array),
        (BRE(optimizer="conditional-scg"), "gamma", np.array),
        (TwinKernelPCA(), "gamma", np.array),
        (repro.MultipleBRE(), "gamma", models.affinities_of),
        (TripletEmbedding("ckl"), "mu", triplets_of),
    ],
)
@pytest.mark.parametrize("scale", [1e-10, 1e7])
@pytest.mark.filterwarnings("ignore:the loss was still falling")
def test_a_width_of_the_map_is_its_squared_unit(model, parameter, data_of, scale):
    model.set_params(random_state=0, max_iter=20)
    one, other = (
        clone(model).set_params(**{parameter: width}).fit(data_of(X)) for width in (1.0, scale)
    )
    assert_alike(one, other, np.sqrt(scale))


def test_a_fit_that_max_iter_ends_too_soon_says_so(recwarn):
    assert SNE(max_iter=500, random_state=0).fit(X).n_iter_ > 5
    assert not recwarn


@pytest.mark.parametrize("name", MODELS)
def test_a_warning_names_the_line_that_fits(name, monkeypatch):
    monkeypatch.setattr(estimator, "UNSETTLED", -1.0)
    model, data_of = MODELS[name]
    model, data = clone(model).set_params(max_iter=1, random_state=0), data_of(X)
    for f in (model.fit, model.fit_transform):
        with pytest.warns(
            ConvergenceWarning, match="still falling after max_iter = 1 |start: 1 iterations"
        ) as told:
            f(*data)
        assert {warning.filename for warning in told} == {__file__}


@pytest.mark.parametrize("name", [*OF_POINTS, "ConditionalKIE", "JointKIE"])
def test_columns_of_a_table_are_named_after_the_method(name):
    model = fit(name, X).set_output(transform="pandas")
    names = [type(model).__name__.lower() + str(axis) for axis in range(2)]
    table = model.fit_transform(*MODELS[name][1](X))
    assert list(table.columns) == list(model.get_feature_names_out()) == names


@pytest.mark.parametrize("name", WITH_TRANSFORM)
def test_a_new_point_is_placed_alike_whatever_comes_with_it(name):
    model, new = fit(name, X), RNG.normal(size=(9, 3))
    alone = [model.transform(point[None])[0] for point in new]
    # The others multiply matrices, whose last bits depend on the number of rows.
    tolerance = (0, 0) if name.endswith("TETE") else (1e-6, 1e-9)
    np.testing.assert_allclose(model.transform(new), alone, *tolerance)


@pytest.mark.parametrize("name", ["WeightedTETE", "FastTETE"])
def test_new_points_far_from_all_are_named(name):
    model = fit(name, X)
    with pytest.warns(RuntimeWarning, match="2 new points lie far from all points of the fit"):
        model.transform(np.vstack([X[:3], X[:2] + 1e9]))


MANY = np.random.default_rng(0).normal(size=(400, 3))
OF_PAIRS = "gaussian_rows", "perplexity_rows", "neighbor_graph", "radius_graph", "gaussian_kernel"
DENSE = {name: getattr(repro, name) for name in (*OF_PAIRS, "squared_distances")} | {
    "squared_distances to others": lambda X: repro.squared_distances(X, X),
    "class_blocks": lambda X: repro.class_blocks(X[:, 0]),
}
FITS = "SNE", "BRE", "TwinKernelPCA", "KIE", "ConditionalKIE", "JointKIE", "MRE", "MultipleBRE"


@pytest.mark.parametrize("name", [*DENSE, *FITS])
def test_dense_matrices_say_how_much_memory_they_need(name, monkeypatch):
    f, data = DENSE.get(name), (MANY,)
    if f is None:
        f, data = clone(MODELS[name][0]).set_params(max_iter=5).fit, MODELS[name][1](MANY)
    # As if a GiB were half a MiB, for points that need a few MiB.
    monkeypatch.setattr(memory, "NOTICED", 2**20)
    monkeypatch.setattr(memory, "free_memory", lambda: 10**9)
    says = "400 points need about 0.0 GiB of memory, and 0.9"
    with pytest.warns(RuntimeWarning, match=says) as warned:
        f(*data)
    told = {(w.filename, str(w.message)) for w in warned if w.category is RuntimeWarning}
    assert [filename for filename, _ in told] == [__file__]
    monkeypatch.setattr(memory, "free_memory", lambda: 2**20)
    with pytest.raises(MemoryError, match="400 points need"):
        f(*data)


@pytest.mark.parametrize("backend", backends())
def test_a_dense_fit_takes_no_more_than_it_says(backend, monkeypatch):
    monkeypatch.setattr(memory, "BLOCK", 2**18)
    for n in (96, 768):  # what the first fits import or compile does not count
        points = np.random.default_rng(0).normal(size=(n, 3))
        P = repro.gaussian_rows(points, include_self=True)
        few = P[:9, :9] / P[:9, :9].sum(1, keepdims=True)
        relations = [repro.Relation(P), repro.Relation(few, range(9))]
        for model, data, *says in (
            (SNE(backend=backend), points),
            (BRE(backend=backend), points),
            (BRE(affinity="truncated", backend=backend), points, 4, 4),
            (TwinKernelPCA(), points),
            (KIE(penalty=0.1, bandwidth=1.0, backend=backend), points),
            (repro.MRE(backend=backend), relations, 3, 6.2),
            (repro.MultipleBRE(backend=backend), 2 * models.affinities_of(points), 4, 24.2),
        ):
            tracemalloc.start()
            model.set_params(max_iter=1).fit(data)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert n == 96 or peak < 8 * n**2 * 1.02 * (says or model._peak)[backend == "numpy"]


COPIES = {
    "pairs": np.vstack([X[:7], X[:7]]),
    "all but one": np.vstack([X[:1], np.repeat(X[1:2], 13, axis=0)]),
    "constant feature": np.column_stack([np.full(14, 1e12), X]),
    "all": np.repeat(X[:1], 14, axis=0),
    "zeros": np.zeros((14, 3)),
}


@pytest.mark.usefixtures("warnings_are_errors")
@pytest.mark.parametrize("name", OF_POINTS)
@pytest.mark.parametrize("kind", COPIES)
def test_copies_and_constants(name, kind):
    refused = ""
    warnings.filterwarnings("ignore", ".*more .* than the perplexity", RuntimeWarning)
    try:
        assert np.isfinite(fit(name, COPIES[kind]).embedding_).all()
    except ValueError as error:
        refused = str(error)
    assert not refused or ("X" in refused and kind in ("all", "zeros"))


@pytest.mark.parametrize("name", ["BRE", "TwinKernelPCA", "FastTETE", "WeightedTETE"])
def test_a_map_of_more_dimensions_than_the_data_uses_them(name):
    model = fit(name, X, n_components=6, init="pca")
    assert (model.embedding_.std(axis=0) > 0).all()


# All distances are nearly equal.
GRID = np.indices((5, 5)).reshape(2, -1).T.astype(float)
ALIKE = np.random.default_rng(0).normal(size=(60, 3000))
ALIKE /= np.linalg.norm(ALIKE, axis=1, keepdims=True)
AT_START = "ended at its start"


@pytest.mark.parametrize(
    ("model", "data", "says"),
    [
        (SNE(init_scale=1e-12), X, AT_START),
        (WeightedTETE(n_neighbors=4, init_scale=1e-12), X, AT_START),
        (FastTETE(n_neighbors=4, init_scale=1e20), X, AT_START),
        (TwinKernelPCA(init_scale=1e3), X, AT_START),
        (BRE(init=np.zeros((14, 2))), X, AT_START),
        (SNE(sigma2=1e9), X, "all points in one place"),
        (SNE(), np.repeat(X[:3], 40, axis=0), "120 points have more copies than the perplexity"),
        (BRE(affinity="truncated", related="radius", radius2=0.2), X, "are related to no other"),
        (TwinKernelPCA(kernel="linear"), 1e-6 * X, "lost in a noise of 0.01"),
        (KIE(), ALIKE, "all points in one place"),
        (KIE(penalty=100.0, init_scale=0.5, max_iter=5), X, "all points in one place"),
        (SNE(perplexity=2), GRID, "nearest points at one distance than the perplexity"),
        (KIE(bandwidth=1e-6), X, "1e-06 is too small: bandwidth .of X. is far below"),
        (KIE(), np.vstack([X, [[1e6, 0, 0]]]), "row 14 "),
        (TwinKernelPCA(), np.vstack([[[0, -1e6, 0]], X]), "row 0 "),
    ],
)
@pytest.mark.filterwarnings("ignore:a bandwidth of 1e")
def test_a_fit_that_tells_nothing_says_so(model, data, says):
    with pytest.warns((RuntimeWarning, ConvergenceWarning), match=says):
        model.set_params(random_state=0).fit(data)


@pytest.mark.parametrize("unit", [2, 30, 1e9])
def test_a_warning_names_the_parameter_that_is_at_fault(unit):
    months = np.arange(120)
    seasons = np.c_[np.sin(months / 1.9), np.cos(months / 1.9), months / 60]
    with pytest.warns((RuntimeWarning, ConvergenceWarning)) as warned:
        repro.ConditionalKIE(random_state=0).fit(seasons, unit * months)
    assert all("condition_bandwidth" in str(w.message) for w in warned)
    assert not any("bandwidth may be too large" in str(w.message) for w in warned)


@pytest.mark.parametrize("scale", [1e20, 1e38])
def test_large_numbers_in_float32_are_taken(scale):
    with np.errstate(all="raise"):
        large = fit("FastTETE", (X * scale / 4).astype(np.float32)).embedding_
    np.testing.assert_allclose(large, fit("FastTETE", X).embedding_, rtol=1e-3, atol=1e-3)


def test_an_outlier_leaves_the_rest_to_fast_tete():
    points, labels = planted_classes(200, 4)
    points[0] = 1e6
    model = FastTETE(random_state=0).fit(points)
    assert repro.nearest_neighbor_error(model.embedding_[1:], labels[1:]) < 0.05


def test_an_outlier_or_many_copies_do_not_set_the_width():
    plain = fit("KIE", X).bandwidth_
    with pytest.warns(RuntimeWarning, match="row 14 "):
        beside = fit("KIE", np.vstack([X, [[1e6, 0, 0]]])).bandwidth_
    assert beside == pytest.approx(plain, rel=1e-6)
    of_places = fit("BRE", np.vstack([X, np.zeros((1, 3))])).beta_
    for blur in (0, 1e-9):
        copies = np.vstack([X, blur * RNG.normal(size=(60, 3))])  # most distances are no larger
        assert 0.3 * of_places < fit("BRE", copies).beta_ < 3 * of_places
        twice = repro.likelihood_bandwidth(np.vstack([X, X + blur * RNG.normal(size=X.shape)]))
        assert twice == pytest.approx(repro.likelihood_bandwidth(X), rel=1e-3)
