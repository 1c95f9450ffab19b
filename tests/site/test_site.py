"""The static site, as it is built of this project."""

import html
import json
import re
from html.parser import HTMLParser
from inspect import ismodule
from pathlib import Path
from urllib.parse import unquote

import nbformat
import numpy as np
import pytest
from command_line import call

import repro
from repro import experiments
from repro.evidence import report
from repro.evidence.scorecard import judge_all, totals
from repro.notebook.runner import notebook_files
from repro.site import build, project

ROOT = Path(__file__).parents[2]
NOTEBOOKS = notebook_files(ROOT / "notebooks")[0]


class Page(HTMLParser):
    """The links of a page, its ids and titles, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.ids, self.titles = [], [], set(), set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs.get("id"), attrs.get("name")}
        self.titles.add(attrs.get("title"))
        target = attrs.get("href") or attrs.get("src")
        if target:
            (self.links if tag == "a" else self.loaded).append(target)


@pytest.fixture(scope="module")
def pages(site):
    """All pages, by their paths within the site."""
    paths = (path for path in site.rglob("*.html") if "_static" not in path.parts)  # no templates
    return {path.relative_to(site).as_posix(): Page(path) for path in paths}


@pytest.fixture(scope="module")
def judged():
    return judge_all(ROOT / "figures")


def test_every_link_has_its_end_and_nothing_is_loaded_from_elsewhere(site, pages):
    by_path = {site / name: page for name, page in pages.items()}
    for path, page in by_path.items():
        for target in page.loaded:
            assert not re.match(r"(https?:)?//", target), f"{path.name} loads {target}"
        for target in page.links + page.loaded:
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = unquote(target).partition("#")
            end = (path.parent / name.split("?")[0]).resolve() if name else path
            assert end.exists(), f"{path.name}: {target}"
            if anchor and end in by_path:
                assert anchor in by_path[end].ids, f"{path.name}: {target}"


def test_the_start_page_has_figures_verdicts_and_the_scorecard(pages, judged):
    page = pages["index.html"]
    assert "<title>repro" in page.text
    assert totals(judged) in page.text
    assert set(page.links) >= {f"notebooks/{path.stem}.html" for path in NOTEBOOKS}
    gallery = page.text[page.text.index('class="gallery"') : page.text.index('id="two-commands"')]
    assert gallery.count("<img ") == len(NOTEBOOKS)
    for entry in judged:
        word = entry.answers.word
        assert f"{word}: {entry.claim.says}" in page.titles
        # A mark says in a word that a claim does not hold, so that colour alone tells nothing.
        assert f">{entry.claim.id}{'' if word == 'holds' else f' {word}'}</a>" in page.text


def test_a_notebook_is_a_page_with_its_outputs(site, pages, judged):
    for path in NOTEBOOKS:
        page = pages[f"notebooks/{path.stem}.html"]
        assert re.search(r'<img [^>]*src="\.\./_images/[0-9a-f]+\.png"', page.text)
        knobs = list((ROOT / "figures" / "knobs").glob(f"{path.stem}_*.png"))
        assert page.text.count('class="knob"') == len(knobs)
        assert (site / "_sources" / "notebooks" / path.name).exists()
    for entry in judged:
        mark = f"{entry.claim.id} {entry.answers.word}</span>"
        assert mark in pages[f"notebooks/{entry.name}.html"].text
    scripts = pages["notebooks/mre_fig1_toy_cars.html"].loaded
    assert any("tex-svg.js" in script for script in scripts)


def test_the_evidence_has_a_picture_per_experiment_and_a_line_per_claim(pages, judged):
    page = pages["evidence.html"]
    assert page.ids >= {f"sweep-{entry.name.replace('_', '-')}" for entry in judged}
    assert page.text.count("<img ") == len({entry.name for entry in judged})
    assert set(page.links) >= {f"claims/{entry.claim.id}.html" for entry in judged}
    assert page.text.count('<span class="verdict ') == len(judged)
    assert "In short:" in pages["claims/mre-1b.html"].text


def test_public_names_and_equations_lead_to_the_reference(pages):
    for name in repro.__all__:
        member = getattr(repro, name)
        if not ismodule(member):
            assert f"{member.__module__}.{name}" in pages[f"api/{member.__module__}.html"].ids
    for name in re.findall(r"`(repro[\w.]+)`", report.equation_table()):
        assert f"api/{name.rpartition('.')[0]}.html#{name}" in pages["equations.html"].links


def test_what_is_written_by_hand_has_pages(pages):
    lessons = {f"notebooks/{name}.html" for name in experiments.names()}
    assert set(pages["teaching.html"].links) >= lessons
    for name, says in (("errata", "Left open"), ("use", "fit"), ("contributing", "experiment")):
        assert says in pages[f"{name}.html"].text


def test_all_claims_stand_in_a_table_that_can_be_sorted(pages, judged):
    page = pages["claims.html"]
    assert page.text.count("<td>") == 8 * len(judged)
    assert any("sort.js" in script for script in page.loaded)
    for entry in judged:
        assert entry.claim.says in html.unescape(page.text)
        assert f"claims/{entry.claim.id}.html" in page.links


def test_a_claim_has_a_page_with_its_runs_by_reading(pages, judged):
    for entry in judged:
        text = pages[f"claims/{entry.claim.id}.html"].text
        about = json.loads(re.search(r'<script type="application/json">(.*?)</script>', text)[1])
        assert [ask["bound"] for ask in about["asks"]] == [ask.bound for ask in entry.claim.asks]
        shown = {reading["words"]: reading for reading in about["readings"].values()}
        assert len(shown) == len(entry.runs)
        for reading, rows in entry.runs.items():
            assert shown[reading.words]["met"] == entry.claim.observations(rows)
            values = np.array(shown[reading.words]["values"], dtype=float)
            np.testing.assert_allclose(values, entry.claim.values(rows), rtol=1e-4)
        choices = [re.findall("<option>(.*?)</option>", s) for s in text.split("<select>")[1:]]
        for places, reading in about["readings"].items():
            chosen = zip(choices, places.split(","), strict=False)
            switched = [html.unescape(words[int(k)]) for words, k in chosen if k != "0"]
            assert reading["words"] == (" and ".join(switched) or "primary")


def test_a_map_has_plots_and_the_origin_of_its_data(site, pages):
    for path in (ROOT / "figures" / "points").glob("*.json"):
        assert "../_static/bokeh.min.js" in pages[f"maps/{path.stem}.html"].loaded
        assert (site / "maps" / f"{path.stem}.html").stat().st_size < 3_000_000
    page = pages["maps/mre_fig1_toy_cars.html"]
    assert "<h1>MRE Fig. 1" in page.text
    assert "CUCS-005-96" in page.text


def test_docstrings_are_read_as_they_are_meant(pages):
    assert "|x_i - x_j|" in pages["api/repro.bre.affinities.html"].text
    text = pages["api/repro.mre.sne.html"].text
    assert "embedding_" in text
    assert "embedding\\_" not in text


@pytest.mark.parametrize(
    ("link", "becomes"),
    [
        ("[x](https://a.b)", "[x](https://a.b)"),
        ("[the errata](ERRATA.md)", "[the errata](errata.md)"),
        ("[mre-1b](figures/README.md#mre-1b)", "[mre-1b](claims/mre-1b.md)"),
        ("[the workflow](.github/workflows/tests.yml)", "the workflow"),
        ("[runs](figures/sweeps/papers.png)", "[runs](#sweep-papers)"),
        ("![runs](figures/sweeps/papers.png)", "![runs](figures/sweeps/papers.png)"),
        ("[runs](figures/sweeps/none.png)", "runs"),
    ],
)
def test_links_lead_to_pages_or_become_words(link, becomes):
    assert project.relinked(link, ROOT) == becomes


def test_only_a_site_is_replaced_and_kept_if_a_warning_fails_the_build(tmp_path, monkeypatch):
    def write_broken(project, folder):
        (folder / "scripts").mkdir(parents=True)
        (folder / "index.md").write_text("# A\n\n[gone](gone.md)\n")

    (tmp_path / "index.html").write_text("as it was")
    monkeypatch.chdir(ROOT)
    assert "something else than a site" in call("site", "--output", str(tmp_path), status=2)
    (tmp_path / build.MARKER).touch()
    monkeypatch.setattr(build, "write_sources", write_broken)
    assert "gone.md" in call("site", "--output", str(tmp_path), status=2)
    assert (tmp_path / "index.html").read_text() == "as it was"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_directive_in_a_notebook_which_could_run_code_is_a_listing(tmp_path):
    blank = 100_000 * "\n"  # which takes no time
    path = tmp_path / "a.ipynb"
    cell = nbformat.v4.new_markdown_cell(f"{blank}  ``` {{eval-rst}}\nx\n```")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    source = build.without_directives(path).cells[0].source
    assert source == f"{blank}  ```text {{eval-rst}}\nx\n```"


def test_without_the_packages_the_command_says_what_to_install(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("repro.core.extras.find_spec", lambda module: None)
    says = "nbformat, sphinx, myst_nb, bokeh are missing: python -m pip install nbformat sphinx "
    assert says in call("site", status=2)
