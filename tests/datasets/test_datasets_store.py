"""The store: its folders, damage, what is fetched beforehand and verified afterwards."""

import dataclasses
import tempfile
from pathlib import Path

import numpy as np
import pytest
from fake_coil20 import ZIP, FakeCoil20, cached_files, failure_message, png_bytes, serve_files
from hypothesis import given, settings, strategies as st

from repro.datasets import (
    DatasetUnavailable,
    cache_dir,
    data_dir,
    download,
    fetch_coil20,
    prefetch,
    registry,
    standins_in_use,
    store,
    verify,
)
from repro.datasets.layouts import DamagedData, decode_gray, few, read_zip

# The folders


@pytest.mark.parametrize("below", ["file", "file/deeper"])
def test_a_cache_that_cannot_be_written(fake, server, monkeypatch, tmp_path, below):
    (tmp_path / "file").write_text("a regular file")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / below))
    fake.addresses([serve_files(server, "m", fake.files)])
    message = failure_message(objects=1)
    assert "cannot write to the cache" in message
    assert str(tmp_path / below) in message
    assert "set REPRO_CACHE_DIR" in message
    assert not server.log


def test_a_full_disk_is_reported_and_leaves_nothing(fake, server, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(download._Sink, "write", full)
    fake.addresses([serve_files(server, "m", fake.files)])
    assert "cannot be written: No space left on device" in failure_message(objects=1, views=0)
    assert cached_files() == set()


@pytest.mark.parametrize("value", ["1", "true", "YES"])
def test_offline_tries_no_address_and_says_what_to_do(fake, server, monkeypatch, value):
    monkeypatch.setenv("REPRO_OFFLINE", value)
    fake.addresses([serve_files(server, "m", fake.files)], [server.url_for(f"/{ZIP}")])
    message = failure_message(objects=2, views=range(3))
    folder = cache_dir() / "coil20"
    assert "REPRO_OFFLINE is set" in message
    assert f"Put obj2__0.png … obj2__2.png (3 files), or {ZIP}, into {folder}" in message
    assert f"Put {ZIP}, or obj1__0.png … obj2__3.png (8 files), into {folder}" in failure_message()
    assert registry.ENTRIES["coil20"].source in message
    assert "REPRO_STANDIN=1" in message
    assert not server.log
    assert not folder.exists()


def test_offline_0_is_online(fake, server, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "0")
    fake.addresses([serve_files(server, "m", fake.files)])
    fetch_coil20(1, 0)


def test_the_data_folder_comes_first_and_is_not_written_to(fake, monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "data"))
    folder = fake.put(tmp_path / "data")
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert not cache_dir().exists()


def test_a_data_folder_that_is_none(fake, monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "nowhere"))
    message = failure_message(objects=1)
    assert f"REPRO_DATA_DIR is not a folder ({tmp_path / 'nowhere'})" in message


def test_damage_in_the_data_folder_is_skipped_and_left(fake, server, monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "data"))
    folder = fake.put(tmp_path / "data", fake.files | {"obj1__0.png": b"damaged"})
    fake.addresses([serve_files(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1, [0, 1]).images, fake.images[:2])
    assert (folder / "obj1__0.png").read_bytes() == b"damaged"
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "other"))
    assert (
        "obj1__0.png: not a readable image (UnidentifiedImageError) (skipped)" in failure_message()
    )


