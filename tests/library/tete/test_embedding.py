import tracemalloc
import warnings

import numpy as np
import pytest
from scipy.spatial import procrustes
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, GroupKFold

from repro import (
    TripletEmbedding,
    TripletSet,
    fraction_satisfied,
    reverse_triplets,
    sample_per_point,
    tete_loss,
    tste_loss,
)
from repro.tete.embedding import LOSSES


def problem(n=100, seed=0, noise=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    triplets = sample_per_point(X, 60, 10, rng=rng)
    return X, triplets, reverse_triplets(triplets, noise, rng)


def survey(n=60, d=2, wrong=0.1, seed=0):
    """Draw items and triplets; return the places, the right triplets, and some reversed."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    triplets = rng.random((50 * n, n)).argsort(axis=1)[:, :3]
    near, far = (((X[triplets[:, 0]] - X[triplets[:, k]]) ** 2).sum(axis=1) for k in (1, 2))
    triplets[near > far] = triplets[near > far][:, [0, 2, 1]]
    return X, triplets, reverse_triplets(triplets, wrong, rng)


def authors_algorithm(loss, start, triplets, n_iter):
    """Run the t-ETE authors' descent: adaptive steps, the best iterate is kept."""
    eta, Y = 2.0, start
    value, gradient = loss(Y, triplets, backend="numpy")
    best = value
    for _ in range(n_iter):
        Y = Y - eta * len(start) / len(triplets) * gradient
        previous, (value, gradient) = value, loss(Y, triplets, backend="numpy")
        eta *= 1.01 if value < previous else 0.5
        best = min(best, value)
    return best


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize(("name", "loss"), [("tete", tete_loss), ("tste", tste_loss)])
def test_the_fit_is_the_authors_algorithm(name, loss, noise):
    X, _, triplets = problem(noise=noise)
    start = 1e-4 * np.random.default_rng(5).normal(size=X.shape)
    expected = authors_algorithm(loss, start, triplets, 200)
    model = TripletEmbedding(name, t=2.0, init=start, max_iter=200).fit(triplets)
    assert model.loss_ == pytest.approx(expected, rel=1e-3)
    assert model.loss_ <= 1.01 * expected


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("optimizer", ["gd", "l-bfgs"])
def test_every_method_finds_the_points_again(loss, optimizer):
    X, triplets, _ = problem()
    test = sample_per_point(X, 50, 10, rng=np.random.default_rng(9))
    model = TripletEmbedding(loss, optimizer=optimizer, max_iter=300, random_state=0).fit(triplets)
    # An unchanged start satisfies half.
    assert 0.4 < fraction_satisfied(np.random.default_rng(1).normal(size=X.shape), test) < 0.6
    assert model.score(test) > 0.95
    assert model.embedding_.shape == X.shape
    assert model.loss_history_[0] > model.loss_ == model.loss_history_.min()


def test_a_fit_takes_little_more_memory_than_its_triplets():
    rng, n = np.random.default_rng(0), 20_000
    query, step = np.repeat(np.arange(n), 50), rng.integers(1, n // 2, (n * 50, 2))
    triplets = np.column_stack([query, (query + step[:, 0]) % n, (query - step[:, 1]) % n])
    triplets = rng.permutation(triplets[triplets[:, 1] != triplets[:, 2]])
    tracemalloc.start()
    TripletEmbedding("tete", t=1.7, max_iter=3, random_state=0).fit(triplets)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert triplets.nbytes / 4 < peak <= 3 * triplets.nbytes


def test_a_triplet_set_serves_as_well_as_its_triplets_and_weights():
    _, triplets, _ = problem()
    weights = np.random.default_rng(0).random(len(triplets))
    model = TripletEmbedding("tete", max_iter=5, random_state=0)
    expected = model.fit(triplets, weights=weights).embedding_
    prepared = TripletSet(triplets, weights)
    np.testing.assert_array_equal(model.fit(prepared).embedding_, expected)
    share = fraction_satisfied(expected, triplets, weights)
    assert model.score(prepared) == model.score(triplets, weights=weights) == share


def test_items_without_triplets_stay_where_they_were():
    _, triplets, _ = problem()
    start = 0.1 * np.random.default_rng(0).normal(size=(105, 2))
    for loss in LOSSES:
        model = TripletEmbedding(loss, init=start, max_iter=5).fit(triplets)
        np.testing.assert_array_equal(model.embedding_[100:], start[100:])


def test_scikit_learn_chooses_the_dimension_though_a_fold_alone_names_an_item():
    _, _, answers = survey(d=3, wrong=0.0)
    answers = np.vstack([answers[(answers < 59).all(axis=1)], [[59, 0, 1]]])
    model = TripletEmbedding(max_iter=200, random_state=0)
    with pytest.raises(ValueError, match="name 60 items, but the fit knew 59: pass n_items to fit"):
        model.fit(answers[:-1]).score(answers)
    groups = np.arange(len(answers))
    search = GridSearchCV(model, {"n_components": [1, 3]}, cv=GroupKFold(3))
    search.fit(answers, groups=groups, n_items=60)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_params_ == {"n_components": 3}


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_default_temperature_suits_noisy_answers(d):
    X, right, answers = survey(d=d)
    fits = [TripletEmbedding(n_components=d, random_state=0, **t) for t in ({}, {"t": 2.0})]
    ours, hottest = (model.fit(answers) for model in fits)
    assert ours.score(right) > 0.94
    assert ours.score(right) > hottest.score(right) + 0.005
    flat = [np.pad(Y, ((0, 0), (0, 1))) for Y in (X, ours.embedding_)]  # also with one axis
    assert procrustes(*flat)[2] < 0.08


@pytest.mark.parametrize(("d", "alpha"), [(1, 1.0), (2, 1.0), (5, 4.0)])
def test_student_s_tails_follow_the_dimension(d, alpha):
    _, _, answers = survey(d=d)
    model = TripletEmbedding("tste", d, max_iter=5, random_state=0)
    expected = clone(model).set_params(alpha=alpha).fit(answers).embedding_
    np.testing.assert_array_equal(model.fit(answers).embedding_, expected)


def test_an_embedding_without_a_finite_size_is_warned_of():
    _, right, _ = survey(d=1)
    model = TripletEmbedding("tete", 1, t=2.0, optimizer="l-bfgs", random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"item \d+ is .*e\+\d+ from the middle.*'gd'"):
        model.fit(right)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(optimizer="gd").fit(right, n_items=1000)  # most stay at their start


@pytest.mark.parametrize(
    ("triplets", "message"),
    [
        ([[1, 2, 3], [2, 3, 1]], "counted from 1, subtract 1"),
        ([[0, 1, 9], [1, 9, 0]], "but 7 of these occur in none.* the first are 2, 3, 4, 5, 6;"),
    ],
)
def test_items_in_no_triplet_are_named(triplets, message, recwarn):
    with pytest.warns(RuntimeWarning, match=message) as issued:
        TripletEmbedding(max_iter=1).fit(np.array(triplets))
    assert issued[0].filename == __file__
    TripletEmbedding(max_iter=1).fit(np.array(triplets), n_items=10)
    assert not any(issubclass(warning.category, RuntimeWarning) for warning in recwarn)
