"""The points of the site's maps and the pictures shown beside them."""

import base64
import io
import json
import os
import re

import numpy as np
import pytest
from PIL import Image

from repro import datasets
from repro.datasets.registry import ENTRIES
from repro.workbench.site import maps
from repro.workbench.site.pages import templates

IMAGES = np.linspace(0, 255, 2 * 64 * 32).reshape(2, 64, 32).astype(np.uint8)
POINTS = {
    "notebook": "a_fig1",
    "set": {"name": "coil20", "arguments": {"objects": [2], "views": [0, 1]}},
    "rows": [0, 1, 0],
    "labels": ["left", "<b>middle</b> & co", "right"],
    "groups": ["u", "v", "u"],
    "maps": {name: {"x": [-1, 0, 1], "y": [0.5, 0, -0.5]} for name in ("MRE", "SNE")},
}


@pytest.fixture
def at_hand(monkeypatch):
    """Provide two local images for any set."""
    monkeypatch.setattr(maps, "local_images", lambda name, arguments: IMAGES)


def decoded(uri):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(uri.split(",")[1]))))


def test_there_is_a_rule_for_every_set_of_pictures():
    assert {name for name, entry in ENTRIES.items() if not entry.pictures} == {"letters", "music"}
    for entry in filter(lambda entry: entry.pictures, ENTRIES.values()):
        assert set(entry.pictures) == {"shown", "why"}
        if entry.pictures["shown"]:  # stated terms allow it
            assert entry.licence != "none stated"


def test_each_point_has_its_picture_reduced(at_hand):
    pictures, _ = maps.pictures_of(POINTS)
    for uri, row in zip(pictures, [0, 1, 0], strict=True):
        assert decoded(uri).shape == (48, 24, 3)
        assert abs(decoded(uri).mean() - IMAGES[row].mean()) < 5
    two = POINTS | {"rows": None, "labels": ["left", "right"]}
    assert len(maps.pictures_of(two)[0]) == 2  # by default all the images in order
    written = templates().from_string("{{ drawn | tojson }}").render(maps.map_of(POINTS))
    assert json.loads(written)["pictures"] == pictures
    assert "<b>middle" not in written


def test_pictures_keep_their_colours():
    red = np.full((96, 96, 3), (255, 0, 0), np.uint8)
    for image, side, colour in ((np.full((8, 8), 0.5), 8, 128), (red, 48, (255, 0, 0))):
        shown = decoded(maps.data_uri(image))
        assert shown.shape == (side, side, 3)
        assert abs(shown.mean(axis=(0, 1)) - colour).max() < 3


@pytest.mark.parametrize(
    ("name", "images", "says"),
    [
        ("coil20", None, r".* built without the data: .*"),
        ("brendan", IMAGES, "No pictures are shown: its source states no terms.*"),
        ("letters", IMAGES, ""),  # it has none
    ],
)
def test_a_page_says_why_it_has_no_pictures(monkeypatch, name, images, says):
    monkeypatch.setattr(maps, "local_images", lambda name, arguments: images)
    points = POINTS | {"set": {"name": name, "arguments": {}}}
    pictures, note = maps.pictures_of(points)
    assert re.fullmatch(says, note)
    assert pictures is None
    assert maps.map_of(points)["note"] == note


def test_nothing_is_fetched_and_no_stand_in_is_shown(nothing, monkeypatch):
    asked = {"objects": [2], "views": [0]}
    monkeypatch.delenv("REPRO_OFFLINE")
    assert maps.local_images("coil20", asked) is None  # without a download
    assert "REPRO_OFFLINE" not in os.environ
    there = datasets.Dataset("coil20", "-", "-", "-", images=IMAGES)
    monkeypatch.setitem(datasets.FETCHERS, "coil20", lambda **_: there)
    np.testing.assert_array_equal(maps.local_images("coil20", asked), IMAGES)
    monkeypatch.setenv("REPRO_STANDIN", "1")
    assert maps.local_images("coil20", asked) is None


def test_groups_have_colours_of_their_own():
    assert list(maps.group_colours(["10", "9", "10"])) == ["9", "10"]
    assert list(maps.group_colours(["b", "a"])) == ["b", "a"]
    for n in (3, 10, 20, 30):
        assert len(set(maps.group_colours([str(k) for k in range(n)]).values())) == n
