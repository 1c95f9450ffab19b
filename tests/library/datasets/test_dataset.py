"""The dataclass that every fetcher returns."""

import dataclasses

import numpy as np
import pytest

from repro import datasets
from repro.datasets import Dataset, base


def make(**fields):
    return Dataset(name="x", source="here", licence="none", citation="none", **fields)


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
