"""MNIST, Food-100, Music and MIT Scenes: the real sets if they are at hand, stand-ins, damage."""

import gzip
import json
import shutil
import zipfile

import numpy as np
import pytest

from repro import fraction_satisfied, nearest_neighbor_error
from repro.datasets import (
    DatasetUnavailable,
    data_dir,
    fetch_food,
    fetch_mnist,
    fetch_music,
    fetch_scenes,
    food,
    music,
    planted,
    registry,
    store,
)
from repro.datasets.gist import SIDE, gabor_filters, gist
from repro.tete.triplets import contradictions, degenerate


def real_folder(monkeypatch, folder):
    if data_dir() is None or not (data_dir() / folder).is_dir():
        pytest.skip(f"REPRO_DATA_DIR is not set, or has no folder {folder}")
    monkeypatch.delenv("REPRO_STANDIN", raising=False)
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    return data_dir() / folder


# The real sets


def test_music(monkeypatch):
    real_folder(monkeypatch, "music")
    data = fetch_music()
    assert data.triplets.shape == (9107, 3)
    assert degenerate(data.triplets).sum() == 17
    used = np.unique(data.triplets)
    assert (used.min(), used.max(), len(used)) == (0, 411, 400)
    counts = dict(zip(*np.unique(data.labels[used], return_counts=True), strict=True))
    assert counts == {
        "rock": 237,
        "metal": 16,
        "pop": 68,
        "dance": 19,
        "hiphop": 29,
        "jazz": 3,
        "country": 10,
        "reggae": 4,
        "other": 14,
    }
    assert data.names[-1] == "zz top"
    assert data.factors.shape == (412, 58)
    assert data.factor_names[0] == "r&b"
    of_artist = dict(zip(data.names, data.labels, strict=True))
    assert of_artist["metallica"] == "rock"  # by its tag hard rock: the first genre counts
    assert of_artist["wyclef jean"] == "hiphop"
    assert not data.is_standin


def test_food(monkeypatch):
    real_folder(monkeypatch, "food100")
    data = fetch_food()
    assert data.triplets.shape == (190376, 3)
    assert not degenerate(data.triplets).any()
    assert contradictions(data.triplets).sum() == 2 * 9349
    assert data.images.shape == (100, 96, 96, 3)
    assert sum(name == "" for name in data.names) == 7
    place = data.names.index("Chocolate Hazelnut Biscotti")
    assert "hazelnuts" in data.keywords[place]
    assert np.nanmin(data.factors) >= 0
    assert np.nanmax(data.factors) <= 100
    assert np.isnan(data.factors).all(axis=1).sum() >= 7


@pytest.mark.parametrize(("part", "n"), [("t10k", 10_000), ("train", 60_000), ("all", 70_000)])
def test_mnist(monkeypatch, part, n):
    real_folder(monkeypatch, "mnist")
    data = fetch_mnist(part)
    assert data.images.shape == (n, 28, 28)
    assert data.images.dtype == np.uint8
    np.testing.assert_array_equal(data.labels[:3], [7, 2, 1] if part == "t10k" else [5, 0, 4])
    assert set(data.labels) == set(range(10))


def test_scenes(monkeypatch):
    real_folder(monkeypatch, "scenes")
    data = fetch_scenes()
    assert data.images.shape == (800, 200, 200)
    assert data.X.shape == (800, 512)
    assert set(np.unique(data.labels, return_counts=True)[1]) == {100}
    # Chance is 0.875; the features tell most scenes apart.
    assert nearest_neighbor_error(data.X, data.labels) < 0.35


# Damage and other forms


