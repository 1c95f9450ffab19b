"""The store against a local server that misbehaves: outcome, words, and no bad file left."""

import dataclasses
import hashlib
import io
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pytest_httpserver import HTTPServer
from werkzeug import Response

from repro.datasets import (
    DatasetUnavailable,
    cache_dir,
    catalogue,
    coil20,
    data_dir,
    download,
    fetch_coil20,
    prefetch,
    registry,
    standins_in_use,
    store,
    verify,
)
from repro.datasets.layouts import DamagedData, array_sha256, decode_gray, few, read_zip

ZIP = "coil-20-proc.zip"


def _png(pixels, **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png", **options)
    return file.getvalue()


class FakeCoil20:
    """Two objects with four views each in place of the real set, known by their hashes."""

    def __init__(self, monkeypatch):
        rng = np.random.default_rng(0)
        self.images = rng.integers(0, 4, (8, 128, 128), dtype=np.uint8)
        names = [f"obj{number}__{view}.png" for number in (1, 2) for view in range(4)]
        self.files = {name: _png(image) for name, image in zip(names, self.images, strict=True)}
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


@pytest.fixture
def fake(monkeypatch, tmp_path):
    for variable in ("REPRO_DATA_DIR", "REPRO_OFFLINE", "REPRO_STANDIN"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(download, "PAUSE", 0)
    monkeypatch.setattr(download, "TIMEOUT", 5)
    return FakeCoil20(monkeypatch)


@pytest.fixture(scope="module")
def running_server():
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture
def server(running_server):
    running_server.clear()
    running_server.no_handler_status_code = 404
    return running_server


def _serve(server, folder, files):
    """Serve files; return the address to which their names are appended."""
    for name, data in files.items():
        server.expect_request(f"/{folder}/{name}").respond_with_data(data)
    return server.url_for(f"/{folder}/")


def _cached():
    folder = cache_dir() / "coil20"
    return {path.name for path in folder.rglob("*")} if folder.is_dir() else set()


def _message(**asked):
    with pytest.raises(DatasetUnavailable) as caught:
        fetch_coil20(**asked)
    return str(caught.value)


# What goes well


def test_a_part_comes_as_single_files_and_stays(fake, server):
    fake.addresses([_serve(server, "m", fake.files)], [server.url_for(f"/{ZIP}")])
    data = fetch_coil20(2, [1, 3])
    np.testing.assert_array_equal(data.images, fake.images[[5, 7]])
    assert _cached() == {"obj2__1.png", "obj2__3.png"}
    assert not data.is_standin
    asked = len(server.log)
    fetch_coil20(2, [3, 1])
    assert len(server.log) == asked == 2


def test_the_whole_comes_as_the_archive_and_is_read_in_place(fake, server):
    fake.addresses([server.url_for("/m/")], [_serve(server, "a", {ZIP: fake.zip}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert _cached() == {ZIP}
    np.testing.assert_array_equal(fetch_coil20(2, 0).images, fake.images[[4]])
    assert len(server.log) == 1


def test_the_whole_comes_as_files_where_the_archive_is_gone(fake, server):
    fake.addresses([_serve(server, "m", fake.files)], [server.url_for("/gone.zip")])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert _cached() == set(fake.files)


def test_a_part_comes_from_the_archive_where_the_files_are_gone(fake, server):
    fake.addresses([server.url_for("/gone/")], [_serve(server, "a", {ZIP: fake.zip}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20(1, 2).images, fake.images[[2]])
    assert _cached() == {ZIP}


def test_files_already_there_are_not_fetched_again(fake, server):
    fake.put(cache_dir(), {"obj1__0.png": fake.files["obj1__0.png"]})
    fake.addresses([_serve(server, "m", fake.files)])
    fetch_coil20(1)
    assert sorted(request.path for request, _ in server.log) == [
        f"/m/obj1__{v}.png" for v in (1, 2, 3)
    ]


# What goes wrong on the way


def test_404_then_the_mirror(fake, server):
    fake.addresses([server.url_for("/gone/"), _serve(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])
    paths = [request.path for request, _ in server.log]
    assert paths == ["/gone/obj1__0.png", "/m/obj1__0.png"]  # a 404 is not tried again


def test_a_file_with_the_wrong_hash_is_refused(fake, server):
    other = _png(fake.images[1])
    fake.addresses([_serve(server, "m", {"obj1__0.png": other})])
    message = _message(objects=1, views=0)
    assert "wrong sha256" in message
    assert f"expected {registry.rows('coil20')['obj1__0.png'].sha256}" in message
    assert f"got {hashlib.sha256(other).hexdigest()}" in message
    assert _cached() == set()


def test_wrong_hash_then_the_mirror(fake, server):
    wrong = _serve(server, "w", {"obj1__0.png": b"<html>Please log in</html>"})
    fake.addresses([wrong, _serve(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])


@pytest.mark.parametrize("how", ["a page", "wrong pixels", "a file too few", "cut"])
def test_a_wrong_archive_is_refused_and_its_mirror_taken(fake, server, how):
    files = dict(fake.files)
    if how == "wrong pixels":
        files["obj2__3.png"] = files["obj1__0.png"]
    if how == "a file too few":
        del files["obj2__3.png"]
    wrong = {"a page": b"<html>", "cut": fake.zip[:-100]}.get(how, fake.archive(files))
    wrong = _serve(server, "w", {ZIP: wrong}) + ZIP
    fake.addresses((), [wrong])
    message = _message()
    assert "wrong content" in message
    assert {
        "a page": "not a sound zip",
        "wrong pixels": "pixels are not those of COIL-20",
        "a file too few": "no member coil-20-proc/obj2__3.png",
        "cut": "not a sound zip",
    }[how] in message
    assert _cached() == set()
    fake.addresses((), [wrong, _serve(server, "a", {ZIP: fake.zip}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)


def test_an_archive_with_a_path_that_escapes(fake, server, tmp_path):
    packed = io.BytesIO(fake.zip)
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("../escaped.txt", "x")
        archive.writestr("/escaped.txt", "x")
        archive.writestr("coil-20-proc/../../escaped.txt", "x")
    fake.addresses((), [_serve(server, "a", {ZIP: packed.getvalue()}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert _cached() == {ZIP}
    assert not list(tmp_path.rglob("escaped*"))


def test_timeout_then_a_second_try(fake, server, monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT", 0.2)
    calls = []

    def slow_once(_request):
        calls.append(1)
        if len(calls) == 1:
            time.sleep(0.6)
        return Response(fake.files["obj1__0.png"])

    server.expect_request("/m/obj1__0.png").respond_with_handler(slow_once)
    fake.addresses([server.url_for("/m/")])
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])
    assert len(calls) == 2
    assert _cached() == {"obj1__0.png"}


def test_a_busy_server_is_tried_again_and_then_reported(fake, server):
    server.expect_request("/m/obj1__0.png").respond_with_data("", status=503)
    fake.addresses([server.url_for("/m/")])
    assert "503 SERVICE UNAVAILABLE (3 tries)" in _message(objects=1, views=0)
    assert len(server.log) == 3


@pytest.fixture
def rude_server():
    """Accept connections and treat them as told: "reset", "cut", "hang" or "close"."""
    listener = socket.create_server(("127.0.0.1", 0))
    held = []

    def answer(manner):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            held.append(connection)
            if manner == "hang":
                continue
            connection.recv(4096)
            if manner == "cut":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\nbeginning")
            if manner == "reset":
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            connection.close()

    def start(manner):
        threading.Thread(target=answer, args=(manner,), daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}/"

    yield start
    listener.close()
    for connection in held:
        connection.close()


@pytest.mark.parametrize(
    ("manner", "words"),
    [
        ("reset", "connection reset (3 tries)"),
        ("cut", "cut off before the end (3 tries)"),
        ("hang", "timed out after 0.2 s (3 tries)"),
        ("close", "connection closed without an answer (3 tries)"),
    ],
)
def test_a_broken_connection_is_told_in_plain_words(fake, rude_server, monkeypatch, manner, words):
    monkeypatch.setattr(download, "TIMEOUT", 0.2)
    fake.addresses([rude_server(manner)])
    assert words in _message(objects=1, views=0)
    assert _cached() == set()


def test_nobody_listens(fake):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    fake.addresses([f"http://127.0.0.1:{port}/"])
    assert "connection refused (3 tries)" in _message(objects=1, views=0)


def test_many_failures_are_summed_up_and_the_rest_not_tried(fake, server, monkeypatch):
    monkeypatch.setattr(download, "WORKERS", 1)
    monkeypatch.setattr(download, "GIVE_UP", 4)
    fake.addresses([server.url_for("/gone/")], [server.url_for("/gone.zip")])
    message = _message()
    assert message.count("404 NOT FOUND") == 4  # three files and the archive
    assert "… and 5 more" in message
    assert 4 < len(server.log) <= 6
    assert download.NOT_TRIED not in message


# Ctrl-C, and two at once


@pytest.fixture
def interruptible():
    """Let SIGINT raise KeyboardInterrupt: a process started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_keeps_the_finished_files_and_a_rerun_goes_on(fake, server, monkeypatch):
    monkeypatch.setattr(download, "WORKERS", 1)
    interrupt = [True]

    def third(_request):
        if interrupt.pop() if interrupt else False:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.2)
        return Response(fake.files["obj1__2.png"])

    server.expect_request("/m/obj1__2.png").respond_with_handler(third)
    fake.addresses([_serve(server, "m", fake.files)])
    with pytest.raises(KeyboardInterrupt):
        fetch_coil20([1, 2], range(3))
    assert _cached() == {"obj1__0.png", "obj1__1.png"}
    assert len(server.log) == 3
    np.testing.assert_array_equal(fetch_coil20(1, range(3)).images, fake.images[:3])
    assert len(server.log) == 4


def test_two_processes_fetch_the_same_file_at_once(fake, server):
    both = threading.Barrier(2, timeout=20)

    def together(_request):
        both.wait()
        return Response(fake.zip)

    server.expect_request(f"/{ZIP}").respond_with_handler(together)
    code = (
        "import sys, pytest\n"
        "from test_datasets_store import FakeCoil20, fetch_coil20\n"
        "with pytest.MonkeyPatch.context() as monkeypatch:\n"
        "    FakeCoil20(monkeypatch).addresses((), [sys.argv[1]])\n"
        "    print(fetch_coil20().images.sum())\n"
    )
    root = Path(__file__).parents[1]
    path = os.pathsep.join([str(root), str(root / "tests"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", code, server.url_for(f"/{ZIP}")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = os.environ | {"PYTHONPATH": path}
    running = [subprocess.Popen(command, env=environment, **pipes) for _ in range(2)]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert out.strip() == str(fake.images.sum()), err
    assert _cached() == {ZIP}


# The folders


@pytest.mark.parametrize("below", ["file", "file/deeper"])
def test_a_cache_that_cannot_be_written(fake, server, monkeypatch, tmp_path, below):
    (tmp_path / "file").write_text("a regular file")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / below))
    fake.addresses([_serve(server, "m", fake.files)])
    message = _message(objects=1)
    assert "cannot write to the cache" in message
    assert str(tmp_path / below) in message
    assert "set REPRO_CACHE_DIR" in message
    assert not server.log


def test_a_full_disk_is_reported_and_leaves_nothing(fake, server, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(download._Sink, "write", full)
    fake.addresses([_serve(server, "m", fake.files)])
    assert "cannot be written: No space left on device" in _message(objects=1, views=0)
    assert _cached() == set()


@pytest.mark.parametrize("value", ["1", "true", "YES"])
def test_offline_tries_no_address_and_says_what_to_do(fake, server, monkeypatch, value):
    monkeypatch.setenv("REPRO_OFFLINE", value)
    fake.addresses([_serve(server, "m", fake.files)], [server.url_for(f"/{ZIP}")])
    message = _message(objects=2, views=range(3))
    folder = cache_dir() / "coil20"
    assert "REPRO_OFFLINE is set" in message
    assert f"Put obj2__0.png … obj2__2.png (3 files), or {ZIP}, into {folder}" in message
    assert f"Put {ZIP}, or obj1__0.png … obj2__3.png (8 files), into {folder}" in _message()
    assert registry.ENTRIES["coil20"].source in message
    assert "REPRO_STANDIN=1" in message
    assert not server.log
    assert not folder.exists()


def test_offline_0_is_online(fake, server, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "0")
    fake.addresses([_serve(server, "m", fake.files)])
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
    message = _message(objects=1)
    assert f"REPRO_DATA_DIR is not a folder ({tmp_path / 'nowhere'})" in message


def test_damage_in_the_data_folder_is_skipped_and_left(fake, server, monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "data"))
    folder = fake.put(tmp_path / "data", fake.files | {"obj1__0.png": b"damaged"})
    fake.addresses([_serve(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1, [0, 1]).images, fake.images[:2])
    assert (folder / "obj1__0.png").read_bytes() == b"damaged"
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "other"))
    assert "obj1__0.png: not a readable image (UnidentifiedImageError) (skipped)" in _message()


@pytest.mark.parametrize("damage", [b"", b"damaged", "cut", "other"])
def test_damage_in_the_cache_is_replaced(fake, server, damage):
    right = fake.files["obj1__1.png"]
    damage = {"cut": right[:-200], "other": fake.files["obj1__0.png"]}.get(damage, damage)
    folder = fake.put(cache_dir(), fake.files | {"obj1__1.png": damage})
    fake.addresses([_serve(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1).images, fake.images[:4])
    assert (folder / "obj1__1.png").read_bytes() == right
    assert len(server.log) == 1


def test_damage_in_the_cache_is_deleted_even_offline(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    fake.put(cache_dir(), {ZIP: fake.zip[:1000]})
    message = _message()
    assert "not a sound zip archive" in message
    assert "(deleted)" in message
    assert _cached() == set()


def test_another_encoding_is_right_if_its_pixels_are(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    coloured = np.repeat(fake.images[0][:, :, None], 3, axis=2)
    fake.put(cache_dir(), {"obj1__0.png": _png(coloured, compress_level=0)})
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])
    brighter = _png(fake.images[0] + np.uint8(1))
    fake.put(cache_dir(), {"obj1__0.png": brighter})
    assert "obj1__0.png: its pixels are not those of COIL-20" in _message(objects=1, views=0)


def test_the_right_pixels_in_another_shape_are_refused(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    fake.put(cache_dir(), {"obj1__0.png": _png(fake.images[0].reshape(64, 256))})
    assert "its pixels are not those" in _message(objects=1, views=0)


def test_the_hash_of_the_whole_is_checked_too(fake, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    fake.put(cache_dir())
    entry = dataclasses.replace(registry.ENTRIES["coil20"], arrays={"images": "0" * 64})
    monkeypatch.setitem(registry.ENTRIES, "coil20", entry)
    fetch_coil20(1)
    assert "the decoded images differ from the known sha256" in _message()


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
    fake.addresses([_serve(server, "m", fake.files)])
    assert prefetch(coil20={"objects": [2], "views": [0]}) == {"coil20": None}
    assert _cached() == {"obj2__0.png"}
    assert prefetch() == {"coil20": None}
    assert _cached() == set(fake.files)
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
    assert _cached() == set(fake.files) - {"obj1__1.png"}
    assert len(verify()) == 3


# The parts


def test_few_names_the_first_and_counts_the_rest():
    assert few("abc") == "a, b, c"
    assert few("abcde") == "a, b, c … and 2 more"
    assert few([]) == ""


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_broken_bytes_are_damage_whatever_they_are(data):
    pixels = np.arange(64, dtype=np.uint8).reshape(8, 8)
    png = bytearray(_png(pixels))
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