@pytest.mark.parametrize("damage", [b"", b"damaged", "cut", "other"])
def test_damage_in_the_cache_is_replaced(fake, server, damage):
    right = fake.files["obj1__1.png"]
    damage = {"cut": right[:-200], "other": fake.files["obj1__0.png"]}.get(damage, damage)
    folder = fake.put(cache_dir(), fake.files | {"obj1__1.png": damage})
    fake.addresses([serve_files(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1).images, fake.images[:4])
    assert (folder / "obj1__1.png").read_bytes() == right
    assert len(server.log) == 1


def test_damage_in_the_cache_is_deleted_even_offline(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    fake.put(cache_dir(), {ZIP: fake.zip[:1000]})
    message = failure_message()
    assert "not a sound zip archive" in message
    assert "(deleted)" in message
    assert cached_files() == set()


def test_another_encoding_is_right_if_its_pixels_are(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    coloured = np.repeat(fake.images[0][:, :, None], 3, axis=2)
    fake.put(cache_dir(), {"obj1__0.png": png_bytes(coloured, compress_level=0)})
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])
    brighter = png_bytes(fake.images[0] + np.uint8(1))
    fake.put(cache_dir(), {"obj1__0.png": brighter})
    assert "obj1__0.png: its pixels are not those of COIL-20" in failure_message(objects=1, views=0)


def test_the_right_pixels_in_another_shape_are_refused(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    fake.put(cache_dir(), {"obj1__0.png": png_bytes(fake.images[0].reshape(64, 256))})
    assert "its pixels are not those" in failure_message(objects=1, views=0)


def test_the_hash_of_the_whole_is_checked_too(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    fake.put(cache_dir())
    entry = dataclasses.replace(registry.ENTRIES["coil20"], arrays={"images": "0" * 64})
    monkeypatch.setitem(registry.ENTRIES, "coil20", entry)
    fetch_coil20(1)
    assert "the decoded images differ from the known sha256" in failure_message()


def test_the_folders_follow_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_CACHE_DIR", "~/somewhere")
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path))
    assert cache_dir() == Path.home() / "somewhere"
    assert data_dir() == tmp_path
    monkeypatch.delenv("REPRO_CACHE_DIR")
    monkeypatch.setenv("REPRO_DATA_DIR", "")
    assert cache_dir().name == "repro"
    assert data_dir() is None


# Beforehand, and afterwards


def test_prefetch_fetches_what_is_asked_and_reports_what_it_could_not(fake, server):
    fake.addresses([serve_files(server, "m", fake.files)])
    assert prefetch(coil20={"objects": [2], "views": [0]}) == {"coil20": None}
    assert cached_files() == {"obj2__0.png"}
    assert prefetch() == {"coil20": None}
    assert cached_files() == set(fake.files)
    assert "coil20" not in standins_in_use()


def test_prefetch_returns_the_failure(fake):
    assert isinstance(prefetch(["coil20"])["coil20"], DatasetUnavailable)


@pytest.mark.parametrize("call", [lambda: prefetch(["coil2"]), lambda: prefetch(coil2={})])
def test_prefetch_refuses_a_misspelt_name(call):
    with pytest.raises(ValueError, match=r"'coil2'.*Did you mean 'coil20'\? Known: .*coil20"):
        call()


def test_prefetch_passes_bad_arguments_on(fake):
    with pytest.raises(ValueError, match="objects"):
        prefetch(coil20={"objects": [99]})


def test_verify_reports_all_that_is_there(fake, monkeypatch, tmp_path):
    assert verify() == []
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "data"))
    data = fake.put(tmp_path / "data", {"obj1__0.png": b"x", ZIP: fake.zip})
    cache = fake.put(cache_dir(), fake.files | {"obj1__1.png": b"x", ZIP: b"x"})
    found = {check.item: check for check in verify()}
    assert {check.dataset for check in found.values()} == {"coil20"}
    assert found[f"{data} ({ZIP})"].status == "ok: 1 of 1 files"
    assert found[f"{cache} (single files)"].status == "ok: 7 of 8 files"
    bad = {Path(item) for item, check in found.items() if not check.ok}
    assert bad == {data / "obj1__0.png", cache / "obj1__1.png", cache / ZIP}
    assert "not a readable image" in found[str(data / "obj1__0.png")].status
    assert (data / "obj1__0.png").exists()
    assert cached_files() == set(fake.files) - {"obj1__1.png"}
    assert len(verify()) == 3


# The parts


def test_few_names_the_first_and_counts_the_rest():
    assert few("abc") == "a, b, c"
    assert few("abcde") == "a, b, c … and 2 more"
    assert few([]) == ""


@settings(max_examples=50)
@given(st.data())
def test_broken_bytes_are_damage_whatever_they_are(data):
    pixels = np.arange(64, dtype=np.uint8).reshape(8, 8)
    png = bytearray(png_bytes(pixels))
    packed = bytearray(FakeCoil20.archive({"a.png": bytes(png)}))
    for broken in (png, packed):
        for _ in range(data.draw(st.integers(1, 5))):
            broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    error = _raised(decode_gray, bytes(png))
    assert error is None or "not a readable image" in str(error)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.zip"
        path.write_bytes(packed)
        error = _raised(read_zip, path, ["coil-20-proc/a.png"], lambda data, _: decode_gray(data))
    assert error is None or (isinstance(error, DamagedData) and list(error.reasons) == [path])


def _raised(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        return error
    return None


def test_a_huge_member_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("repro.datasets.layouts._LARGEST_MEMBER", 100)
    (tmp_path / "x.zip").write_bytes(FakeCoil20.archive({"a": bytes(101)}))
    with pytest.raises(DamagedData, match="too large"):
        read_zip(tmp_path / "x.zip", ["coil-20-proc/a"], lambda data, name: data)


def test_the_real_registry_is_whole():
    rows = registry.rows("coil20")
    assert list(rows) == [f"obj{o}__{v}.png" for o in range(1, 21) for v in range(72)]
    assert len({row.array_sha256 for row in rows.values()}) > 1400
    assert all(len(row.sha256) == len(row.array_sha256) == 64 for row in rows.values())
    assert store.places("coil20")[-1][0].name == "coil20"
