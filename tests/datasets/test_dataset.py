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


def test_rows_of_different_number_are_refused():
    with pytest.raises(ValueError, match="number of rows differs"):
        make(X=np.zeros((3, 2)), labels=np.zeros(2))
    with pytest.raises(ValueError, match="factor_names"):
        make(X=np.zeros((3, 2)), factors=np.zeros((3, 2)), factor_names=("a",))


def test_it_names_shapes_and_terms_and_a_stand_in_is_remembered(monkeypatch):
    monkeypatch.setattr(base, "_standins", set())
    fields = {"X": np.zeros((3, 2)), "factors": np.zeros((3, 1)), "factor_names": ("angle",)}
    text = repr(make(**fields))
    assert "(3, 2) float64" in text
    assert "(3, 1) float64 (angle)" in text
    assert "STAND-IN" not in text
    assert datasets.standins_in_use() == frozenset()
    assert "STAND-IN" in repr(make(**fields, is_standin=True))
    assert datasets.standins_in_use() == {"x"}
