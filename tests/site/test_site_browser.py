"""What a browser shows of the static site.

Skipped unless asked for::

    REPRO_BROWSER=/usr/bin/chromium pytest tests/site/test_site_browser.py
"""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from repro.notebook.knobs import knob_path, read_states

FIGURES = Path(__file__).parents[2] / "figures"
pytestmark = pytest.mark.usefixtures("browser")  # before the site is built


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
def test_pages_open_from_the_file_system(page, site, name):
    _open(page, site / f"{name}.html")
    assert page.locator("h1").first.is_visible()


def test_the_table_of_claims_is_sorted_by_the_keyboard(page, site):
    _open(page, site / "claims.html")
    head = page.get_by_role("button", name="verdict", exact=True)
    verdicts = "() => [...document.querySelectorAll('td .verdict')].map(x => x.textContent)"
    for pressed in ("fails first", "holds first"):
        head.focus()
        page.keyboard.press("Enter")
        found = page.evaluate(verdicts)
        assert found == sorted(found, reverse=pressed == "holds first")
    assert len(set(found)) > 1


def test_the_choices_of_a_claim_can_be_switched(page, site):
    _open(page, site / "claims" / "mre-1a.html")
    about = json.loads(page.locator(".claim script").text_content())
    selects, said = page.locator("select").all(), page.locator(".outcome")
    counts = [select.locator("option").count() for select in selects]

    def switch(places):
        for select, place in zip(selects, places, strict=True):
            select.select_option(index=place)

    for places, run in list(about["readings"].items())[:8]:
        switch(map(int, places.split(",")))
        who = "Our reading" if run["words"] == "primary" else run["words"]
        assert said.inner_text() == f"{who}: met in {sum(run['met'])} of {len(run['met'])} runs."
        drawn = page.locator(".asks .met, .asks .missed").count()
        assert drawn == len(about["asks"]) * len(run["met"])
        assert page.locator("figure circle").count() > 0
    together = product(*map(range, counts))
    switch(next(p for p in together if ",".join(map(str, p)) not in about["readings"]))
    assert "not run together" in said.inner_text()


def test_a_knob_is_turned_by_the_keyboard(page, site):
    _open(page, site / "notebooks" / "mre_fig1_toy_cars.html")
    names, first, _ = read_states(knob_path(FIGURES, "mre_fig1_toy_cars", "turn"))
    knob = page.locator(".knob").filter(has=page.locator("[role=img][style*='_turn.png']"))
    slider, picture = knob.get_by_role("slider"), knob.locator("[role=img]")
    for place, key in ((first, None), (first + 1, "ArrowRight"), (first, "ArrowLeft")):
        if key:
            slider.focus()
            page.keyboard.press(key)
        where = picture.evaluate("e => getComputedStyle(e).backgroundPositionY")
        assert knob.locator("output").inner_text() == names[place]
        assert float(where.rstrip("%")) == pytest.approx(100 * place / (len(names) - 1), abs=0.1)
    assert picture.bounding_box()["height"] > 50


def test_a_point_tells_what_it_is_in_every_map(page, site):
    _open(page, site / "maps" / "mre_fig1_toy_cars.html")
    page.wait_for_selector(".maps canvas")
    where = """async ([x, y]) => {
        for (;;) {
            const view = [...Bokeh.index][0];
            if (view?.frame?.x_scale && view.has_finished()) {
                const box = view.el.getBoundingClientRect();
                const {x_scale, y_scale} = view.frame;
                return [box.x + x_scale.compute(x), box.y + y_scale.compute(y)];
            }
            await new Promise(done => setTimeout(done, 100));
        }
    }"""
    points = json.loads((FIGURES / "points" / "mre_fig1_toy_cars.json").read_text("utf-8"))
    first = next(iter(points["maps"].values()))
    k = int(np.argmax(first["x"]))  # where few are near
    page.locator(".maps").scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(where, [first["x"][k], first["y"][k]]))
    page.wait_for_selector(".label")
    assert page.locator(".label").all_inner_texts() == [points["labels"][k]]
    if page.get_by_text("Pictures are shown").count():  # the data are at hand
        assert page.locator(".thumbnail").evaluate("e => e.naturalHeight") == 48
    marked = "[...Bokeh.index][0].model.renderers[0].data_source.inspected.indices"
    assert page.evaluate(marked) == [k]


def test_no_equation_of_the_whole_site_is_wrong(browser, site):
    with browser.new_page() as page:
        for path in (site / "notebooks").glob("*_*.html"):
            page.goto(path.as_uri())
            page.wait_for_selector(".math mjx-container svg")
            page.evaluate("window.MathJax?.startup?.promise")  # until all equations are set
            assert page.locator("[data-mml-node=merror]").count() == 0, path.name
