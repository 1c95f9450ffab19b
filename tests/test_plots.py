from types import SimpleNamespace

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


def test_fewer_colours_make_a_smaller_file(tmp_path):
    sizes = []
    for colors in (None, 64, 64):
        fig, ax = plt.subplots()
        ax.imshow(np.random.default_rng(0).random((100, 100)))
        sizes.append(plots.save(fig, "x", colors).read_bytes())
    assert sizes[1] == sizes[2]
    assert len(sizes[1]) < 0.7 * len(sizes[0])


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


def test_thumbnails_do_not_overlap():
    rng = np.random.default_rng(0)
    XY, images = rng.normal(size=(300, 2)), rng.random((300, 8, 6))
    _, ax = plt.subplots()
    chosen = plots.embedding_thumbnails(ax, XY, images, rng, most=25)
    assert 5 < len(chosen) <= 25
    boxes = [image.get_extent() for image in ax.images]
    for k, (left, right, low, high) in enumerate(boxes):
        for other in boxes[:k]:
            apart_x = left >= other[1] or right <= other[0]
            assert apart_x or low >= other[3] or high <= other[2]
    np.testing.assert_allclose([box[0] for box in boxes], XY[chosen, 0])


def test_spread_out_points_keep_their_distance():
    rng = np.random.default_rng(0)
    XY = rng.random((200, 2))
    chosen = plots.spread_out(XY, 0.2, rng)
    D = np.abs(XY[chosen][:, None] - XY[chosen]).max(axis=2)
    assert D[~np.eye(len(chosen), dtype=bool)].min() > 0.2
    assert len(plots.spread_out(XY, 0.2, rng, most=3)) == 3


def test_aligned_sequences_put_the_kind_upright():
    model = SimpleNamespace(
        embedding_=np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]]),
        metrics_=np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 0.1]]),
    )
    _, ax = plt.subplots()
    plots.aligned_sequences(ax, model, 2, letter="c")
    first, second = (np.asarray(c.get_offsets()) for c in ax.collections)
    np.testing.assert_array_equal(first[:, 1], 0)
    np.testing.assert_array_equal(second[:, 1], 5)


def test_corners_have_colours_of_their_own_and_the_middle_their_mean():
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]], dtype=float)
    colors = plots.corner_colors(3 * corners - 7)
    assert len(np.unique(colors[:4], axis=0)) == 4
    np.testing.assert_allclose(colors[4], colors[:4].mean(axis=0))
    assert ((colors >= 0) & (colors <= 1)).all()


def test_a_grid_shows_each_image_in_its_square():
    _, ax = plt.subplots()
    images = np.arange(2 * 3 * 4 * 4).reshape(2, 3, 4, 4)
    plots.image_grid(ax, images, gap=0.0)
    assert len(ax.images) == 6
    assert ax.images[4].get_extent() == [1, 2, 2, 1]
    np.testing.assert_array_equal(ax.images[4].get_array(), images[1, 1])
    assert ax.get_ylim() == (2, 0)


def test_maps_of_a_manifold_have_equal_axes():
    X = np.random.default_rng(0).normal(size=(20, 3))
    fig = plt.figure()
    colors = plots.corner_colors(X[:, :2])
    plots.manifold_3d(fig.add_subplot(121, projection="3d"), X, colors)
    ax = fig.add_subplot(122)
    plots.embedding_2d(ax, X[:, :2], colors)
    assert ax.get_aspect() == 1
    assert len(ax.collections[0].get_offsets()) == 20
    fig.canvas.draw()
