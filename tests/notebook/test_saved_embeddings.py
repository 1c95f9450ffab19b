"""The files of points, from which the site makes its maps."""

import json

import numpy as np
import pytest

from repro.notebook.saved_embeddings import save_embeddings

RNG = np.random.default_rng(0)


@pytest.fixture
def figures(tmp_path, monkeypatch):
    # Whatever other tests of this process did: stand-ins would go to a folder apart.
    monkeypatch.setattr("repro.notebook.saved_embeddings.figures_dir", lambda: tmp_path)
    return tmp_path


def test_points_are_written_with_four_digits_and_where_they_come_from(figures):
    Y, line = 1e5 * RNG.normal(size=(7, 3)), RNG.normal(size=(7, 1))
    save_embeddings(
        "x_fig1",
        {"MRE": Y, "one": line},
        [f"car {k}" for k in range(7)],
        np.repeat(["a", "b"], [3, 4]),
        "coil20",
        {"objects": (3, 6), "views": range(4)},
        np.arange(7),
    )
    path = figures / "points" / "x_fig1.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["set"] == {
        "name": "coil20",
        "arguments": {"objects": [3, 6], "views": [0, 1, 2, 3]},
    }
    assert found["rows"] == list(range(7))
    assert found["groups"] == ["a"] * 3 + ["b"] * 4
    x, y = (np.array(found["maps"]["MRE"][axis]) for axis in "xy")
    np.testing.assert_allclose(np.column_stack([x, y]), Y[:, :2], atol=1e-3 * np.abs(Y).max())
    assert found["maps"]["one"]["y"] == [0.0] * 7
    before = path.read_bytes()
    save_embeddings(
        "x_fig1", {"MRE": Y * (1 + 1e-12), "one": line}, found["labels"], found["groups"]
    )
    assert json.loads(path.read_bytes())["maps"] == json.loads(before)["maps"]


def test_what_does_not_fit_is_named(figures):
    Y, words = RNG.normal(size=(5, 2)), list("abcde")
    with pytest.raises(ValueError, match="MRE must have one entry per label, got 4 for 5"):
        save_embeddings("x", {"MRE": Y[:4]}, words, words)
    with pytest.raises(ValueError, match="groups must have one entry per label"):
        save_embeddings("x", {"MRE": Y}, words, words[:4])
    with pytest.raises(ValueError, match="rows must have one entry per label"):
        save_embeddings("x", {"MRE": Y}, words, words, rows=[0])
    with pytest.raises(ValueError, match="SNE must be finite"):
        save_embeddings("x", {"SNE": np.full((5, 2), np.nan)}, words, words)
