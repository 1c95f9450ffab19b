"""Figures: their style, embeddings, pictures, curves."""

import io
import time
from types import SimpleNamespace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.transforms import Bbox
from scipy.spatial.distance import pdist

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


def drawn(form):
    """Draw a figure in the style; return the bytes of its file in a format."""
    fig, ax = plt.subplots()
    ax.set(title="Ä and $x_1$", xlabel="x")
    ax.imshow([[1, 2], [3, 4]])
    ax.fill_between([0, 1], [0, 1], hatch="/")
    file = io.BytesIO()
    fig.savefig(file, format=form)
    return file.getvalue()


@pytest.mark.parametrize("form", ["png", "svg", "pdf", "eps", "ps"])
def test_a_figure_has_the_same_bytes_at_every_run_in_every_format(form, monkeypatch):
    before = drawn(form)
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 3600)
    monkeypatch.setattr("time.ctime", lambda *_: "another day")
    assert drawn(form) == before
    assert form == "png" or b"1970" in before


def test_what_a_user_has_set_changes_no_figure_but_lends_the_letters_that_are_missing():
    backend = mpl.get_backend()
    before = drawn("png")
    with mpl.rc_context():
        theirs = {"text.usetex": True, "axes.grid": True, "savefig.bbox": "tight"}
        fonts = {"font.family": "serif", "font.serif": ["No Such", "STIXGeneral", "DejaVu Sans"]}
        mpl.rcParams.update(theirs | fonts)
        with plots.in_style():
            assert drawn("png") == before
        assert mpl.rcParams["axes.grid"]
        for _ in range(2):
            plots.use_style()
            assert mpl.rcParams["font.family"] == ["DejaVu Sans", "STIXGeneral"]
        assert drawn("png") == before
    assert mpl.get_backend() == backend


def test_standins_are_written_on_every_figure():
    assert not plt.figure().texts
    base._standins.add("coil20")
    assert [text.get_text() for text in plt.figure().texts] == [plots.STANDIN_NOTE]


def test_principal_axes_keep_distances_and_come_widest_first(rng):
    X = rng.normal(size=(50, 3)) * [1, 5, 2]
    Z = plots.principal_axes(X)
    assert list(np.argsort(-Z.std(axis=0))) == [0, 1, 2]
    assert np.allclose(((Z[0] - Z) ** 2).sum(axis=1), ((X[0] - X) ** 2).sum(axis=1))
    assert np.array_equal(plots.principal_axes(X, 2), Z[:, :2])
    assert np.array_equal(plots.principal_axes(X, 4), np.column_stack([Z, np.zeros(50)]))


def test_methods_and_corners_have_colours_of_their_own_and_the_middle_their_mean():
    assert len(set(plots.COLORS.values())) == len(plots.COLORS)
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]], dtype=float)
    colors = plots.corner_colors(3 * corners - 7)
    assert len(np.unique(colors[:4], axis=0)) == 4
    np.testing.assert_allclose(colors[4], colors[:4].mean(axis=0))
    assert ((colors >= 0) & (colors <= 1)).all()


def test_images_stand_in_their_places_with_names_and_scores(ax):
    images = np.arange(2 * 3 * 4 * 4).reshape(2, 3, 4, 4)
    plots.image_grid(ax, images, names="ab", scores=["", "0.5"])
    assert len(ax.images) == 6
    np.testing.assert_allclose(ax.images[4].get_extent(), [1, 1.94, 1.94, 1])
    np.testing.assert_array_equal(ax.images[4].get_array(), images[1, 1])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert [text.get_text() for text in ax.texts] == ["0.5"]
    _, axes = plt.subplots(2, 2)
    plots.show_images(axes, images[0], "xyz")
    plots.letters_above(axes)
    assert [len(ax.images) for ax in axes.flat] == [1, 1, 1, 0]
    np.testing.assert_array_equal(axes[1, 0].images[0].get_array(), images[0, 2])
    assert [ax.get_title() for ax in axes.flat] == ["x", "y", "z", ""]
    assert [ax.get_title(loc="left") for ax in axes.flat] == list("abcd")
    assert not any(ax.axison for ax in axes.flat)


def test_embeddings_have_equal_scales_on_all_axes(rng):
    X, classes = rng.normal(size=(30, 3)) * [1, 2, 5], np.repeat([0, 1], 15)
    fig = plt.figure(layout="none")  # Matplotlib 3.9.0 has no constrained layout for these
    axes = [fig.add_subplot(131 + k, projection="3d") for k in range(2)]
    plots.embedding_3d(axes[0], X, classes, np.linspace(0, 1, 30), names="ab")
    plots.manifold_3d(axes[1], X, plots.corner_colors(X[:, :2]))
    for ax, n_drawn in zip(axes, (2, 1), strict=True):
        box = np.array(ax._box_aspect)
        spans = np.array([np.ptp(getattr(ax, f"get_{k}lim")()) for k in "xyz"])
        assert np.allclose(spans / spans[0], box / box[0])
        assert len(ax.collections) == n_drawn
    flat = fig.add_subplot(133)
    plots.embedding_2d(flat, X[:, :2], "k")
    assert flat.get_aspect() == 1
    assert len(flat.collections[0].get_offsets()) == 30
    fig.canvas.draw()


