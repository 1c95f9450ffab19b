"""The static site: its pages, a build of a small project, and what a browser shows of it.

The last needs playwright and a Chromium, as tests/test_browser.py does, and is skipped unless asked
for, with the build of the whole site::

    REPRO_BROWSER=/usr/bin/chromium pytest tests/test_site.py
"""

import base64
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbformat
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from repro import datasets, report
from repro.__main__ import app
from repro.datasets.registry import ENTRIES
from repro.site import build, content, maps, pages, pictures

ROOT = Path(__file__).parents[1]
BROWSER = os.environ.get("REPRO_BROWSER")
needs_browser = pytest.mark.skipif(not BROWSER, reason="REPRO_BROWSER names no browser")

README = """# repro

What it is: ![a figure](figures/a_fig1.png), see [the workflow](.github/workflows/tests.yml).

## Two commands

Run `repro run`.

## Scorecard

A verdict is computed; [all runs](figures/sweeps/strip.png), [none](figures/sweeps/b_fig2.png).

<!-- scorecard: generated -->
old
<!-- /scorecard -->

## Teach with these notebooks

Begin with [a_fig1](notebooks/a_fig1.ipynb), read [the errata](#what-we-found-in-the-papers).

<!-- lessons: generated -->
| notebook | to ask |
|---|---|
| [b_fig2](notebooks/b_fig2.ipynb) | Why? |
<!-- /lessons -->

## Use it on your own data

```python
import repro
```
"""
LABELS = ["left", "<b>middle</b> & co", "right"]


def _png(width=40, height=20):
    file = io.BytesIO()
    Image.fromarray(np.full((height, width), 200, np.uint8)).save(file, "png")
    return file.getvalue()


def _notebook(stem, *cells):
    notebook = nbformat.v4.new_notebook(cells=list(cells))
    about = {"paper": stem[0].upper(), "item": f"Fig. {stem[-1]}", "title": f"About {stem}"}
    notebook.metadata["repro"] = {**about, "datasets": {}, "readings": {}}
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.metadata["language_info"] = {"name": "python"}
    for k, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{k}"
    return notebook


def _shown(source, **data):
    output = nbformat.v4.new_output(
        "display_data", data={k.replace("_", "/"): v for k, v in data.items()}
    )
    return nbformat.v4.new_code_cell(source, outputs=[output], execution_count=1)


def _claim(name, verdict):
    part = {"quantity": "q", "values": [1, 2], "median": 1.5, "range": [1, 2], "criterion": "≥ 1"}
    part |= {"beside": {"|PCA|": 0.5}, "met": verdict == "holds"}
    return {
        "id": name,
        "says": 'it "holds" for |x| < 1',
        "verdict": verdict,
        "firmness": "robust",
        "parts": [part],
    }


