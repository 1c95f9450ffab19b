"""Fixtures shared by several test files."""

import os
import warnings

import pytest
from hypothesis import settings
from sklearn.exceptions import ConvergenceWarning

from repro.core.extras import is_there
from repro.datasets import base

# The base dependencies do not draw.
collect_ignore = [] if is_there("matplotlib") else ["library/plots"]

# A busy machine is slow; that is not a failure.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def pytest_configure(config):
    if hasattr(config.option, "loadscopereorder"):  # our order, below, is better
        config.option.loadscopereorder = False
    if hasattr(config, "workerinput"):  # has 80, which may break words
        os.environ["COLUMNS"] = "200"


@pytest.fixture
def standins(monkeypatch):
    """Stand-ins in place of every data set."""
    monkeypatch.setenv("REPRO_STANDIN", "1")


@pytest.fixture
def nothing(monkeypatch, tmp_path):
    """Set no data folder, an empty cache and no network; return the cache."""
    for name in ("FIGURES_DIR", "STANDIN", "DATA_DIR"):
        monkeypatch.delenv(f"REPRO_{name}", raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    monkeypatch.setattr(base, "_standins", set())  # other tests may have used some
    return tmp_path / "cache"


@pytest.fixture
def project(nothing, tmp_path, monkeypatch):
    """Change to the folder of a project without data and network; return it."""
    for name in ("notebooks", "figures"):
        (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def warnings_are_errors():
    """Make all warnings errors, since NumPy's warnings name the file that divides."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Resources that another test left open may be reported here.
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
