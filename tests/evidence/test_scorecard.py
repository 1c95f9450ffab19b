import re
from pathlib import Path

import pandas as pd
import pytest
import toy_experiment

from repro.claims import Claim, at_most
from repro.evidence import pictures, scorecard

ROOT = Path(__file__).parents[2]


@pytest.fixture
def judged(tmp_path, monkeypatch):
    toy_experiment.install(tmp_path, monkeypatch)
    toy_experiment.sweep(tmp_path)
    return scorecard.judge_all(tmp_path)


def test_a_row_has_the_verdict_its_numbers_and_what_it_depends_on(judged):
    table = scorecard.table_of_claims(judged, {"a_fig1": 4.4})
    heading, large, tiny, cost = table.splitlines()[2:]
    assert "a_fig1.ipynb) (4 s)" in heading
    assert "**depends** (100%, others 50%) | not if the level is zero" in large
    assert "level explains 100% of the variance" in large
    assert r"\|x\| < 1" in large
    assert re.search(r"size: [\d.]+ \[[\d.]+, [\d.]+\] \(≥ 0.5, chance 0\)", large)
    assert "| 1 of 1 |" in large
    assert "**fails**" in tiny
    assert "(cost)" in cost


@pytest.mark.parametrize(
    ("n_runs", "says"),
    [(10, "max of error: 6.5 [4, 9] (≤ 5, chance 9)"), (3, "error: 1 [0, 2] (≤ 5, chance 9)")],
)
def test_what_decides_of_a_group_is_shown(n_runs, says):
    claim = Claim("x-1a", "five agree", "Fig. 1", [at_most("error", 5, 9, pool="max")], group=5)
    runs = pd.DataFrame({"error": range(n_runs)})
    assert scorecard.describe(claim, claim.asks[0], runs) == says


def test_every_row_of_the_committed_scorecard_has_six_cells():
    table = scorecard.table_of_claims(scorecard.judge_all(ROOT / "figures"), {})
    for line in table.splitlines():
        assert len(re.findall(r"(?<!\\)\|", line)) == 7, line


def test_the_headline_counts_the_empirical_claims_of_the_papers_alone(judged):
    assert scorecard.totals(judged) == (
        "2 empirical claims of the papers: 0 hold, 1 depends, 1 fails. "
        "Costs, by a clock or a count: 1: 1 holds, 0 depend, 0 fail."
    )
    assert scorecard.papers_in_short(judged) == "- **A**: 2 claims: 0 hold, 1 depends, 1 fails"


def test_pictures_have_a_row_per_reading_and_turning_ones_come_first(judged, tmp_path):
    assert [r.words for r in pictures.order_of_readings(judged)] == [
        "primary",
        "the level is zero",
        "high",
        "data = faces",
    ]
    pictures.write_pictures(tmp_path, judged)
    sizes = {path.stem: path.stat().st_size for path in (tmp_path / "sweeps").glob("*.png")}
    assert set(sizes) == {"a_fig1", "strip", "elsewhere"}
    assert min(sizes.values()) > 1000