def test_an_mnist_file_compressed_anew_is_accepted_and_a_damaged_one_is_not(monkeypatch, tmp_path):
    source = real_folder(monkeypatch, "mnist")
    folder = tmp_path / "data" / "mnist"
    folder.mkdir(parents=True)
    for name in ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"):
        data = gzip.decompress((source / name).read_bytes())
        (folder / name).write_bytes(gzip.compress(data, 1))
    monkeypatch.setenv("REPRO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path / "cache"))
    assert len(fetch_mnist().labels) == 10_000
    whole = (folder / name).read_bytes()
    for bad, words in ((whole[:-9], "not a whole gzip"), (gzip.compress(b"\0" * 99), "content")):
        (folder / name).write_bytes(bad)
        with pytest.raises(DatasetUnavailable, match=words):
            fetch_mnist()


def test_damaged_music_is_refused_and_deleted_from_the_cache(monkeypatch, tmp_path):
    source = real_folder(monkeypatch, "music")
    monkeypatch.delenv("REPRO_DATA_DIR")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path))
    shutil.copytree(source, tmp_path / "music", copy_function=shutil.copyfile)
    assert len(fetch_music().triplets) == 9107
    for name in ("music_triplets.mat", "music_labels.mat", "musician_names.txt"):
        path = tmp_path / "music" / name
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(DatasetUnavailable, match=name):
            fetch_music()
        assert not path.exists()
        path.write_bytes(whole)


def test_food_from_an_archive_placed_by_hand(monkeypatch, tmp_path):
    source = real_folder(monkeypatch, "food100")
    expected = fetch_food()
    monkeypatch.delenv("REPRO_DATA_DIR")
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path))
    (tmp_path / "food100").mkdir()
    images = sorted(path.name for path in (source / "images").iterdir())
    table = "\n".join("; ".join(f"images/{images[i]}" for i in t) for t in expected.triplets)
    path = tmp_path / "food100" / "food100-dataset.zip"

    def write(table):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("food100-dataset/all-triplets.csv", table)
            for name in images:
                archive.write(source / "images" / name, f"food100-dataset/images/{name}")

    write(table)
    found = fetch_food()
    np.testing.assert_array_equal(found.triplets, expected.triplets)
    np.testing.assert_array_equal(found.images, expected.images)
    for wrong in (table.partition("\n")[2], table.replace(images[3], "nothing.jpg")):
        write(wrong)
        with pytest.raises(DatasetUnavailable, match="sha256|unknown image"):  # noqa: RUF043
            fetch_food()
        assert not path.exists()


@pytest.mark.parametrize("fetch", [fetch_food, fetch_mnist, fetch_music, fetch_scenes])
def test_without_data_the_message_says_what_to_do(nothing, fetch):
    with pytest.raises(DatasetUnavailable, match="REPRO_STANDIN=1"):
        fetch()


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="part must be one of"):
        fetch_mnist("test")


def test_folders_of_other_names(nothing):
    assert store.places("food")[0][0].name == "food100"
    assert store.places("music")[0][0].name == "music"


def test_screens_become_triplets():
    images = ["images/a.jpg", "images/b.jpg", "images/c.jpg", "images/d.jpg"]
    screen = {
        "probe": images[3],
        "near_answer": [images[1]],
        "images": images[:3],
        "is_catchtrial": False,
    }
    answers = [[{"HIT_screens": [screen, screen, screen | {"is_catchtrial": True, "probe": "?"}]}]]
    answers = json.loads(json.dumps(answers))
    np.testing.assert_array_equal(
        food._triplets_of_screens(answers, images), [[3, 1, 0], [3, 1, 2]]
    )


def test_the_first_genre_counts():
    tags = np.zeros((3, 58))
    tags[0, [0, 1]] = 1  # hiphop and rock
    tags[1, 13] = 1
    np.testing.assert_array_equal(music.genres(tags), ["rock", "metal", "other"])


# Stand-ins


def test_simulated_answers_follow_the_planted_points(standins):
    dishes, artists = fetch_food(), fetch_music()
    assert dishes.triplets.shape == (190376, 3)
    assert artists.triplets.shape == (9107, 3)
    for data in (dishes, artists):
        assert data.is_standin
        assert not degenerate(data.triplets).any()
    assert contradictions(dishes.triplets).any()
    group = np.array([words[0] for words in dishes.keywords])
    i, j, k = dishes.triplets.T
    same_near, same_far = group[i] == group[j], group[i] == group[k]
    assert (same_near & ~same_far).sum() > 3 * (same_far & ~same_near).sum()
    i, j, k = artists.triplets.T
    same_near, same_far = (artists.labels[i] == artists.labels[q] for q in (j, k))
    assert (same_near & ~same_far).sum() > 3 * (same_far & ~same_near).sum()


