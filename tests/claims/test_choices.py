from dataclasses import dataclass

import pytest

from repro.claims import choice, readings_of


@dataclass(frozen=True)
class Choices:
    width: float = choice(1.0, paper="Eq. (1)", others={2.0: "the kernel is wider", 4.0: ""})
    start: str = choice("random", ours="not said", others=["centred"])
    n_points: int = choice(100, paper="Fig. 1")
    data: str = choice("digits", paper="Fig. 1", elsewhere=["faces"])


def test_every_other_value_is_a_reading_by_itself_and_data_elsewhere_come_last():
    readings = [r for r in readings_of(Choices()) if r.kind != "combination"]
    assert [r.words for r in readings] == [
        "primary",
        "the kernel is wider",
        "width = 4.0",
        "start = centred",
        "data = faces",
    ]
    assert [r.kind for r in readings] == ["primary", *["other"] * 3, "elsewhere"]
    assert readings[1].choices == Choices(width=2.0)


def test_combinations_change_several_choices_never_the_data_and_are_always_the_same():
    combined = [r for r in readings_of(Choices()) if r.kind == "combination"]
    # All there are: two other widths with the other start.
    assert {r.choices for r in combined} == {
        Choices(width=2.0, start="centred"),
        Choices(width=4.0, start="centred"),
    }
    assert combined == [r for r in readings_of(Choices()) if r.kind == "combination"]


@pytest.mark.parametrize(
    "declared",
    [
        {},  # no source
        {"ours": "so", "others": [1.0]},  # the primary value again
        {"ours": "so", "others": [2.0], "elsewhere": [2.0]},  # a reading and elsewhere
    ],
)
def test_a_choice_without_source_or_with_a_value_named_twice_is_refused(declared):
    with pytest.raises(ValueError, match=r"a choice needs a source|may be named once"):
        choice(1.0, **declared)