def _points(**other):
    points = {
        "notebook": "a_fig1",
        "set": {"name": "coil20", "arguments": {"objects": [3], "views": [0, 1]}},
        "rows": [0, 1, 0],
        "labels": LABELS,
        "groups": ["u", "v", "u"],
        "maps": {name: {"x": [-1, 0, 1], "y": [0.5, 0, -0.5]} for name in ("MRE", "SNE")},
    }
    return points | other


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Make a project of two notebooks, one of them with a map."""
    root = tmp_path_factory.mktemp("Größe und Maß")
    for folder in ("notebooks", "figures/points", "figures/sweeps", ".github"):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").touch()
    (root / "README.md").write_text(README, encoding="utf-8")
    (root / ".github" / "CONTRIBUTING.md").write_text("# Contributing\n\nTen lines.\n")
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    figure = base64.b64encode(_png()).decode()
    first = _notebook(
        "a_fig1",
        markdown(
            "# The first\n\nSee [the second](b_fig2.ipynb). $$E = \\frac12 \\lVert x \\rVert$$"
        ),
        _shown("plot()", image_png=figure, text_plain="<Figure>"),
        _shown("table()", text_html="<table><tr><td>in a table</td></tr></table>", text_plain="-"),
    )
    bar = nbformat.v4.new_output("display_data")
    bar.data = {"application/vnd.jupyter.widget-view+json": {"model_id": "0"}, "text/plain": "100%"}
    second = _notebook("b_fig2", markdown("# The second"), code("bar()", outputs=[bar]))
    for stem, notebook in (("a_fig1", first), ("b_fig2", second)):
        nbformat.write(notebook, root / "notebooks" / f"{stem}.ipynb")
        (root / "figures" / f"{stem}.png").write_bytes(_png())
    for name in ("strip", "a_fig1"):
        (root / "figures" / "sweeps" / f"{name}.png").write_bytes(_png(60))
    record = {"notebook": "a_fig1", "paper": "A", "item": "Fig. 1", "data": "real", "seeds": [0, 1]}
    record |= {"errata": ["Eq. (1) is misprinted."], "readings": {}}
    record["claims"] = [_claim("a-1a", "holds"), _claim("a-1b", "fails")]
    _write(root / "figures" / "a_fig1.json", record)
    _write(root / "figures" / "points" / "a_fig1.json", _points())
    return root


def _write(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture(scope="module")
def images():
    """Two pictures, of 64 pixels, to stand for a set at hand."""
    return np.linspace(0, 255, 2 * 64 * 32).reshape(2, 64, 32).astype(np.uint8)


@pytest.fixture(scope="module")
def site(project, images):
    """Build the small project once, and within the time a test may take."""
    start = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "at_hand", lambda name, arguments: images)
        index = build.build(project, project / "build" / "site")
    assert time.monotonic() - start < 120  # about fifteen seconds on a free machine
    return index.parent


# The pages


def test_the_opening_and_the_sections_come_from_the_readme():
    assert content.opening(README).startswith("What it is:")
    assert "##" not in content.opening(README)
    assert content.section(README, "Two commands") == "Run `repro run`."
    with pytest.raises(ValueError, match="no section"):
        content.section(README, "Two")


def test_links_lead_to_pages_or_become_words(project):
    text = content.relinked(README, project)
    assert "see the workflow." in text
    assert "![a figure](figures/a_fig1.png)" in text
    assert "[a_fig1](notebooks/a_fig1.ipynb)" in text
    assert "[the errata](errata.md)" in text
    assert content.relinked("[x](https://a.b) [y](no.md)", project) == "[x](https://a.b) y"


def test_the_readme_has_what_the_pages_take():
    project = content.Project.read(ROOT)
    for make in (pages.start_page, pages.teaching_page, pages.use_page, pages.contributing_page):
        assert len(make(project)) > 500
    opened = pages.start_page(project)
    for claim in (claim for record in project.records for claim in record["claims"]):
        assert f"| {claim['id']} |" in opened
    assert report.totals(project.records) in opened


def test_a_mark_names_what_does_not_hold():
    marks = pages.pills([_claim("a-1a", "holds"), _claim("a-1b", "fails")])
    assert ">a-1a</span>" in marks
    assert ">a-1b fails</span>" in marks
    assert "holds: it &quot;holds&quot; for |x| &lt; 1" in marks


def test_the_scorecard_keeps_its_rows_when_coloured():
    table = report.scorecard(report.load_records(ROOT / "figures"), {})
    coloured = pages.coloured(table)
    assert len(coloured.splitlines()) == len(table.splitlines())
    assert coloured.count('class="verdict') == len(
        re.findall(r"\*\*(holds|partly|fails)\*\*", table)
    )


def test_every_public_module_has_a_page():
    listed = [name for names in pages._groups().values() for name in names]
    assert len(listed) == len(set(listed))
    homes = {getattr(__import__("repro"), name).__module__ for name in __import__("repro").__all__}
    assert homes <= set(listed)
    assert "repro.pairwise" in listed  # of no group, so among the compiled loops
    assert not [name for name in listed if "._" in name or name == "repro.site"]


def test_every_function_of_the_equation_index_is_referred_to():
    text = pages.equations_page(None)
    names = set(re.findall(r"\{py:func\}`([\w.]+)`", text))
    assert names == set(re.findall(r"`(repro[\w.]+)`", report.equation_table()))


# Points and their pictures


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"groups": ["u"]}, "3 labels, but 1 in 'groups'"),
        ({"rows": [0]}, "3 labels, but 1 in 'rows'"),
        ({"maps": {}}, "no maps"),
        ({"maps": {"MRE": {"x": [0, 1], "y": [0, 1]}}}, "but 2 in 'MRE'"),
        ({"maps": {"MRE": {"x": [0, 1, None], "y": [0, 1, 2]}}}, "coordinate is missing"),
        ({"notebook": "b_fig2"}, "of the notebook 'b_fig2'"),
        ({"labels": [1, 2, 3]}, "must be strings"),
        ({"more": 1}, "more"),
    ],
)
def test_damaged_points_are_named(tmp_path, change, message):
    path = tmp_path / "a_fig1.json"
    _write(path, _points(**change))
    with pytest.raises(ValueError, match=r"a_fig1\.json is damaged") as error:
        content.Points.read(path)
    assert message in str(error.value)


def test_points_of_no_notebook_are_named(project, tmp_path):
    shutil.copytree(project / "notebooks", tmp_path / "notebooks")
    (tmp_path / "figures" / "points").mkdir(parents=True)
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    _write(tmp_path / "figures" / "points" / "c_fig3.json", _points(notebook="c_fig3"))
    with pytest.raises(ValueError, match=r"c_fig3\.json belongs to no notebook"):
        content.Project.read(tmp_path)


@pytest.fixture
def points(project):
    return content.Points.read(project / "figures" / "points" / "a_fig1.json")


def test_there_is_a_rule_for_every_set():
    assert set(pictures.RULES) == {*ENTRIES, "wine"}
    for name, rule in pictures.RULES.items():
        assert len(rule.why) > 10
        if rule.shown:  # terms are stated that allow it
            assert ENTRIES[name].licence != "none stated"


def test_thumbnails_are_small_and_in_their_places(points, images, monkeypatch):
    monkeypatch.setattr(pictures, "at_hand", lambda name, arguments: images)
    sheet = pictures.sheet(points)
    assert sheet.size == (48, 24)
    data = base64.b64decode(sheet.uri.split(",")[1])
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("L"), dtype=float)
    assert picture.shape == (48 * sheet.rows, 24 * sheet.columns)
    wanted = pictures.thumbnails(images)
    for k, row in enumerate([0, 1, 0]):
        r, c = divmod(k, sheet.columns)
        part = picture[48 * r : 48 * (r + 1), 24 * c : 24 * (c + 1)]
        assert abs(part.mean() - wanted[row].mean()) < 5
    assert maps.places(3, sheet)[:2] == ["0px 0px", "-48px 0px"]


def test_thumbnails_of_floats_and_colours():
    grey = pictures.thumbnails(np.full((2, 8, 8), 0.5))
    assert grey.shape == (2, 8, 8)
    assert (grey == 128).all()
    assert pictures.thumbnails(np.zeros((1, 96, 96, 3), np.uint8)).shape == (1, 48, 48, 3)


def test_many_points_make_smaller_pictures_and_no_heavy_page():
    noise = np.random.default_rng(0).integers(0, 256, (3000, 48, 48)).astype(np.uint8)
    sheet = pictures._packed(noise, "note")
    assert 0 < len(sheet.uri) <= pictures.MOST
    assert max(sheet.size) < 48


@pytest.mark.parametrize(
    ("name", "own_copy", "says"),
    [
        ("coil20", False, "built without the data"),
        ("brendan", False, "No pictures are shown: its source states no terms"),
        ("brendan", True, "built without the data"),
        ("letters", True, "the set has no pictures"),
        ("unheard", False, "no rule"),
    ],
)
def test_a_page_says_why_it_has_no_pictures(nothing, points, name, own_copy, says):
    points = content.Points(**{**vars(points), "set": {"name": name}})
    sheet = pictures.sheet(points, own_copy)
    assert says in sheet.note
    assert not sheet.uri
    assert says in maps.page("A", points, own_copy)


def test_a_copy_for_oneself_is_marked(points, images, monkeypatch):
    monkeypatch.setattr(pictures, "at_hand", lambda name, arguments: images)
    points = content.Points(**{**vars(points), "set": {"name": "brendan"}})
    assert pictures.sheet(points).uri == ""
    sheet = pictures.sheet(points, own_copy=True)
    assert sheet.uri
    assert "Not to be passed on" in sheet.note


def test_without_rows_the_points_are_all_of_the_set(points, images, monkeypatch):
    monkeypatch.setattr(pictures, "at_hand", lambda name, arguments: images[[0, 1, 0]])
    points = content.Points(**{**vars(points), "rows": None})
    assert pictures.sheet(points).uri
    monkeypatch.setattr(pictures, "at_hand", lambda name, arguments: images)
    with pytest.raises(ValueError, match="rows must be of the 2 images"):
        pictures.sheet(points)


def test_rows_beyond_the_set_are_refused(points, images, monkeypatch):
    monkeypatch.setattr(pictures, "at_hand", lambda name, arguments: images[:1])
    with pytest.raises(ValueError, match="a_fig1: rows must be of the 1 images"):
        pictures.sheet(points)


def test_nothing_is_fetched_and_no_stand_in_is_shown(fake, monkeypatch):
    asked = {"objects": [2], "views": [0]}
    assert pictures.at_hand("coil20", asked) is None
    assert "REPRO_OFFLINE" not in os.environ
    fake.put(datasets.cache_dir())
    assert pictures.at_hand("coil20", asked).shape == (1, 128, 128)
    monkeypatch.setenv("REPRO_STANDIN", "1")
    assert pictures.at_hand("coil20", asked) is None


def test_groups_have_colours_of_their_own():
    assert list(maps.group_colours(["10", "9", "10"])) == ["9", "10"]
    assert list(maps.group_colours(["b", "a"])) == ["b", "a"]
    for n in (3, 10, 20, 30):
        assert len(set(maps.group_colours([str(k) for k in range(n)]).values())) == n


# A small site


class _Links(HTMLParser):
    """Collect the links of a page, its ids, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs.get("id"), attrs.get("name")}
        target = attrs.get("href") or attrs.get("src")
        if target:
            (self.links if tag == "a" else self.loaded).append(target)


