"""The points of the site's maps and the pictures shown beside them."""

import base64
import io
import os
import shutil

import numpy as np
import pytest
from PIL import Image
from small_site import README, points_of, write_json

from repro import datasets
from repro.datasets.registry import ENTRIES
from repro.site import explorer, image_sheets, project


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"groups": ["u"]}, "3 labels, but 1 in 'groups'"),
        ({"rows": [0]}, "3 labels, but 1 in 'rows'"),
        ({"maps": {}}, "no maps"),
        ({"maps": {"MRE": {"x": [0, 1], "y": [0, 1]}}}, "but 2 in 'MRE'"),
        ({"maps": {"MRE": {"x": [0, 1, None], "y": [0, 1, 2]}}}, "coordinate is missing"),
        ({"notebook": "b_fig2"}, "of the notebook 'b_fig2'"),
        ({"labels": [1, 2, 3]}, "must be strings"),
        ({"more": 1}, "more"),
    ],
)
def test_damaged_points_are_named(tmp_path, change, message):
    path = tmp_path / "a_fig1.json"
    write_json(path, points_of(**change))
    with pytest.raises(ValueError, match=r"a_fig1\.json is damaged") as error:
        project.SavedEmbeddings.read(path)
    assert message in str(error.value)


def test_points_of_no_notebook_are_named(small_project, tmp_path):
    shutil.copytree(small_project / "notebooks", tmp_path / "notebooks")
    (tmp_path / "figures" / "points").mkdir(parents=True)
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    write_json(tmp_path / "figures" / "points" / "c_fig3.json", points_of(notebook="c_fig3"))
    with pytest.raises(ValueError, match=r"c_fig3\.json belongs to no notebook"):
        project.Project.read(tmp_path)


@pytest.fixture
def points(small_project):
    return project.SavedEmbeddings.read(small_project / "figures" / "points" / "a_fig1.json")


def test_there_is_a_rule_for_every_set():
    assert set(image_sheets.RULES) == set(ENTRIES)
    for name, rule in image_sheets.RULES.items():
        assert len(rule.why) > 10
        if rule.shown:  # terms are stated that allow it
            assert ENTRIES[name].licence != "none stated"


def test_thumbnails_are_small_and_in_their_places(points, small_images, monkeypatch):
    monkeypatch.setattr(image_sheets, "at_hand", lambda name, arguments: small_images)
    sheet = image_sheets.sheet(points)
    assert sheet.size == (48, 24)
    data = base64.b64decode(sheet.uri.split(",")[1])
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("L"), dtype=float)
    assert picture.shape == (48 * sheet.rows, 24 * sheet.columns)
    wanted = image_sheets.reduced_images(small_images)
    for k, row in enumerate([0, 1, 0]):
        r, c = divmod(k, sheet.columns)
        part = picture[48 * r : 48 * (r + 1), 24 * c : 24 * (c + 1)]
        assert abs(part.mean() - wanted[row].mean()) < 5
    assert explorer.sprite_positions(3, sheet)[:2] == ["0px 0px", "-48px 0px"]


def test_thumbnails_of_floats_and_colours():
    grey = image_sheets.reduced_images(np.full((2, 8, 8), 0.5))
    assert grey.shape == (2, 8, 8)
    assert (grey == 128).all()
    assert image_sheets.reduced_images(np.zeros((1, 96, 96, 3), np.uint8)).shape == (1, 48, 48, 3)


def test_many_points_make_smaller_pictures_and_no_heavy_page():
    noise = np.random.default_rng(0).integers(0, 256, (3000, 48, 48)).astype(np.uint8)
    sheet = image_sheets._packed(noise, "note")
    assert 0 < len(sheet.uri) <= image_sheets.MOST
    assert max(sheet.size) < 48


@pytest.mark.parametrize(
    ("name", "own_copy", "says"),
    [
        ("coil20", False, "built without the data"),
        ("brendan", False, "No pictures are shown: its source states no terms"),
        ("brendan", True, "built without the data"),
        ("letters", True, "the set has no pictures"),
        ("unheard", False, "no rule"),
    ],
)
def test_a_page_says_why_it_has_no_pictures(nothing, points, name, own_copy, says):
    points = project.SavedEmbeddings(**{**vars(points), "set": {"name": name}})
    sheet = image_sheets.sheet(points, own_copy)
    assert says in sheet.note
    assert not sheet.uri
    assert says in explorer.explorer_page("A", points, own_copy)


def test_a_copy_for_oneself_is_marked(points, small_images, monkeypatch):
    monkeypatch.setattr(image_sheets, "at_hand", lambda name, arguments: small_images)
    points = project.SavedEmbeddings(**{**vars(points), "set": {"name": "brendan"}})
    assert image_sheets.sheet(points).uri == ""
    sheet = image_sheets.sheet(points, own_copy=True)
    assert sheet.uri
    assert "Not to be passed on" in sheet.note


def test_without_rows_the_points_are_all_of_the_set(points, small_images, monkeypatch):
    monkeypatch.setattr(image_sheets, "at_hand", lambda name, arguments: small_images[[0, 1, 0]])
    points = project.SavedEmbeddings(**{**vars(points), "rows": None})
    assert image_sheets.sheet(points).uri
    monkeypatch.setattr(image_sheets, "at_hand", lambda name, arguments: small_images)
    with pytest.raises(ValueError, match="rows must be of the 2 images"):
        image_sheets.sheet(points)


def test_rows_beyond_the_set_are_refused(points, small_images, monkeypatch):
    monkeypatch.setattr(image_sheets, "at_hand", lambda name, arguments: small_images[:1])
    with pytest.raises(ValueError, match="a_fig1: rows must be of the 1 images"):
        image_sheets.sheet(points)


def test_nothing_is_fetched_and_no_stand_in_is_shown(nothing, small_images, monkeypatch):
    asked = {"objects": [2], "views": [0]}
    monkeypatch.delenv("REPRO_OFFLINE")
    assert image_sheets.at_hand("coil20", asked) is None  # without a try of any address
    assert "REPRO_OFFLINE" not in os.environ
    there = datasets.Dataset("coil20", "-", "-", "-", images=small_images)
    monkeypatch.setitem(datasets.FETCHERS, "coil20", lambda **_: there)
    np.testing.assert_array_equal(image_sheets.at_hand("coil20", asked), small_images)
    monkeypatch.setenv("REPRO_STANDIN", "1")
    assert image_sheets.at_hand("coil20", asked) is None


def test_groups_have_colours_of_their_own():
    assert list(explorer.group_colours(["10", "9", "10"])) == ["9", "10"]
    assert list(explorer.group_colours(["b", "a"])) == ["b", "a"]
    for n in (3, 10, 20, 30):
        assert len(set(explorer.group_colours([str(k) for k in range(n)]).values())) == n
