"""The rule by which claims are answered."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

from repro.experiments.claims import (
    Claim,
    at_least,
    at_most,
    choice,
    filled,
    less,
    more,
    readings_of,
)
from repro.workbench.evidence.answers import (
    Share,
    answer,
    count_distinct,
    sensitivity,
    share_of,
    touches,
)


@dataclass(frozen=True)
class Choices:
    start: str = choice(
        "random", ours="not said", open={"centred": "the start is centred", "zero": "it is zero"}
    )
    width: float = choice(1.0, paper="1", stated={2.0: "the kernel is wider"})
    scale: float = choice(8.0, ours="any would do", equal=[4.0, 16.0])
    data: str = choice("digits", paper="digits", elsewhere=["faces", "cars"])


READINGS = {reading.words: reading for reading in readings_of(Choices())}
PRIMARY, CENTRED, ZERO = (READINGS[w] for w in ("primary", "the start is centred", "it is zero"))
WIDER, FACES, CARS = (READINGS[w] for w in ("the kernel is wider", "data = faces", "data = cars"))
SCALES = READINGS["scale = 4"], READINGS["scale = 16"]
COMBINED = [reading for reading in READINGS.values() if reading.kind == "combination"]
CLAIM = Claim("x-1a", "Sec. 1", "it is large", [at_least("size", "it", 0.5)])
CAN = replace(CLAIM, can=True)
NOT_CENTRED = "not met if the start is centred"


def runs(met, of=20, shift=0.0):
    """Make runs of a reading, some of which meet the claim; no two are equal."""
    size = np.where(np.arange(of) < met, 1.0, 0.0) + shift + np.arange(of) * 1e-6
    return pd.DataFrame({"seed": np.arange(of), "size: it": size, "size: shuffled": 0.1})


def answers(primary, claim=CLAIM, of=20, **others):
    """Answer from (met, of) of the primary and of other readings, which all touch the claim."""
    names = {"centred": CENTRED, "zero": ZERO, "wider": WIDER, "faces": FACES, "cars": CARS}
    found = {names[name]: runs(*share, shift=0.01) for name, share in others.items()}
    return answer(claim, {PRIMARY: runs(primary, of)} | found)


@pytest.mark.parametrize(
    ("met", "of", "first", "word"),
    [
        (20, 20, "yes", "holds"),
        (16, 20, "yes", "holds"),
        (4, 5, "yes", "holds"),
        (15, 20, "partly", "depends"),
        (5, 20, "partly", "depends"),
        (4, 20, "no", "fails"),
        (1, 5, "no", "fails"),
        (0, 20, "no", "fails"),
    ],
)
def test_reproduced_is_four_fifths_of_the_runs_and_not_up_to_a_fifth(met, of, first, word):
    found = answers(met, of=of)
    assert (found.reproduced, found.whatever, found.word) == (first, "–", word)
    assert str(found.share) == f"{met} of {of}"
    assert (found.n_runs, found.n_distinct) == (of, of)


def test_an_interval_has_its_95_percent():
    # The example of Clopper and Pearson, 3 of 10; and the extremes.
    assert Share(3, 10).interval == pytest.approx((0.06674, 0.65245), abs=1e-5)
    assert Share(0, 6).interval == pytest.approx((0, 1 - 0.025 ** (1 / 6)))
    assert Share(6, 6).interval == pytest.approx((0.025 ** (1 / 6), 1))
    assert Share(6, 6, same=True).interval is None
    assert len({Share(6, 6), Share(6, 6), answers(20), answers(20)}) == 2  # they compare by value


def test_one_run_decides_where_all_are_the_same():
    assert [Share(met, 2, same=True).side for met in (0, 2)] == [-1, 1]
    always = runs(20).assign(**{"size: it": 1.0})
    assert share_of(CLAIM, always) == Share(20, 20, same=True)
    # One run, or one group of runs, does not show that all are the same.
    assert share_of(CLAIM, always.head(1)) == Share(1, 1)
    grouped = replace(CLAIM, asks=[at_least("size", "it", 0.5, pool="min")], group=5)
    assert [share_of(grouped, always.head(n)).same for n in (5, 10)] == [False, True]
    assert not share_of(CLAIM, runs(20)).same
    # To a millionth if all ended in one optimum, else to the last bit.
    for loss, spread, same in ((1.0, 1e-7, True), (1.0, 1e-5, False), (2.0, 1e-7, False)):
        rows = always.assign(**{"loss: it": 1.0})
        rows.loc[0, ["size: it", "loss: it"]] = 1 + spread, loss
        assert share_of(CLAIM, rows, "loss: it").same == same
        assert not share_of(CLAIM, rows).same


@pytest.mark.parametrize(
    ("primary", "others", "whatever", "word", "named"),
    [
        (20, {"centred": (6, 6), "zero": (18, 18)}, "yes", "holds", []),
        (
            20,
            {"centred": (0, 6), "zero": (6, 6)},
            "no",
            "depends",
            [NOT_CENTRED],
        ),
        (0, {"centred": (6, 6)}, "no", "depends", ["met only if the start is centred"]),
        (0, {"centred": (0, 6)}, "yes", "fails", []),
        (20, {"centred": (3, 6)}, "undecided", "depends", ["undecided if the start is centred"]),
        (
            20,
            {"centred": (0, 6), "zero": (9, 18)},
            "no",
            "depends",
            [NOT_CENTRED, "undecided if it is zero"],
        ),
        (12, {"centred": (0, 6)}, "no", "depends", [NOT_CENTRED]),
        (8, {"centred": (6, 6)}, "no", "depends", ["met only if the start is centred"]),
        # Half of the runs are on neither side.
        (10, {"centred": (6, 6), "zero": (0, 6)}, "yes", "depends", []),
        # Values that the text rules out, and other data, turn nothing.
        (20, {"wider": (0, 20), "faces": (0, 20)}, "–", "holds", []),
    ],
)
def test_an_open_reading_turns_the_answer_if_its_interval_is_on_the_other_side(
    primary, others, whatever, word, named
):
    found = answers(primary, **others)
    assert (found.whatever, found.word, found.named) == (whatever, word, named)


def test_a_reading_touches_a_claim_that_rests_on_what_it_changes_unless_it_gives_the_same_bits():
    ours = runs(20)
    assert not touches(CLAIM, CENTRED, ours.head(5), ours.assign(**{"hue: it": 1.0}))
    assert touches(CLAIM, CENTRED, ours.assign(seed=ours["seed"] + 20), ours)  # no common seed
    for rests_on, expected in ((("start", "width"), True), (("width",), False), ((), True)):
        claim = replace(CLAIM, rests_on=rests_on)
        assert touches(claim, CENTRED, runs(20, shift=1e-15), ours) == expected


def test_combinations_decide_nothing():
    assert answer(CLAIM, {PRIMARY: runs(20), COMBINED[0]: runs(0)}).word == "holds"
    assert all(set(reading.changed) <= {"start", "scale"} for reading in COMBINED)


def test_values_that_are_as_good_are_pooled_with_equal_weight():
    tables = {PRIMARY: runs(20), SCALES[0]: runs(6, 6), SCALES[1]: runs(0, 6)}
    found = answer(CLAIM, tables)
    assert (str(found.share), found.reproduced) == ("12 of 18", "partly")
    assert found.whatever == "–"
    # A reading turns the answer only if it opposes both the pooled runs and ours.
    tables = {PRIMARY: runs(20), SCALES[0]: runs(0, 6), SCALES[1]: runs(0, 6)}
    for met in (0, 6):
        assert answer(CLAIM, tables | {CENTRED: runs(met, 6, shift=0.1)}).turned == ()
    assert answer(CLAIM, tables).effect == pytest.approx(-0.25, abs=1e-3)  # of all pooled runs
    always = runs(20).assign(**{"size: it": 1.0})
    assert answer(CLAIM, {PRIMARY: always}).share.same
    assert not answer(CLAIM, {PRIMARY: always, SCALES[0]: always}).share.same


def test_elsewhere_counts_the_sets_on_which_most_runs_meet_the_claim():
    assert answers(20, faces=(3, 5), cars=(2, 5)).elsewhere == (1, 2)
    assert answers(20, faces=(3, 6)).elsewhere == (0, 1)
    assert answers(20).elsewhere == (0, 0)
    never = runs(3, 5).assign(**{"size: it": np.nan})  # data that lack the measure
    assert answer(CLAIM, {PRIMARY: runs(20), FACES: never, CARS: runs(3, 5)}).elsewhere == (1, 1)
    for rests_on, tried in ((("width", "data"), (1, 1)), (("width",), (0, 0))):
        claim = replace(CLAIM, rests_on=rests_on)  # a set counts if the claim rests on it
        assert answer(claim, {PRIMARY: runs(20), FACES: runs(3, 5)}).elsewhere == tried


def test_what_can_happen_is_shown_by_one_run():
    for primary, word in ((1, "holds"), (0, "fails")):
        found = answers(primary, CAN)
        assert (found.word, str(found.share)) == (word, f"{primary} of 20")
    assert answers(1, CAN, centred=(1, 6)).whatever == "yes"
    assert answers(1, CAN, centred=(0, 17)).whatever == "undecided"
    assert answers(1, CAN, centred=(0, 18)).named == [NOT_CENTRED]
    assert answers(0, CAN, centred=(1, 6)).named == ["met only if the start is centred"]
    assert answers(1, CAN, faces=(1, 5), cars=(0, 5)).elsewhere == (1, 2)
    never = runs(6, shift=0.1).assign(**{"size: it": 0.0})
    assert answer(CAN, {PRIMARY: runs(1), CENTRED: never}).whatever == "no"


def test_what_else_turns_the_answer_is_said():
    near = runs(20).assign(**{"size: it": 0.46 + np.arange(20) * 1e-6})
    tables = {PRIMARY: near, WIDER: runs(6, 6)}
    assert sensitivity(CLAIM, tables) == ("the kernel is wider", "bounds 10% looser (yes)")
    farther = runs(20).assign(**{"size: it": 0.41})
    assert sensitivity(CLAIM, {PRIMARY: farther}) == ("bounds 20% looser (yes)",)
    assert sensitivity(CLAIM, {PRIMARY: runs(20)}, moved=runs(10, 10)) == ()
    assert sensitivity(CLAIM, {PRIMARY: runs(20)}, moved=runs(0, 10)) == ("rounding",)
    assert sensitivity(CLAIM, {PRIMARY: runs(20), WIDER: runs(3, 6)}, moved=runs(0, 0)) == ()


def test_the_protocol_is_exact_or_what_is_filled_in_is_named():
    assert filled(Choices, ["width", "data"]) == []
    assert filled(Choices(), ["width", "start"]) == ["start"]


def test_each_ask_bounds_its_measure_or_a_difference_to_the_last_bit():
    below_half, above_half = np.nextafter(0.5, 0), np.nextafter(0.5, 1)
    rows = pd.DataFrame({"size: a": [below_half, 0.5, above_half, np.nan], "size: b": 0.25})
    for ask, met in (
        (at_least("size", "a", 0.5), [False, True, True, False]),
        (at_most("size", "a", 0.5), [True, True, False, False]),
        (more("size", "a", than="b", by=0.25), [False, True, True, False]),
        (less("size", "b", than="a", by=0.25), [False, True, True, False]),
    ):
        assert Claim("x-1d", "Sec. 1", "", [ask]).observations(rows) == met


def test_runs_that_end_in_one_optimum_are_counted_as_one():
    rows = runs(20, shift=0.1).assign(**{"loss: it": np.where(np.arange(20) < 5, 1.0, 1.1)})
    found = answer(CLAIM, {PRIMARY: rows}, "loss: it")
    assert (found.n_runs, found.n_distinct) == (20, 2)
    assert count_distinct(pd.DataFrame({"loss": [0.0, 0.0]}), "loss") == 1
    # Losses that differ by more than a thousandth are distinct optima.
    for losses, distinct in (([100.0, 100.05], 1), ([-100.0, -100.05], 1), ([100.0, 100.15], 2)):
        assert count_distinct(pd.DataFrame({"loss": losses}), "loss") == distinct


def test_what_chance_meets_is_seen():
    met = runs(20).assign(**{"size: shuffled": 0.6})
    assert share_of(CLAIM, met, by_chance=True).met == 20
    assert share_of(CLAIM, runs(20), by_chance=True).met == 0
    # Chance never meets an ask without a chance level.
    unknown = at_least("size", "it", 0.5, chance="nothing")
    one_of_two = Claim("x-1b", "Sec. 1", "it is large", [*CLAIM.asks, unknown])
    assert share_of(one_of_two, runs(20), by_chance=True).met == 0
    assert one_of_two.measures == {"size: it", "size: nothing"}  # named spaces are required


def test_a_group_of_runs_is_one_observation():
    sign = [1, 0, 1, 0, 1, *[1] * 5, 0]  # the last run is not a whole group
    rows = pd.DataFrame({"sign: it": np.array(sign, dtype=float), "sign: none": 0.0})
    share = "sign", "it"
    arbitrary = [at_least(*share, 0.2, pool="mean"), at_most(*share, 0.8, pool="mean")]
    compared = [
        more("sign", "it", than="none", by=0.2, pool="mean"),
        less("sign", "none", than="it", by=0.2, pool="min"),
    ]
    assert compared[1].quantity == "min of sign: none − it"
    said = "x-1d", "Sec. 1", "the sign is arbitrary"
    claim = Claim(*said, [*arbitrary, *compared], group=5, rests_on=["start"])
    assert claim.observations(rows) == [True, False]
    assert len(claim.effects(rows)) == 2
    assert hash(claim)  # it is immutable
    with pytest.raises(ValueError, match="pooled in every ask"):
        Claim("x-1e", "Sec. 1", "half pooled", [*arbitrary, at_least(*share, 0)], group=5)
    with pytest.raises(ValueError, match="pooled in every ask"):
        Claim("x-1f", "Sec. 1", "no pool", [at_least(*share, 0)], group=2)


@pytest.mark.parametrize("wrong", [{"asks": []}, {"kind": "guess"}, {"by": "nobody"}])
def test_a_claim_that_asks_nothing_or_is_of_no_known_kind_is_refused(wrong):
    with pytest.raises(ValueError, match="x-2a"):
        Claim("x-2a", "Sec. 1", "it is so", **{"asks": CLAIM.asks, **wrong})


def test_an_effect_is_the_way_from_chance_to_the_bound_of_the_ask_that_is_least_far():
    asks = [
        at_least("size", "it", 0.5),
        more("hue", "red", than="blue", by=2, chance=0.0),
        at_most("hue", "red", 9),  # no chance level: it has no effect
        at_most("size", "it", 0.9, chance=0.1),  # chance meets it: no effect either
    ]
    claim = Claim("x-1b", "Sec. 1", "it is large and red", asks)
    table = pd.DataFrame({"size: it": [0.5, 0.1, 0.9], "size: shuffled": 0.1})
    table = table.assign(**{"hue: red": 4.0, "hue: blue": 0.0})
    assert np.allclose(claim.effects(table), [1, 0, 2])
    assert np.isnan(Claim("x-1c", "", "", [at_most("hue", "red", 9)]).effects(table)).all()
