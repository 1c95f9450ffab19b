from dataclasses import dataclass, replace

import pytest

from repro.experiments.claims import choice, readings_of
from repro.experiments.claims.choices import name_singles


@dataclass(frozen=True)
class Choices:
    width: float = choice(1.0, paper="Eq. (1)", stated={2.0: "the kernel is wider", 4.0: ""})
    start: str = choice("random", ours="not said", open=["centred"])
    n_points: int = choice(100, paper="Fig. 1")
    data: str = choice("digits", paper="Fig. 1", elsewhere=["faces"])


def test_every_other_value_is_a_reading_by_itself_and_data_elsewhere_come_last():
    readings = [r for r in readings_of(Choices()) if r.kind != "combination"]
    assert [r.words for r in readings] == [
        "primary",
        "start = centred",
        "the kernel is wider",
        "width = 4",
        "data = faces",
    ]
    assert [r.kind for r in readings] == ["primary", "open", "stated", "stated", "elsewhere"]
    assert readings[2].choices == Choices(width=2.0)


def test_readings_are_named_together_by_what_they_change():
    _, centred, wider, widest, *_ = readings_of(Choices())
    assert name_singles([centred, widest]) == "start = centred, or width = 4"
    assert name_singles([widest, wider, centred]).endswith(
        "the kernel is wider, or start = centred"
    )
    many = [replace(widest, choices=replace(widest.choices, width=w)) for w in (4.0, 5.0, 6.5)]
    assert name_singles(many) == "width = 4, 5 or 6.5"


def test_a_choice_that_many_experiments_have_is_named_in_words():
    @dataclass(frozen=True)
    class Starts:
        n_init: int = choice(1, ours="not said", open=[5, 10])

    readings = [reading for reading in readings_of(Starts()) if reading.kind == "open"]
    assert name_singles(readings) == "the number of starts is 5 or 10"


def test_combinations_change_several_choices_never_the_data_and_are_always_the_same():
    @dataclass(frozen=True)
    class Open(Choices):
        width: float = choice(1.0, ours="not said", open=[2.0], equal=[4.0])

    combined = [r for r in readings_of(Open()) if r.kind == "combination"]
    # All combinations: two other widths with the other start.
    assert {r.choices for r in combined} == {
        Open(width=2.0, start="centred"),
        Open(width=4.0, start="centred"),
    }
    assert combined == [r for r in readings_of(Open()) if r.kind == "combination"]
    # Values that the text rules out are not combined.
    assert not [r for r in readings_of(Choices()) if r.kind == "combination"]


@pytest.mark.parametrize(
    "declared",
    [
        {},  # no source
        {"ours": "so", "open": [1.0]},  # the primary value again
        {"ours": "so", "stated": [2.0], "elsewhere": [2.0]},  # a reading and elsewhere
        {"ours": "so", "open": [2.0], "equal": [2.0]},  # it may be only one of the two
    ],
)
def test_a_choice_without_source_or_with_a_value_named_twice_is_refused(declared):
    with pytest.raises(ValueError, match=r"a choice needs a source|may be named once"):
        choice(1.0, **declared)
