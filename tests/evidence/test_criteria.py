from types import SimpleNamespace

import pytest

from repro.claims import Claim, at_most
from repro.core.records import UserError
from repro.evidence.criteria import load_criteria, table_of_criteria


def test_a_row_says_what_a_claim_asks_and_what_it_asked_before(tmp_path):
    (tmp_path / "criteria.csv").write_text("claim,before\nx-1a,|ρ| < 1\n", encoding="utf-8")
    claims = [Claim(f"x-1{k}", "", "", [at_most("error", "BRE", 0.5)]) for k in "ab"]
    judged = [SimpleNamespace(claim=claim) for claim in claims]
    rows = table_of_criteria(judged, load_criteria(tmp_path)).splitlines()
    assert rows[2:] == [r"| x-1a | error: BRE ≤ 0.5 | \|ρ\| < 1 |"]


@pytest.mark.parametrize("text", ["claim\nx-1a\n", "claim,before\nx-1a\n", "a,b\n1,2\n"])
def test_a_damaged_history_is_refused(tmp_path, text):
    (tmp_path / "criteria.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="is damaged"):
        load_criteria(tmp_path)
