"""The files of points from which the site makes its maps."""

import json

import numpy as np
import pytest

from repro.workbench.lessons.saved_embeddings import save_embeddings

RNG = np.random.default_rng(0)
Y, WORDS = 1e5 * RNG.normal(size=(5, 3)), list("abcde")


@pytest.fixture
def figures(tmp_path, monkeypatch):
    # Other tests may have used stand-ins, which would go to a separate folder.
    monkeypatch.setattr("repro.workbench.lessons.saved_embeddings.figures_dir", lambda: tmp_path)
    return tmp_path


def test_points_are_written_with_four_digits_and_where_they_come_from(figures):
    coil = "coil20", {"objects": (3, 6), "views": range(4)}, np.arange(5)
    path = figures / "points" / "x_fig1.json"
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
def test_what_does_not_fit_is_named(figures, embedding, given, says):
    with pytest.raises(ValueError, match=says):
        save_embeddings("x", {"MRE": embedding}, WORDS, **{"groups": WORDS, **given})
