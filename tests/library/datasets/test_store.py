"""The store: where files are searched, damaged files, and downloads."""

import gzip
import hashlib
import os
import threading
import zipfile
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from repro import datasets
from repro.datasets import store
from repro.datasets.registry import Entry

FILES = {"a.txt": b"first", "b.txt": b"second", "c/d.txt": b"third"}


def joined(*paths):
    """Read files as the rows of a data set."""
    return {"X": b"".join(path.read_bytes() for path in paths)}


WHOLE = tuple(FILES), joined


def put(folder, changes=None):
    """Write the files of a small set, with some changed, or left out if None."""
    for name, content in (FILES | (changes or {})).items():
        if content is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    return folder


def load(*forms):
    return store.load("small", *(forms or [WHOLE]), standin=lambda: {"X": b"generated"})


def refusal(*forms):
    with pytest.raises(datasets.DatasetUnavailable) as caught:
        load(*forms)
    return str(caught.value)


@pytest.fixture
def addresses(monkeypatch, tmp_path):
    """Register a set of three files; return a function that sets its addresses."""
    monkeypatch.delenv("REPRO_DATA_DIR", raising=False)
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.setenv("REPRO_OFFLINE", "no")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "RETRIES", 0)
    hashes = {name: [hashlib.sha256(content).hexdigest()] for name, content in FILES.items()}
    small = Entry("small", "Small", "the source", "none", "-", "small", hashes)

    def give(mirrors=("https://m/",), **addresses):
        entry = replace(small, mirrors=mirrors, addresses=addresses)
        monkeypatch.setattr(store, "ENTRIES", {"small": entry})
        return hashes

    give()
    return give


@pytest.fixture
def server(tmp_path):
    """Serve a folder that holds the set; return it, its address and the requests."""
    asked = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    folder = put(tmp_path / "served")
    handler = partial(Handler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        running.daemon_threads = False  # so that the end waits for open connections
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{running.server_port}/", asked
        running.shutdown()


def cached():
    return sorted(path.name for path in datasets.cache_dir().rglob("*") if path.is_file())


# Success


def test_the_data_folder_comes_first_and_is_not_written_to(addresses, monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "data"))
    put(tmp_path / "data" / "small")
    data = load()
    assert data.X == b"firstsecondthird"
    assert (data.name, data.source, data.licence) == ("small", "the source", "none")
    assert (data.citation, data.is_standin) == ("-", False)
    assert not datasets.cache_dir().exists()


def test_what_is_there_in_either_encoding_stays_and_the_rest_is_fetched_once(addresses, server):
    _, url, asked = server
    put(datasets.cache_dir() / "small", {"a.txt": None, "b.txt": b"damaged", "c/d.txt": b"3rd"})
    addresses([url])["c/d.txt"].append(hashlib.sha256(b"3rd").hexdigest())
    for _ in range(2):
        assert load().X == b"firstsecond3rd"
    assert sorted(asked) == ["/a.txt", "/b.txt"]
    assert cached() == ["a.txt", "b.txt", "d.txt"]


def test_of_two_forms_the_one_at_hand_is_read_and_else_the_first_fetched(addresses, server):
    folder, url, asked = server
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.writestr("a.txt", FILES["a.txt"])
    digest = "md5:" + hashlib.md5((folder / "all.zip").read_bytes()).hexdigest()
    hashes = addresses([url + "gone/"], **{"all.zip": [url + "all.zip"]})
    hashes["all.zip"] = [digest]
    packed = ("all.zip",), lambda path: {"X": zipfile.ZipFile(path).read("a.txt")}
    assert load(WHOLE, packed).X == b"first"
    fetched = len(asked)
    assert load(WHOLE, packed).X == b"first"
    assert len(asked) == fetched


def test_a_packed_file_that_a_server_calls_encoded_is_kept_as_it_is(addresses, server, monkeypatch):
    folder, url, _ = server
    packed = gzip.compress(b"first")
    (folder / "a.txt.gz").write_bytes(packed)
    end_headers, accepted = SimpleHTTPRequestHandler.end_headers, []

    def label(handler):
        accepted.append(handler.headers["Accept-Encoding"])
        handler.send_header("Content-Encoding", "gzip")
        end_headers(handler)

    monkeypatch.setattr(SimpleHTTPRequestHandler, "end_headers", label)
    addresses([url])["a.txt.gz"] = [hashlib.sha256(packed).hexdigest()]
    assert packed == load((("a.txt.gz",), joined)).X
    assert accepted == ["identity"]


# Failures


