"""The static site in a browser.

Skipped unless requested::

    REPRO_BROWSER=/usr/bin/chromium pytest tests/workbench/site/test_site_browser.py
"""

import json
from pathlib import Path

import numpy as np
import pytest

from repro import (
    Relation,
    class_blocks,
    gaussian_rows,
    kie_loss,
    mre_loss,
    sne_loss,
    tete_loss,
)
from repro.core.distances import squared_distances

playwright = pytest.importorskip("playwright.sync_api")
FIGURES = Path(__file__).parents[3] / "figures"
pytestmark = pytest.mark.usefixtures("browser")  # before the site is built


@pytest.fixture(params=[1300, 360], ids=["wide", "narrow"])
def page(browser, request):
    """Open a page that records its network requests and errors."""
    with browser.new_page(viewport={"width": request.param, "height": 1300}) as page:
        requested, errors = [], []
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert not errors
        assert all(url.startswith(("file:", "data:")) for url in requested)


def _open(page, path):
    page.goto(path.as_uri())
    page.wait_for_load_state("load")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0, "the page is wider than the window"


# The sum of the shifts of the layout since the page was opened.
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((e) => { sum += e.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 1000);
})"""
PAGES = "index essay answers claims claims/mre-1a maps/mre_fig1_toy_cars about equations errata"
PAGES += " teaching use notebooks/start_six_points notebooks/kie_fig1_s_curve"


@pytest.mark.parametrize("name", [*PAGES.split(), "api/repro.kie.models"])
def test_pages_open_from_the_file_system(page, site, name):
    _open(page, site / f"{name}.html")
    assert page.locator("h1").first.is_visible()


def test_cards_are_filtered_by_the_address_and_by_hand(page, site):
    page.goto(f"{(site / 'claims.html').as_uri()}?paper=KIE&verdict=reproduced")
    shown = page.locator(".card-of-claim:visible")
    assert shown.count() > 0
    found = shown.evaluate_all("cards => cards.map(({dataset}) => dataset.paper + dataset.verdict)")
    assert set(found) == {"KIEreproduced"}
    page.locator("select[name=verdict]").select_option("")
    assert shown.count() > len(found)
    assert "paper=KIE" in page.url.split("#")[1]
    assert page.locator(".filters output").inner_text().startswith(f"{shown.count()} of ")


def test_a_setting_shows_its_embedding(page, site):
    _open(page, site / "claims" / "mre-1a.html")
    strips = page.locator(".claim g[role=button]")
    for strip in strips.all()[:4]:
        strip.focus()
        page.keyboard.press("Enter")
        assert strip.get_attribute("aria-pressed") == "true"
        caption = page.locator(".claim figcaption").inner_text()
        assert caption.startswith(f"MRE, {strip.get_attribute('data-words')}:")
        assert page.locator(".claim figure circle").count() > 0
    strips.first.click()
    assert page.locator(".claim .legend li").count() == 3
    assert "car 3" in page.locator(".claim figure circle title").first.text_content()


def test_a_claim_is_found_first_by_its_name(page, site):
    page.goto(f"{(site / 'search.html').as_uri()}?q=kie-3a")
    page.wait_for_selector("ul.search li a")
    assert "claims/kie-3a.html" in page.locator("ul.search li a").first.get_attribute("href")


def test_the_live_methods_compute_what_the_library_does(page, site):
    _open(page, site / "index.html")
    rng = np.random.default_rng(0)
    for n, n_components in ((5, 1), (20, 2), (36, 3)):
        Y, X = rng.normal(size=(n, 4)), rng.normal(size=(n, n_components))
        triplets = np.array([rng.permutation(n)[:3] for _ in range(50)])
        P, K = gaussian_rows(Y, sigma2=2.0), np.exp(-squared_distances(Y) / 2)
        for name, given, (value, gradient) in (
            ("sne", "LIVE.rows(Y, 2)", sne_loss(X, P)),
            ("kie", "LIVE.kernel(Y, 2)", kie_loss(X, K, 0.02)),
            ("tete", "triplets", [part / 50 for part in tete_loss(X, triplets)]),
        ):
            sent = [X.tolist(), Y.tolist(), triplets.tolist()]
            found = page.evaluate(f"([X, Y, triplets]) => LIVE.{name}(X, {given})", sent)
            assert found["loss"] == pytest.approx(value, rel=1e-10)
            error = np.abs(np.array(found["gradient"]) - gradient).max()
            assert error < 1e-10 * np.abs(gradient).max()


def test_the_live_methods_play_pause_and_lose_their_clouds_to_wrong_triplets(page, site):
    _open(page, site / "index.html")
    box = page.locator(".live-methods")
    losses = box.locator("figure output")
    first = losses.all_inner_texts()
    box.get_by_role("button", name="Play").click()
    for k in range(3):
        playwright.expect(losses.nth(k)).not_to_have_text(first[k])
    box.get_by_role("button", name="Pause").click()
    held = losses.all_inner_texts()
    slider = box.get_by_role("slider", name="wrong triplets")
    slider.focus()
    page.keyboard.press("End")
    assert losses.all_inner_texts()[:2] == held[:2]
    assert losses.all_inner_texts()[2] != held[2]
    page.keyboard.press("Home")
    box.get_by_role("button", name="Start again").click()
    assert losses.all_inner_texts() == first


def test_the_other_reading_moves_the_map_and_changes_the_count(page, site):
    _open(page, site / "index.html")
    box = page.locator(".readings")
    dot, switch = box.locator("circle").first, box.get_by_role("switch")
    before = dot.bounding_box()
    assert box.locator("p.ours").is_visible()
    switch.focus()
    page.keyboard.press("Space")
    assert box.locator("p.theirs").is_visible()
    assert not box.locator("p.ours").is_visible()
    page.wait_for_timeout(1200)  # until the points stand still
    assert dot.bounding_box() != before


def test_the_live_cars_are_pulled_as_the_library_says_and_come_back(page, site):
    _open(page, site / "notebooks" / "mre_fig1_toy_cars.html")
    box = page.locator(".live")
    loss = box.locator("output").inner_text()
    moved = box.get_by_role("button", name="car 19")
    moved.focus()
    for _ in range(5):
        page.keyboard.press("ArrowUp")
    assert box.locator("output").inner_text() != loss
    told = page.evaluate(
        "() => { const { model } = document.querySelector('.live');"
        " return { ...model, valueAndGradient: null, found: model.valueAndGradient() }; }"
    )
    P, car = np.array(told["P"]), np.array(told["car"])
    P /= P.sum(axis=1, keepdims=True)  # rounded in the page
    relations = [Relation(P), Relation(class_blocks(car, include_self=True))]
    value, gradient, _ = mre_loss(np.array(told["X"]), np.array(told["R"]), relations)
    assert told["found"]["loss"] == pytest.approx(value, rel=1e-3)
    np.testing.assert_allclose(told["found"]["gradient"], gradient, atol=1e-3)
    box.get_by_role("button", name="Let go").click()
    playwright.expect(box.get_by_role("button", name="Pause")).to_be_visible()
    box.get_by_role("button", name="Back").click()
    assert box.locator("output").inner_text() == loss


def test_the_states_of_a_descent_are_stepped_by_the_keyboard_and_played(page, site):
    _open(page, site / "notebooks" / "tete_fig6_dimensionality_reduction.html")
    box = page.locator(".live")
    slider, dot = box.get_by_role("slider"), box.locator("circle").first
    slider.focus()
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext").startswith("0: loss 0.5000, ρ 0.00; ")
    before = dot.get_attribute("cx")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext").startswith("10: loss ")
    assert dot.get_attribute("cx") != before
    box.get_by_role("button", name="Play").click()
    playwright.expect(box.locator("output")).not_to_have_text("10")
    box.get_by_role("button", name="Pause").click()
    assert box.get_by_role("button", name="Play").is_visible()


def test_a_point_that_is_hovered_over_or_chosen_by_name_is_marked_in_every_map(page, site):
    _open(page, site / "maps" / "mre_fig1_toy_cars.html")
    points = json.loads((FIGURES / "points" / "mre_fig1_toy_cars.json").read_text("utf-8"))
    pairs = zip(points["labels"], points["groups"], strict=True)
    names = [f"{label} ({group})" for label, group in pairs]
    choice, picked = page.locator(".find select"), page.locator(".picked")
    first = next(iter(points["maps"].values()))
    k = int(np.argmax(first["x"]))  # where few points are near
    page.locator(f".maps svg >> nth=0 >> circle[data-point='{k}']").hover()
    assert picked.inner_text().strip() == names[k]
    choice.select_option(label=names[0])
    assert picked.inner_text().strip() == names[0]
    marked = page.locator(".maps .marked")
    assert marked.evaluate_all("dots => dots.map(dot => dot.dataset.point)") == ["0", "0"]
    assert choice.locator("option").count() == len(names) + 1
    if page.get_by_text("Pictures are shown").count():  # the data are available
        assert picked.locator("img").evaluate("e => e.naturalHeight") == 48


def test_nothing_of_a_lesson_moves_while_it_is_read(browser, site):
    with browser.new_page(viewport={"width": 1300, "height": 900}) as page:
        for name in ("mre_fig1_toy_cars", "kie_fig1_s_curve", "start_six_points"):
            path = site / "notebooks" / f"{name}.html"
            page.goto(path.as_uri())
            page.wait_for_load_state("load")
            shift = page.evaluate(SHIFT)
            assert shift < 0.1, name


@pytest.mark.parametrize(
    "name", [*PAGES.split(), "notebooks/mre_fig1_toy_cars", "api/repro.kie.models"]
)
def test_axe_finds_nothing_serious(page, site, name):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    _open(page, site / f"{name}.html")
    found = axe.Axe().run(page).response["violations"]
    assert [of["id"] for of in found if of["impact"] in ("serious", "critical")] == []
