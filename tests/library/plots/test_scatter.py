from types import SimpleNamespace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.transforms import Bbox

from repro import plots


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
    many = plots.embedding_classes(ax, XY, np.arange(300) % 26)
    assert len({tuple(mpl.colors.to_rgba(handle.get_color())) for handle in many}) == 26


def test_names_cover_no_other(ax):
    XY = np.random.default_rng(0).normal(size=(150, 2))
    names = [f"name {k}" for k in range(150)]
    rng = np.random.default_rng(1)
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
