import re
from pathlib import Path

import pytest

from repro import experiments
from repro.core.records import UserError
from repro.evidence import report
from repro.evidence.course import LESSONS
from repro.evidence.scorecard import judge_all
from repro.notebook.runner import find_notebooks

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def judged():
    return judge_all(ROOT / "figures")


def test_what_is_generated_is_current(judged, monkeypatch):
    """Pages, and the tables that lessons show of verdicts."""
    monkeypatch.setattr("repro.notebook.display.standins_in_use", set)
    monkeypatch.chdir(ROOT)
    made = report.write_reports(ROOT, judged)
    assert {path.suffix for path in made} == {".md", ".ipynb"}
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run `repro report`"


def test_functions_name_every_numbered_equation_and_no_other():
    assert set(report.equation_functions()) == {
        (paper, number)
        for paper, count in report.EQUATIONS.items()
        for number in range(1, count + 1)
    }


def test_every_experiment_has_a_lesson():
    notebooks = find_notebooks(ROOT / "notebooks")
    assert set(LESSONS) == {notebook.stem for notebook in notebooks} - {"benchmark_peers"}
    for stem, (needs, *questions) in LESSONS.items():
        assert needs
        assert 2 <= len(questions) <= 3, stem


def test_the_table_of_lessons_has_a_row_each_with_the_recorded_time():
    notebooks = find_notebooks(ROOT / "notebooks")
    table = report.teaching_table(notebooks, {"bre_fig6_usps": 51.4})
    rows = table.splitlines()[2:]
    assert len(rows) == len(LESSONS)
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == 6, row
    (timed,) = [row for row in rows if "bre_fig6_usps" in row]
    assert "| 51 s |" in timed
    assert "| – |" in rows[0]


def test_fill_replaces_only_its_block():
    text = "a\n<!-- x: generated -->\nold\n<!-- /x -->\nb"
    filled = report.fill(text, "x", "new")
    assert filled == text.replace("old", "new") == report.fill(filled, "x", "new")
    assert report.fill(text, "y", "new") == text


def test_nothing_is_rendered_where_nothing_was_swept(tmp_path):
    with pytest.raises(UserError, match="there are no runs"):
        report.write_reports(tmp_path, judge_all(tmp_path))


def test_the_errata_of_every_paper_are_listed():
    remarks = [
        text
        for name in experiments.names()
        for kind in report.REMARKS.values()
        for text in getattr(experiments.load(name), kind, ())
    ]
    lines = report.errata_list().splitlines()
    listed = [line.partition("): ")[2] for line in lines if line.startswith("- ")]
    assert sorted(listed) == sorted(remarks)
    headings = [line for line in lines if line.startswith("#")]
    assert headings == ["### Errors", "### Left open", "### Findings"]
    assert "**KIE**" not in report.errata_list(["MRE"])
