"""Old names resolve, with a warning: a reader's copy of a notebook still runs."""

import importlib
import sys

import pytest

from repro.moved import MOVED, MOVED_NAMES

OLD = [
    *MOVED,
    "repro.notebook.checks.mre_fig1_toy_cars",
    "repro.claims.choices",
    "repro.evidence.rows",
]


@pytest.mark.parametrize("old", OLD)
def test_an_old_name_is_the_module_of_the_new_name(old, monkeypatch):
    monkeypatch.delitem(sys.modules, old, raising=False)
    was = next(was for was in MOVED if f"{old}.".startswith(f"{was}."))
    new = MOVED[was] + old.removeprefix(was)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}"):
        module = importlib.import_module(old)
    assert module is importlib.import_module(new)
    assert module.__spec__.name == module.__name__ == new


@pytest.mark.parametrize("module", MOVED_NAMES)
def test_an_old_name_of_a_function_is_that_of_its_new_module(module):
    old = importlib.import_module(module)
    for name, new in MOVED_NAMES[module].items():
        room, _, renamed = new.partition(":")
        with pytest.warns(DeprecationWarning, match=f"{module}.{name} is now {room}") as caught:
            function = getattr(old, name)
        assert function is getattr(importlib.import_module(room), renamed or name)
        assert caught[0].filename == __file__
    with pytest.raises(AttributeError, match=f"{module}' has no attribute 'nothing'"):
        _ = old.nothing


def test_a_module_that_never_was_is_missing():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("repro.notebooks")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("repro.notebook.nothing")
