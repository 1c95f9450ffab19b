"""Every test of figures starts with the style."""

import matplotlib as mpl
import matplotlib.pyplot as plt
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
