"""What the pages of the static site say, before any is built."""

import inspect
import re
from pathlib import Path

import pytest
import toy_experiment
from small_site import README

import repro
from repro.evidence import report, scorecard
from repro.site import pages, project

ROOT = Path(__file__).parents[2]


def test_the_opening_and_the_sections_come_from_the_readme():
    assert project.opening(README).startswith("What it is:")
    assert "##" not in project.opening(README)
    assert project.section(README, "Two commands") == "Run `repro run`."
    with pytest.raises(ValueError, match="no section"):
        project.section(README, "Two")


def test_links_lead_to_pages_or_become_words(small_project):
    text = project.relinked(README, small_project)
    assert "see the workflow." in text
    assert "![a figure](figures/a_fig1.png)" in text
    assert "[a_fig1](notebooks/a_fig1.ipynb)" in text
    assert "[the errata](errata.md)" in text
    assert project.relinked("[x](https://a.b) [y](no.md)", small_project) == "[x](https://a.b) y"


def test_the_readme_has_what_the_pages_take():
    whole = project.Project.read(ROOT)
    for make in (pages.start_page, pages.teaching_page, pages.use_page, pages.contributing_page):
        assert len(make(whole)) > 500
    opened = pages.start_page(whole)
    for of in whole.judged:
        assert f"| {of.claim.id} |" in opened
    assert scorecard.totals(whole.judged) in opened


def test_a_mark_names_what_does_not_hold(tmp_path, monkeypatch):
    toy_experiment.install(tmp_path, monkeypatch)
    toy_experiment.sweep(tmp_path)
    marks = pages.pills(scorecard.judge_all(tmp_path))
    assert ">a-1c</a>" in marks
    assert ">a-1b fails</a>" in marks
    assert "depends: it is &quot;large&quot; for |x| &lt; 1" in marks


def test_the_scorecard_keeps_its_rows_when_coloured():
    table = scorecard.table_of_claims(scorecard.judge_all(ROOT / "figures"), {})
    coloured = pages.coloured(table)
    assert len(coloured.splitlines()) == len(table.splitlines())
    assert coloured.count('class="verdict') == len(
        re.findall(r"\*\*(holds|depends|fails)\*\*", table)
    )


def test_every_public_module_has_a_page():
    listed = [name for names in pages._groups().values() for name in names]
    assert len(listed) == len(set(listed))
    public = [getattr(repro, name) for name in repro.__all__]
    assert {of.__module__ for of in public if not inspect.ismodule(of)} <= set(listed)
    assert not [name for name in listed if "._" in name or name == "repro.site"]


def test_every_function_of_the_equation_index_is_referred_to():
    text = pages.equations_page(None)
    names = set(re.findall(r"\{py:func\}`([\w.]+)`", text))
    assert names == set(re.findall(r"`(repro[\w.]+)`", report.equation_table()))
