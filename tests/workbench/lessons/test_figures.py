"""Figures as files."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from repro import plots
from repro.datasets import base
from repro.workbench.lessons import save_figure


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path))
    monkeypatch.setattr(base, "_standins", set())
    yield
    plt.close("all")


def test_a_picture_has_the_same_bytes_every_time_and_fewer_colours_make_it_smaller(tmp_path):
    files = []
    for colors in (None, None, 64, 64):
        fig, ax = plt.subplots()
        ax.imshow(np.random.default_rng(0).random((100, 100)))
        files.append(save_figure(fig, "x", colors).read_bytes())
    assert files[0] == files[1]
    assert files[2] == files[3] == (tmp_path / "x.png").read_bytes()
    assert len(files[2]) < 0.7 * len(files[0])


def test_figures_of_standins_are_marked_and_saved_apart(tmp_path):
    figure = plt.figure()
    base._standins.add("coil20")
    assert save_figure(figure, "x") == tmp_path / "standin" / "x.png"
    assert [text.get_text() for text in figure.texts] == [plots.STANDIN_NOTE]
    assert not (tmp_path / "x.png").exists()
