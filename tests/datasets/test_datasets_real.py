"""The real images, where they are at hand."""

import hashlib

import numpy as np
import pytest

from repro.datasets import data_dir, fetch_coil20, registry


@pytest.fixture(scope="module")
def coil20():
    if data_dir() is None or not (data_dir() / "coil20").is_dir():
        pytest.skip("REPRO_DATA_DIR is not set, or has no folder coil20")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("REPRO_STANDIN", raising=False)
        monkeypatch.setenv("REPRO_OFFLINE", "1")
        yield fetch_coil20()


def test_the_whole_set(coil20):
    assert coil20.images.shape == (1440, 128, 128)
    assert coil20.images.dtype == np.uint8
    known = registry.ENTRIES["coil20"].arrays["images"]
    assert hashlib.sha256(coil20.images.tobytes()).hexdigest() == known
    assert not coil20.is_standin


def test_rows_labels_and_order(coil20):
    np.testing.assert_array_equal(coil20.X, coil20.images.reshape(1440, -1))
    np.testing.assert_array_equal(coil20.labels, np.repeat(np.arange(1, 21), 72))
    np.testing.assert_array_equal(coil20.factors[:, 0], np.tile(np.arange(0, 360, 5), 20))
    assert coil20.names[0] == "obj1__0"
    assert coil20.names[-1] == "obj20__71"


def test_a_part_is_rows_of_the_whole(coil20):
    part = fetch_coil20([19, 3], range(0, 72, 7))
    rows = [coil20.names.index(name) for name in part.names]
    assert rows == [72 * (o - 1) + v for o in (19, 3) for v in range(0, 72, 7)]
    np.testing.assert_array_equal(part.images, coil20.images[rows])
    np.testing.assert_array_equal(part.labels, coil20.labels[rows])
    np.testing.assert_array_equal(part.factors, coil20.factors[rows])
