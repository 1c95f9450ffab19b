"""GIST: gratings and textures are found by their orientation, scale and place."""

import numpy as np
import pytest

from repro.core.environment import this_environment
from repro.datasets import images as image_sets
from repro.datasets.gist import SIDE, gabor_filters, gist_features


def grating(angle, frequency=0.15, side=200):
    y, x = np.mgrid[:side, :side]
    wave = np.cos(2 * np.pi * frequency * (x * np.cos(angle) + y * np.sin(angle)))
    return 128 + 100 * wave


def test_gist_finds_the_orientation_and_the_scale_of_a_grating():
    gratings = [grating(angle) for angle in np.pi * np.arange(8) / 8] + [grating(0.0, 0.03)]
    features = gist_features(np.stack(gratings)).reshape(9, 4, 8, 16)  # scale, orientation, block
    # A filter is rotated opposite to the frequency that it passes.
    orientation = features[:8].sum(axis=(1, 3)).argmax(axis=1)
    np.testing.assert_array_equal(orientation, -np.arange(8) % 8)
    scale = features.sum(axis=(2, 3)).argmax(axis=1)
    assert scale[0] < scale[8]


def test_gist_finds_the_place_of_a_texture():
    image = np.full((SIDE, SIDE), 100.0)
    image[:32, -32:] += 80 * (np.indices((32, 32)).sum(axis=0) % 4 < 2)
    blocks = gist_features(image[None]).reshape(32, 16).sum(axis=0)
    assert blocks.argmax() == 3


def test_gist_does_not_depend_on_contrast_much_nor_on_the_batch():
    rng = np.random.default_rng(0)
    images = rng.integers(20, 200, (3, 60, 80)).astype(np.uint8)
    features = gist_features(images)
    assert features.shape == (3, 512)
    assert features.dtype == np.float64
    np.testing.assert_array_equal(features[1], gist_features(images[1:2])[0])
    dimmed = gist_features(images * 0.5)
    assert np.corrcoef(dimmed[0], features[0])[0, 1] > 0.98
    with pytest.raises(ValueError, match="images"):
        gist_features(images[0])


def test_gabor_filters_pass_one_half_of_the_plane():
    filters = gabor_filters(64)
    assert filters.shape == (32, 64, 64)
    assert filters.max() <= 1.0
    np.testing.assert_allclose(filters[:, 0, 0], 0, atol=0.04)  # brightness hardly passes
    first = filters[0]
    assert first[0, 1:32].max() > 100 * first[0, 33:].max()


def test_features_of_another_processor_are_not_taken_from_a_shared_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("REPRO_CACHE_DIR", str(tmp_path))
    grey = np.random.default_rng(0).integers(0, 255, (1, 40, 40))
    here = this_environment()
    computed = []
    for environment in (here, here, here | {"processor": "another"}):
        monkeypatch.setattr(image_sets, "this_environment", lambda found=environment: found)
        np.testing.assert_array_equal(image_sets.cached_features(grey), gist_features(grey))
        computed.append(len(list(tmp_path.rglob("output.pkl"))))
    assert computed == [1, 1, 2]
