"""Fixtures that several files of tests share."""

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
import toy_experiment
from hypothesis import settings
from small_site import make_project

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
def project(tmp_path, monkeypatch):
    """Go to a folder that is a project, without data and network; return it."""
    for name in ("REPRO_FIGURES_DIR", "REPRO_STANDIN", "REPRO_DATA_DIR", "REPRO_FORMATS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    for name in ("notebooks", "figures"):
        (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nothing(monkeypatch, tmp_path):
    """No data folder, an empty cache, no network."""
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.delenv("REPRO_DATA_DIR", raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    return tmp_path


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
