"""Every test of figures starts with the style and its own folder."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from repro import plots
from repro.datasets import base


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    mpl.use("Agg")
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path))
    monkeypatch.setattr(base, "_standins", set())
    with mpl.rc_context():
        plots.use_style()
        yield
    plt.close("all")
