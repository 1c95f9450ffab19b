"""Every test of figures starts with the style; many with axes and random numbers."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from repro import plots
from repro.datasets import base


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    mpl.use("Agg")
    monkeypatch.setattr(base, "_standins", set())
    with mpl.rc_context():
        plots.use_style()
        yield
    plt.close("all")


@pytest.fixture
def ax():
    return plt.subplots()[1]


@pytest.fixture
def rng():
    return np.random.default_rng(0)
