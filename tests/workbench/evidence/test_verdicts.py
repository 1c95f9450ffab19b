"""Which runs are counted for a claim, and what stands beside its verdict."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

from repro.experiments.claims import Claim, at_least, choice, more, settings_of
from repro.workbench.evidence.rule import Count
from repro.workbench.evidence.scorecard import Judged
from repro.workbench.evidence.verdicts import judge, sensitivity


@dataclass(frozen=True)
class Choices:
    start: str = choice("random", ours="not said", settings={"centred": "it is centred"})
    scale: float = choice(8.0, ours="any would do", settings=[4.0, 16.0])
    width: float = choice(1.0, paper="1", sensitivity={2.0: "the kernel is wider"})
    data: str = choice("digits", paper="digits", other_data=["faces", "cars"])


SETTINGS = {setting.words: setting for setting in settings_of(Choices())}
OURS, CENTRED, HALF, DOUBLE = (
    SETTINGS[words] for words in ("ours", "it is centred", "scale = 4", "scale = 16")
)
WIDER, FACES, CARS = (SETTINGS[w] for w in ("the kernel is wider", "data = faces", "data = cars"))
COMBINED = [setting for setting in SETTINGS.values() if setting.kind == "combination"]
CLAIM = Claim("x-1a", "Sec. 1", "it is large", [at_least("size", "it", 0.5)])
CAN = replace(CLAIM, can=True)


def runs(met, of, shift=0.0):
    """Make runs, some of which meet the claim; no two are equal."""
    size = np.where(np.arange(of) < met, 1.0, 0.0) + shift + np.arange(of) * 1e-6
    return pd.DataFrame({"seed": np.arange(of), "size: it": size, "size: shuffled": 0.1})


def judged(ours, others=(), claim=CLAIM):
    """Judge (met, of) runs of ours and of other settings."""
    made = {setting: runs(*counts, shift=0.01) for setting, counts in dict(others).items()}
    return judge(claim, {OURS: runs(*ours)} | made)


def test_a_choice_is_named_once_and_each_value_has_its_count():
    verdict = judged((18, 18), {CENTRED: (6, 6), HALF: (0, 6), DOUBLE: (1, 6)})
    assert (verdict.words, verdict.outcome, verdict.tone) == (
        "depends on scale",
        "depends",
        "mixed",
    )
    assert verdict.turning == [HALF, DOUBLE]
    assert verdict.of_kind("settings") == {
        CENTRED: Count(6, 6),
        HALF: Count(0, 6),
        DOUBLE: Count(1, 6),
    }


def test_eighteen_runs_of_ours_count_and_of_another_setting_if_six_do_not_tell():
    verdict = judged((20, 30), {CENTRED: (3, 18), HALF: (6, 18)})
    assert list(verdict.counts.values()) == [Count(18, 18), Count(3, 18), Count(6, 6)]


def test_what_is_against_the_text_and_other_data_and_combinations_decide_nothing():
    others = {WIDER: (0, 5), FACES: (4, 5), CARS: (3, 5), COMBINED[0]: (0, 1)}
    verdict = judged((18, 18), others)
    assert verdict.words == "reproduced"
    assert verdict.other_data == Count(1, 2)  # a set is met at four fifths of its runs
    assert verdict.combinations == Count(0, 1)


def test_a_setting_counts_if_it_changes_a_choice_and_a_measure_on_which_the_claim_rests():
    same_bits, others = runs(18, 18).head(6), runs(6, 6, shift=1e-15)
    for rows, rests_on, counts in (
        (same_bits.assign(**{"hue: it": 1.0}), (), False),
        (others, (), True),
        (others, ("start", "width"), True),
        (others, ("width",), False),
        (runs(6, 6).assign(seed=range(90, 96)), (), True),  # no common seed
    ):
        claim = replace(CLAIM, rests_on=rests_on)
        assert (CENTRED in judge(claim, {OURS: runs(18, 18), CENTRED: rows}).counts) == counts


def test_other_data_count_if_they_measure_what_is_asked_and_the_claim_rests_on_them():
    unmeasured = runs(3, 5).assign(**{"size: it": np.nan})
    tables = {OURS: runs(18, 18), FACES: unmeasured, CARS: runs(5, 5)}
    assert judge(CLAIM, tables).other_data == Count(1, 1)
    assert judge(replace(CLAIM, rests_on=("width",)), tables).other_data == Count(0, 0)


def test_a_run_without_a_value_does_not_meet_the_claim():
    lacking = runs(18, 18).assign(**{"size: it": np.nan})
    assert judge(CLAIM, {OURS: lacking}).ours == Count(0, 18)


def test_what_can_happen_is_shown_by_one_run_of_ours_that_chance_does_not_meet():
    assert judged((1, 18), {CENTRED: (0, 18)}, CAN).words == "shown"
    found = judged((0, 18), {CENTRED: (1, 6), HALF: (0, 6)}, CAN)
    assert found.words == "shown only with another value of start"
    assert (found.outcome, found.turning) == ("shown only", [CENTRED])
    assert judged((0, 18), {CENTRED: (0, 6)}, CAN).outcome == "not shown"
    by_chance = runs(18, 18).assign(**{"size: shuffled": 0.6})
    assert judge(CAN, {OURS: by_chance}).words == "not shown"
    assert judged((1, 18), {FACES: (1, 5), CARS: (0, 5)}, CAN).other_data == Count(1, 2)


@pytest.mark.parametrize("kind", ["identity", "cost"])
def test_an_identity_and_a_cost_are_confirmed_by_four_fifths_of_ours(kind):
    claim = replace(CLAIM, kind=kind)
    assert judged((15, 18), {CENTRED: (0, 6)}, claim).words == "confirmed"
    assert judged((14, 18), {CENTRED: (0, 6)}, claim).words == "not confirmed"
    only = judged((0, 18), {CENTRED: (5, 6), HALF: (4, 6)}, claim)
    assert only.words == "confirmed only with another value of start"
    assert only.turning == [CENTRED]


def test_of_a_claim_about_several_starts_a_run_is_as_many_starts():
    claim = replace(CLAIM, asks=[at_least("size", "it", 0.5, pool="min")], group=3)
    assert judge(claim, {OURS: runs(7, 11)}).ours == Count(2, 3)  # two starts are left over


def test_what_else_leads_to_the_other_side_is_said():
    near = runs(18, 18).assign(**{"size: it": 0.46 + np.arange(18) * 1e-6})
    turned = {OURS: near, WIDER: runs(6, 6)}
    assert sensitivity(CLAIM, turned, judge(CLAIM, turned)) == [
        "the kernel is wider",
        "bounds 10% looser",
    ]
    met = {OURS: runs(18, 18)}
    assert sensitivity(CLAIM, met, judge(CLAIM, met), moved=runs(0, 10)) == ["rounding"]
    assert sensitivity(CLAIM, met, judge(CLAIM, met), moved=runs(10, 10)) == []
    late = runs(12, 18)[::-1].assign(seed=range(18))  # of the first ten seeds four meet it
    assert sensitivity(CLAIM, {OURS: late}, judge(CLAIM, {OURS: late}), moved=runs(4, 10)) == []


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (at_least("size", "it", 0.3), ""),
        (at_least("size", "it", 0.5), "median 0.4, points shuffled 0.1; ≥ 0.5 was asked"),
        (at_least("size", "it", 0.5, chance="none"), "median 0.4; ≥ 0.5 was asked"),
        (
            more("size", "it", than="small", by=0.3),
            "better than small by 0.2; better by 0.3 was asked",
        ),
        (
            more("size", "it", than="large", by=0.3),
            "worse than large by 0.4; better by 0.3 was asked",
        ),
        (
            more("size", "it", than="large", by=-0.3),
            "worse than large by 0.4; worse by at most 0.3 was asked",
        ),
        (more("size", "it", than="it", by=0.3), "as it; better by 0.3 was asked"),
    ],
)
def test_how_far_the_median_is_from_its_bound_is_told_beside_the_rival_or_chance(ask, text):
    sizes = {"it": 0.4, "small": 0.2, "large": 0.8, "shuffled": 0.1}
    rows = pd.DataFrame([{f"size: {space}": value for space, value in sizes.items()}])
    claim, tables = replace(CLAIM, asks=[ask]), {OURS: rows}
    about = "x_fig1", "X", "Fig. 1", "start"
    entry = Judged(*about, claim, judge(claim, tables), [], [], tables, None, None)
    assert entry.how_far == text
