"""UMIST and the Isomap faces: the real sets where they are at hand, their stand-ins, bad input."""

import hashlib
import shutil

import numpy as np
import pytest

from repro.datasets import DatasetUnavailable, data_dir, fetch_isomap_faces, fetch_umist, registry

COUNTS = dict(
    zip("abcdefghijklmnopqrst", [38, 35, 26, 24, 26, 23, 19, 22, 20, 32, 34, 34], strict=False)
)
COUNTS |= dict(zip("mnopqrst", [26, 30, 19, 26, 26, 33, 48, 34], strict=True))


def real(monkeypatch, folder):
    if data_dir() is None or not (data_dir() / folder).is_dir():
        pytest.skip(f"REPRO_DATA_DIR is not set, or has no folder {folder}")
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.setenv("REPRO_OFFLINE", "1")


@pytest.fixture
def umist(monkeypatch):
    real(monkeypatch, "umist")
    return fetch_umist()


@pytest.fixture
def isomap(monkeypatch):
    real(monkeypatch, "isomap_faces")
    return fetch_isomap_faces()


def neighbours_are_nearest(X):
    """Share of the rows whose nearest other row is the next or the previous one."""
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    return np.mean(np.abs(D.argmin(axis=1) - np.arange(len(X))) == 1)


def check_umist(faces):
    assert faces.images.shape == (575, 112, 92)
    assert faces.images.dtype == np.uint8
    assert dict(zip(*np.unique(faces.labels, return_counts=True), strict=True)) == COUNTS
    for person in COUNTS:
        numbers = faces.factors[faces.labels == person, 0]
        assert (np.diff(numbers) > 0).all()
    assert faces.names[0] == "a1"
    assert {"e25", "e26"} <= set(faces.names)
    assert not {"d25", "d26"} & set(faces.names)


def test_umist(umist):
    check_umist(umist)
    assert not umist.is_standin


def test_one_person_is_the_rows_of_all(umist):
    for person in ("a", "d", "e"):
        part = fetch_umist(person)
        np.testing.assert_array_equal(part.images, umist.images[umist.labels == person])
        assert part.names == tuple(name for name in umist.names if name[0] == person)
    np.testing.assert_array_equal(fetch_umist(["t", "a"]).labels[[0, -1]], ["a", "t"])


def test_the_misfiled_images_are_nearer_to_their_person(umist):
    X = umist.X
    moved = [umist.names.index(name) for name in ("e25", "e26")]
    for k in moved:
        apart = ((X - X[k]) ** 2).sum(axis=1)
        apart[moved] = np.inf
        assert umist.labels[apart.argmin()] == "e"


def test_the_chosen_sequence_turns_evenly(umist):
    of_a = umist.X[umist.labels == "a"][7:35]
    assert neighbours_are_nearest(of_a) > 0.9


def test_isomap_faces(isomap):
    assert isomap.images.shape == (698, 32, 32)
    known = registry.ENTRIES["isomap_faces"].arrays
    for name in ("images", "factors"):
        array = np.ascontiguousarray(getattr(isomap, name))
        assert hashlib.sha256(array.tobytes()).hexdigest() == known[name]
    assert isomap.factor_names == ("light", "pan", "tilt")
    assert 0 <= isomap.images.min() < isomap.images.max() <= 1


def test_the_factors_are_what_they_are_called(isomap):
    # Looked at in a mirror, a head keeps its tilt, and turns and is lit the other way.
    mirrored = isomap.images[:, :, ::-1].reshape(698, -1)
    apart = (
        (mirrored**2).sum(axis=1)[:, None] + (isomap.X**2).sum(axis=1) - 2 * mirrored @ isomap.X.T
    )
    nearest = isomap.factors[apart.argmin(axis=1)]
    light, pan, tilt = (
        np.corrcoef(a, b)[0, 1] for a, b in zip(isomap.factors.T, nearest.T, strict=True)
    )
    assert light < -0.5
    assert pan < -0.5
    assert tilt > 0.5


def test_standin_of_umist(standins):
    faces = fetch_umist()
    check_umist(faces)
    assert faces.is_standin
    for person in "aek":
        assert neighbours_are_nearest(faces.X[faces.labels == person]) > 0.9
    means = np.stack([faces.X[faces.labels == person].mean(axis=0) for person in COUNTS])
    apart = ((means[:, None] - means[None]) ** 2).sum(axis=2)
    assert apart[~np.eye(20, dtype=bool)].min() > 0


def test_standin_of_the_isomap_faces(standins):
    faces, again = fetch_isomap_faces(), fetch_isomap_faces()
    np.testing.assert_array_equal(faces.images, again.images)
    assert faces.is_standin
    assert faces.images.shape == (698, 32, 32)
    assert faces.images.dtype == np.float64
    assert 0 <= faces.images.min() < faces.images.max() <= 1
    np.testing.assert_allclose(faces.factors.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(faces.factors.std(axis=0, ddof=1), 1)
    correlations = np.corrcoef(faces.factors.T)
    assert np.abs(correlations[~np.eye(3, dtype=bool)]).max() < 0.15


def test_faces_alike_in_their_factors_are_alike(standins):
    faces = fetch_isomap_faces()
    D = ((faces.X[:, None] - faces.X[None, :200]) ** 2).sum(axis=2)
    F = ((faces.factors[:, None] - faces.factors[None, :200]) ** 2).sum(axis=2)
    near, far = F < 0.2, F > 6
    assert D[near & (F > 0)].mean() < 0.3 * D[far].mean()


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        *(("z", ValueError), ("ab", ValueError), ("", ValueError), ([], ValueError)),
        *((["a", "a"], ValueError), (3, TypeError), ([1], TypeError)),
    ],
)
def test_persons_that_are_not_there(bad, error):
    with pytest.raises(error, match="person"):
        fetch_umist(bad)


def test_without_data_the_message_names_the_files(nothing):
    with pytest.raises(DatasetUnavailable, match=r"a1\.pgm … a38\.pgm \(38 files\)"):
        fetch_umist("a")
    with pytest.raises(DatasetUnavailable, match=r"face_1024\.mat") as refusal:
        fetch_isomap_faces()
    assert "REPRO_STANDIN=1" in str(refusal.value)


def test_a_damaged_file_is_refused_and_deleted(nothing):
    file = nothing / "isomap_faces" / "face_1024.mat"
    file.parent.mkdir()
    file.write_bytes(b"no MATLAB file")
    with pytest.raises(DatasetUnavailable, match="not a readable MATLAB file"):
        fetch_isomap_faces()
    assert not file.exists()


def test_other_factors_are_refused(isomap, nothing, monkeypatch):
    from scipy.io import savemat

    file = nothing / "isomap_faces" / "face_1024.mat"
    file.parent.mkdir()
    pixels = isomap.images.transpose(0, 2, 1).reshape(698, -1).T
    savemat(file, {"dataY": pixels, "dataT": isomap.factors.T})
    assert fetch_isomap_faces().images.shape == (698, 32, 32)  # another file, the same content
    savemat(file, {"dataY": pixels, "dataT": isomap.factors.T + 1e-9})
    with pytest.raises(DatasetUnavailable, match="factors differ"):
        fetch_isomap_faces()
    shutil.rmtree(nothing / "isomap_faces", ignore_errors=True)
