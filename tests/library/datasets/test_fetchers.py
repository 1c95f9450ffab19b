"""Every fetcher: its documentation, the bits of the real data, the stand-in and its structure."""

import dataclasses
import hashlib
import inspect
import re
import zipfile
from functools import partial

import numpy as np
import pytest

from repro import datasets, nearest_neighbor_error
from repro.core.neighbors import nearest_neighbors
from repro.datasets import FETCHERS, base, registry
from repro.datasets.triplets import genres, triplets_of_screens

# For each call: the first digits of the sha256 of the decoded arrays.
KNOWN = {
    ("brendan",): {"images": "2438ba4f0d2a6bd8"},
    ("coil20",): {"images": "7274cbacb79ea6c5", "labels": "50ed2ddad13d3631"},
    ("coil20", ("objects", (19, 3)), ("views", range(0, 72, 7))): {"images": "41b2e829364b8cfb"},
    ("food",): {"triplets": "667a228106714e3e", "names": "03c06eb45d2d6894"},
    ("isomap_faces",): {"images": "88a71217169bcd84", "factors": "4885d8e5f9a5207d"},
    ("letters",): {"X": "692f7bb7abde2df4", "labels": "dba5abf3ffd80a85"},
    ("mnist",): {"images": "6d87418db22cc802", "labels": "2fd8de6bdb8d1178"},
    ("mnist", ("part", "all")): {"images": "5b92582eb909c82a", "labels": "818800b46032126b"},
    ("music",): {
        "triplets": "0b9b6579621e27b5",
        "labels": "18c6e30207204b42",
        "factors": "968ae02e00e70ef9",
        "names": "8f4e3bd8cbf7054f",
    },
    ("scenes",): {"labels": "8d017233a1d40663"},
    ("umist",): {"images": "48d74eaeff020071", "labels": "558227c318712936"},
    ("usps",): {"images": "49ccafb7a23943ef", "labels": "7342ec07eaa456ac"},
    ("usps", ("digits", (4, 1))): {"images": "9aeb909c18a32b3e", "labels": "c8dc8f67cdd71e39"},
}


@pytest.mark.parametrize("name", FETCHERS)
def test_a_fetcher_documents_its_parameters_its_arrays_and_their_source(name):
    text = inspect.getdoc(FETCHERS[name])
    parameters = inspect.signature(FETCHERS[name]).parameters
    assert all(words in text for words in ("Returns\n---", "Notes\n---", "Source:"))
    assert "uint8" in text or "float64" in text
    assert set(parameters) <= set(re.findall(r"^(\w+) : ", text, re.MULTILINE))


def test_each_set_of_the_registry_has_a_fetcher_addresses_and_hashes():
    assert set(FETCHERS) == set(registry.ENTRIES)
    assert {f"fetch_{name}" for name in FETCHERS} == {
        name for name in datasets.__all__ if name.startswith("fetch_")
    }
    for entry in registry.ENTRIES.values():
        assert all([entry.title, entry.source, entry.licence, entry.citation, entry.hashes])
        for file, known in entry.hashes.items():
            assert entry.urls(file)
            assert all(len(digest.removeprefix("md5:")) in (32, 64) for digest in known)


@pytest.fixture(autouse=True)
def _no_gist(monkeypatch):
    """Skip the features of the scenes, which take seconds and have their own tests."""
    monkeypatch.setattr(
        "repro.datasets.images.cached_features", lambda images: np.zeros((len(images), 512))
    )


BY_ROW = "images", "X", "labels", "factors", "names"


def sha256(array):
    return hashlib.sha256(np.ascontiguousarray(array)).hexdigest()


def arrays_of(data):
    fields = "images", "X", "triplets", "labels", "factors"
    return {f: a for f in fields if (a := getattr(data, f)) is not None}


@pytest.mark.parametrize("call", KNOWN, ids=str)
def test_the_real_data_are_read_bit_by_bit(call, monkeypatch):
    known, (name, *arguments) = KNOWN[call], call
    fetch = partial(FETCHERS[name], **dict(arguments))
    folder = datasets.data_dir()
    if folder is None or not (folder / registry.ENTRIES[name].folder).is_dir():
        pytest.skip(f"REPRO_DATA_DIR is not set, or has no {name}")
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    data = fetch()
    assert {field: sha256(getattr(data, field))[:16] for field in known} == known
    assert not data.is_standin
    monkeypatch.setenv("REPRO_STANDIN", "1")
    standin = fetch()
    kinds, kinds_standin = (
        {field: (array.shape, array.dtype) for field, array in arrays_of(some).items()}
        for some in (data, standin)
    )
    assert kinds == kinds_standin
    assert standin.factor_names == data.factor_names or name == "music"