def test_a_map_is_turned_so_that_quantities_rise(rng):
    XY = rng.normal(size=(100, 2)) * [3, 1] + 7
    right, up = XY @ [0.5, -1.0], XY @ [1.0, 0.4]
    turned = plots.turned(XY, right, up)
    np.testing.assert_allclose(turned.mean(axis=0), 0, atol=1e-12)
    assert np.corrcoef(turned[:, 0], right)[0, 1] > 0.99
    assert turned[:, 1] @ up > 0
    np.testing.assert_allclose(pdist(turned), pdist(XY), atol=1e-12)


def test_classes_get_a_colour_each_and_a_square_frame(ax, rng):
    XY, labels = rng.normal(size=(300, 2)) * [3, 1], np.repeat(["c", "a", "b"], 100)
    XY[0] = 1000.0
    handles = plots.embedding_classes(ax, XY, labels, share=0.98)
    assert [handle.get_label() for handle in handles] == ["a", "b", "c"]
    (points,) = ax.collections
    drawn = dict(zip(map(tuple, points.get_offsets()), points.get_facecolors(), strict=True))
    for point, label in zip(map(tuple, XY), labels, strict=True):
        expected = mpl.colors.to_rgba(handles["abc".index(label)].get_color())
        assert tuple(drawn[point]) == expected
    assert np.ptp(ax.get_xlim()) == pytest.approx(np.ptp(ax.get_ylim()))
    assert ax.get_xlim()[1] < 20
    plots.embedding_classes(ax, XY[1:2], ["a"])  # one point has a frame, without a warning
    assert np.ptp(ax.get_xlim()) == 2
    many = plots.embedding_classes(ax, XY, np.arange(300) % 26)
    assert len({tuple(mpl.colors.to_rgba(handle.get_color())) for handle in many}) == 26
    told = pd.Series(labels).where(np.arange(300) % 3 == 0)  # unlabelled points are grey, below
    ax.clear()
    assert len(plots.embedding_classes(ax, XY, told)) == 3
    assert [len(drawn.get_offsets()) for drawn in ax.collections] == [200, 100]


def test_names_cover_no_other(ax, rng):
    XY, names = rng.normal(size=(150, 2)), [f"name {k}" for k in range(150)]
    written = plots.embedding_names(ax, XY, names, ["black"] * 150, rng, share=0.95)
    assert 10 < len(written) < 150
    assert [text.get_text() for text in ax.texts] == [names[k] for k in written]
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert all(ax.bbox.contains(*corner) for box in boxes for corner in (box.p0, box.p1))


def test_thumbnails_do_not_overlap(ax, rng):
    XY, images = rng.normal(size=(300, 2)), rng.random((300, 8, 6))
    chosen = plots.embedding_thumbnails(ax, XY, images, rng, most=25)
    assert 5 < len(chosen) <= 25
    extents = np.array([image.get_extent() for image in ax.images])  # left, right, low, high
    np.testing.assert_allclose(extents[:, 0], XY[chosen, 0])
    boxes = [Bbox.from_extents(*extent[[0, 2, 1, 3]]) for extent in extents]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_aligned_sequences_put_the_kind_upright(ax):
    model = SimpleNamespace(
        embedding_=np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]]),
        metrics_=np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 0.1]]),
    )
    plots.aligned_sequences(ax, model, 2)
    first, second = (np.asarray(c.get_offsets()) for c in ax.collections)
    np.testing.assert_array_equal(first[:, 1], 0)
    np.testing.assert_array_equal(second[:, 1], 5)


def test_sequences_run_from_black_to_light_grey_in_their_markers(ax, rng):
    XY, labels = rng.normal(size=(10, 2)), np.repeat([3, 1], [6, 4])
    plots.sequences_2d(ax, XY, labels, names=["one", "three"])
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), XY[6:])
    np.testing.assert_array_equal(ax.collections[1].get_offsets(), XY[:6])
    shades = ax.collections[1].get_facecolors()[:, 0]
    assert (np.diff(shades) > 0).all()
    assert shades[0] == 0
    one, three = (c.get_paths()[0].vertices for c in ax.collections)
    assert one.shape != three.shape
    assert ax.get_legend_handles_labels()[1] == ["one", "three"]


def test_displacements_join_each_point_with_its_place(rng):
    places, found = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    _, ax = plt.subplots()
    plots.displacements(ax, places, found, ["black"] * 5)
    joined = np.array([line.get_xydata() for line in ax.lines[2:]])  # after the two axes
    np.testing.assert_array_equal(joined, np.stack([places, found], axis=1))
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), found)
    for d in (1, 3):  # drawn along the widest axes
        _, ax = plt.subplots()
        plots.displacements(ax, *rng.normal(size=(2, 5, d)), ["black"] * 5)
        assert ax.collections[0].get_offsets().shape == (5, 2)


