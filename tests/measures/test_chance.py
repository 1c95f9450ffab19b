import numpy as np

from repro.measures import shuffled


def test_each_point_has_the_place_of_another_and_always_the_same():
    X = np.random.default_rng(1).normal(size=(50, 2))
    moved = shuffled(X)
    np.testing.assert_array_equal(np.sort(moved, axis=0), np.sort(X, axis=0))
    np.testing.assert_array_equal(moved, shuffled(X))
    assert (moved != X).any(axis=1).mean() > 0.9
