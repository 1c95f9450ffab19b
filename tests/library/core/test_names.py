"""Names from text: those that look alike are one, and those that look almost alike are told."""

import numpy as np
import pytest

from repro.core.names import name_of, warn_of_similar


@pytest.mark.parametrize(
    "cell",
    [
        b"caf\xc3\xa9",
        "cafe\u0301",
        "\u202acaf\u00e9\u202c",  # as copied from a chat
        "\u2066caf\u00e9\u2069",
        "c\x00af\u00e9 ",
        "caf\u00e9\ufe0f",  # as a telephone's keyboard ends a sign
        "cafe\u034f\u0301",
    ],
)
def test_what_does_not_show_makes_no_other_name(cell):
    assert name_of(cell) == "caf\u00e9"


@pytest.mark.parametrize("number", [3, 10**16, -(10**18)])
def test_a_whole_number_is_one_name_as_an_integer_and_in_a_column_of_floats(number):
    assert name_of(float(number)) == name_of(np.float64(number)) == name_of(number) == str(number)


def test_joiners_that_change_what_shows_stay_in_a_name():
    family = "\U0001f468\u200d\U0001f467"
    assert name_of(family) == family


@pytest.mark.parametrize(
    "names",
    [["dog's", "dog\u2019s"], ["t-shirt", "t\u2011shirt"], ["7", "007"], ["a\u200cb", "ab"]],
)
def test_names_that_look_almost_alike_are_told_and_stay_two(names):
    assert len({name_of(name) for name in names}) == 2
    with pytest.warns(RuntimeWarning, match="some items differ by .* quotes, dashes or leading"):
        warn_of_similar(names, "items")


def test_numbers_that_differ_in_a_digit_or_sign_are_not_alike():
    warn_of_similar(["0", "10", "1", "-1", "1.5", "15", "100", "0.5"], "items")
