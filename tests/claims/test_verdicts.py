"""The rule by which claims are judged."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from repro.claims import Claim, at_least, at_most, choice, judge, less, more, readings_of
from repro.claims.verdicts import count_distinct, mean_of_others, share_of, variance_shares


@dataclass(frozen=True)
class Choices:
    start: str = choice(
        "random", ours="not said", open={"centred": "the start is centred", "zero": "it is zero"}
    )
    width: float = choice(1.0, paper="1", stated={2.0: "the kernel is wider"})
    data: str = choice("digits", paper="digits", elsewhere=["faces", "cars"])


PRIMARY, CENTRED, ZERO, WIDER, *COMBINED, FACES, CARS = readings_of(Choices())
CLAIM = Claim("x-1a", "Sec. 1", "it is large", [at_least("size", "it", 0.5)])


TOGETHER = "on several choices together"


def runs(share, n=10, **columns):
    """Runs of a reading, in a share of which the claim holds."""
    size = np.where(np.arange(n) < round(share * n), 1.0, 0.0)
    return pd.DataFrame({"size: it": size, "size: shuffled": 0.1, **columns})


def verdict(primary, combined=(), **others):
    found = {PRIMARY: runs(primary)} | dict(
        zip(COMBINED[: len(combined)], map(runs, combined), strict=True)
    )
    names = {"centred": CENTRED, "zero": ZERO, "wider": WIDER, "faces": FACES, "cars": CARS}
    return judge(CLAIM, found | {names[name]: runs(share) for name, share in others.items()})


@pytest.mark.parametrize(
    ("primary", "others", "word"),
    [
        (1.0, {}, "holds"),
        # Exactly: in floating point the mean of three times 0.8 need not be 0.8.
        (0.8, {"centred": 0.8, "zero": 0.8, "wider": 0.8}, "holds"),
        (0.2, {"centred": 0.2, "zero": 0.2, "wider": 0.2}, "fails"),
        (0.7, {"centred": 1.0}, "depends"),
        (1.0, {"centred": 0.7}, "depends"),
        (0.0, {"centred": 0.2}, "fails"),
        (0.2, {"centred": 0.3}, "depends"),
        (0.3, {}, "depends"),
        # A choice that turns it is enough, however many others do not.
        (1.0, {"centred": 0.2, "zero": 1.0, "wider": 1.0}, "depends"),
        # Data elsewhere are counted apart.
        (1.0, {"centred": 1.0, "faces": 0.0, "cars": 0.0}, "holds"),
    ],
)
def test_the_verdict_is_one_word(primary, others, word):
    assert verdict(primary, **others).word == word


@pytest.mark.parametrize(
    ("primary", "others", "words"),
    [
        (1.0, {"centred": 0, "wider": 0.4}, "not if the start is centred, or the kernel is wider"),
        (0.0, {"centred": 1.0}, "only if the start is centred"),
        (0.5, {}, "on the run: holds in 50% of them"),
        (0.7, {"centred": 0.0}, "on the run: holds in 70% of them; not if the start is centred"),
        # Half of the runs turns nothing, and is turned by nothing.
        (0.5, {"centred": 0.0, "wider": 1.0}, "on the run: holds in 50% of them"),
        (1.0, {"centred": 0.5}, "on the run, under other readings"),
        (1.0, {"centred": 0.6, "combined": (0, 0.5)}, f"{TOGETHER} (1 of 2 combinations)"),
        (0.0, {"centred": 0.4, "combined": (1, 0.9)}, f"{TOGETHER} (2 of 2 combinations)"),
        (1.0, {"centred": 0.8, "combined": (1.0, 0.8)}, ""),
    ],
)
def test_it_says_what_it_depends_on(primary, others, words):
    assert verdict(primary, **others).depends_on == words


def test_it_carries_over_to_data_on_which_it_holds():
    assert verdict(1.0, faces=0.8, cars=0.7).carries == (1, 2)
    assert verdict(1.0).carries == (0, 0)


def test_what_can_happen_is_shown_by_one_run():
    can = Claim("x-1c", "Sec. 1", "it can be large", CLAIM.asks, can=True)
    assert judge(can, {PRIMARY: runs(0.1)}).word == "holds"
    assert judge(can, {PRIMARY: runs(0.0)}).word == "fails"


def test_all_values_of_a_choice_count_as_one_and_all_combinations_as_one():
    shares = {PRIMARY: 1, CENTRED: 0, ZERO: 1, WIDER: 1, FACES: 0}
    shares |= dict.fromkeys(COMBINED, 0)
    shares = {reading: Fraction(share) for reading, share in shares.items()}
    assert mean_of_others(shares) == (Fraction(1, 2) + 1 + 0) / 3
    assert mean_of_others({PRIMARY: Fraction(1)}) is None


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
    ended = {"loss: it": np.where(np.arange(10) < 5, 1.0, 1.1)}
    found = judge(CLAIM, {PRIMARY: runs(1.0, **ended)}, "loss: it")
    assert (found.n_runs, found.n_distinct) == (10, 2)
    assert count_distinct(runs(1.0), None) == 10  # no loss: each run counts
    assert count_distinct(pd.DataFrame({"loss": [0.0, 0.0]}), "loss") == 1
    # A thousandth makes the difference.
    for losses, distinct in (([100.0, 100.05], 1), ([-100.0, -100.05], 1), ([100.0, 100.15], 2)):
        assert count_distinct(pd.DataFrame({"loss": losses}), "loss") == distinct


def test_what_chance_meets_is_seen():
    met = runs(1.0).assign(**{"size: shuffled": 0.6})
    assert share_of(CLAIM, met, by_chance=True) == 1
    assert share_of(CLAIM, runs(1.0), by_chance=True) == 0
    # An ask without a chance level is met by no chance.
    unknown = at_least("size", "it", 0.5, chance="nothing")
    one_of_two = Claim("x-1b", "Sec. 1", "it is large", [*CLAIM.asks, unknown])
    assert share_of(one_of_two, runs(1.0), by_chance=True) == 0
    assert one_of_two.measures == {"size: it", "size: nothing"}  # what is named must be there


def test_a_group_of_runs_is_one_observation():
    sign = [1, 0, 1, 0, 1, *[1] * 5, 0]  # the last is no whole group
    rows = pd.DataFrame({"sign: it": np.array(sign, dtype=float), "sign: none": 0.0})
    share = "sign", "it"
    arbitrary = [at_least(*share, 0.2, pool="mean"), at_most(*share, 0.8, pool="mean")]
    compared = [
        more("sign", "it", than="none", by=0.2, pool="mean"),
        less("sign", "none", than="it", by=0.2, pool="min"),
    ]
    assert compared[1].criterion == "min of sign: none less it ≤ -0.2"
    claim = Claim("x-1d", "Sec. 1", "the sign is arbitrary", [*arbitrary, *compared], group=5)
    assert claim.observations(rows) == [True, False]
    assert hash(claim)  # it is a constant
    with pytest.raises(ValueError, match="pooled in every ask"):
        Claim("x-1e", "Sec. 1", "half pooled", [*arbitrary, at_least(*share, 0)], group=5)


@pytest.mark.parametrize("wrong", [{"asks": []}, {"kind": "guess"}, {"by": "nobody"}])
def test_a_claim_that_asks_nothing_or_is_of_no_known_kind_is_refused(wrong):
    with pytest.raises(ValueError, match="x-2a"):
        Claim("x-2a", "Sec. 1", "it is so", **{"asks": CLAIM.asks, **wrong})


def test_without_runs_of_the_primary_reading_there_is_no_verdict():
    with pytest.raises(ValueError, match="primary"):
        judge(CLAIM, {CENTRED: runs(1.0)})


def test_the_variance_is_shared_out_among_choices():
    values = {PRIMARY: [0.0, 0.1], CENTRED: [1.0, 1.1], ZERO: [0.0, 0.1], WIDER: [0.0, 0.1]}
    shares = variance_shares(values)
    assert list(shares) == ["start", "width"]
    assert shares["start"] > 0.8 > 0.2 > shares["width"]
    assert variance_shares({PRIMARY: [1.0, 1.0], WIDER: [1.0]}) == {"width": 0.0}


def test_an_effect_is_the_way_from_chance_to_the_bound_of_the_ask_that_is_least_far():
    asks = [
        at_least("size", "it", 0.5),
        more("hue", "red", than="blue", by=2, chance=0.0),
        at_most("hue", "red", 9),  # no chance level: it has no effect
        at_most("size", "it", 0.9, chance=0.1),  # chance meets it: nor has this
    ]
    claim = Claim("x-1b", "Sec. 1", "it is large and red", asks)
    table = pd.DataFrame({"size: it": [0.5, 0.1, 0.9], "size: shuffled": 0.1})
    table = table.assign(**{"hue: red": 4.0, "hue: blue": 0.0})
    assert np.allclose(claim.effects(table), [1, 0, 2])
    assert np.isnan(Claim("x-1c", "", "", [at_most("hue", "red", 9)]).effects(table)).all()
