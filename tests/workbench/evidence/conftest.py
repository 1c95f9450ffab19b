"""A project with the toy experiment, without and with its runs of record."""

import pytest
import toy_experiment


@pytest.fixture
def figures(project, monkeypatch):
    """Return the folder figures of a project with the toy experiment."""
    toy_experiment.install(project, monkeypatch)
    return project / "figures"


@pytest.fixture
def swept(figures):
    """Make the runs of record; return the path of their table."""
    return toy_experiment.sweep(figures)
