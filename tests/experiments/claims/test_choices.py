from dataclasses import dataclass

import pytest

from repro.experiments.claims import called, choice, settings_of


@dataclass(frozen=True)
class Choices:
    width: float = choice(1.0, paper="Eq. (1)", sensitivity={2.0: "the kernel is wider", 4.0: ""})
    start: str = choice("random", ours="not said", settings=["centred"])
    n_points: int = choice(100, paper="Fig. 1")
    data: str = choice("digits", paper="Fig. 1", other_data=["faces"])


def test_every_other_value_is_a_setting_by_itself_and_other_data_come_last():
    settings = [of for of in settings_of(Choices()) if of.kind != "combination"]
    assert [(of.words, of.kind) for of in settings] == [
        ("ours", "ours"),
        ("start = centred", "settings"),
        ("the kernel is wider", "sensitivity"),
        ("width = 4", "sensitivity"),
        ("data = faces", "other_data"),
    ]
    assert settings[2].choices == Choices(width=2.0)


def test_a_choice_has_a_name_in_words():
    assert called("n_init") == "number of starts"
    assert called("first_gammas") == "first gammas"


def test_combinations_change_several_choices_never_the_data_and_are_always_the_same():
    @dataclass(frozen=True)
    class Open(Choices):
        width: float = choice(1.0, ours="not said", settings=[2.0, 4.0])

    combined = [of for of in settings_of(Open()) if of.kind == "combination"]
    # All combinations: two other widths with the other start.
    assert {of.choices for of in combined} == {
        Open(width=2.0, start="centred"),
        Open(width=4.0, start="centred"),
    }
    assert combined == [of for of in settings_of(Open()) if of.kind == "combination"]
    # Values that the text rules out are not combined.
    assert not [of for of in settings_of(Choices()) if of.kind == "combination"]


@pytest.mark.parametrize(
    "declared",
    [
        {},  # no source
        {"ours": "so", "settings": [1.0]},  # our value again
        {"ours": "so", "sensitivity": [2.0], "other_data": [2.0]},  # it may be only one of the two
        {"ours": "so", "settings": [2.0], "sensitivity": [2.0]},
    ],
)
def test_a_choice_without_source_or_with_a_value_named_twice_is_refused(declared):
    with pytest.raises(ValueError, match=r"a choice needs a source|may be named once"):
        choice(1.0, **declared)