def test_a_page_holds_pictures_pixel_by_pixel_and_none_over_another(rng):
    XY, images = rng.normal(size=(200, 2)), rng.integers(1, 255, (200, 8, 6), dtype=np.uint8)
    page, limits, chosen = plots.picture_page(XY, images, np.random.default_rng(1), size=120)
    assert max(page.shape) <= 122
    assert 20 < len(chosen) < 200
    # Every image is there unchanged, and nothing else.
    assert (page < 1).sum() == sum((images[k] < images.max()).sum() for k in chosen)
    (x0, x1), (y0, y1) = limits
    per_unit = page.shape[1] / (x1 - x0)
    assert page.shape[0] / (y1 - y0) == pytest.approx(per_unit)
    for k in chosen[:5]:
        column = int((XY[k, 0] - x0) * per_unit)
        row = int((y1 - XY[k, 1]) * per_unit)
        window = page[max(row - 6, 0) : row + 7, max(column - 5, 0) : column + 6]
        found = np.lib.stride_tricks.sliding_window_view(window, (8, 6))
        assert (np.abs(found - images[k] / images.max()).max(axis=(2, 3)) < 1e-12).any()


def test_what_does_not_vary_is_drawn_all_the_same():
    XY, rng = np.random.default_rng(0).normal(size=(6, 2)), np.random.default_rng(0)
    colors = plots.corner_colors(np.column_stack([np.ones(6), np.arange(6.0)]))
    assert ((colors >= 0) & (colors <= 1)).all()
    np.testing.assert_array_equal(plots.turned(XY, *np.ones((2, 6))), XY - XY.mean(axis=0))
    page, _, chosen = plots.picture_page(np.ones((6, 2)), np.ones((6, 4, 4)), rng)
    assert np.isfinite(page).all()
    assert len(chosen) == 1


PLACES, SQUARES = np.random.default_rng(0).normal(size=(6, 2)), np.ones((6, 4, 4))
# Functions with one entry per point or class, and how many there are.
PER_POINT = {
    "names": (lambda ax, n: _named(ax, ["a"] * n, ["k"] * 6), 6),
    "colors": (lambda ax, n: _named(ax, ["a"] * 6, ["k"] * n), 6),
    "images": (lambda _, n: plots.picture_page(PLACES, SQUARES[:1].repeat(n, 0), _rng()), 6),
    "images beside": (
        lambda ax, n: plots.embedding_thumbnails(ax, PLACES, SQUARES[:1].repeat(n, 0), _rng()),
        6,
    ),
    "titles": (lambda ax, n: plots.show_images([ax], SQUARES, ["a"] * n), 6),
}


def _rng():
    return np.random.default_rng(0)


def _named(ax, names, colors):
    return plots.embedding_names(ax, PLACES, names, colors, _rng())


@pytest.mark.parametrize("case", PER_POINT)
@pytest.mark.parametrize("more", [-1, 1])
def test_names_colors_and_images_of_another_number_than_points_are_refused(ax, case, more):
    f, n = PER_POINT[case]
    f(ax, n)
    with pytest.raises(
        ValueError, match=f"{case.split()[0]} must have {n} entries, got {n + more}"
    ):
        f(ax, n + more)


def test_names_of_a_legend_are_one_per_sequence_or_more(ax):
    for names in ("ab", "abc"):  # a figure may draw some of the sequences that are named
        plots.sequences_2d(ax, PLACES, [0, 1] * 3, names=names)
    assert [line.get_label() for line in ax.collections] == [*"abab"]
    plots.sequences_2d(ax, PLACES, [0, 2] * 3, names="abc")  # a label is the index of its name
    assert [line.get_label() for line in ax.collections[4:]] == [*"ac"]
    for labels, names in (([0, 1] * 3, "a"), ([*"uv"] * 3, "uvw")):
        with pytest.raises(ValueError, match="names must have 2 entries, got"):
            plots.sequences_2d(ax, PLACES, labels, names=names)


def test_points_of_which_none_is_labelled_are_grey(ax):
    assert plots.embedding_classes(ax, PLACES, [None] * len(PLACES)) == []
    assert len(ax.collections) == 1
    (handle,) = plots.embedding_classes(ax, PLACES, ("a", None) * 3)
    assert handle.get_label() == "a"


def test_a_series_of_names_is_read_in_its_order(ax):
    names = pd.Series(list("abcdef"), index=range(10, 4, -1))
    written = _named(ax, names, ["k"] * 6)
    assert [text.get_text() for text in ax.texts] == [list(names)[k] for k in written]


def test_points_may_be_a_table_and_are_named_if_they_are_not_in_the_plane():
    fig, ax = plt.subplots()
    XY = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 2)), index=[*range(10, 16)])
    handles = plots.embedding_classes(ax, XY, ["$5", "a"] * 3)
    assert handles[0].get_label() == r"\$5"  # dollars are no mathematics
    plots.embedding_2d(ax, XY, ["black"] * 6)
    for draw in (plots.embedding_2d, plots.embedding_classes):
        with pytest.raises(ValueError, match=r"XY must have shape \(n, 2\), got \(6, 3\)"):
            draw(ax, np.zeros((6, 3)), ["black"] * 6)
    plt.close(fig)
