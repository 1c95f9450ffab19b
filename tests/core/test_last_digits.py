import numpy as np

from repro import SNE, datasets
from repro.core.last_digits import moved_if_asked, moving_last_digits

A = np.array([[0.0, 1.0, -2.5], [1e300, 5e-324, 0.1]])


def test_each_number_moves_by_at_most_one_unit_in_the_last_place_and_zero_not_at_all():
    with moving_last_digits(0):
        moved = np.array([moved_if_asked(A) for _ in range(30)])
    assert (np.abs(moved - A) <= np.spacing(np.abs(A))).all()
    assert {-1, 0, 1} == set(np.sign(moved[:, 0, 1] - 1.0))
    assert not moved[:, 0, 0].any()


def test_nothing_moves_unless_it_is_asked_for_nor_do_whole_numbers():
    assert moved_if_asked(A) is A
    with moving_last_digits(0):
        whole = np.arange(5)
        assert moved_if_asked(whole) is whole
        with moving_last_digits(1):
            inner = moved_if_asked(A)
    with moving_last_digits(1):
        np.testing.assert_array_equal(moved_if_asked(A), inner)
    assert moved_if_asked(A) is A


def test_data_and_start_of_a_fit_move():
    plain = datasets.make_s_curve(40, rng=0).X
    with moving_last_digits(0):
        moved = datasets.make_s_curve(40, rng=0).X
        from_moved_start = SNE(max_iter=1, random_state=0).fit(plain)
    np.testing.assert_allclose(moved, plain, rtol=1e-15)
    assert (moved != plain).any()
    one = SNE(max_iter=1, random_state=0).fit(plain)
    np.testing.assert_allclose(from_moved_start.embedding_, one.embedding_, rtol=1e-9)
    assert (from_moved_start.embedding_ != one.embedding_).any()
