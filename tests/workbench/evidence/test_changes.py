import json
from dataclasses import asdict

import pytest

from repro.experiments.claims import at_least, at_most
from repro.workbench.evidence import changes
from repro.workbench.evidence.scorecard import judge_all

ASKED = {"by": "paper", "kind": "empirical", "can": False, "group": 1, "word": "holds"}
# What version 1 asked in the place of "a-1a", its answer, and what is then told of it today.
CASES = {
    "nothing else": ([at_least("size", "it", 0.5)], {}, ("reproduced", "", "reproduced", "")),
    "a stricter bound": (
        [at_least("size", "it", 3.0)],
        {"word": "fails"},
        ("not reproduced", "bounds", "not reproduced", "for the paper"),
    ),
    "another measure": (
        [at_most("third", "it", 0.5)],
        {},
        ("reproduced", "measures", "reproduced", ""),
    ),
    "a measure that is gone": (
        [at_most("gone", "it", 0.5)],
        {},
        ("reproduced", "measures", "not measured", ""),
    ),
    "ours": (
        [at_least("size", "it", 0.5)],
        {"by": "us", "word": "depends"},
        ("depends", "who says it", "reproduced", ""),
    ),
}


@pytest.fixture
def told(swept, figures):
    """Return a function: given version 1's claims, the rows of the table of changes, by claim."""

    def tell(earlier):
        (figures / "version1").mkdir(exist_ok=True)
        path = figures / "version1" / "claims.json"
        path.write_text(json.dumps(earlier, ensure_ascii=False), encoding="utf-8")
        return changes.table_of_changes(judge_all(figures), figures).set_index("claim")

    return tell


@pytest.mark.parametrize(("asks", "other", "expected"), CASES.values(), ids=CASES)
def test_a_claim_is_compared_with_what_version_1_asked(asks, other, expected, told):
    before = ASKED | other | {"asks": [asdict(ask) for ask in asks]}
    table = told({"a-1a": before})
    columns = ["version 1", "differs in", "by the old criterion", "moved"]
    assert tuple(table.loc["a-1a", columns]) == expected
    assert table.loc["a-1b", "version 1"] == "not asked"


def test_the_summary_counts_what_moved_and_names_what_was_merged(told, figures):
    before = ASKED | {"asks": [asdict(at_least("size", "it", 3.0))], "word": "fails"}
    table = told({"a-1a": before, "a-9a": before | {"now": "a-1a"}}).reset_index()
    assert changes.changes_in_short(judge_all(figures), table, figures) == (
        "Version 1 asked 1 of these 3 claims. 1 have another verdict: 1 from *not reproduced* to "
        "*reproduced*. A new criterion alone moved, for the paper: [a-1a](#a-1a). "
        "Merged were a-9a into a-1a."
    )