@pytest.mark.parametrize("name", FETCHERS)
def test_a_stand_in_is_loud_and_the_same_at_every_call(name, standins):
    data, again = FETCHERS[name](), FETCHERS[name]()
    assert data.is_standin
    assert "STAND-IN" in repr(data)
    assert name in datasets.standins_in_use()
    rows = {len(getattr(data, field)) for field in BY_ROW if getattr(data, field) is not None}
    assert len(rows) <= 1
    assert data.factors is None or data.factors.shape[1] == len(data.factor_names)
    for field, array in arrays_of(data).items():
        assert not array.flags.writeable
        np.testing.assert_array_equal(array, getattr(again, field))


def test_a_turning_object_is_nearest_to_the_next_view(standins):
    views = nearest_neighbors(datasets.fetch_coil20([3]).X) - np.arange(72)
    assert np.isin(np.abs(views), [1, 71]).all()
    person = nearest_neighbors(datasets.fetch_umist("a").X)
    assert (np.abs(person - np.arange(len(person))) == 1).all()


def test_faces_of_like_factors_are_alike(standins):
    faces = datasets.fetch_isomap_faces()
    D = ((faces.X[:, None] - faces.X[None, :200]) ** 2).sum(axis=2)
    F = ((faces.factors[:, None] - faces.factors[None, :200]) ** 2).sum(axis=2)
    assert D[(F < 0.2) & (F > 0)].mean() < 0.3 * D[F > 6].mean()
    assert np.abs(np.corrcoef(faces.factors.T) - np.eye(3)).max() < 0.15


@pytest.mark.parametrize("name", ["coil20", "letters", "mnist", "scenes", "umist"])
def test_classes_can_be_told_apart(name, standins, monkeypatch):
    monkeypatch.setattr("repro.datasets.images.cached_features", lambda images: images[:, 100])
    data = FETCHERS[name]()
    some = np.random.default_rng(0).permutation(len(data.X))[:800]
    assert nearest_neighbor_error(data.X[some], data.labels[some]) < 0.3
    assert len(np.unique(data.X[some], axis=0)) > 0.98 * len(some)


def test_answers_follow_the_planted_groups(standins):
    for data in (datasets.fetch_food(), datasets.fetch_music()):
        group = np.sort(np.arange(100) % 3) if data.labels is None else data.labels
        i, j, k = data.triplets.T
        near, far = group[i] == group[j], group[i] == group[k]
        assert (near & ~far).sum() > 3 * (far & ~near).sum()


@pytest.mark.parametrize(
    ("name", "argument", "wrong"),
    [
        ("coil20", "objects", [[0], 21, []]),
        ("coil20", "views", [[2, 3, 2], 72, [1.0], "3"]),
        ("umist", "person", ["z", ["a", "a"], 3]),
        ("usps", "digits", [10]),
        ("mnist", "part", ["test"]),
    ],
)
def test_what_does_not_exist_is_refused(standins, name, argument, wrong):
    for value in wrong:
        with pytest.raises((ValueError, TypeError), match=f"{argument}|integer"):
            FETCHERS[name](**{argument: value})


def test_rows_are_object_major_in_the_order_asked(standins):
    data = datasets.fetch_coil20(objects=np.array([6, 3]), views=iter((4, 0, 2)))
    np.testing.assert_array_equal(data.labels, [6, 6, 6, 3, 3, 3])
    np.testing.assert_array_equal(data.factors[:, 0], [20, 0, 10, 20, 0, 10])
    assert data.names[:2] == ("obj6__4", "obj6__0")
    whole = datasets.fetch_coil20(objects=[3], views=range(5))
    np.testing.assert_array_equal(data.images[3:], whole.images[[4, 0, 2]])


def test_misfiled_images_are_put_right(standins):
    data = datasets.fetch_umist(["e", "d"])
    assert {"e25", "e26"} <= set(data.names)
    assert not {"d25", "d26"} & set(data.names)
    assert list(data.names) == sorted(data.names, key=lambda name: (name[0], int(name[1:])))


