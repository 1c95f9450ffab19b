"""The rule of version 2, against its own words for every count that can occur."""

from itertools import product

import pytest

from repro.workbench.evidence.rule import (
    CHANCE,
    Count,
    count,
    verdict,
    verdict_of_can,
    verdict_of_fact,
)

OURS = [Count(met, of) for of in (10, 18) for met in range(of + 1)]  # of ten, exact fifths
SETTINGS = [Count(met, of) for of in (6, 18) for met in range(of + 1)]


@pytest.mark.parametrize("ours", OURS, ids=str)
def test_the_verdict_is_what_the_rule_says_in_words(ours):
    share = ours.met / ours.of
    assert verdict(ours, []) == (
        "reproduced"
        if share >= 0.8
        else "not reproduced"
        if share <= 0.2
        else f"depends on {CHANCE}"
    )
    for setting in SETTINGS:
        other, word = setting.met / setting.of, verdict(ours, [("K", setting)])
        assert (word == "reproduced") == (share >= 0.8 and other > 0.5)
        assert (word == "not reproduced") == (share <= 0.2 and other < 0.5)
        if word.startswith("depends"):
            assert (CHANCE in word) == (0.2 < share < 0.8)
            sides = [(half > 0.5) - (half < 0.5) for half in (share, other)]
            assert word.endswith("K") == (sides[0] != 0 and sides[0] != sides[1])
            assert CHANCE in word or word.endswith("K")


def test_one_setting_is_enough_to_depend_on_and_a_choice_is_named_once():
    good, bad, half = Count(6, 6), Count(0, 6), Count(9, 18)
    settings = [("K", good), ("β", bad), ("descent", half), ("β", bad)]
    assert verdict(Count(18, 18), settings) == "depends on β, descent"
    assert verdict(Count(0, 18), settings) == "depends on K, descent"


def test_eighteen_runs_are_counted_if_six_do_not_tell():
    for first in range(7):
        met = [True] * first + [False] * (6 - first) + [True] * 12
        told = first in (0, 1, 5, 6)
        assert count(met) == (Count(first, 6) if told else Count(first + 12, 18))
    assert count([True, False]) == Count(1, 2)


def test_one_run_shows_what_can_happen():
    for ours, setting in product(OURS, SETTINGS):
        word = verdict_of_can(ours, [("K", setting)])
        only = "shown only with another value of K" if setting.met else "not shown"
        assert word == ("shown" if ours.met else only)


def test_a_fact_is_confirmed_by_four_fifths():
    for ours, setting in product(OURS, SETTINGS):
        only = setting.met >= 0.8 * setting.of
        otherwise = "confirmed only with another value of K" if only else "not confirmed"
        word = verdict_of_fact(ours, [("K", setting)])
        assert word == ("confirmed" if ours.met >= 0.8 * ours.of else otherwise)
