"""Fixtures that several files of tests share."""

import pytest
from fake_coil20 import FakeCoil20
from pytest_httpserver import HTTPServer

from repro.datasets import (
    download,
)


@pytest.fixture
def fake(monkeypatch, tmp_path):
    for variable in ("REPRO_DATA_DIR", "REPRO_OFFLINE", "REPRO_STANDIN"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(download, "PAUSE", 0)
    monkeypatch.setattr(download, "TIMEOUT", 5)
    return FakeCoil20(monkeypatch)


@pytest.fixture(scope="module")
def running_server():
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture
def server(running_server):
    running_server.clear()
    running_server.no_handler_status_code = 404
    return running_server


@pytest.fixture
def standins(monkeypatch):
    """Stand-ins in place of every data set."""
    monkeypatch.setenv("REPRO_STANDIN", "1")


@pytest.fixture
def nothing(monkeypatch, tmp_path):
    """No data folder, an empty cache, no network."""
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.delenv("REPRO_DATA_DIR", raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    return tmp_path
