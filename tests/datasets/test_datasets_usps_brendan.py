"""USPS digits and Brendan's face: the real sets if they are at hand, stand-ins, bad input."""

import hashlib

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from repro.datasets import (
    DatasetUnavailable,
    cache_dir,
    data_dir,
    fetch_brendan,
    fetch_usps,
    registry,
    usps,
)


def real_folder(monkeypatch, folder):
    if data_dir() is None or not (data_dir() / folder).is_dir():
        pytest.skip(f"REPRO_DATA_DIR is not set, or has no folder {folder}")
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    return data_dir() / folder


def check_usps(data, counts, dtype):
    assert data.images.shape == (sum(counts), 16, 16)
    assert data.images.dtype == dtype
    assert data.images.min() >= 0
    np.testing.assert_array_equal(np.bincount(data.labels), counts)
    np.testing.assert_array_equal(data.X, data.images.reshape(len(data.X), -1))


def test_usps(monkeypatch):
    real_folder(monkeypatch, "usps")
    data = fetch_usps()
    check_usps(data, (1100,) * 10, np.uint8)
    known = registry.ENTRIES["usps"].arrays["images"]
    assert hashlib.sha256(data.images.tobytes()).hexdigest() == known
    np.testing.assert_array_equal(data.labels, np.repeat(np.arange(10), 1100))
    # Upright: a mean 1 is a stroke from top to bottom, a mean 0 has a hole in its middle.
    zero, one = (data.images[data.labels == k].mean(axis=0) for k in (0, 1))
    assert one[:, 7:9].mean() > 3 * one[7:9].mean(axis=0)[[0, 1, 14, 15]].mean()
    assert zero[6:10, 6:10].mean() < 0.5 * zero[6:10, 2:5].mean()


def test_some_digits_are_rows_of_all(monkeypatch):
    real_folder(monkeypatch, "usps")
    data = fetch_usps()
    some = fetch_usps([4, 1])
    np.testing.assert_array_equal(some.labels, np.repeat([4, 1], 1100))
    np.testing.assert_array_equal(some.images[:1100], data.images[data.labels == 4])
    np.testing.assert_array_equal(fetch_usps(7).images, data.images[data.labels == 7])


def test_the_other_usps_is_in_the_order_of_its_file(monkeypatch):
    real_folder(monkeypatch, "usps")
    data = fetch_usps(variant="9298")
    check_usps(data, usps.COUNTS, np.float32)
    assert data.images.max() == 1
    assert len(set(data.labels[:50])) > 5
    np.testing.assert_array_equal(
        fetch_usps([3, 0], "9298").images, data.images[np.isin(data.labels, [0, 3])]
    )


def test_brendan(monkeypatch):
    real_folder(monkeypatch, "brendan")
    data = fetch_brendan()
    assert data.images.shape == (1965, 28, 20)
    assert data.images.dtype == np.uint8
    # A film: the next frame is much nearer than a random one.
    after = np.linalg.norm(np.diff(data.X, axis=0), axis=1).mean()
    random = np.linalg.norm(data.X - np.random.default_rng(0).permutation(data.X), axis=1).mean()
    assert after < 0.6 * random


def test_standins_have_the_shape_of_the_real_sets(standins):
    check_usps(fetch_usps(), (1100,) * 10, np.uint8)
    check_usps(fetch_usps(variant="9298"), usps.COUNTS, np.float32)
    faces = fetch_brendan()
    assert faces.is_standin
    assert (faces.images.shape, faces.images.dtype) == ((1965, 28, 20), np.uint8)
    after = np.linalg.norm(np.diff(faces.X, axis=0), axis=1).mean()
    random = np.linalg.norm(faces.X - np.random.default_rng(0).permutation(faces.X), axis=1).mean()
    assert after < 0.6 * random
    np.testing.assert_array_equal(faces.images, fetch_brendan().images)


@pytest.mark.parametrize(
    ("bad", "error"), [(10, ValueError), ([1, 1], ValueError), ("1", TypeError), (1.0, TypeError)]
)
def test_digits_that_are_not_there(bad, error):
    with pytest.raises(error, match="digits"):
        fetch_usps(bad)


def test_a_variant_that_is_not_there():
    with pytest.raises(ValueError, match="variant must be one of '11000', '9298'"):
        fetch_usps(variant="7291")


@pytest.mark.parametrize(
    ("fetch", "folder", "file", "says"),
    [
        (fetch_brendan, "brendan", "frey_rawface.mat", "not a readable MATLAB file with ff"),
        (fetch_usps, "usps", "usps_all.mat", "not a readable MATLAB file with data"),
        (lambda: fetch_usps(variant="9298"), "usps", "usps.h5", "not a readable HDF5 file"),
    ],
)
def test_damaged_and_missing_files(nothing, fetch, folder, file, says):
    with pytest.raises(DatasetUnavailable, match=file.replace(".", r"\.")):
        fetch()
    path = nothing / folder / file
    path.parent.mkdir()
    path.write_bytes(b"something else")
    with pytest.raises(DatasetUnavailable, match=says):
        fetch()
    assert not path.exists()


def test_only_the_content_is_judged(nothing):
    for pixels in (np.zeros((560, 1965), np.uint8), np.zeros((560, 3), np.uint8)):
        path = cache_dir() / "brendan" / "frey_rawface.mat"
        path.parent.mkdir(exist_ok=True)
        savemat(path, {"ff": pixels})
        with pytest.raises(DatasetUnavailable, match=r"differ from the known|has shape"):
            fetch_brendan()


def test_a_file_written_anew_is_accepted(monkeypatch, tmp_path):
    folder = real_folder(monkeypatch, "brendan")
    pixels = loadmat(folder / "frey_rawface.mat")["ff"]
    expected = fetch_brendan().images
    (tmp_path / "brendan").mkdir()
    savemat(tmp_path / "brendan" / "frey_rawface.mat", {"ff": pixels}, do_compression=True)
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    np.testing.assert_array_equal(fetch_brendan().images, expected)
