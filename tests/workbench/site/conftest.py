import os
from pathlib import Path

import pytest

from repro.workbench.evidence.scorecard import judge_all

ROOT = Path(__file__).parents[3]
BROWSER = os.environ.get("REPRO_BROWSER")


@pytest.fixture(scope="session")
def judged():
    return judge_all(ROOT / "figures")


@pytest.fixture(scope="session")
def site(tmp_path_factory, judged):
    """Build the site of this project once, with pictures from the available data."""
    from repro.workbench.site.build import build_site

    folder = tmp_path_factory.mktemp("Größe und Maß").resolve()
    return build_site(ROOT, judged, folder / "site").parent


@pytest.fixture(scope="session")
def browser():
    """Start Chromium if the tests that need it are requested.

    They need playwright (``pip install playwright``); ``REPRO_BROWSER`` is the path of the browser,
    or 1 for the one that ``playwright install chromium`` fetched.
    """
    if not BROWSER:
        pytest.skip("REPRO_BROWSER names no browser")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        where = {} if BROWSER == "1" else {"executable_path": BROWSER}
        with p.chromium.launch(args=["--no-sandbox"], **where) as browser:
            yield browser
