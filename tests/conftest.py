"""Fixtures that several files of tests share."""

import json
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import toy_experiment
from hypothesis import settings
from sklearn.exceptions import ConvergenceWarning
from small_site import make_project

BROWSER = os.environ.get("REPRO_BROWSER")
TIMINGS = Path(__file__).parents[1] / "figures" / "timings.json"


# A busy machine is slow; that is no fault of what is tested.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def pytest_configure(config):
    if hasattr(config.option, "loadscopereorder"):  # ours, below, is the better order
        config.option.loadscopereorder = False
    if hasattr(config, "workerinput"):  # which has 80, where a message may break within a word
        os.environ["COLUMNS"] = "200"


def pytest_collection_modifyitems(config, items):
    """Where workers share the tests, the longest notebooks come first, so that none is last."""
    if hasattr(config, "workerinput"):
        seconds = json.loads(TIMINGS.read_text(encoding="utf-8"))
        items.sort(key=lambda item: -seconds.get(item.path.stem, 0))


@pytest.fixture
def standins(monkeypatch):
    """Stand-ins in place of every data set."""
    monkeypatch.setenv("REPRO_STANDIN", "1")


@pytest.fixture
def nothing(monkeypatch, tmp_path):
    """No data folder, an empty cache, which is returned, and no network."""
    for name in ("REPRO_FIGURES_DIR", "REPRO_STANDIN", "REPRO_DATA_DIR", "REPRO_FORMATS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    return tmp_path / "cache"


@pytest.fixture
def project(nothing, tmp_path, monkeypatch):
    """Go to a folder that is a project, without data and network; return it."""
    for name in ("notebooks", "figures"):
        (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def warnings_are_errors():
    """Whoever warns: NumPy's warnings name the file that divides."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What another test left open is reported when it is collected, which may be here.
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


@pytest.fixture(scope="session")
def browser():
    """Start a Chromium, if the tests that need one are asked for.

    They need playwright (``pip install playwright``), and ``REPRO_BROWSER`` names the browser, or
    is 1 for the one that ``playwright install chromium`` fetched.
    """
    if not BROWSER:
        pytest.skip("REPRO_BROWSER names no browser")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        where = {} if BROWSER == "1" else {"executable_path": BROWSER}
        with p.chromium.launch(args=["--no-sandbox"], **where) as browser:
            yield browser


@pytest.fixture(scope="session")
def small_project(tmp_path_factory):
    """A project of two notebooks, one of them with a map, and of one experiment."""
    root = tmp_path_factory.mktemp("Größe und Maß")
    with pytest.MonkeyPatch.context() as patch:
        toy_experiment.install(tmp_path_factory.mktemp("experiments"), patch)
        make_project(root)
    return root


@pytest.fixture(scope="session")
def small_images():
    """Two pictures, of 64 pixels, to stand for a set at hand."""
    return np.linspace(0, 255, 2 * 64 * 32).reshape(2, 64, 32).astype(np.uint8)


@pytest.fixture(scope="session")
def small_site(small_project, small_images, tmp_path_factory):
    """The site of the small project, built once, and within the time a test may take."""
    from repro.site import build, point_images

    start = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        toy_experiment.install(tmp_path_factory.mktemp("experiments"), patch)
        patch.setattr(point_images, "at_hand", lambda name, arguments: small_images)
        index = build.build_site(small_project, small_project / "build" / "site")
    assert time.monotonic() - start < 120  # about fifteen seconds on a free machine
    return index.parent
