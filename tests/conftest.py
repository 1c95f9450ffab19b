"""Fixtures that several files of tests share."""

import os
import warnings

import pytest
from hypothesis import settings
from sklearn.exceptions import ConvergenceWarning

# A busy machine is slow; that is no fault of what is tested.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def pytest_configure(config):
    if hasattr(config.option, "loadscopereorder"):  # ours, below, is the better order
        config.option.loadscopereorder = False
    if hasattr(config, "workerinput"):  # which has 80, where a message may break within a word
        os.environ["COLUMNS"] = "200"


@pytest.fixture
def standins(monkeypatch):
    """Stand-ins in place of every data set."""
    monkeypatch.setenv("REPRO_STANDIN", "1")


@pytest.fixture
def nothing(monkeypatch, tmp_path):
    """No data folder, an empty cache, which is returned, and no network."""
    for name in (
        "REPRO_FIGURES_DIR",
        "REPRO_STANDIN",
        "REPRO_QUICK",
        "REPRO_DATA_DIR",
        "REPRO_FORMATS",
    ):
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
