"""Sets of several kinds of files: placed by hand, downloaded, damaged; on small made-up sets."""

import gzip
from functools import partial

import numpy as np
import pytest
from fake_coil20 import serve_files
from fake_triplets import fake_mnist, fake_music

from repro.datasets import DatasetUnavailable, cache_dir, download, fetch_mnist, fetch_music, verify

FAKES = {
    "mnist": (fake_mnist, partial(fetch_mnist, "all")),
    "music": (fake_music, fetch_music),
}


@pytest.fixture(params=FAKES)
def fetched(request, nothing, monkeypatch):
    """A made-up set and its fetcher; an empty cache, no network."""
    make, fetch = FAKES[request.param]
    return make(monkeypatch), fetch


@pytest.fixture
def online(monkeypatch):
    monkeypatch.delenv("REPRO_OFFLINE", raising=False)
    monkeypatch.setattr(download, "PAUSE", 0)
    monkeypatch.setattr(download, "TIMEOUT", 5)


def cached(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_files_placed_by_hand_are_accepted(fetched):
    fake, fetch = fetched
    fake.put(cache_dir())
    fake.check(fetch())
    assert [check.ok for check in verify()] == [True]


def test_files_come_from_their_addresses_and_stay(fetched, online, server):
    fake, fetch = fetched
    fake.entry(mirrors=(server.url_for("/gone/"), serve_files(server, "m", fake.files)))
    fake.check(fetch())
    folder = fake.put(cache_dir(), {})
    assert cached(folder) == set(fake.files)
    asked = len(server.log)
    fake.check(fetch())
    assert len(server.log) == asked == 2 * len(fake.files)


def test_wrong_bytes_at_an_address_are_refused(fetched, online, server):
    fake, fetch = fetched
    name = next(iter(fake.files))
    served = fake.files | {name: b"<html>Please log in</html>"}
    fake.entry(mirrors=(serve_files(server, "w", served),))
    with pytest.raises(DatasetUnavailable, match=f"{name}: wrong sha256"):
        fetch()
    assert name not in cached(fake.put(cache_dir(), {}))


def test_each_damaged_file_is_named_and_deleted_though_others_are_missing(fetched):
    fake, fetch = fetched
    for name, whole in fake.files.items():
        folder = fake.put(cache_dir(), {name: whole[: len(whole) // 2]})
        with pytest.raises(DatasetUnavailable, match=rf"{name.rpartition('/')[2]}.*\(deleted\)"):
            fetch()
        assert cached(folder) == set()


def test_every_damaged_file_is_found_at_once(fetched):
    fake, _ = fetched
    folder = fake.put(cache_dir(), dict.fromkeys(fake.files, b"damaged"))
    assert {check.ok for check in verify()} == {False}
    assert cached(folder) == set()


# MNIST


def test_mnist_compressed_anew_is_accepted_and_other_digits_are_not(nothing, monkeypatch):
    fake = fake_mnist(monkeypatch)
    unpacked = {name: gzip.decompress(data) for name, data in fake.files.items()}
    fake.put(cache_dir(), {name: gzip.compress(data, 1) for name, data in unpacked.items()})
    fake.check(fetch_mnist("all"))
    name = "t10k-labels-idx1-ubyte.gz"
    fake.put(cache_dir(), {name: gzip.compress(unpacked[name][:-1] + b"\x0a")})
    with pytest.raises(DatasetUnavailable, match=f"{name}: its content is not that of MNIST"):
        fetch_mnist()
    assert len(fetch_mnist("train").labels) == 7


def test_all_digits_are_the_training_digits_and_then_the_test_digits(nothing, monkeypatch):
    fake = fake_mnist(monkeypatch)
    fake.put(cache_dir())
    parts = [fetch_mnist(part) for part in ("train", "t10k")]
    np.testing.assert_array_equal(
        np.concatenate([part.images for part in parts]), fake.expected["images"]
    )
    assert parts[0].labels.dtype == np.int64


# Music


def test_a_sound_music_file_of_other_content_is_refused(nothing, monkeypatch):
    fake = fake_music(monkeypatch)
    files = dict(fake.files)
    fake_music(monkeypatch, seed=1)
    fake.put(cache_dir(), files)
    with pytest.raises(DatasetUnavailable, match="triplets, tags differ from the known sha256"):
        fetch_music()


def test_music_tags_of_other_names_are_refused(nothing, monkeypatch):
    fake = fake_music(monkeypatch)
    fake.entry(arrays={"tag_names": "0" * 64})
    fake.put(cache_dir())
    with pytest.raises(DatasetUnavailable, match="tag_names differ from the known sha256"):
        fetch_music()


def test_music_is_counted_from_0(nothing, monkeypatch):
    fake = fake_music(monkeypatch)
    fake.put(cache_dir())
    data = fetch_music()
    assert data.triplets.dtype == np.int64
    assert (data.triplets.min(), data.triplets.max()) == (0, 19)
