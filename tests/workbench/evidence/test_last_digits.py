import numpy as np

from repro import SNE, datasets
from repro.workbench.last_digits import moved, moving_last_digits

A = np.array([[0.0, 1.0, -2.5], [1e300, 5e-324, 0.1]])


def test_each_number_moves_by_at_most_one_unit_in_the_last_place_and_zero_not_at_all():
    rng = np.random.default_rng(0)
    changed = np.array([moved(A, rng) for _ in range(30)])
    assert (np.abs(changed - A) <= np.spacing(np.abs(A))).all()
    assert {-1, 0, 1} == set(np.sign(changed[:, 0, 1] - 1.0))
    assert not changed[:, 0, 0].any()


def test_whole_numbers_do_not_move():
    whole = np.arange(5)
    assert moved(whole, np.random.default_rng(0)) is whole


def test_data_and_start_of_a_fit_move():
    plain = datasets.make_s_curve(40, rng=0).X
    with moving_last_digits(0):
        changed = datasets.make_s_curve(40, rng=0).X
        from_moved_start = SNE(max_iter=1, random_state=0).fit(plain)
    np.testing.assert_allclose(changed, plain, rtol=1e-15)
    assert (changed != plain).any()
    assert not changed.flags.writeable
    np.testing.assert_array_equal(datasets.make_s_curve(40, rng=0).X, plain)
    one = SNE(max_iter=1, random_state=0).fit(plain)
    np.testing.assert_allclose(from_moved_start.embedding_, one.embedding_, rtol=1e-9)
    assert (from_moved_start.embedding_ != one.embedding_).any()