@pytest.mark.parametrize("content", [b"fir", b"other", None], ids=["truncated", "wrong", "missing"])
def test_a_bad_file_is_named_and_never_opened(addresses, monkeypatch, content):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    addresses(["https://m/"])
    folder = put(datasets.cache_dir() / "small", {"a.txt": content})
    message = refusal((tuple(FILES), pytest.fail))
    assert "1 of 3 files are missing or damaged (wrong hash), first a.txt" in message
    assert "REPRO_OFFLINE is set" in message
    assert f"Put a.txt … c/d.txt into {folder}, from addresses such as\nhttps://m/a.txt" in message
    assert "REPRO_STANDIN=1" in message


def test_bad_mirrors_are_told_and_do_not_hide_a_right_one(addresses, server):
    folder, url, _ = server
    put(folder / "wrong", {"a.txt": b"<html>Please log in</html>"})
    bad = ["http://127.0.0.1:9/", url + "gone/", url + "wrong/"]
    addresses(bad)
    message = refusal((("a.txt",), pytest.fail))
    assert "http://127.0.0.1:9/a.txt: ConnectionError" in message
    assert f"{url}gone/a.txt: 404" in message
    assert f"{url}wrong/a.txt: another file" in message
    assert cached() == []
    addresses([*bad, url])
    assert load().X == b"firstsecondthird"


def test_a_failure_that_may_pass_is_tried_again(addresses, server, monkeypatch):
    _, url, asked = server
    monkeypatch.setattr(store, "RETRIES", 1)
    get = SimpleHTTPRequestHandler.do_GET

    def fail_first(handler):
        return get(handler) if asked else handler.send_error(500)

    monkeypatch.setattr(SimpleHTTPRequestHandler, "do_GET", fail_first)
    addresses([url])
    assert load((("a.txt",), joined)).X == b"first"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_others_may_read_a_cache_where_the_umask_lets_them(addresses, server, tmp_path):
    addresses([server[1]])
    before = os.umask(0o002)
    try:
        load()
    finally:
        os.umask(before)
    for path in datasets.cache_dir().rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o775 if path.is_dir() else 0o664), path


def test_a_cache_that_cannot_be_written(addresses, server, tmp_path):
    addresses([server[1]])
    (tmp_path / "cache").write_text("a regular file")
    message = refusal()
    assert f"the download into {datasets.cache_dir() / 'small'} failed" in message
    assert "REPRO_CACHE_DIR may name another folder" in message


# Stand-ins in place of unavailable data


def test_in_jupyter_a_standin_is_taken_and_told(addresses, monkeypatch):
    pytest.importorskip("IPython")
    shown = []
    monkeypatch.setattr("IPython.get_ipython", lambda: type("Shell", (), {"kernel": 1}))
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    data = load()
    assert data.X == b"generated"
    assert data.is_standin
    assert "Small: STAND-IN" in shown[0].data
    assert "a.txt" in shown[0].data
    monkeypatch.setenv("REPRO_STANDIN", "0")
    refusal((("a.txt",), pytest.fail))


def test_the_variable_asks_for_stand_ins_and_a_misspelt_one_is_named(addresses, monkeypatch):
    wanted = dict.fromkeys(("", "0", " 0 ", "false", "OFF", "no"), False)
    wanted |= dict.fromkeys(("1", "true", "Yes", "on", "small, "), True)
    for value, expected in wanted.items():
        monkeypatch.setenv("REPRO_STANDIN", value)
        assert datasets.standin_wanted("small") == expected
    monkeypatch.setenv("REPRO_STANDIN", "smal")
    with pytest.raises(ValueError, match=r"^REPRO_STANDIN: unknown data set 'smal'; known: small"):
        load()


# Prefetching, and folders


def test_prefetch_says_what_could_not_be_had(monkeypatch, nothing):
    pytest.importorskip("IPython")
    assert isinstance(datasets.prefetch("letters"), datasets.DatasetUnavailable)
    assert isinstance(datasets.prefetch("coil20", objects=[1]), datasets.DatasetUnavailable)
    with pytest.raises(ValueError, match=r"name must be one of 'brendan'.*, got 'leters'"):
        datasets.prefetch("leters")
    with monkeypatch.context() as in_jupyter:
        in_jupyter.setattr("IPython.get_ipython", lambda: type("Shell", (), {"kernel": 1}))
        in_jupyter.setattr("IPython.display.display", lambda _: None)
        assert isinstance(datasets.prefetch("letters"), datasets.DatasetUnavailable)
    monkeypatch.setenv("REPRO_STANDIN", "1")
    assert datasets.prefetch("letters") is None


def test_the_folders_follow_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_CACHE_DIR", "~/somewhere")
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path))
    assert datasets.cache_dir() == Path.home() / "somewhere"
    assert datasets.data_dir() == tmp_path
    monkeypatch.delenv("REPRO_CACHE_DIR")
    monkeypatch.setenv("REPRO_DATA_DIR", "")
    assert datasets.cache_dir().name == "repro"
    assert datasets.data_dir() is None
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match=r"REPRO_DATA_DIR is .*nowhere"):
        datasets.data_dir()
