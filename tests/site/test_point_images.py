"""The points of the site's maps and the pictures shown beside them."""

import base64
import io
import json
import os

import numpy as np
import pytest
from PIL import Image

from repro import datasets
from repro.datasets.registry import ENTRIES
from repro.site import explorer, point_images


@pytest.fixture
def at_hand(small_images, monkeypatch):
    """Have some of two images at hand, by default both."""

    def put(rows=(0, 1)):
        images = small_images[list(rows)]
        monkeypatch.setattr(point_images, "at_hand", lambda name, arguments: images)

    put()
    return put


@pytest.fixture
def points(small_project):
    return json.loads((small_project / "figures" / "points" / "a_fig1.json").read_text())


def test_there_is_a_rule_for_every_set_of_pictures():
    assert {name for name, entry in ENTRIES.items() if not entry.pictures} == {"letters", "music"}
    for entry in filter(lambda entry: entry.pictures, ENTRIES.values()):
        assert set(entry.pictures) == {"shown", "why"}
        if entry.pictures["shown"]:  # terms are stated that allow it
            assert entry.licence != "none stated"


def decoded(uri):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(uri.split(",")[1]))))


def test_each_point_has_its_picture_reduced(points, small_images, at_hand):
    pictures, _ = point_images.pictures_of(points)
    for uri, row in zip(pictures, [0, 1, 0], strict=True):
        assert decoded(uri).shape == (48, 24, 3)
        assert abs(decoded(uri).mean() - small_images[row].mean()) < 5


@pytest.mark.parametrize(
    ("image", "side", "colour"),
    [
        (np.full((8, 8), 0.5), 8, 128),
        (np.full((96, 96, 3), (255, 0, 0), np.uint8), 48, (255, 0, 0)),
    ],
    ids=["floats", "colours"],
)
def test_pictures_keep_their_colours(image, side, colour):
    shown = decoded(point_images.data_uri(image))
    assert shown.shape == (side, side, 3)
    assert abs(shown.mean(axis=(0, 1)) - colour).max() < 3


@pytest.mark.parametrize(
    ("name", "own_copy", "says"),
    [
        ("coil20", False, "built without the data"),
        ("brendan", False, "No pictures are shown: its source states no terms"),
        ("brendan", True, "built without the data"),
        ("letters", True, "the set has no pictures"),
    ],
)
def test_a_page_says_why_it_has_no_pictures(nothing, points, name, own_copy, says):
    points |= {"set": {"name": name, "arguments": {}}}
    pictures, note = point_images.pictures_of(points, own_copy)
    assert says in note
    assert pictures is None
    assert explorer.map_of(points, own_copy)["note"] == note


def test_a_copy_for_oneself_is_marked(points, at_hand):
    points |= {"set": {"name": "brendan", "arguments": {}}}
    assert point_images.pictures_of(points)[0] is None
    pictures, note = point_images.pictures_of(points, own_copy=True)
    assert len(pictures) == 3
    assert "Not to be passed on" in note


def test_without_rows_the_points_are_all_of_the_set_and_rows_beyond_it_refused(points, at_hand):
    whole = points | {"rows": None}
    with pytest.raises(ValueError, match="a_fig1: rows must be of the 2 images"):
        point_images.pictures_of(whole)
    at_hand([0, 1, 0])
    assert len(point_images.pictures_of(whole)[0]) == 3
    at_hand([0])
    with pytest.raises(ValueError, match="a_fig1: rows must be of the 1 images"):
        point_images.pictures_of(points)


def test_nothing_is_fetched_and_no_stand_in_is_shown(nothing, small_images, monkeypatch):
    asked = {"objects": [2], "views": [0]}
    monkeypatch.delenv("REPRO_OFFLINE")
    assert point_images.at_hand("coil20", asked) is None  # without a try of any address
    assert "REPRO_OFFLINE" not in os.environ
    there = datasets.Dataset("coil20", "-", "-", "-", images=small_images)
    monkeypatch.setitem(datasets.FETCHERS, "coil20", lambda **_: there)
    np.testing.assert_array_equal(point_images.at_hand("coil20", asked), small_images)
    monkeypatch.setenv("REPRO_STANDIN", "1")
    assert point_images.at_hand("coil20", asked) is None


def test_groups_have_colours_of_their_own():
    assert list(explorer.group_colours(["10", "9", "10"])) == ["9", "10"]
    assert list(explorer.group_colours(["b", "a"])) == ["b", "a"]
    for n in (3, 10, 20, 30):
        assert len(set(explorer.group_colours([str(k) for k in range(n)]).values())) == n
