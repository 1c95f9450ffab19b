"""The static site as built from this project."""

import html
import json
import re
from html.parser import HTMLParser
from inspect import ismodule
from pathlib import Path
from urllib.parse import unquote

import pytest
from command_line import call

import repro
from repro import experiments
from repro.workbench.evidence import report
from repro.workbench.evidence.scorecard import by_the_papers, headline
from repro.workbench.lessons.files import notebook_files
from repro.workbench.site import build, front, project

ROOT = Path(__file__).parents[3]
NOTEBOOKS = notebook_files(ROOT / "notebooks")[0]


class Page(HTMLParser):
    """The links of a page, its ids, and the resources it loads."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.ids = [], [], set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs.get("id"), attrs.get("name")}
        if target := attrs.get("href") or attrs.get("src"):
            (self.links if tag == "a" else self.loaded).append(target)


@pytest.fixture(scope="module")
def pages(site):
    """Return all pages by their paths within the site."""
    paths = (path for path in site.rglob("*.html") if "_static" not in path.parts)  # no templates
    return {path.relative_to(site).as_posix(): Page(path) for path in paths}


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


def test_the_start_page_says_what_this_is_and_leads_everywhere(site, pages, judged):
    page = pages["index.html"]
    empirical = by_the_papers(judged, "empirical")
    assert "<title>Four papers" in page.text
    assert '<meta name="description"' in page.text
    assert headline(empirical) in page.text
    doors = {"answers.html", "article/article.html", "notebooks/start_six_points.html"}
    doors |= {"use.html", "teaching.html", "claims.html", "errata.html", "essay.html"}
    assert set(page.links) >= {f"notebooks/{path.stem}.html" for path in NOTEBOOKS} | doors
    of_bars = [re.match(r"claims.html\?paper=(.*)&verdict=([^&]+)&", link) for link in page.links]
    bars = {(link[1], link[2].replace("%20", " ")) for link in of_bars if link}
    assert bars == {(entry.paper, entry.verdict.outcome) for entry in empirical}
    assert sum("thumb_" in target for target in page.loaded) == len(NOTEBOOKS)
    assert sum("arxiv.org" in target for target in page.links) == 1
    parts = {re.sub(r"\?.*", "", target) for target in page.loaded if "_static" in target}
    assert sum((site / part).stat().st_size for part in parts) < 1_000_000
    header = page.text[: page.text.index("</header>")]
    assert header.count("nav-link nav-internal") == 5


def test_the_start_page_shows_both_readings_of_a_claim_with_their_counts(pages, judged):
    entry = next(entry for entry in judged if entry.claim.id == front.CLAIM)
    text, (other, *_) = pages["index.html"].text, entry.verdict.turning
    for reading, count in (("ours", entry.verdict.ours), ("theirs", entry.verdict.counts[other])):
        assert (
            f"{count} runs meet the claim" in re.search(rf'<p class="{reading}">.*?</p>', text)[0]
        )
    circles = re.findall(
        r'<circle r="[35]" .*? style="--x: .*?; --y: .*?; --u: .*?; --v: .*?"/>', text
    )
    assert len(circles) == 48  # cats and heads
    assert entry.claim.words in text


def test_the_essay_has_the_numbers_of_record(pages, judged):
    text, entries = pages["essay.html"].text, {entry.claim.id: entry for entry in judged}
    depend = [e for e in by_the_papers(judged, "empirical") if e.verdict.outcome == "depends"]
    assert f" claims {len(depend)} depend on " in text
    for claim in ("mre-1i", "tete-4a", "mre-1b"):
        assert f"claims/{claim}.html" in pages["essay.html"].links
        assert str(entries[claim].verdict.ours) in text


def test_a_notebook_is_a_page_with_its_outputs(site, pages, judged):
    for path in NOTEBOOKS:
        page = pages[f"notebooks/{path.stem}.html"]
        assert re.search(r'<img [^>]*src="\.\./_images/[0-9a-f]+\.png"', page.text)
        assert (site / "_sources" / "notebooks" / path.name).read_bytes() == path.read_bytes()
        for plumbing in ("NBVAL", "save_embeddings(", "check(answer", "record(experiment"):
            assert plumbing not in page.text
        alts = re.findall(r'<img alt="([^"]*)"', page.text)
        assert not any(re.search(r"[0-9a-f]{16}", alt) for alt in alts)
        assert page.text.count("<img ") == page.text.count(' loading="lazy"')
    for entry in judged:
        page = pages[f"notebooks/{entry.name}.html"]
        assert f"../claims/{entry.claim.id}.html" in page.links
        before = page.text[page.text.index("<article") : page.text.index(">Predict<")]
        assert f"claims/{entry.claim.id}.html" not in before
        assert not re.search(r'class="verdict|claims reproduced', before)


def test_formulas_are_drawn_when_the_page_is_written(pages):
    for name, page in pages.items():
        glyphs = set(re.findall(r'<use href="#(.*?)"', page.text))
        assert glyphs <= page.ids, name
        assert page.text.count("<symbol ") == len(set(re.findall(r'<symbol id="(.*?)"', page.text)))
    page = pages["notebooks/mre_fig1_toy_cars.html"]
    assert page.text.count('class="formula"') > 20
    assert page.text.count('<svg class="formula"') == page.text.count('<math class="spoken"')
    assert "\\frac" not in page.text
    scripts = {re.sub(r"\?.*", "", target) for target in page.loaded if ".js" in target}
    assert not any("tex" in script or "math" in script.lower() for script in scripts)


def test_the_evidence_has_a_picture_per_experiment_and_each_claim_a_line_and_a_card(pages, judged):
    page, cards = pages["evidence.html"], pages["claims.html"]
    assert page.ids >= {f"sweep-{entry.name.replace('_', '-')}" for entry in judged}
    assert page.text.count("<img ") == len({entry.name for entry in judged})
    assert page.text.count('<span class="verdict ') == len(judged)
    assert cards.text.count('class="card-of-claim"') == len(judged)
    assert set(page.links) & set(cards.links) >= {f"claims/{e.claim.id}.html" for e in judged}
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


def test_no_formula_of_the_notes_for_teachers_is_torn(pages):
    notes = {name: page.text for name, page in pages.items() if name.startswith("notes/")}
    assert "notes/mre_fig1_toy_cars.html" in notes
    for name, text in notes.items():
        body = text[text.index("<article") : text.index("</article>")]
        assert "$" not in body, name


def test_a_claim_has_a_page_with_a_strip_per_setting(pages, judged):
    for entry in judged:
        claim, text = entry.claim, pages[f"claims/{entry.claim.id}.html"].text
        assert f"<h1>{claim.id}:" in text
        found = re.findall(r'<g data-words="(.*?)">', text)
        first = [html.unescape(words) for words in dict.fromkeys(found)]
        assert first == [setting.words for setting in entry.verdict.counts]
        assert len(found) == len(first) + len({ask.quantity for ask in claim.asks}) - 1


def test_the_code_of_a_claim_marks_the_lines_that_measure_it(pages, judged):
    texts = {entry.claim.id: pages[f"claims/{entry.claim.id}.html"].text for entry in judged}
    # Names of factors come from the data, and a function that is called names times.
    assert sum('class="hll"' in text for text in texts.values()) > 0.9 * len(judged)
    shared = texts["kie-2a"]  # its number comes from a function that others share
    assert "view_scores</a> in repro.experiments._views, lines " in shared


def test_a_map_has_plots_and_the_origin_of_its_data(site, pages):
    for path in (ROOT / "figures" / "points").glob("*.json"):
        n_maps = len(json.loads(path.read_text(encoding="utf-8"))["maps"])
        text = pages[f"maps/{path.stem}.html"].text
        assert text.count('<svg role="img" aria-label="the map by ') == n_maps
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
        ("[the rule](figures/README.md#the-rule)", "[the rule](evidence.md#the-rule)"),
        ("[mre-1b](figures/README.md#mre-1b)", "[mre-1b](claims/mre-1b.md)"),
        ("[the workflow](.github/workflows/tests.yml)", "the workflow"),
        ("[runs](figures/sweeps/papers.svg)", "[runs](#sweep-papers)"),
        ("![runs](figures/sweeps/papers.svg)", "![runs](figures/sweeps/papers.svg)"),
        ("[runs](figures/sweeps/none.svg)", "runs"),
    ],
)
def test_links_lead_to_pages_or_become_words(link, becomes):
    assert project.relink(link, ROOT) == becomes


def test_only_a_site_is_replaced_and_kept_if_a_warning_fails_the_build(
    tmp_path, monkeypatch, judged
):
    def write_broken(project, folder):
        (folder / "scripts").mkdir(parents=True)
        (folder / "index.md").write_text("# A\n\n[gone](gone.md)\n")

    (tmp_path / "index.html").write_text("as it was")
    monkeypatch.chdir(ROOT)
    assert "something other than a site" in call("site", "--output", str(tmp_path), status=2)
    (tmp_path / build.MARKER).touch()
    monkeypatch.setattr("repro.workbench.evidence.scorecard.judge_all", lambda _: judged)
    monkeypatch.setattr(build, "write_sources", write_broken)
    assert "gone.md" in call("site", "--output", str(tmp_path), status=2)
    assert (tmp_path / "index.html").read_text() == "as it was"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("command", [["site"], ["course", "class"]])
def test_without_the_packages_a_command_says_first_what_to_install(monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)  # outside a project
    monkeypatch.setattr("repro.core.extras.find_spec", lambda module: module != "sphinx" or None)
    says = "Error: sphinx is missing: python -m pip install sphinx, or in a copy of the repository "
    assert call(*command, status=2) == f"{says}pip install -e '.[site]'\n"
