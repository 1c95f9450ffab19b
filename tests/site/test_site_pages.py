"""What the pages of the static site say, before any is built."""

import inspect
import re
from pathlib import Path

import pytest
from small_site import README

import repro
from repro.evidence import report, scorecard
from repro.site import pages, project

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def whole():
    """The project itself."""
    return project.Project.read(ROOT)


@pytest.fixture(scope="module")
def rendered(whole):
    return pages.render_pages(whole)


def test_the_opening_and_the_sections_come_from_the_readme():
    small = project.Project(ROOT, README, [], [], {}, {})
    assert small.opening().startswith("What it is:")
    assert "##" not in small.opening()
    assert small.section("Two commands") == "Run `repro run`."
    with pytest.raises(ValueError, match="no section"):
        small.section("Two")


def test_links_lead_to_pages_or_become_words(small_project):
    text = project.relinked(README, small_project)
    assert "see the workflow." in text
    assert "![a figure](figures/a_fig1.png)" in text
    assert "[a_fig1](notebooks/a_fig1.ipynb)" in text
    assert "[the errata](errata.md)" in text
    assert project.relinked("[x](https://a.b) [y](no.md)", small_project) == "[x](https://a.b) y"


def test_the_readme_has_what_the_pages_take(whole, rendered):
    for name in ("index", "teaching", "use", "contributing"):
        assert len(rendered[name]) > 500
    for of in whole.judged:
        assert f"| {of.claim.id} |" in rendered["index"]
        assert f"(claims/{of.claim.id}.md)" in rendered["claims"]
    assert scorecard.totals(whole.judged) in rendered["index"]


def test_every_page_is_in_a_menu(rendered):
    """A page that no toctree names is a warning of Sphinx; here it is found without a build."""
    for name in (name for name in rendered if "/" not in name and name != "index"):
        assert f"\n{name}\n" in rendered["index"]


def test_the_scorecard_keeps_its_rows_when_coloured(whole):
    table, coloured = scorecard.table_of_claims(whole.judged, {}), pages.coloured_scorecard(whole)
    assert len(coloured.splitlines()) == len(table.splitlines())
    assert coloured.count('class="verdict') == len(
        re.findall(r"\*\*(holds|depends|fails)\*\*", table)
    )


def test_every_public_module_has_a_page():
    listed = [name for names in pages.modules_by_room().values() for name in names]
    assert len(listed) == len(set(listed))
    public = [getattr(repro, name) for name in repro.__all__]
    assert {of.__module__ for of in public if not inspect.ismodule(of)} <= set(listed)
    assert not [name for name in listed if "._" in name or name == "repro.site"]


def test_every_function_of_the_equation_index_is_referred_to(rendered):
    names = set(re.findall(r"\{py:func\}`([\w.]+)`", rendered["equations"]))
    assert names == set(re.findall(r"`(repro[\w.]+)`", report.equation_table()))
