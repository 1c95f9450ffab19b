"""Figures as files, and the files of points from which the site makes its maps."""

import json

import matplotlib.pyplot as plt
import numpy as np
import pytest

from repro import plots
from repro.datasets import base
from repro.workbench.lessons import save_embeddings, save_figure

Y = 1e5 * np.random.default_rng(0).normal(size=(5, 3))
WORDS = list("abcde")


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


def test_points_are_written_with_four_digits_and_where_they_come_from(tmp_path):
    coil = "coil20", {"objects": (3, 6), "views": range(4)}, np.arange(5)
    path = tmp_path / "points" / "x_fig1.json"
    found = []
    for change in (0, 1e-12):  # the last bits do not change the file
        embeddings = {"MRE": Y * (1 + change), "one": Y[:, :1]}
        save_embeddings("x_fig1", embeddings, WORDS, np.repeat(["u", "v"], [3, 2]), *coil)
        found.append(json.loads(path.read_text(encoding="utf-8")))
    assert found[0] == found[1]
    asked = {"objects": [3, 6], "views": [0, 1, 2, 3]}
    assert found[0]["set"] == {"name": "coil20", "arguments": asked}
    assert found[0]["rows"] == list(range(5))
    assert found[0]["labels"] == WORDS
    assert found[0]["groups"] == ["u"] * 3 + ["v"] * 2
    xy = np.array(list(found[0]["maps"]["MRE"].values())).T
    np.testing.assert_allclose(xy, Y[:, :2], atol=1e-3 * np.abs(Y).max())
    assert found[0]["maps"]["one"]["y"] == [0.0] * 5


@pytest.mark.parametrize(
    ("embedding", "given", "says"),
    [
        (Y[:4], {}, "MRE must have one entry per label, got 4 for 5"),
        (Y, {"groups": WORDS[:4]}, "groups must have one entry per label"),
        (Y, {"rows": [0]}, "rows must have one entry per label"),
        (np.nan * Y, {}, "MRE must be finite"),
    ],
)
def test_what_does_not_fit_is_named(embedding, given, says):
    with pytest.raises(ValueError, match=says):
        save_embeddings("x", {"MRE": embedding}, WORDS, **{"groups": WORDS, **given})
