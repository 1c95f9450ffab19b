"""What a claim asks of the measures of runs."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from repro.experiments.claims import Claim, at_least, at_most, choice, filled, less, more


@dataclass(frozen=True)
class Choices:
    start: str = choice("random", ours="not said")
    data: str = choice("digits", paper="digits")


CLAIM = Claim("x-1a", "Sec. 1", "it is large", [at_least("size", "it", 0.5)])


def test_the_protocol_is_exact_or_what_is_filled_in_is_named():
    assert filled(Choices, ["data"]) == []
    assert filled(Choices(), ["data", "start"]) == ["start"]


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


def test_what_chance_meets_is_seen():
    rows = pd.DataFrame({"size: it": [1.0, 0.0], "size: shuffled": [0.6, 0.6]})
    assert CLAIM.observations(rows, by_chance=True) == [True, True]
    assert CLAIM.observations(rows.assign(**{"size: shuffled": 0.1}), by_chance=True) == [False] * 2
    # Without a chance level the measure itself is asked.
    unknown = replace(CLAIM, asks=[*CLAIM.asks, at_least("size", "it", 0.5, chance="nothing")])
    assert unknown.observations(rows, by_chance=True) == [True, False]
    assert unknown.measures == {"size: it", "size: nothing"}  # named spaces are required


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
    assert hash(claim)  # it is immutable
