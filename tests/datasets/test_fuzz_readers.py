"""Every reader on damaged files: the right array or the refusal that it promises, nothing else.

REPRO_FUZZ_EXAMPLES says how many damaged files each reader gets, for a longer campaign; limit its
memory, as in ``(ulimit -v 6000000; REPRO_FUZZ_EXAMPLES=20000 pytest tests/datasets)``.
"""

import gzip
import io
import json
import os
import struct
import tracemalloc
import zipfile
import zlib
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from fake_coil20 import ZIP, FakeCoil20, cached_files, failure_message, png_bytes
from fake_triplets import fake_mnist, fake_music
from hypothesis import HealthCheck, given, settings, strategies as st
from PIL import Image
from scipy.io import loadmat, savemat

from repro.datasets import (
    DatasetUnavailable,
    brendan,
    cache_dir,
    fetch_coil20,
    fetch_letters,
    fetch_mnist,
    fetch_music,
    fetch_usps,
    food,
    layouts,
    letters,
    matfile,
    mnist,
    music,
    registry,
    usps,
)
from repro.datasets.layouts import DamagedData, decode_gray, decode_matlab, read_zip

EXAMPLES = int(os.environ.get("REPRO_FUZZ_EXAMPLES", 60))
fuzzed = settings(
    max_examples=EXAMPLES,
    derandomize=True,  # the same files at every run, so that a failure stays one
    database=None,
    suppress_health_check=list(HealthCheck),
)

# Numbers that are wrong as lengths, in the byte orders and widths of the formats.
LENGTHS = [
    struct.pack(form, number)
    for form in ("<I", ">I", "<Q")
    for number in (0, 1, 2**31 - 1, 2**31, 2**32 - 1)
]


def damage():
    """One kind of damage, where (as a share of the file, or of its first 256 bytes), and more."""
    return st.tuples(
        st.sampled_from(["flip", "set", "cut", "insert", "repeat", "drop", "length", "copy"]),
        st.booleans(),
        st.floats(0, 1, exclude_max=True),
        st.floats(0, 1, exclude_max=True),
        st.binary(min_size=1, max_size=16),
    )


damages = st.lists(damage(), min_size=1, max_size=5)


def damaged(data, what):
    """Apply damages to bytes."""
    data = bytearray(data)
    for kind, in_header, place, other, some in what:
        at = int(place * (min(len(data), 256) if in_header else len(data)))
        there = int(other * len(data))
        if kind == "flip" and data:
            data[at] ^= 1 << (some[0] % 8)
        elif kind == "set":
            data[at : at + 1] = some[:1]
        elif kind == "cut":
            del data[at:]
        elif kind == "insert":
            data[at:at] = some
        elif kind == "repeat":
            data[at:at] = data[there : there + 32 * some[0]]
        elif kind == "drop":
            del data[at : at + some[0]]
        elif kind == "length":
            data[at : at + 4] = LENGTHS[some[0] % len(LENGTHS)]
        elif kind == "copy":
            data[at : at + some[0]] = data[there : there + some[0]]
    return bytes(data)


def mat(compressed=False, **arrays):
    packed = io.BytesIO()
    savemat(packed, arrays, do_compression=compressed)
    return packed.getvalue()


def encoded(form):
    file = io.BytesIO()
    Image.fromarray(np.arange(4096, dtype=np.uint8).reshape(64, 64)).save(file, form)
    return file.getvalue()


_KNOWN = {"a": ("uint8", (3, 40)), "b": ("float64", (5, 2))}
_A, _B = np.arange(120, dtype=np.uint8).reshape(3, 40), np.linspace(0, 1, 10).reshape(5, 2)


def matlab(data):
    return decode_matlab(data, _KNOWN)


