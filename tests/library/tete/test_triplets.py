from itertools import combinations

import numpy as np
import pytest

from repro import (
    TripletSet,
    contradictions,
    fraction_satisfied,
    nearest_neighbor_error,
    reverse_triplets,
    sample_per_point,
    split_folds,
)
from repro.core import neighbors
from repro.tete.sampling import FAR_RULES
from repro.tete.triplets import degenerate


def points(n=80, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 5))


def ranks(X, triplets):
    """Return the ranks of the near and far items by distance from the query, 0 the nearest."""
    D2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D2, -1.0)
    place = np.argsort(np.argsort(D2, axis=1, kind="stable"), axis=1) - 1
    i, j, k = triplets.T
    return place[i, j], place[i, k]


@pytest.mark.parametrize("far", FAR_RULES)
def test_samples_follow_their_rule(far):
    X, m = points(), 40
    triplets = sample_per_point(X, m, 10, far, rng=np.random.default_rng(0))
    assert triplets.shape == (len(X) * m, 3)
    np.testing.assert_array_equal(triplets[:, 0], np.repeat(np.arange(len(X)), m))
    assert not degenerate(triplets).any()
    assert fraction_satisfied(X, triplets) == 1.0
    near, distant = ranks(X, triplets)
    assert set(near) == set(range(10))
    if far == "farther":
        assert distant.min() < len(X) // 2
    else:
        assert distant.min() == len(X) // 2
    share = (distant == len(X) - 2).mean()
    assert 0.4 < share < 0.6 if far == "clamped" else share < 0.1


def test_samples_do_not_depend_on_blocks(monkeypatch):
    X = np.random.default_rng(0).integers(0, 3, size=(70, 4)).astype(float)  # many ties
    whole = sample_per_point(X, 20, 10, rng=np.random.default_rng(1))
    monkeypatch.setattr(neighbors, "BLOCK", 9)
    in_blocks = sample_per_point(X, 20, 10, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(in_blocks, whole)


@pytest.mark.parametrize("fraction", [0.0, 0.2, 1.0])
def test_a_fraction_is_reversed(fraction):
    X = points()
    triplets = sample_per_point(X, 20, 10, rng=np.random.default_rng(1))
    found = reverse_triplets(triplets, fraction, np.random.default_rng(2))
    changed = (found != triplets).any(axis=1)
    assert changed.sum() == round(fraction * len(triplets))
    np.testing.assert_array_equal(found[changed], triplets[changed][:, [0, 2, 1]])
    assert fraction_satisfied(X, found) == pytest.approx(1 - fraction)


def test_folds_hold_every_triplet_once():
    triplets = np.arange(33).reshape(11, 3)
    folds = split_folds(triplets, 4, np.random.default_rng(0), groups=None)
    tests = np.vstack([test for _, test in folds])
    np.testing.assert_array_equal(tests[np.argsort(tests[:, 0])], triplets)
    for train, test in folds:
        assert len(train) + len(test) == 11
        assert len(test) in (2, 3)
        assert not set(train[:, 0]) & set(test[:, 0])


@pytest.mark.parametrize("groups", ["items", "of each"])
def test_folds_keep_groups_together(groups):
    rng = np.random.default_rng(0)
    threes = rng.permutation(list(combinations(range(9), 3)))[:40]
    odd_one_out = np.vstack([threes, threes[:, [1, 0, 2]], threes[:20, [2, 1, 0]]])
    who = np.sort(odd_one_out, axis=1).tolist()
    if groups == "of each":
        who = groups = [f"annotator {row[0]}" for row in threes] * 2 + ["none"] * 20
    folds = split_folds(odd_one_out, 3, rng, groups)
    place = {tuple(row): of for row, of in zip(odd_one_out.tolist(), who, strict=True)}
    for train, test in folds:
        assert len(train) + len(test) == len(odd_one_out)
        seen = [place[tuple(row)] for row in train.tolist()]
        assert len(test)
        assert not any(place[tuple(row)] in seen for row in test.tolist())
    for wrong in ("annotators", who[:-1]):
        with pytest.raises(ValueError, match="groups must"):
            split_folds(odd_one_out, 3, rng, wrong)
    with pytest.raises(ValueError, match="n_splits=200 greater than the number of"):
        split_folds(odd_one_out, 200, rng, groups)


def test_weights_of_a_set_are_used_and_kept():
    X, rng = points(), np.random.default_rng(0)
    triplets = reverse_triplets(sample_per_point(X, 5, 10, rng=rng), 0.3, rng)
    weights = rng.random(len(triplets))
    prepared = TripletSet(triplets, weights, n_items=90)
    share = fraction_satisfied(X, triplets, weights)
    assert fraction_satisfied(X, prepared) == share != fraction_satisfied(X, triplets)
    with pytest.raises(ValueError, match="weights must be given to the TripletSet"):
        fraction_satisfied(X, prepared, weights)
    again = TripletSet(prepared)
    np.testing.assert_array_equal(again.weights, weights)
    assert again.n_items == 90
    for f in (contradictions, degenerate):
        np.testing.assert_array_equal(f(prepared), f(triplets))
    turned = reverse_triplets(prepared, 0.5, np.random.default_rng(1))
    plain = reverse_triplets(triplets, 0.5, np.random.default_rng(1))
    np.testing.assert_array_equal(turned.triplets, plain)
    np.testing.assert_array_equal(turned.weights, weights)
    # Weights that are the first items show that they stay with their triplets.
    numbered = TripletSet(triplets, triplets[:, 0] + 1.0, n_items=90)
    both = [split_folds(given, 3, np.random.default_rng(2)) for given in (numbered, triplets)]
    for of_set, of_array in zip(*both, strict=True):
        for part, rows in zip(of_set, of_array, strict=True):
            np.testing.assert_array_equal(part.triplets, rows)
            np.testing.assert_array_equal(part.weights, rows[:, 0] + 1)
            assert part.n_items == turned.n_items == 90


def test_a_set_keeps_what_it_was_given():
    triplets, weights = np.array([[0, 1, 2], [1, 2, 0]], dtype=np.int32), np.ones(2)
    prepared = TripletSet(triplets, weights)
    triplets[:], weights[:] = 0, 0
    np.testing.assert_array_equal(prepared.triplets, [[0, 1, 2], [1, 2, 0]])
    np.testing.assert_array_equal(np.stack(prepared.columns[:3]).T, [[0, 1, 2], [1, 2, 0]])
    np.testing.assert_array_equal(prepared.weights, [1, 1])


def test_satisfied_by_hand():
    Y = np.array([[0.0], [1.0], [3.0], [-1.0]])
    triplets = [[0, 1, 2], [0, 2, 1], [0, 1, 3], [2, 1, 3]]  # right, wrong, a tie, right
    assert fraction_satisfied(Y, triplets) == 0.5
    assert fraction_satisfied(Y, triplets, weights=[1, 0, 0, 1]) == 1.0


def test_nearest_neighbour_error():
    X = np.array([[0.0], [1.0], [1.5], [10.0]])
    assert nearest_neighbor_error(X, np.array(["a", "a", "b", "b"])) == 0.5
    # The first of two equally near points counts.
    assert nearest_neighbor_error(np.array([[-1.0], [0.0], [1.0]]), [0, 0, 1]) == 1 / 3


def test_a_set_is_read_as_an_array_is():
    triplets = TripletSet([[0, 1, 2], [2, 0, 1]])
    assert np.asarray(triplets).tolist() == [[0, 1, 2], [2, 0, 1]]
    assert triplets[1].tolist() == [2, 0, 1]
    assert len(list(triplets)) == 2
