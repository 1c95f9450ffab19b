"""The static site as it is built of a small project."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from command_line import call, run_python
from small_site import assert_whole, read_pages

from repro.evidence import report
from repro.site import build, pages

ROOT = Path(__file__).parents[2]


def text_of(site, page):
    return (site / page).read_text(encoding="utf-8")


def test_every_link_has_its_end_and_nothing_is_loaded_from_elsewhere(small_site):
    read = assert_whole(small_site)
    assert small_site / "index.html" in read
    assert small_site / "api" / "repro.mre.sne.html" in read


def test_the_start_page_has_figures_verdicts_and_the_scorecard(small_site):
    text = text_of(small_site, "index.html")
    assert "<title>repro" in text
    assert len(re.findall(r'src="_images/a_fig1\d?\.png"', text)) == 2
    assert 'href="notebooks/a_fig1.html"' in text
    assert ">a-1c</a>" in text  # it holds; another mark says in a word that it does not
    assert ">a-1b fails</a>" in text
    assert 'title="depends: it is &#34;large&#34; for |x| &lt; 1"' in text
    assert 'href="maps/a_fig1.html"' in text
    assert '<span class="verdict fails">fails</span>' in text
    assert "2 empirical claims of the papers" in text


def test_a_notebook_is_a_page_with_its_outputs(small_site):
    text = text_of(small_site, "notebooks/a_fig1.html")
    assert "<h1>The first" in text
    assert 'href="b_fig2.html"' in text
    assert "in a table" in text
    assert re.search(r'<img [^>]*src="\.\./_images/[0-9a-f]+\.png"', text)
    assert "a-1b fails" in text
    assert "tex-svg.js" in text
    assert (small_site / "_static" / "tex-svg.js").exists()
    assert (small_site / "_sources" / "notebooks" / "a_fig1.ipynb").exists()


def test_what_a_widget_left_is_shown_as_text_and_directives_are_listings(small_site):
    text = text_of(small_site, "notebooks/b_fig2.html")
    assert "100%" in text
    assert "widget-view" not in text
    assert ".. automodule:: this" in text


def test_what_was_swept_has_a_page_that_the_scorecard_leads_to(small_site):
    links = read_pages(small_site)[small_site / "index.html"].links
    assert "evidence.html#sweep-strip" in links
    assert not [link for link in links if "b_fig2.png" in link]
    text = text_of(small_site, "evidence.html")
    assert 'id="sweep-a-fig1"' in text
    assert text.count("<img ") == 3  # all runs, data elsewhere, the experiment


def test_the_equation_index_leads_to_the_reference(small_site):
    links = read_pages(small_site)[small_site / "equations.html"].links
    for name in re.findall(r"`(repro[\w.]+)`", report.equation_table()):
        assert f"api/{name.rpartition('.')[0]}.html#{name}" in links, name


def test_errata_and_teaching_have_pages(small_site):
    assert "Eq. (1) is misprinted." in text_of(small_site, "errata.html")
    assert 'href="notebooks/b_fig2.html"' in text_of(small_site, "teaching.html")


def test_all_claims_stand_in_a_table_that_can_be_sorted(small_site):
    text = text_of(small_site, "claims.html")
    assert set(re.findall(r'href="claims/(a-1\w)\.html"', text)) == {"a-1a", "a-1b", "a-1c"}
    assert text.count("<td>") == 3 * 8
    assert "sort.js" in text
    assert (small_site / "_static" / "sort.js").exists()


def test_a_claim_has_a_page_with_its_runs_by_reading(small_site):
    text = text_of(small_site, "claims/a-1a.html")
    assert "it is “large”" in text or "it is &quot;large&quot;" in text
    assert 'href="../notebooks/a_fig1.html"' in text
    assert "<option>the level is zero</option>" in text
    about = json.loads(re.search(r'<script type="application/json">(.*?)</script>', text)[1])
    runs = about["readings"]["1,0"]  # the level is zero, the data are the paper's
    assert (runs["words"], runs["met"]) == ("the level is zero", [False] * 5)
    assert max(runs["values"][0]) < about["asks"][0]["bound"] == 0.5
    assert len(about["readings"]["0,0"]["met"]) == 4
    assert "EMBEDDINGS" in text_of(small_site, "_static/a_fig1.js")


def test_a_map_has_plots_pictures_and_the_origin_of_its_data(small_site):
    path = small_site / "maps" / "a_fig1.html"
    text = path.read_text(encoding="utf-8")
    assert "<h1>A Fig. 1: About a_fig1" in text
    assert "data:image/" in text
    assert "CUCS-005-96" in text
    assert (small_site / "_static" / "bokeh.min.js").exists()
    assert path.stat().st_size < 3_000_000


def test_docstrings_are_read_as_they_are_meant(small_site):
    text = text_of(small_site, "api/repro.bre.affinities.html")
    assert "|x_i - x_j|" in text
    text = text_of(small_site, "api/repro.mre.sne.html")
    assert "embedding_" in text
    assert "embedding\\_" not in text
    assert "set_fit_request" not in text


def test_a_folder_of_other_things_is_left_alone(small_project, tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ValueError, match="something else than a site"):
        build.build_site(small_project, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_only_what_was_built_before_is_replaced(tmp_path):
    built, output = tmp_path / "built", tmp_path / "site"
    for names in (["index.html", "old.html"], ["index.html", "new/page.html"]):
        shutil.rmtree(built, ignore_errors=True)
        for name in names:
            (built / name).parent.mkdir(parents=True, exist_ok=True)
            (built / name).write_text(f"{names}", encoding="utf-8")
        build.install(built, output)
        (output / "mine.txt").touch()
    found = {path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file()}
    assert found == {"index.html", "new/page.html", "mine.txt", build.MARKER}
    assert "new/page.html" in (output / "index.html").read_text(encoding="utf-8")


def test_metadata_are_text(small_site):
    for page in ("index.html", "notebooks/index.html", "notebooks/b_fig2.html", "evidence.html"):
        assert "<script>b_fig2" not in text_of(small_site, page)
    title = "About &lt;script&gt;b_fig2&lt;/script&gt; and *[more](x)*"
    assert title in text_of(small_site, "index.html")


def test_a_warning_fails_the_build_and_keeps_the_site(small_site, small_project, monkeypatch):
    before = (small_site / "index.html").read_bytes()
    few = {"index": "# A\n\n[gone](gone.md)\n"}
    monkeypatch.setattr(pages, "render_pages", lambda project: few)
    monkeypatch.chdir(small_project)
    said = call("site", status=2)
    assert "gone.md" in said
    assert "as it was" in said
    assert (small_site / "index.html").read_bytes() == before
    assert [path.name for path in small_site.parent.iterdir()] == [small_site.name]


def test_without_the_packages_the_command_says_what_to_install(small_project, monkeypatch):
    monkeypatch.chdir(small_project)
    monkeypatch.setattr(build, "NEEDED", ("bokeh", "no_such_module"))
    assert "no_such_module is missing: python -m pip install -e '.[site]'" in call("site", status=2)


def test_the_extra_names_what_is_needed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = {entry.split(">")[0] for entry in project["optional-dependencies"]["site"]}
    needed = {module.replace("_", "-") for module in build.NEEDED}
    assert needed == brought - {"repro[notebooks]"}


def test_the_command_line_loads_neither_sphinx_nor_bokeh():
    code = "import sys, repro.__main__, repro.site.pages as pages; "
    code += "print({'sphinx', 'bokeh'} & set(sys.modules))"
    assert run_python("-c", code).stdout == "set()\n"


def test_the_site_of_this_project_builds(tmp_path):
    index = build.build_site(ROOT, tmp_path / "site")
    read = {path.name for path in assert_whole(index.parent)}
    assert {f"{path.stem}.html" for path in (ROOT / "notebooks").glob("*.ipynb")} <= read
    assert max(path.stat().st_size for path in index.parent.glob("maps/*.html")) < 3_000_000
