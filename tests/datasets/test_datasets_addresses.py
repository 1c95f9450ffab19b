"""Each address is tried for itself, good or not, and nothing of it is kept."""

import numpy as np
import pytest
from fake_coil20 import ZIP, png_bytes, serve_files
from typer.testing import CliRunner

from repro.__main__ import app
from repro.datasets import cache_dir
from repro.datasets.addresses import check_addresses


def statuses():
    return {check.item: check.status for check in check_addresses()}


def test_every_address_is_tried_though_the_first_is_good(fake, server):
    first, second = (serve_files(server, name, fake.files) for name in "ab")
    archive = serve_files(server, "z", {ZIP: fake.zip}) + ZIP
    fake.addresses([first, second], [archive])
    assert statuses() == {first: "ok: 8 files", second: "ok: 8 files", archive: "ok: 1 files"}
    assert len(server.log) == 17
    assert not cache_dir().exists()


def test_a_bad_address_is_named_beside_the_good(fake, server):
    good, gone = serve_files(server, "a", fake.files), server.url_for("/gone/")
    lacking = serve_files(server, "b", dict(list(fake.files.items())[1:]))
    fake.addresses([good, gone, lacking])
    found = statuses()
    assert found[good] == "ok: 8 files"
    assert found[gone].startswith("failed: 8 of 8 files: ")
    assert found[lacking].startswith("failed: 1 of 8 files: ")
    assert "404" in found[gone]
    assert "obj1__0.png" in found[lacking]


def test_other_bytes_and_other_pixels_are_told_apart(fake, server):
    same_pixels = fake.files | {"obj1__0.png": png_bytes(fake.images[0], compress_level=0)}
    other_pixels = fake.files | {"obj1__0.png": png_bytes(255 - fake.images[0])}
    repacked = serve_files(server, "a", same_pixels)
    fake.addresses([repacked], [serve_files(server, "z", {ZIP: fake.archive(other_pixels)}) + ZIP])
    found = statuses()
    assert "wrong sha256" in found.pop(repacked)
    (archive,) = found.values()
    assert "its pixels are not those" in archive


def test_good_files_in_the_wrong_order_fail_by_the_whole(fake, server):
    """Each file is right, the array of all of them is not: only the second hash shows it."""
    address = serve_files(server, "a", fake.files)
    fake.images = np.ascontiguousarray(fake.images[::-1])
    fake.addresses([address])
    assert "the decoded images differ" in statuses()[address]


def test_only_what_is_asked_and_nothing_unknown(fake):
    assert list(check_addresses("coil20")) == []
    with pytest.raises(ValueError, match="coil20"):
        list(check_addresses("coil21"))


def call():
    return CliRunner().invoke(app, ["verify", "--addresses"], env={"COLUMNS": "80"})


def test_the_command_fails_if_one_address_does(fake, server):
    fake.addresses([serve_files(server, "a", fake.files)])
    assert call().exit_code == 0
    fake.addresses([serve_files(server, "a", fake.files), server.url_for("/gone/")])
    result = call()
    assert result.exit_code == 1
    assert "ok: 8 files" in result.output
    assert "failed" in result.output


def test_the_command_refuses_to_go_on_line_when_told_not_to(fake, server, monkeypatch):
    fake.addresses([serve_files(server, "a", fake.files)])
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    assert call().exit_code == 2
    assert not server.log
