"""Readings as settings of parameters."""

import pytest
from hypothesis import given, strategies as st

from repro.evidence.readings import (
    PRIMARY,
    grid_of_readings,
    grid_of_values,
    parse_seeds,
    parse_settings,
    parse_values,
    write_settings,
)

ASCII = st.characters(codec="ascii")
VALUES = st.one_of(
    st.integers(), st.booleans(), st.text(ASCII), st.tuples(st.integers(), st.none())
)


def test_settings_are_parsed_and_written_by_name():
    settings = parse_settings("PERSON = 'r; s'; FIRST=5; P = f(1, 2)[:3] / N")
    assert settings == {"PERSON": "'r; s'", "FIRST": "5", "P": "f(1, 2)[:3] / N"}
    assert write_settings(settings) == "FIRST = 5; P = f(1, 2)[:3] / N; PERSON = 'r; s'"
    assert parse_settings(PRIMARY) == {}


@given(st.dictionaries(st.sampled_from(["A", "B_2", "C"]), VALUES))
def test_what_is_written_is_parsed_to_the_same(values):
    settings = {name: repr(value) for name, value in values.items()}
    text = write_settings(parse_settings(write_settings(settings)))
    assert write_settings(parse_settings(text)) == text
    assert parse_settings(text).keys() == settings.keys()


@pytest.mark.parametrize("text", ["A", "A = ", "A == 1", "A.b = 1", "A, B = 1, 2", "A = 1; A = 2"])
def test_what_is_no_setting_is_refused(text):
    with pytest.raises(ValueError, match="NAME = value"):
        parse_settings(text)


def test_values_may_hold_commas():
    assert parse_values("OBJECTS=(1, 2),(3, 4)") == ("OBJECTS", ["(1, 2)", "(3, 4)"])
    assert grid_of_values(["A=1,2e7", "B='x,y'"]) == [
        "A = 1; B = 'x,y'",
        "A = 20000000.0; B = 'x,y'",
    ]
    for text in ("A", "A=", "2=3", "A=(1", "=1"):
        with pytest.raises(ValueError, match="NAME=value"):
            parse_values(text)


def test_readings_are_the_primary_each_alone_and_a_sample_of_combinations():
    alternatives = {"one": ["A = 1", "A = 2"], "two": ["B = 3"], "three": ["C = 4; D = 5"]}
    alone = grid_of_readings(alternatives)
    assert alone == ["", "A = 1", "A = 2", "B = 3", "C = 4; D = 5"]
    some = grid_of_readings(alternatives, sample=3)
    assert some[:5] == alone
    assert len(set(some)) == 8
    assert all(len(parse_settings(text)) == (3 if "C" in text else 2) for text in some[5:])
    every = grid_of_readings(alternatives, sample=1000)
    assert len(every) == len(set(every)) == 3 * 2 * 2
    assert every[:8] == some  # so that a larger sample goes on where a smaller one ended
    assert "A = 2; B = 3; C = 4; D = 5" in every
    assert grid_of_readings({}) == [PRIMARY]


def test_seeds():
    assert parse_seeds("0:10") == range(10)
    assert parse_seeds("7") == range(7, 8)
    for text in ("", "3:3", "5:2", "a:b", "-2:3", "1:2:3"):
        with pytest.raises(ValueError, match="FIRST:END"):
            parse_seeds(text)
