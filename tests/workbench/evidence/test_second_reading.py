import hashlib
import json

import pandas as pd
import pytest

from repro import experiments
from repro.workbench.evidence import second_reading as second
from repro.workbench.evidence.rows import load_runs
from repro.workbench.evidence.scorecard import judge_all
from repro.workbench.folders import project_dir

FIGURES = project_dir() / "figures"
# The digests of the criteria as they were given: nothing may be tuned.
DIGESTS = {
    "mre": "02502fc3bde5",
    "bre": "7cfc8fb7a889",
    "kie": "1d8b1d7410f0",
    "tete": "348e713a70aa",
}
ROWS = pd.DataFrame({"a: X": [1.0, 2.0, float("nan")], "a: Y": [4.0, 1.0, 1.0]})
CONDITIONS = {
    "[a: X] >= 2": [False, True, False],
    "[a: X] <= 1": [True, False, False],
    "[a: X] - [a: Y] >= 0.5": [False, True, False],
    "[a: X] / [a: Y] <= 0.25": [True, False, False],
}


def reading(*conditions, **given):
    facts = {"id": "x01", "paper": "A", "words": "w", "told": "empirical"}
    facts |= {"experiment": "a_fig1", "not_measured": "", "conditions": conditions}
    return second.Reading(**facts | given)


def test_its_criteria_are_as_they_were_given():
    found = {
        stem: hashlib.sha256((FIGURES / "second_reading" / f"{stem}.json").read_bytes()).hexdigest()
        for stem in second.PAPERS
    }
    assert {stem: digest[: len(DIGESTS[stem])] for stem, digest in found.items()} == DIGESTS


@pytest.mark.parametrize(("condition", "met"), CONDITIONS.items())
def test_a_condition_is_met_by_the_runs_whose_cells_meet_it(condition, met):
    assert reading(condition).observations(ROWS) == met


def test_a_run_meets_all_conditions_and_none_by_chance():
    both = reading(*CONDITIONS)
    assert both.observations(ROWS) == [False, False, False]
    assert both.deciding == ["a: X", "a: Y"]
    assert reading("[a: X] >= 0", told="can").observations(ROWS, by_chance=True) == [False] * 3
    with pytest.raises(ValueError, match="x01: the condition 'a: X > 1' cannot be read"):
        reading("a: X > 1").observations(ROWS)


def test_each_condition_asks_for_cells_of_its_experiment():
    columns = {
        name: {column for rows in runs.values() for column in rows}
        for name in experiments.names()
        for runs in [load_runs(FIGURES, experiments.load(name))]
    }
    readings = second.load_readings(FIGURES)
    assert len({of.id for of in readings}) == len(readings) == 268
    for of in readings:
        known = set(of.deciding) <= columns.get(of.experiment, set())
        assert known == (of.id not in {"m10", "m19", "m51"}), of.id  # a measure that was replaced
        assert of.conditions or of.not_measured, of.id


def test_where_both_quote_a_sentence_a_difference_has_its_cause_in_a_line():
    judged, (readings, _) = judge_all(FIGURES), second.judge_readings(FIGURES)
    both = second.compare(readings, judged, FIGURES)
    pairs = pd.read_csv(FIGURES / "second_reading" / "pairs.csv", keep_default_na=False)
    assert not pairs.duplicated(["reading", "claim"]).any()
    assert set(pairs["reading"]) <= {of.id for of in second.load_readings(FIGURES)}
    of_papers = {c.id for name in experiments.names() for c in experiments.load(name).CLAIMS}
    assert set(pairs["claim"]) <= of_papers
    told = both["why they differ"] != ""
    assert (told != both["agrees"]).all(), both.loc[told == both["agrees"], "reading"].tolist()


def test_its_verdicts_follow_from_the_rule_and_the_runs(figures, swept):
    folder = figures / "second_reading"
    folder.mkdir()
    for stem in second.PAPERS:
        (folder / f"{stem}.json").write_text("[]", encoding="utf-8")
    entry = {"id": "x01", "words": "it is large", "place": "Sec. 1", "kind": "empirical"}
    entry |= {"experiment": "a_fig1", "conditions": ["[size: it] >= 0.5"], "not_measured": ""}
    other = entry | {"id": "x02", "conditions": ["[size: it] - [size: shuffled] <= -1"]}
    unmeasured = entry | {"id": "x03", "experiment": "", "conditions": [], "not_measured": "size"}
    (folder / "mre.json").write_text(json.dumps([entry, other, unmeasured]), encoding="utf-8")
    lines = "reading,claim,why they differ\nx01,a-1a,\nx02,a-1a,bound: another one\n"
    (folder / "pairs.csv").write_text(lines, encoding="utf-8")
    can = entry | {"id": "x04", "kind": "can"}
    identity = entry | {"id": "x05", "kind": "identity"}
    gone = can | {"id": "x06", "conditions": ["[width: it] >= 0.5"]}  # no measure of today's
    more = json.dumps([can, identity, gone])
    (folder / "bre.json").write_text(more, encoding="utf-8")
    verdicts, unmeasured = second.judge_readings(figures)
    assert [reading.id for reading in unmeasured] == ["x03", "x06"]
    words = {of.id: verdict.words for of, verdict in verdicts.items()}
    assert words == {
        "x01": "reproduced",
        "x02": "not reproduced",
        "x04": "shown",
        "x05": "confirmed",
    }
    text = second.second_reading_in_short(judge_all(figures), figures)
    assert "| MRE | empirical | 2 | 1 | 1 | 1 of 1 | 1 |" in text
    assert "Of 1 both verdicts are good, both mixed or both bad; 1 differ:" in text
    assert "| not reproduced | bound: another one |" in text
