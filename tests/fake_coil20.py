"""A small COIL-20 and a local server for it, for the tests of the store and of downloads."""

import dataclasses
import hashlib
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from repro.datasets import DatasetUnavailable, cache_dir, catalogue, coil20, fetch_coil20, registry
from repro.datasets.layouts import array_sha256

ZIP = "coil-20-proc.zip"


def png_bytes(pixels, **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png", **options)
    return file.getvalue()


class FakeCoil20:
    """Two objects with four views each in place of the real set, known by their hashes."""

    def __init__(self, monkeypatch):
        rng = np.random.default_rng(0)
        self.images = rng.integers(0, 4, (8, 128, 128), dtype=np.uint8)
        names = [f"obj{number}__{view}.png" for number in (1, 2) for view in range(4)]
        self.files = {
            name: png_bytes(image) for name, image in zip(names, self.images, strict=True)
        }
        self.zip = self.archive(self.files)
        rows = {
            name: registry.Row(len(data), hashlib.sha256(data).hexdigest(), array_sha256(image))
            for (name, data), image in zip(self.files.items(), self.images, strict=True)
        }
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(registry, "rows", lambda name: rows)
        monkeypatch.setattr(catalogue, "FETCHERS", {"coil20": coil20.fetch_coil20})
        monkeypatch.setattr(catalogue, "LAYOUTS", {"coil20": coil20.layouts})
        monkeypatch.setattr(coil20, "OBJECTS", range(1, 3))
        monkeypatch.setattr(coil20, "VIEWS", range(4))
        self.addresses()

    def addresses(self, mirrors=(), archives=()):
        entry = dataclasses.replace(
            registry.ENTRIES["coil20"],
            arrays={"images": array_sha256(self.images)},
            mirrors=tuple(mirrors),
            archives=tuple(archives),
        )
        self.monkeypatch.setitem(registry.ENTRIES, "coil20", entry)

    @staticmethod
    def archive(files):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(f"coil-20-proc/{name}", data)
        return packed.getvalue()

    def put(self, root, files=None):
        """Place files by hand below a data folder or a cache."""
        folder = Path(root) / "coil20"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in (files or self.files).items():
            (folder / name).write_bytes(data)
        return folder


def serve_files(server, folder, files):
    """Serve files; return the address to which their names are appended."""
    for name, data in files.items():
        server.expect_request(f"/{folder}/{name}").respond_with_data(data)
    return server.url_for(f"/{folder}/")


def cached_files():
    folder = cache_dir() / "coil20"
    return {path.name for path in folder.rglob("*")} if folder.is_dir() else set()


def failure_message(**asked):
    with pytest.raises(DatasetUnavailable) as caught:
        fetch_coil20(**asked)
    return str(caught.value)
