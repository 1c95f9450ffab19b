from dataclasses import dataclass
from types import SimpleNamespace

import pandas as pd
import pytest

from repro.claims import Claim, at_most, readings_of
from repro.core.records import UserError
from repro.evidence.confirmed import by_the_old, load_answers_before, tell_confirmed

HEAD = "claim,criterion,reproduced,share,elsewhere,word\n"
FROZEN = {"x_fig1": {"version": 1, "date": "2026-01-01"}}


@dataclass(frozen=True)
class Choices:
    pass


def entry(claim, word, reproduced, name="x_fig1"):
    asked = Claim(claim, "", "", [at_most("error", "BRE", 0.5)])
    answers = SimpleNamespace(word=word, reproduced=reproduced, share="9 of 10")
    errors = pd.DataFrame({"error: BRE": [0.45] * 9 + [0.3], "error: PCA": [0.6] * 10})
    (primary,) = readings_of(Choices())
    return SimpleNamespace(
        name=name,
        paper="X",
        item="Fig. 1",
        unit="start",
        claim=asked,
        answers=answers,
        elsewhere="–",
        runs={primary: errors.assign(seed=range(10))},
    )


def test_answers_that_differ_from_those_before_are_told_and_no_others(tmp_path):
    old = "x-1a,error: BRE ≤ 0.5,yes,9 of 10,–,holds\nx-1b,error: BRE ≤ 0.4,no,1 of 9,–,fails\n"
    (tmp_path / "answers_before.csv").write_text(HEAD + old, encoding="utf-8")
    judged = [
        entry("x-1a", "holds", "yes"),
        entry("x-1b", "holds", "yes"),
        entry("x-1c", "holds", "yes"),
        entry("x-2a", "fails", "no", name="not_frozen"),
    ]
    told = tell_confirmed(judged, load_answers_before(tmp_path), FROZEN)
    assert "Fresh starts** (a seed draws a new start): X Fig. 1 (version 1, 2026-01-01)" in told
    assert "Of 2 claims 1 have another word or another first answer" in told
    assert "1 were not asked before" in told
    then, now = "fails: no, 1 of 9", "holds: yes, 9 of 10"
    row = f"| [x-1b](README.md#x-1b) | was: error: BRE ≤ 0.4 | {then} | {now} | no, 1 of 10 |"
    assert told.splitlines()[-1] == row


@pytest.mark.parametrize(
    ("criterion", "answered"),
    [
        ("error: BRE ≤ 0.5; error: BRE − PCA ≤ -0.2", "no, 1 of 10"),
        ("max of error: BRE ≤ 0.5", "not measured"),  # the former group size is unknown
        ("error: SNE ≤ 0.5", "not measured"),
    ],
)
def test_the_runs_of_record_are_asked_by_the_old_criterion(criterion, answered):
    assert by_the_old(entry("x-1b", "holds", "yes"), criterion) == answered


def test_damaged_answers_are_refused(tmp_path):
    (tmp_path / "answers_before.csv").write_text(HEAD + "x-1a,,yes,1 of 2,–,holds\n", "utf-8")
    with pytest.raises(UserError, match="is damaged"):
        load_answers_before(tmp_path)