def test_answers_are_better_than_chance_and_not_perfect():
    rng = np.random.default_rng(0)
    points = planted.planted_points(np.arange(60) % 3, rng)
    drawn = planted._draw(60, 4000, rng)
    assert not degenerate(drawn).any()
    assert {tuple(sorted(t)) for t in planted._draw(3, 50, rng).tolist()} == {(0, 1, 2)}
    assert 0.45 < fraction_satisfied(points, drawn) < 0.55
    assert 0.7 < fraction_satisfied(points, planted.answers(points, drawn, rng)) < 0.98


def test_digits_of_the_stand_in_can_be_told_apart(standins):
    data = fetch_mnist()
    assert data.images.shape == (10_000, 28, 28)
    assert data.images.dtype == np.uint8
    assert nearest_neighbor_error(data.X[:1500], data.labels[:1500]) < 0.3
    assert len(np.unique(data.X[:1500], axis=0)) > 1490


def test_textures_of_the_stand_in_can_be_told_apart(standins):
    data = fetch_scenes()
    assert data.images.shape == (800, 200, 200)
    assert data.images.dtype == np.uint8
    assert nearest_neighbor_error(data.X, data.labels) < 0.35


def test_the_same_stand_ins_at_every_call(standins):
    for fetch in (fetch_food, fetch_music, fetch_mnist):
        first, second = fetch(), fetch()
        for field in ("triplets", "images", "labels", "factors"):
            np.testing.assert_array_equal(getattr(first, field), getattr(second, field))


def test_hashes_are_known_for_every_file_that_can_be_downloaded():
    for name in ("food", "scenes", "music", "mnist"):
        rows = registry.rows(name)
        assert rows
        assert all(row.sha256 or row.array_sha256 for row in rows.values())


# GIST


def grating(angle, frequency=0.15, side=200):
    y, x = np.mgrid[:side, :side]
    wave = np.cos(2 * np.pi * frequency * (x * np.cos(angle) + y * np.sin(angle)))
    return 128 + 100 * wave


def test_gist_finds_the_orientation_of_a_grating():
    angles = np.pi * np.arange(8) / 8
    features = gist(np.stack([grating(angle) for angle in angles]))
    by_orientation = features.reshape(8, 4, 8, 16).sum(axis=(1, 3))
    # A filter is turned the other way than the frequency that it passes.
    np.testing.assert_array_equal(by_orientation.argmax(axis=1), -np.arange(8) % 8)


def test_gist_finds_the_scale_of_a_grating():
    found = gist(np.stack([grating(0.0, f) for f in (0.15, 0.03)])).reshape(2, 4, -1).sum(axis=2)
    assert found[0].argmax() < found[1].argmax()


def test_gist_finds_the_place_of_a_texture():
    image = np.full((SIDE, SIDE), 100.0)
    image[:32, -32:] += 80 * (np.indices((32, 32)).sum(axis=0) % 4 < 2)
    blocks = gist(image[None]).reshape(32, 16).sum(axis=0)
    assert blocks.argmax() == 3


def test_gist_does_not_depend_on_contrast_much_nor_on_the_batch():
    rng = np.random.default_rng(0)
    images = rng.integers(20, 200, (3, 60, 80)).astype(np.uint8)
    features = gist(images)
    assert features.shape == (3, 512)
    assert features.dtype == np.float64
    np.testing.assert_array_equal(features[1], gist(images[1:2])[0])
    dimmed = gist(images * 0.5)
    assert np.corrcoef(dimmed[0], features[0])[0, 1] > 0.98
    with pytest.raises(ValueError, match="images"):
        gist(images[0])


def test_gabor_filters_pass_one_half_of_the_plane():
    filters = gabor_filters(64)
    assert filters.shape == (32, 64, 64)
    assert filters.max() <= 1.0
    np.testing.assert_allclose(filters[:, 0, 0], 0, atol=0.04)  # brightness hardly passes
    first = filters[0]
    assert first[0, 1:32].max() > 100 * first[0, 33:].max()