# A sound file and its reader, behind every check of a file's bytes.
READERS = {
    "PNG": (encoded("png"), decode_gray),
    "PGM": (encoded("ppm"), decode_gray),
    "JPEG": (encoded("jpeg"), decode_gray),
    "MATLAB": (mat(a=_A, b=_B), matlab),
    "MATLAB, compressed": (mat(True, a=_A, b=_B), matlab),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_read_or_refused(reader):
    data, read = READERS[reader]
    read(data)

    @fuzzed
    @given(damages)
    def check(what):
        try:
            found = read(damaged(data, what))
        except ValueError:
            return
        for array in found.values() if isinstance(found, dict) else [found]:
            assert isinstance(array, np.ndarray)

    check()


@fuzzed
@given(damages)
def test_a_damaged_archive_is_read_or_refused(what):
    members = {"1.png": png_bytes(np.eye(8, dtype=np.uint8)), "2.png": bytes(5000)}
    path = Path(os.environ["PYTEST_FUZZ_FOLDER"]) / "x.zip"
    path.write_bytes(damaged(FakeCoil20.archive(members), what))
    try:
        read = read_zip(path, [f"coil-20-proc/{n}" for n in members], lambda data, _: data)
    except DamagedData as error:
        read, named = None, list(error.reasons)
    # The archive has a check sum of each member, so what is read is right.
    assert read == list(members.values()) if read else named == [path]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_FUZZ_FOLDER", str(tmp_path))


# The whole path: placed in the cache, one file of a set damaged


def fetch_or_refuse(fake, fetch, name, content):
    """Fetch with one file damaged: what comes is right, and nothing wrong stays in the cache."""
    folder = fake.put(cache_dir(), fake.files | {name: content})
    before = set(cache_dir().parent.rglob("*"))
    said = ""
    try:
        fake.check(fetch())
    except DatasetUnavailable as error:
        said = str(error)
    assert (name in said) != (folder / name).exists()
    assert set(cache_dir().parent.rglob("*")) <= before


@pytest.mark.parametrize("kind", ["mnist", "music"])
def test_a_set_with_a_damaged_file_is_right_or_unavailable(nothing, monkeypatch, kind):
    fake, fetch = {
        "mnist": lambda: (fake_mnist(monkeypatch), partial(fetch_mnist, "all")),
        "music": lambda: (fake_music(monkeypatch), fetch_music),
    }[kind]()

    @settings(fuzzed, max_examples=EXAMPLES // 2)
    @given(st.sampled_from(list(fake.files)), damages)
    def check(name, what):
        fetch_or_refuse(fake, fetch, name, damaged(fake.files[name], what))

    check()


@fuzzed
@given(damages)
def test_damaged_letters_are_refused(what):
    line = "T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8\n"
    with pytest.raises(ValueError, match=r"lines of a letter|of shape"):
        letters._decode(damaged(line.encode() * 40, what), "x")


def test_damaged_json_is_refused_by_its_bytes(nothing, monkeypatch):
    screen = {"is_catchtrial": False, "near_answer": ["a"], "images": ["a", "b"], "probe": "b"}
    data = json.dumps([{"HIT_screens": [screen]}]).encode()
    row = registry.Row(len(data), layouts.array_sha256(np.frombuffer(data, np.uint8)), None)
    monkeypatch.setattr(registry, "rows", lambda name: {"raw-json/1.json": row})
    assert food._checked(data, "raw-json/1.json") == data

    @fuzzed
    @given(damages)
    def check(what):
        worse = damaged(data, what)
        if worse != data:
            with pytest.raises(ValueError, match="not those known"):
                food._checked(worse, "raw-json/1.json")

    check()


# Made to deceive


def test_the_same_bytes_of_another_type_are_refused():
    data = mat(a=_A, b=_B)
    of_uint8, of_int8 = (struct.pack("<II", kind, _A.size) for kind in (2, 1))
    assert data.count(of_uint8) == 1
    with pytest.raises(ValueError, match="type int8, not uint8"):
        matlab(data.replace(of_uint8, of_int8))


@given(st.integers(0, 2**16 - 1), st.sampled_from("BbHhIifd"), st.booleans())
@settings(derandomize=True, max_examples=40, database=None)
def test_sound_matlab_files_are_read_as_scipy_reads_them(seed, kind, compressed):
    rng = np.random.default_rng(seed)
    array = (rng.random(rng.integers(0, 5, rng.integers(2, 5))) * 100).astype(kind)
    data = mat(compressed, other="text", x=array, y=array.T)
    found, known = matfile.read_arrays(data, ["x", "y"]), loadmat(io.BytesIO(data))
    for name in "xy":
        np.testing.assert_array_equal(found[name], known[name])
        assert found[name].dtype == known[name].dtype


def test_matlab_files_of_the_other_byte_order_are_read():
    elements = struct.pack(">IIII", 6, 8, 9, 0) + struct.pack(">IIii", 5, 8, 1, 2)
    elements += struct.pack(">HH4s", 1, 1, b"x") + struct.pack(">IIHHI", 4, 4, 258, 3, 0)
    data = bytes(124) + b"\x01\x00MI" + struct.pack(">II", 14, len(elements)) + elements
    np.testing.assert_array_equal(matfile.read_arrays(data, ["x"])["x"], [[258, 3]])


@pytest.mark.parametrize(
    "value", [np.array([[1j]]), {"field": 1}, "text", np.array([["a", 1]], object)]
)
def test_matlab_variables_that_are_no_numbers_are_refused(value):
    with pytest.raises(ValueError, match="no array of real numbers"):
        matfile.read_arrays(mat(x=value), ["x"])


def test_labels_in_another_order_are_refused(nothing, monkeypatch):
    import h5py

    rng, labels = np.random.default_rng(0), np.repeat(np.arange(10), usps.COUNTS)
    images = rng.random((9298, 256)).astype(np.float32)
    row = registry.Row(None, None, layouts.array_sha256(images))
    monkeypatch.setattr(registry, "rows", lambda name: {"usps.h5": row})
    monkeypatch.setattr(usps, "_LABELS_9298", layouts.array_sha256(labels))
    path = nothing / "usps" / "usps.h5"
    path.parent.mkdir()
    for right in (True, False):
        with h5py.File(path, "w") as file:
            for part, rows in (("train", slice(7291)), ("test", slice(7291, None))):
                file[f"{part}/data"] = images[rows]
                file[f"{part}/target"] = np.int32(labels if right else labels[::-1])[rows]
        if right:
            np.testing.assert_array_equal(fetch_usps(variant="9298").labels, labels)
    with pytest.raises(DatasetUnavailable, match="not that of the USPS digits"):
        fetch_usps(variant="9298")


def test_other_letters_beside_the_right_numbers_are_refused(nothing, monkeypatch):
    path = nothing / "letters" / letters._FILE
    path.parent.mkdir()
    features, text = np.full((20_000, 16), 3, np.uint8), np.array(["A", "B"] * 10_000)
    known = {"features": features, "labels": text}
    for name, array in known.items():
        monkeypatch.setitem(registry.ENTRIES["letters"].arrays, name, layouts.array_sha256(array))
    path.write_text("".join(f"{c}{',3' * 16}\n" for c in text))
    np.testing.assert_array_equal(fetch_letters().labels, text)
    path.write_text("".join(f"{c}{',3' * 16}\n" for c in text[::-1]))
    with pytest.raises(DatasetUnavailable, match="labels differ from the known"):
        fetch_letters()


@pytest.mark.parametrize("form", ["eps", "gif", "bmp", "tiff"])
def test_images_of_other_formats_are_refused(form):
    with pytest.raises(ValueError, match="not a readable image"):
        decode_gray(encoded(form))


def test_an_archive_with_members_to_deceive(nothing, monkeypatch):
    """Names that lead elsewhere, links and doubles: only the right names, and their content."""
    fake = FakeCoil20(monkeypatch)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("../out.png", "/out.png", "coil-20-proc/../../out.png", "C:\\out.png"):
            archive.writestr(name, "x")
        link = zipfile.ZipInfo("coil-20-proc/link.png")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        for name, data in [("twice", b"first"), *fake.files.items()]:
            archive.writestr(f"coil-20-proc/{name}", data)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("coil-20-proc/twice", b"second")
    fake.put(cache_dir(), {ZIP: packed.getvalue()})
    np.testing.assert_array_equal(fetch_coil20().images, fake.images)
    assert cached_files() == {ZIP}
    assert not list(nothing.parent.rglob("out.png"))
    link = zipfile.ZipInfo("coil-20-proc/obj1__0.png")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(packed, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(link, "/etc/passwd")
    fake.put(cache_dir(), {ZIP: packed.getvalue()})
    assert "not a readable image" in failure_message()
    assert cached_files() == set()


def test_a_pipe_and_a_folder_in_place_of_a_file(nothing, monkeypatch):
    fake = FakeCoil20(monkeypatch)
    folder = fake.put(cache_dir())
    (folder / "obj1__0.png").unlink()
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes on this system")
    os.mkfifo(folder / "obj1__0.png")
    assert "no regular file" in failure_message(objects=1)
    (folder / "obj1__0.png").unlink(missing_ok=True)
    (folder / "obj1__0.png").mkdir()
    assert "no regular file" in failure_message(objects=1)
    assert (folder / "obj1__0.png").is_dir()


# More than is to be held in memory, in a small file

HUGE = 2**28


def gzip_bomb():
    return gzip.compress(bytes(HUGE), 1), lambda d: mnist._decode(d, "t10k-labels-idx1-ubyte.gz")


def matlab_bomb():
    zeros = zlib.compress(bytes(HUGE), 1)
    data = mat(a=_A)[:128] + struct.pack("<II", 15, len(zeros)) + zeros
    return data, lambda d: brendan._decode(d, "frey_rawface.mat")


def zip_bomb(method=zipfile.ZIP_DEFLATED, size=HUGE):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method, compresslevel=1) as archive:
        archive.writestr("a", bytes(size))
    # It says that it is small, at both places.
    data = packed.getvalue().replace(struct.pack("<I", size), struct.pack("<I", 1000))

    def read(data):
        path = Path(os.environ["PYTEST_FUZZ_FOLDER"]) / "bomb.zip"
        path.write_bytes(data)
        return read_zip(path, ["a"], lambda data, _: data)

    return data, read


def hdf5_bomb(read=lambda d: usps._decode_9298(d, "usps.h5")):
    import h5py

    packed = io.BytesIO()
    with h5py.File(packed, "w") as file:
        for part in ("train", "test"):
            file.create_dataset(f"{part}/data", (HUGE // 1024, 256), "f4", chunks=(1024, 256))
            file.create_dataset(f"{part}/target", (HUGE // 1024,), "i4", chunks=(1024,))
        file.create_dataset("label_matrix", (58, HUGE // 58), "u1", chunks=(58, 1024))
    return packed.getvalue(), read


def text_bomb():
    return b"A" * 2**22 + b"\nB" * 20_000, lambda d: letters._decode(d, "x")


BOMBS = {
    "gzip": gzip_bomb,
    "MATLAB": matlab_bomb,
    "zip, deflated": zip_bomb,
    "zip, bz2": partial(zip_bomb, zipfile.ZIP_BZIP2, HUGE // 16),
    "HDF5": hdf5_bomb,
    "HDF5, tags": partial(hdf5_bomb, music._tags),
    "text": text_bomb,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_file_that_would_fill_the_memory_is_refused(bomb):
    data, read = BOMBS[bomb]()
    tracemalloc.start()
    try:
        with pytest.raises((ValueError, DamagedData)):
            read(data)
        assert tracemalloc.get_traced_memory()[1] < 0.75 * HUGE
    finally:
        tracemalloc.stop()


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(monkeypatch):
    monkeypatch.setattr(layouts, "_MOST_PIXELS", 4095)
    for form in ("png", "ppm", "jpeg"):
        with pytest.raises(ValueError, match="not a readable image"):
            decode_gray(encoded(form))
    monkeypatch.setattr(layouts, "_MOST_PIXELS", 4096)
    assert decode_gray(encoded("png")).shape == (64, 64)


def test_a_file_that_is_too_large_is_not_read(nothing, monkeypatch):
    monkeypatch.setattr(layouts, "LARGEST_FILE", 1000)
    fake = FakeCoil20(monkeypatch)
    fake.put(cache_dir(), {"obj1__0.png": fake.files["obj1__0.png"]})
    assert "obj1__0.png: it is too large" in failure_message(objects=1, views=0)
    path = nothing / "x.zip"
    path.write_bytes(fake.zip)
    monkeypatch.setattr(layouts, "_LARGEST_ARCHIVE", len(fake.zip) - 1)
    with pytest.raises(DamagedData, match="too large"):
        read_zip(path, [], lambda data, _: data)
