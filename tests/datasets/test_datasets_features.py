"""Letter Recognition and Wine: sets of features."""

import hashlib

import numpy as np
import pytest

from repro.datasets import DatasetUnavailable, data_dir, fetch_letters, load_wine, registry


def check_letters(data):
    assert data.X.shape == (20_000, 16)
    assert data.X.dtype == np.float64
    assert 0 <= data.X.min() < data.X.max() <= 15
    np.testing.assert_array_equal(data.X, data.X.round())
    assert sorted(set(data.labels)) == [chr(ord("A") + k) for k in range(26)]


def test_letters(monkeypatch):
    if data_dir() is None or not (data_dir() / "letters").is_dir():
        pytest.skip("REPRO_DATA_DIR is not set, or has no folder letters")
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    data = fetch_letters()
    check_letters(data)
    assert not data.is_standin
    known = registry.ENTRIES["letters"].arrays["features"]
    assert hashlib.sha256(data.X.astype(np.uint8).tobytes()).hexdigest() == known
    assert "".join(data.labels[:5]) == "TIDNG"
    counts = np.unique(data.labels, return_counts=True)[1]
    assert (counts.min(), counts.max()) == (734, 813)


def test_standin_of_letters(standins):
    data = fetch_letters()
    check_letters(data)
    assert data.is_standin


def test_letters_damaged_or_missing(nothing):
    with pytest.raises(DatasetUnavailable, match=r"letter-recognition\.data"):
        fetch_letters()
    path = nothing / "letters" / "letter-recognition.data"
    path.parent.mkdir()
    for content, why in (
        (b"A,1,2", "of shape"),
        (b"A,1,x\n", "not lines of a letter"),
        (("A" + ",3" * 16 + "\n").encode() * 20_000, "differ from the known"),
    ):
        path.write_bytes(content)
        with pytest.raises(DatasetUnavailable, match=why):
            fetch_letters()
        assert not path.exists()


def test_wine():
    data = load_wine()
    assert data.X.shape == (178, 13)
    assert not data.is_standin
    known = "8edcf3903afd97c64d51e0212eb10b213f7943da650574d1c055b836c5c35d37"
    assert hashlib.sha256(np.ascontiguousarray(data.X).tobytes()).hexdigest() == known
    assert [int((data.labels == c).sum()) for c in np.unique(data.labels)] == [59, 71, 48]
