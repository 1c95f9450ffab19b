"""What every data set has in common: the interface, the dataclass, the arguments."""

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import repro.datasets as datasets
from repro.datasets import Dataset, base, coil20, fetch_coil20


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch):
    """Run on small stand-ins, and forget them afterwards."""
    monkeypatch.setenv("REPRO_STANDIN", "1")
    monkeypatch.setattr(coil20, "VIEWS", range(6))
    monkeypatch.setattr(base, "_standins", set())


def _functions(*prefixes):
    """Find every function of the subpackage, wherever it is defined, by the start of its name."""
    modules = [
        importlib.import_module(f"repro.datasets.{module.name}")
        for module in pkgutil.iter_modules(datasets.__path__)
    ]
    return {
        name: function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if name.startswith(prefixes)
    }


FUNCTIONS = _functions("fetch_", "make_", "load_")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_fetchers_and_makers_are_public_documented_and_return_a_dataset(name):
    function = FUNCTIONS[name]
    assert name in datasets.__all__
    text = inspect.getdoc(function)
    wanted = ["Returns\n---", "Source:"]
    if not name.startswith("load_"):  # what comes with a library is always there
        wanted.append("Raises\n---")
    if inspect.signature(function).parameters:
        wanted += ["Parameters\n---", "ValueError"]
    assert not [words for words in wanted if words not in text]
    assert "uint8" in text or "float64" in text
    for parameter in inspect.signature(function).parameters:
        assert f"\n{parameter} : " in text
    data = function()
    assert isinstance(data, Dataset)
    assert data.source
    assert data.licence
    assert data.citation
    assert data.is_standin == name.startswith("fetch_")
    for array in (data.images, data.X, data.triplets, data.labels, data.factors):
        assert array is None or not array.flags.writeable
    if name.startswith("fetch_"):
        assert "Licence:" in text
        assert "DatasetUnavailable" in text


def test_every_fetcher_can_be_prefetched_and_verified():
    fetchers = {name: f for name, f in FUNCTIONS.items() if name.startswith("fetch_")}
    assert {f"fetch_{name}": f for name, f in datasets.FETCHERS.items()} == fetchers
    assert set(datasets.FETCHERS) == set(datasets.catalogue.LAYOUTS)
    assert set(datasets.FETCHERS) == set(datasets.registry.ENTRIES)


def test_all_public_names_exist():
    assert all(hasattr(datasets, name) for name in datasets.__all__)


def test_import_is_light():
    heavy = "numba", "sklearn", "pooch", "requests", "pandas", "PIL", "tqdm", "scipy"
    code = f"import sys, repro.datasets; print([m for m in {heavy} if m in sys.modules])"
    root = Path(__file__).parents[2]
    printed = subprocess.check_output([sys.executable, "-c", code], cwd=root, text=True)
    assert printed.strip() == "[]"


# The dataclass


def _dataset(**fields):
    return Dataset(name="x", source="here", licence="none <&>", citation="none", **fields)


def test_rows_are_made_from_images():
    images = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    data = _dataset(images=images)
    assert data.X.dtype == np.float64
    np.testing.assert_array_equal(data.X, images.reshape(2, 12))


def test_arrays_are_read_only_and_the_callers_is_left_alone():
    X = np.zeros((3, 2))
    data = _dataset(X=X)
    with pytest.raises(ValueError, match="read-only"):
        data.X[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.X = X
    X[0] = 1


def test_rows_of_different_number_are_refused():
    with pytest.raises(ValueError, match="number of rows differs"):
        _dataset(X=np.zeros((3, 2)), labels=np.zeros(2))
    with pytest.raises(ValueError, match="factor_names"):
        _dataset(X=np.zeros((3, 2)), factors=np.zeros((3, 2)), factor_names=("a",))


@pytest.mark.parametrize(
    ("triplets", "words"),
    [
        ([[0, 1, 3]], r"items 0…2, but go from 0 to 3"),
        ([[0, 1, -1]], r"items 0…2, but go from -1"),
        ([[0, 1]], r"shape \(T, 3\)"),
        ([[0.0, 1.0, 2.0]], "whole numbers"),
    ],
)
def test_triplets_of_other_items_are_refused(triplets, words):
    with pytest.raises(ValueError, match=words):
        _dataset(names=("a", "b", "c"), triplets=np.array(triplets))
    _dataset(names=("a", "b", "c"), triplets=np.array([[0, 1, 2], [2, 2, 0]]))


def test_representations_name_shapes_and_terms():
    data = _dataset(X=np.zeros((3, 2)), factors=np.zeros((3, 1)), factor_names=("angle",))
    for text in (repr(data), data._repr_html_()):
        assert "(3, 2) float64" in text
        assert "(3, 1) float64 (angle)" in text
        assert "STAND-IN" not in text
    assert "none &lt;&amp;&gt;" in data._repr_html_()


def test_a_stand_in_is_loud_and_remembered():
    assert datasets.standins_in_use() == frozenset()
    data = _dataset(is_standin=True)
    assert "STAND-IN" in repr(data)
    assert "STAND-IN" in data._repr_html_()
    assert datasets.standins_in_use() == {"x"}


def test_copies_keep_what_the_dataset_promises():
    sent = pickle.dumps(_dataset(X=np.zeros((3, 2)), is_standin=True))
    base._standins.clear()
    received = pickle.loads(sent)
    assert not received.X.flags.writeable
    assert not copy.deepcopy(received).X.flags.writeable
    assert datasets.standins_in_use() == {"x"}


# The arguments of fetch_coil20


def test_rows_are_object_major_in_the_order_asked():
    data = fetch_coil20(objects=[6, 3], views=(4, 0, 2))
    assert data.images.shape == (6, 128, 128)
    assert data.images.dtype == np.uint8
    assert data.X.shape == (6, 128 * 128)
    np.testing.assert_array_equal(data.labels, [6, 6, 6, 3, 3, 3])
    np.testing.assert_array_equal(data.factors[:, 0], [20, 0, 10, 20, 0, 10])
    assert data.factor_names == ("angle",)
    assert data.names[:2] == ("obj6__4", "obj6__0")


@pytest.mark.parametrize("numbers", [3, np.int32(3), np.array([3]), {3}, range(3, 4), iter([3])])
def test_numbers_may_come_in_any_container(numbers):
    assert set(fetch_coil20(objects=numbers, views=0).labels) == {3}


@pytest.mark.parametrize("argument", ["objects", "views"])
@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        ([], ValueError, "empty"),
        ([2, 3, 2], ValueError, "2 more than once"),
        ([-1], ValueError, "-1 was asked"),
        ([1, 72], ValueError, "72 was asked"),
        ("3", TypeError, "text '3'"),
        ([1.0], TypeError, "whole numbers"),
        (2.5, TypeError, "whole numbers"),
        ([True], TypeError, "whole numbers"),
        ([None], TypeError, "whole numbers"),
        (["1"], TypeError, "whole numbers"),
    ],
)
def test_bad_numbers_are_refused_by_the_name_of_the_argument(argument, value, error, words):
    with pytest.raises(error, match=f"{argument}.*{words}"):
        fetch_coil20(**{argument: value})


@pytest.mark.parametrize("number", [0, 21])
def test_objects_outside_the_set_are_refused(number):
    with pytest.raises(ValueError, match=f"objects must lie in 1…20, but {number}"):
        fetch_coil20(objects=[number])
