import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from repro import plots
from repro.datasets import base

mpl.use("Agg")


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path))
    monkeypatch.setattr(base, "_standins", set())
    with mpl.rc_context():
        plots.use_style()
        yield
    plt.close("all")


def texts(fig):
    return [text.get_text() for text in fig.texts]


def test_a_picture_has_the_same_bytes_every_time(tmp_path):
    files = []
    for _ in range(2):
        fig, ax = plt.subplots()
        ax.plot([0, 1])
        files.append(plots.save(fig, "x").read_bytes())
    assert files[0] == files[1]
    assert (tmp_path / "x.png").exists()


def test_more_formats_on_request(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_FORMATS", "png,pdf")
    plots.save(plt.figure(), "x")
    assert {path.name for path in tmp_path.iterdir()} == {"x.png", "x.pdf"}


def test_standins_are_written_on_every_figure_and_saved_apart(tmp_path):
    early = plt.figure()
    base._standins.add("coil20")
    assert plots.STANDIN_NOTE in texts(plt.figure())
    assert plots.save(early, "x") == tmp_path / "standin" / "x.png"
    assert texts(early).count(plots.STANDIN_NOTE) == 1
    assert not (tmp_path / "x.png").exists()


def test_real_data_are_not_marked():
    assert plots.STANDIN_NOTE not in texts(plt.figure())


def test_a_3d_embedding_has_equal_scales():
    X = np.random.default_rng(0).normal(size=(30, 3)) * [1, 2, 5]
    ax = plt.figure().add_subplot(projection="3d")
    plots.embedding_3d(ax, X, np.repeat([0, 1, 2], 10), np.linspace(0, 1, 30), names="abc")
    box = np.array(ax._box_aspect)
    spans = np.array([np.ptp(getattr(ax, f"get_{k}lim")()) for k in "xyz"])
    assert np.allclose(spans / spans[0], box / box[0])
    assert len(ax.collections) == 3


def test_principal_axes_keep_distances_and_come_widest_first():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1, 5, 2]
    Z = plots.principal_axes(X)
    assert list(np.argsort(-Z.std(axis=0))) == [0, 1, 2]
    assert np.allclose(((Z[0] - Z) ** 2).sum(axis=1), ((X[0] - X) ** 2).sum(axis=1))


def test_methods_have_colours_of_their_own():
    assert len(set(plots.COLORS.values())) == len(plots.COLORS)
