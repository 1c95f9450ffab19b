"""Downloads from a local server that misbehaves: outcome, words, and no bad file left."""

import hashlib
import io
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from fake_coil20 import ZIP, cached_files, failure_message, png_bytes, serve_files
from werkzeug import Response

from repro.datasets import cache_dir, download, fetch_coil20, registry

# What goes well


def test_a_part_comes_as_single_files_and_stays(fake, server):
    fake.addresses([serve_files(server, "m", fake.files)], [server.url_for(f"/{ZIP}")])
    data = fetch_coil20(2, [1, 3])
    np.testing.assert_array_equal(data.images, fake.images[[5, 7]])
    assert cached_files() == {"obj2__1.png", "obj2__3.png"}
    assert not data.is_standin
    asked = len(server.log)
    fetch_coil20(2, [3, 1])
    assert len(server.log) == asked == 2


def test_the_whole_comes_as_the_archive_and_is_read_in_place(fake, server):
    fake.addresses([server.url_for("/m/")], [serve_files(server, "a", {ZIP: fake.zip}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert cached_files() == {ZIP}
    np.testing.assert_array_equal(fetch_coil20(2, 0).images, fake.images[[4]])
    assert len(server.log) == 1


def test_the_whole_comes_as_files_where_the_archive_is_gone(fake, server):
    fake.addresses([serve_files(server, "m", fake.files)], [server.url_for("/gone.zip")])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert cached_files() == set(fake.files)


def test_a_part_comes_from_the_archive_where_the_files_are_gone(fake, server):
    fake.addresses([server.url_for("/gone/")], [serve_files(server, "a", {ZIP: fake.zip}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20(1, 2).images, fake.images[[2]])
    assert cached_files() == {ZIP}


def test_files_already_there_are_not_fetched_again(fake, server):
    fake.put(cache_dir(), {"obj1__0.png": fake.files["obj1__0.png"]})
    fake.addresses([serve_files(server, "m", fake.files)])
    fetch_coil20(1)
    assert sorted(request.path for request, _ in server.log) == [
        f"/m/obj1__{v}.png" for v in (1, 2, 3)
    ]


# What goes wrong on the way


def test_404_then_the_mirror(fake, server):
    fake.addresses([server.url_for("/gone/"), serve_files(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])
    paths = [request.path for request, _ in server.log]
    assert paths == ["/gone/obj1__0.png", "/m/obj1__0.png"]  # a 404 is not tried again


def test_a_file_with_the_wrong_hash_is_refused(fake, server):
    other = png_bytes(fake.images[1])
    fake.addresses([serve_files(server, "m", {"obj1__0.png": other})])
    message = failure_message(objects=1, views=0)
    assert "wrong sha256" in message
    assert f"expected {registry.rows('coil20')['obj1__0.png'].sha256}" in message
    assert f"got {hashlib.sha256(other).hexdigest()}" in message
    assert cached_files() == set()


def test_wrong_hash_then_the_mirror(fake, server):
    wrong = serve_files(server, "w", {"obj1__0.png": b"<html>Please log in</html>"})
    fake.addresses([wrong, serve_files(server, "m", fake.files)])
    np.testing.assert_array_equal(fetch_coil20(1, 0).images, fake.images[[0]])


@pytest.mark.parametrize("how", ["a page", "wrong pixels", "a file too few", "cut"])
def test_a_wrong_archive_is_refused_and_its_mirror_taken(fake, server, how):
    files = dict(fake.files)
    if how == "wrong pixels":
        files["obj2__3.png"] = files["obj1__0.png"]
    if how == "a file too few":
        del files["obj2__3.png"]
    wrong = {"a page": b"<html>", "cut": fake.zip[:-100]}.get(how, fake.archive(files))
    wrong = serve_files(server, "w", {ZIP: wrong}) + ZIP
    fake.addresses((), [wrong])
    message = failure_message()
    assert "wrong content" in message
    assert {
        "a page": "not a sound zip",
        "wrong pixels": "pixels are not those of COIL-20",
        "a file too few": "no member coil-20-proc/obj2__3.png",
        "cut": "not a sound zip",
    }[how] in message
    assert cached_files() == set()
    fake.addresses((), [wrong, serve_files(server, "a", {ZIP: fake.zip}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)


def test_an_archive_with_a_path_that_escapes(fake, server, tmp_path):
    packed = io.BytesIO(fake.zip)
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("../escaped.txt", "x")
        archive.writestr("/escaped.txt", "x")
        archive.writestr("coil-20-proc/../../escaped.txt", "x")
    fake.addresses((), [serve_files(server, "a", {ZIP: packed.getvalue()}) + ZIP])
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert cached_files() == {ZIP}
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
    assert cached_files() == {"obj1__0.png"}


def test_a_busy_server_is_tried_again_and_then_reported(fake, server):
    server.expect_request("/m/obj1__0.png").respond_with_data("", status=503)
    fake.addresses([server.url_for("/m/")])
    assert "503 SERVICE UNAVAILABLE (3 tries)" in failure_message(objects=1, views=0)
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
    assert words in failure_message(objects=1, views=0)
    assert cached_files() == set()


def test_nobody_listens(fake):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    fake.addresses([f"http://127.0.0.1:{port}/"])
    assert "connection refused (3 tries)" in failure_message(objects=1, views=0)


def test_many_failures_are_summed_up_and_the_rest_not_tried(fake, server, monkeypatch):
    monkeypatch.setattr(download, "WORKERS", 1)
    monkeypatch.setattr(download, "GIVE_UP", 4)
    fake.addresses([server.url_for("/gone/")], [server.url_for("/gone.zip")])
    message = failure_message()
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
    fake.addresses([serve_files(server, "m", fake.files)])
    with pytest.raises(KeyboardInterrupt):
        fetch_coil20([1, 2], range(3))
    assert cached_files() == {"obj1__0.png", "obj1__1.png"}
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
        "from fake_coil20 import FakeCoil20\n"
        "from repro.datasets import fetch_coil20\n"
        "with pytest.MonkeyPatch.context() as monkeypatch:\n"
        "    FakeCoil20(monkeypatch).addresses((), [sys.argv[1]])\n"
        "    print(fetch_coil20().images.sum())\n"
    )
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root), str(root / "tests"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", code, server.url_for(f"/{ZIP}")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = os.environ | {"PYTHONPATH": path}
    running = [subprocess.Popen(command, env=environment, **pipes) for _ in range(2)]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert out.strip() == str(fake.images.sum()), err
    assert cached_files() == {ZIP}
