"""What a browser shows of the static site.

Skipped unless asked for::

    REPRO_BROWSER=/usr/bin/chromium pytest tests/site/test_site_browser.py
"""

from pathlib import Path

import pytest
from small_site import LABELS

from repro.site import build

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("browser")  # before a site is built


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


@pytest.mark.parametrize(
    "name", ["index", "claims", "equations", "errata", "teaching", "api/repro.kie.models"]
)
def test_pages_open_from_the_file_system(page, small_site, name):
    _open(page, small_site / f"{name}.html")
    assert page.locator("h1").first.is_visible()


def test_the_table_of_claims_is_sorted_by_the_keyboard(page, small_site):
    _open(page, small_site / "claims.html")
    head = page.get_by_role("button", name="verdict", exact=True)
    verdicts = "() => [...document.querySelectorAll('td .verdict')].map(x => x.textContent)"
    for pressed in ("fails first", "holds first"):
        head.focus()
        page.keyboard.press("Enter")
        found = page.evaluate(verdicts)
        assert found == sorted(found, reverse=pressed == "holds first")
    assert len(set(found)) > 1


def test_the_choices_of_a_claim_can_be_switched(page, small_site):
    _open(page, small_site / "claims" / "a-1a.html")
    said = page.locator(".outcome")
    assert said.inner_text() == "Our reading: met in 4 of 4 runs."
    for chosen, says, missed in (("the level is zero", "in 0 of 5", 5), ("high", "in 5 of 5", 0)):
        page.get_by_label("level").select_option(label=chosen)
        assert says in said.inner_text()
        assert page.locator(".asks .missed").count() == missed
        assert page.locator("figure circle").count() == 5
    page.get_by_label("data").select_option(index=1)
    assert "not run together" in said.inner_text()


def test_a_knob_is_turned_by_the_keyboard(page, small_site):
    _open(page, small_site / "notebooks" / "a_fig1.html")
    slider, picture = page.get_by_role("slider"), page.locator(".knob [role=img]")
    where = "e => getComputedStyle(e).backgroundPositionY"
    assert (page.locator(".knob output").inner_text(), picture.evaluate(where)) == ("n 2", "50%")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert (page.locator(".knob output").inner_text(), picture.evaluate(where)) == ("n 5", "100%")
    assert picture.bounding_box()["height"] > 50


def test_equations_are_set(page, small_site):
    _open(page, small_site / "notebooks" / "a_fig1.html")
    page.wait_for_selector(".math mjx-container svg")


def test_a_point_tells_what_it_is_in_every_map(page, small_site):
    _open(page, small_site / "maps" / "a_fig1.html")
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
    assert page.locator(".thumbnail").get_attribute("src").startswith("data:image/")
    assert page.locator(".thumbnail").evaluate("e => e.naturalHeight") == 48
    marked = "[...Bokeh.index][0].model.renderers[0].data_source.inspected.indices"
    assert page.evaluate(marked) == [1]


def test_no_equation_of_the_whole_site_is_wrong(browser, tmp_path):
    index = build.build_site(ROOT, tmp_path / "site")
    with browser.new_page() as page:
        for path in (index.parent / "notebooks").glob("*.html"):
            page.goto(path.as_uri())
            page.evaluate("window.MathJax?.startup?.promise")  # until all equations are set
            assert page.locator("[data-mml-node=merror]").count() == 0, path.name
