"""Small MNIST, Food-100, Music and MIT Scenes in place of the real ones, for tests without data."""

import dataclasses
import gzip
import hashlib
import io

import h5py
import numpy as np
from scipy.io import savemat

from repro.datasets import catalogue, registry
from repro.datasets.layouts import array_sha256


class FakeSet:
    """The files of a set, and the registry that knows them by their hashes.

    Attributes
    ----------
    files : dict of str to bytes
    expected : dict of str to ndarray
        What the fetcher should return.
    """

    def __init__(self, monkeypatch, name, files, expected, arrays=None, content=None):
        self.monkeypatch, self.name = monkeypatch, name
        self.files, self.expected = files, expected
        rows = {
            file: registry.Row(
                len(data), hashlib.sha256(data).hexdigest(), (content or {}).get(file)
            )
            for file, data in files.items()
        }
        known = registry.rows
        monkeypatch.setattr(registry, "rows", lambda of: rows if of == name else known(of))
        monkeypatch.setattr(catalogue, "LAYOUTS", {name: catalogue.LAYOUTS[name]})
        self.entry(arrays=arrays or {}, mirrors=(), archives=())

    def entry(self, **changes):
        entry = dataclasses.replace(registry.ENTRIES[self.name], **changes)
        self.monkeypatch.setitem(registry.ENTRIES, self.name, entry)

    def put(self, root, files=None):
        """Place files by hand below a data folder or a cache."""
        folder = root / (registry.ENTRIES[self.name].folder or self.name)
        for name, data in (self.files if files is None else files).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return folder

    def check(self, data):
        """Compare what a fetcher returned with what is expected."""
        assert not data.is_standin
        for field, value in self.expected.items():
            np.testing.assert_array_equal(getattr(data, field), value)


def fake_mnist(monkeypatch):
    """Five test digits and seven training digits, gzipped IDX files as the real ones."""
    rng = np.random.default_rng(0)
    files, content, expected = {}, {}, {}
    for part, n in (("t10k", 5), ("train", 7)):
        images = rng.integers(0, 256, (n, 28, 28), dtype=np.uint8)
        labels = rng.integers(0, 10, n, dtype=np.uint8)
        expected[part] = images, labels
        for name, array in (("images-idx3", images), ("labels-idx1", labels)):
            file = f"{part}-{name}-ubyte.gz"
            files[file] = gzip.compress(_idx(array), mtime=0)
            content[file] = array_sha256(array)
    both = zip(expected["train"], expected["t10k"], strict=True)
    expected = dict(zip(("images", "labels"), map(np.concatenate, both), strict=True))
    return FakeSet(monkeypatch, "mnist", files, expected, content=content)


def _idx(array):
    header = bytes([0, 0, 8, array.ndim])
    return header + np.array(array.shape, dtype=">u4").tobytes() + array.tobytes()


def fake_music(monkeypatch, seed=0):
    """Twenty artists: two MATLAB files, one of them HDF5, and the names."""
    rng = np.random.default_rng(seed)
    triplets = rng.integers(1, 21, (50, 3)).astype(np.uint16)
    tags = (rng.random((20, 58)) < 0.1).astype(np.uint8)
    tag_names = [f"tag {k}" for k in range(57)] + ["r&b"]
    packed = io.BytesIO()
    savemat(packed, {"triplets": triplets})
    lines = ["a_new_found_glory 1 x"] + [f"the_artist_{k} 1 x" for k in range(20)]
    files = {
        "music_triplets.mat": packed.getvalue(),
        "music_labels.mat": _matlab73(tags, [name.replace("&", "&amp;") for name in tag_names]),
        "musician_names.txt": "\n".join(lines).encode(),
    }
    arrays = {"triplets": triplets, "tags": tags, "tag_names": np.array(tag_names)}
    expected = {
        "triplets": triplets.astype(np.int64) - 1,
        "factors": tags,
        "factor_names": tag_names,
        "names": [f"the artist {k}" for k in range(20)],
    }
    hashes = {name: array_sha256(array) for name, array in arrays.items()}
    return FakeSet(monkeypatch, "music", files, expected, hashes)


def _matlab73(tags, names):
    """Lay out a matrix and a cell array of text as MATLAB 7.3 does: HDF5 with references."""
    packed = io.BytesIO()
    with h5py.File(packed, "w") as file:
        file["label_matrix"] = tags.T
        cells = [file.create_dataset(f"#refs#/{k}", data=_codes(n)) for k, n in enumerate(names)]
        file["lablist"] = np.array([[cell.ref for cell in cells]], dtype=h5py.ref_dtype)
    return packed.getvalue()


def _codes(text):
    return np.array([[ord(letter)] for letter in text], dtype=np.uint16)