def test_the_official_archives_hold_the_same(monkeypatch, tmp_path):
    if datasets.data_dir() is None:
        pytest.skip("REPRO_DATA_DIR is not set")
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    coil, food = datasets.fetch_coil20([3, 1], [5, 0]), datasets.fetch_food()
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    # Archives made here have other hashes.
    monkeypatch.setattr(datasets.store, "is_intact", lambda _, place, file: (place / file).exists())
    names = sorted(f"images/{k.name}" for k in (datasets.data_dir() / "food100/images").iterdir())
    table = "\n".join("; ".join(names[item] for item in row) for row in food.triplets[::-1])
    for folder, archive, files in (
        ("coil20", "coil-20-proc", [f"{name}.png" for name in coil.names]),
        ("food100", "food100-dataset", names),
    ):
        (tmp_path / folder).mkdir()
        with zipfile.ZipFile(tmp_path / folder / f"{archive}.zip", "w") as packed:
            for file in files:
                packed.write(datasets.data_dir() / folder / file, f"{archive}/{file}")
            packed.writestr("food100-dataset/all-triplets.csv", table)
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("REPRO_DATA_DIR")
    np.testing.assert_array_equal(datasets.fetch_coil20([3, 1], [5, 0]).images, coil.images)
    packed = datasets.fetch_food()
    np.testing.assert_array_equal(packed.triplets, food.triplets)
    np.testing.assert_array_equal(packed.images, food.images)


def test_screens_become_triplets():
    images = ["images/a.jpg", "images/b.jpg", "images/c.jpg", "images/d.jpg"]
    screen = {"probe": images[3], "near_answer": [images[1]], "images": images[:3]}
    screens = [screen | {"is_catchtrial": False}] * 2
    screens += [screen | {"is_catchtrial": True, "probe": "?"}]
    answers = [[{"HIT_screens": screens}]]
    np.testing.assert_array_equal(triplets_of_screens(answers, images), [[3, 1, 0], [3, 1, 2]])


def test_the_first_genre_counts():
    tags = np.zeros((3, 58))
    tags[0, [0, 1]] = 1  # hiphop and rock
    tags[1, 13] = 1
    np.testing.assert_array_equal(genres(tags), ["rock", "metal", "other"])


def test_labelled_sets_are_loaded_by_name(standins):
    wine, digits, letters = map(datasets.load_labelled, ("Wine", "digits", "Letters"))
    assert wine.X.shape == (178, 13)
    np.testing.assert_allclose(wine.X.std(axis=0), 1)
    assert (digits.X.shape, digits.X.max()) == ((1797, 64), 16)
    assert letters.name == "letters"
    assert all(len(np.unique(data.labels)) > 2 for data in (wine, digits, letters))
    with pytest.raises(ValueError, match="'Wine'"):
        datasets.load_labelled("wine")


# The dataclass that they return


def make(**fields):
    return datasets.Dataset(name="x", source="here", licence="none", citation="none", **fields)


def test_rows_are_made_from_images():
    images = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    data = make(images=images)
    assert data.X.dtype == np.float64
    np.testing.assert_array_equal(data.X, images.reshape(2, 12))


def test_arrays_are_read_only_and_the_callers_is_left_alone():
    X = np.zeros((3, 2))
    data = make(X=X)
    with pytest.raises(ValueError, match="read-only"):
        data.X[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.X = X
    X[0] = 1


def test_it_names_shapes_and_terms_and_a_stand_in_is_remembered(monkeypatch):
    monkeypatch.setattr(base, "_standins", set())
    fields = "images", "X", "triplets", "labels", "factors"
    arrays = {field: np.zeros((3, k)) for k, field in enumerate(fields)}
    text = repr(make(**arrays))
    assert all(f"  {field}: (3, {k}) float64\n" in text for k, field in enumerate(fields))
    assert "STAND-IN" not in text
    assert datasets.standins_in_use() == frozenset()
    assert "STAND-IN" in repr(make(**arrays, is_standin=True))
    assert datasets.standins_in_use() == {"x"}


def test_data_sets_are_told_apart_by_identity():
    assert len({make(X=np.zeros((3, 2))), make(X=np.zeros((3, 2)))}) == 2
