import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

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


def authors_algorithm(loss, start, triplets, n_iter):
    """The t-ETE authors' descent as described: the step grows and shrinks, the best is kept."""
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
    model = TripletEmbedding(name, init=start, max_iter=200).fit(triplets)
    assert model.loss_ == pytest.approx(expected, rel=1e-3)
    assert model.loss_ <= 1.01 * expected


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("optimizer", ["gd", "l-bfgs"])
def test_every_method_finds_the_points_again(loss, optimizer):
    X, triplets, _ = problem()
    test = sample_per_point(X, 50, 10, rng=np.random.default_rng(9))
    model = TripletEmbedding(loss, optimizer=optimizer, max_iter=300, random_state=0).fit(triplets)
    # A start that is not moved satisfies half.
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
    assert model.score(prepared) == model.score(triplets)


def test_items_without_triplets_stay_where_they_were():
    _, triplets, _ = problem()
    start = 0.1 * np.random.default_rng(0).normal(size=(105, 2))
    for loss in LOSSES:
        model = TripletEmbedding(loss, init=start, max_iter=5).fit(triplets)
        np.testing.assert_array_equal(model.embedding_[100:], start[100:])


def test_scikit_learn_chooses_a_parameter():
    X, triplets, _ = problem(60)
    model = TripletEmbedding("ckl", max_iter=60, random_state=0)
    search = GridSearchCV(model, {"mu": [1e-4, 0.5]}, cv=3).fit(triplets, n_items=len(X))
    assert search.best_estimator_.score(triplets) > 0.8
    assert clone(model).get_params()["mu"] == 0.05


@pytest.mark.parametrize(
    ("triplets", "says"),
    [
        ([[1, 2, 3], [2, 3, 1]], "counted from 1, subtract 1"),
        ([[0, 1, 9], [1, 9, 0]], "up to 9, but 7 below are in none.* the first are 2, 3, 4, 5, 6;"),
    ],
)
def test_items_in_no_triplet_are_named(triplets, says, recwarn):
    with pytest.warns(RuntimeWarning, match=says) as told:
        TripletEmbedding(max_iter=1).fit(np.array(triplets))
    assert told[0].filename == __file__
    TripletEmbedding(max_iter=1).fit(np.array(triplets), n_items=10)
    assert not any(issubclass(warning.category, RuntimeWarning) for warning in recwarn)
