"""The stand-ins: when they are chosen, and that the rendered objects behave as turning ones."""

import numpy as np
import pytest

from repro.datasets import base, fetch_coil20, prefetch, standins_in_use
from repro.datasets.render import Solid, render
from repro.datasets.standins import coil20_standin, standin_wanted

CARS = (3, 6, 19)


@pytest.fixture(autouse=True)
def _no_record(monkeypatch):
    monkeypatch.setattr(base, "_standins", set())


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (None, False),
        ("", False),
        ("0", False),
        ("no", False),
        ("1", True),
        ("all", True),
        ("coil20", True),
        (" COIL20 ,", True),
    ],
)
def test_the_variable_selects(monkeypatch, value, wanted):
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    if value is not None:
        monkeypatch.setenv("REPRO_STANDIN", value)
    assert standin_wanted("coil20") is wanted


def test_a_misspelt_name_is_refused(monkeypatch):
    monkeypatch.setenv("REPRO_STANDIN", "coil-20")
    with pytest.raises(ValueError, match=r"REPRO_STANDIN.*'coil-20'.*Did you mean 'coil20'"):
        fetch_coil20()


def test_a_fetched_stand_in_says_so(monkeypatch):
    monkeypatch.setenv("REPRO_STANDIN", "coil20")
    data = fetch_coil20(CARS, range(2))
    assert data.is_standin
    assert data.name == "coil20"
    assert "generated" in data.source
    assert standins_in_use() == {"coil20"}


def test_prefetch_leaves_stand_ins_alone(monkeypatch):
    monkeypatch.setenv("REPRO_STANDIN", "1")
    assert prefetch("coil20") == {"coil20": None}
    assert standins_in_use() == frozenset()


@pytest.fixture(scope="module")
def turns():
    """All views of the named objects, as rows (object, view, pixel)."""
    images = coil20_standin((*CARS, 1, 2, 4, 5), range(72))
    return images.reshape(7, 72, -1).astype(np.float64)


def _squared_distances(X):
    norms = (X**2).sum(1)
    distances = norms[:, None] + norms - 2 * X @ X.T
    np.fill_diagonal(distances, np.inf)
    return distances


def test_the_nearest_view_of_an_object_is_the_next_or_the_one_before(turns):
    for views in turns:
        steps = (_squared_distances(views).argmin(1) - np.arange(72)) % 72
        assert set(steps) <= {1, 71}


def test_the_nearest_image_of_a_car_is_of_the_same_car(turns):
    nearest = _squared_distances(turns[:3].reshape(216, -1)).argmin(1)
    np.testing.assert_array_equal(nearest // 72, np.arange(216) // 72)


def test_front_and_back_differ(turns):
    for views in turns:
        distances = _squared_distances(views)
        step = distances[np.arange(72), (np.arange(72) + 1) % 72]
        opposite = distances[np.arange(72), (np.arange(72) + 36) % 72]
        assert (opposite > step).all()


def test_images_are_lit_and_have_a_black_border(turns):
    images = turns.reshape(-1, 128, 128)
    assert (images.max((1, 2)) > 60).all()
    border = np.concatenate([images[:, [0, -1]], images[:, :, [0, -1]].transpose(0, 2, 1)], 1)
    assert (border == 0).all()


def test_all_objects_differ_and_are_the_same_at_every_call():
    images = coil20_standin(range(1, 21), [7])
    assert images.shape == (20, 128, 128)
    assert images.dtype == np.uint8
    assert np.isfinite(_squared_distances(images.reshape(20, -1).astype(float)).min())
    assert _squared_distances(images.reshape(20, -1).astype(float)).min() > 1e5
    np.testing.assert_array_equal(images, coil20_standin(range(1, 21), [7]))


def test_a_ball_is_a_disc_at_every_angle():
    ball = [Solid("ellipsoid", (0, 0, 0), (1, 1, 1), 1.0)]
    first, second = render(ball, [0, 77], size=64)
    np.testing.assert_array_equal(first, second)
    # The frame is a little more than √2 balls wide, for the corners of the bounding box.
    radius = 32 / (
        1.02 * max(np.sqrt(2), np.cos(np.radians(22)) + np.sqrt(2) * np.sin(np.radians(22)))
    )
    assert (first > 0).sum() == pytest.approx(np.pi * radius**2, rel=0.05)


def test_the_nearer_part_hides_the_farther():
    near = Solid("box", (0, -0.3, 0), (0.5, 0.1, 0.5), 1.0)
    far = Solid("box", (0, 0.3, 0), (0.2, 0.1, 0.2), 0.1)
    np.testing.assert_array_equal(render([near, far], [0]), render([far, near], [0]))
    turned = render([near, far], [0, 180], size=64)[:, 32, 32]
    assert turned[0] != turned[1]
