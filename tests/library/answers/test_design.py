"""Questions to ask are balanced, and their answers are read as they come."""

import numpy as np
import pytest

from repro import design_questions, read_answers
from repro.answers.reading import KINDS

ANIMALS = [f"animal {k}" for k in range(12)]
ASKED = tuple(KINDS)[1:]


@pytest.fixture(params=ASKED)
def design(request):
    trials = design_questions(
        ANIMALS, request.param, n_annotators=4, repeats=0.2, catches=0.05, random_state=0
    )
    return request.param, trials, list(trials.columns[2:5])


def test_every_item_has_every_place_and_every_annotator_trials_equally_often(design):
    _, trials, columns = design
    new = trials[trials["purpose"] == "new"]
    assert len(new) == 20 * 2 * 12
    for column in columns:
        assert (new[column].value_counts() == 40).all()
        assert new[column].nunique() == 12
    assert (new[columns].nunique(axis=1) == 3).all()
    per_annotator = trials.groupby("annotator")
    assert per_annotator.size().to_dict() == dict.fromkeys([1, 2, 3, 4], 120 + 24 + 6)
    assert (trials["trial"] == per_annotator.cumcount() + 1).all()
    assert trials["purpose"].value_counts().to_dict() == {"new": 480, "repeat": 96, "catch": 24}


@pytest.mark.parametrize("kind", ASKED)
def test_repeats_come_late_with_other_places_and_half_of_them_from_another(kind):
    trials = design_questions(
        range(60), kind, n_components=1, per_item=4, n_annotators=4, repeats=0.2, random_state=0
    )
    moving = list(trials.columns[2 + (kind == "two alternatives") : 5])
    key = trials[trials.columns[2:5]].copy()
    key[moving] = np.sort(key[moving], axis=1)
    trials["question"] = key.agg("|".join, axis=1)
    first = trials[trials["purpose"] == "new"].set_index("question")
    assert first.index.is_unique  # so the first of each repeat is known
    again = trials[trials["purpose"] == "repeat"].set_index("question")
    first = first.loc[again.index]
    assert (first[moving] != again[moving]).all(axis=None)
    is_own = first["annotator"] == again["annotator"]
    assert is_own.sum() == len(again) / 2 == 24
    assert (first["trial"] < again["trial"])[is_own].all()


def test_answers_are_read_and_a_catch_tells_who_looks(design):
    kind, trials, columns = design
    catches = trials["purpose"] == "catch"
    trials[KINDS[kind][3]] = trials["expected"].where(catches, trials[columns[-1]])
    asked = trials.loc[catches, columns]
    assert (asked.nunique(axis=1) == 2).all()
    assert trials.loc[~catches, "expected"].isna().all()
    is_odd = (asked.to_numpy() == trials.loc[catches, ["expected"]].to_numpy()).sum(axis=1) == 1
    assert is_odd.all() == (kind == "odd one out")
    answers = read_answers(trials[~catches], kind, annotator="annotator", repeat="trial")
    assert answers.counts["answers"] == 480 + 96
    assert answers.counts["duplicate"] == 0


@pytest.mark.parametrize(("people", "per_item"), [(40, 3), (12, 1), (7, 3)])
def test_shares_hold_for_many_people_with_few_questions_too(people, per_item):
    trials = design_questions(
        range(120), n_components=1, per_item=per_item, n_annotators=people, random_state=0
    )
    counts = trials["purpose"].value_counts()
    assert counts["repeat"] == pytest.approx(12 * per_item, abs=1)
    assert counts["catch"] == 6 * per_item
    assert np.ptp(trials["annotator"].value_counts()) <= 4


def test_no_question_is_asked_three_times_in_a_block():
    for seed in range(40):
        trials = design_questions(
            range(6), n_components=1, per_item=1, repeats=0, catches=0, random_state=seed
        )
        asked = np.sort(trials[["first", "second", "third"]].astype(int), axis=1)
        assert len(np.unique(asked, axis=0)) == 6


@pytest.mark.parametrize(
    ("items", "options", "says"),
    [
        (ANIMALS[:4], {}, "items must be five names or more"),
        ([*ANIMALS, "animal 3 "], {}, "items name 'animal 3' twice"),
        ([*ANIMALS, None], {}, "each of items must be a name, got None"),
        ([*ANIMALS, "\u200b"], {}, "each of items must be a name, got "),
        (5, {}, "items must be a sequence of names, got int"),
        (ANIMALS, {"repeats": 2}, r"repeats must be in \[0, 1\], got 2"),
        (ANIMALS, {"repeats": "0.1"}, "repeats must be"),
        (ANIMALS, {"n_annotators": 481}, "n_annotators must be at most 480"),
        (ANIMALS, {"kind": "triplets"}, "kind must be one of"),
    ],
)
def test_a_study_that_cannot_be_drawn_is_refused(items, options, says):
    with pytest.raises((ValueError, TypeError), match=says):
        design_questions(items, **options)