def _read(folder):
    paths = (path for path in folder.rglob("*.html") if "_static" not in path.parts)  # no templates
    return {path: _Links(path.read_text(encoding="utf-8")) for path in paths}


def _assert_whole(folder):
    """Every link within the site has its end, and nothing is loaded from elsewhere."""
    read = _read(folder)
    for page, found in read.items():
        for target in found.loaded:
            assert not re.match(r"(https?:)?//", target), f"{page.name} loads {target}"
        for target in found.links + found.loaded:
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = unquote(target).partition("#")
            end = (page.parent / name.split("?")[0]).resolve() if name else page
            assert end.exists(), f"{page.name}: {target}"
            if anchor and end in read and end.suffix == ".html":
                assert anchor in read[end].ids, f"{page.name}: {target}"
    return read


def test_every_link_has_its_end_and_nothing_is_loaded_from_elsewhere(site):
    read = _assert_whole(site)
    assert site / "index.html" in read
    assert site / "api" / "repro.sne.html" in read


def test_the_start_page_has_figures_verdicts_and_the_scorecard(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert "<title>repro" in text
    assert len(re.findall(r'src="_images/a_fig1\d?\.png"', text)) == 2
    assert 'href="notebooks/a_fig1.html"' in text
    assert 'href="maps/a_fig1.html"' in text
    assert '<span class="verdict fails">fails</span>' in text
    assert "2 claims in one notebook" in text


def test_a_notebook_is_a_page_with_its_outputs(site):
    text = (site / "notebooks" / "a_fig1.html").read_text(encoding="utf-8")
    assert "<h1>The first" in text
    assert 'href="b_fig2.html"' in text
    assert "in a table" in text
    assert re.search(r'<img [^>]*src="\.\./_images/[0-9a-f]+\.png"', text)
    assert "a-1b fails" in text
    assert "tex-svg.js" in text
    assert (site / "_static" / "tex-svg.js").exists()
    assert (site / "_sources" / "notebooks" / "a_fig1.ipynb").exists()


def test_what_a_widget_left_is_shown_as_text(site):
    text = (site / "notebooks" / "b_fig2.html").read_text(encoding="utf-8")
    assert "100%" in text
    assert "widget-view" not in text


def test_what_was_swept_has_a_page_that_the_scorecard_leads_to(site):
    links = _read(site)[site / "index.html"].links
    assert "evidence.html#sweep-strip" in links
    assert not [link for link in links if "b_fig2.png" in link]
    text = (site / "evidence.html").read_text(encoding="utf-8")
    assert 'id="sweep-a-fig1"' in text
    assert text.count("<img ") == 2


def test_the_equation_index_leads_to_the_reference(site):
    links = _read(site)[site / "equations.html"].links
    for name in re.findall(r"`(repro[\w.]+)`", report.equation_table()):
        assert f"api/{name.rpartition('.')[0]}.html#{name}" in links, name


def test_errata_and_teaching_have_pages(site):
    assert "Eq. (1) is misprinted." in (site / "errata.html").read_text(encoding="utf-8")
    assert 'href="notebooks/b_fig2.html"' in (site / "teaching.html").read_text(encoding="utf-8")


def test_a_map_has_plots_pictures_and_the_origin_of_its_data(site):
    path = site / "maps" / "a_fig1.html"
    text = path.read_text(encoding="utf-8")
    assert "<h1>A Fig. 1: About a_fig1" in text
    assert "data:image/" in text
    assert "CUCS-005-96" in text
    assert (site / "_static" / "bokeh.min.js").exists()
    assert path.stat().st_size < 3_000_000


def test_docstrings_are_read_as_they_are_meant(site):
    text = (site / "api" / "repro.affinities.html").read_text(encoding="utf-8")
    assert "|x_i - x_j|" in text
    text = (site / "api" / "repro.sne.html").read_text(encoding="utf-8")
    assert "embedding_" in text
    assert "embedding\\_" not in text
    assert "set_fit_request" not in text


def test_a_folder_of_other_things_is_left_alone(project, tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ValueError, match="something else than a site"):
        build.build(project, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_warning_fails_the_build_and_keeps_the_site(site, project, monkeypatch):
    before = (site / "index.html").read_bytes()
    few = {"index": lambda project: "# A\n\n[gone](gone.md)\n"}
    monkeypatch.setattr(pages, "PAGES", few)
    monkeypatch.setattr(pages, "FOLDERS", ())
    monkeypatch.chdir(project)
    result = CliRunner().invoke(app, ["site"], env={"COLUMNS": "200"})
    assert result.exit_code == 1, result.output
    assert "gone.md" in result.output
    assert "as it was" in result.output
    assert (site / "index.html").read_bytes() == before
    assert not list(site.parent.glob(".site-*"))


def test_without_the_packages_the_command_says_what_to_install(project, monkeypatch):
    monkeypatch.chdir(project)
    monkeypatch.setitem(build.NEEDED, "bokeh", "no_such_module")
    result = CliRunner().invoke(app, ["site"], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert 'the site needs bokeh: python -m pip install -e ".[site]"' in result.output


def test_the_extra_names_what_is_needed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {entry.split(">")[0] for entry in project["optional-dependencies"]["site"]}
    assert extra == set(build.NEEDED)


def test_the_command_line_loads_neither_sphinx_nor_bokeh():
    code = "import sys, repro.__main__, repro.site.pages as pages; "
    code += "print({'sphinx', 'bokeh'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


# In a browser, and the whole site


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        where = {} if BROWSER == "1" else {"executable_path": BROWSER}
        with p.chromium.launch(args=["--no-sandbox"], **where) as browser:
            yield browser


@pytest.fixture(params=[1300, 420], ids=["wide", "narrow"])
def page(browser, request):
    """Open a page that notes what it asks of a network and what goes wrong in it."""
    with browser.new_page(viewport={"width": request.param, "height": 1300}) as page:
        page.wrong = []
        page.on(
            "request",
            lambda r: page.wrong.append(r.url) if "file:" != r.url[:5] != "data:" else None,
        )
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        yield page
        assert page.wrong == []


def _open(page, path):
    page.goto(path.as_uri())
    page.wait_for_load_state("load")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0, "the page is wider than the window"


@needs_browser
@pytest.mark.parametrize("name", ["index", "equations", "errata", "teaching", "api/repro.kie"])
def test_pages_open_from_the_file_system(page, site, name):
    _open(page, site / f"{name}.html")
    assert page.locator("h1").first.is_visible()


@needs_browser
def test_equations_are_set(page, site):
    _open(page, site / "notebooks" / "a_fig1.html")
    page.wait_for_selector("mjx-container svg")


@needs_browser
def test_a_point_tells_what_it_is_in_every_map(page, site):
    _open(page, site / "maps" / "a_fig1.html")
    page.wait_for_selector(".maps canvas")
    where = """async () => {
        for (;;) {
            const view = [...Bokeh.index][0];
            if (view?.frame?.x_scale && view.has_finished()) {
                const box = view.el.getBoundingClientRect();
                const {x_scale, y_scale} = view.frame;
                return [box.x + x_scale.compute(0), box.y + y_scale.compute(0)];
            }
            await new Promise(done => setTimeout(done, 100));
        }
    }"""
    page.locator(".maps").scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(where))
    page.wait_for_selector(".label")
    assert page.locator(".label").all_inner_texts() == [LABELS[1]]
    style = page.locator(".thumbnail").evaluate("e => getComputedStyle(e).backgroundImage")
    assert style.startswith('url("data:image/')
    marked = "[...Bokeh.index][0].model.renderers[0].data_source.inspected.indices"
    assert page.evaluate(marked) == [1]
    if os.environ.get("REPRO_SCREENSHOTS"):
        page.screenshot(path=Path(os.environ["REPRO_SCREENSHOTS"]) / "site_map.png")


@needs_browser
def test_the_whole_site_builds_in_two_minutes(tmp_path, browser):
    start = time.monotonic()
    index = build.build(ROOT, tmp_path / "site")
    assert time.monotonic() - start < 120
    read = _assert_whole(index.parent)
    assert {f"{path.stem}.html" for path in (ROOT / "notebooks").glob("*.ipynb")} <= {
        path.name for path in read
    }
    for path in (index.parent / "maps").glob("*.html"):
        assert path.stat().st_size < 3_000_000
