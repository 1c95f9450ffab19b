"""The switch between compiled loops and NumPy; packages that need an extra."""

import os
from pathlib import Path

import numpy as np
import pytest
from processes import run_python

from repro import SNE, FastTETE, kernels
from repro.core import backend, extras, neighbors

TESTS = Path(__file__).parents[2]
WITHOUT_FAISS = {"numba": True}.get  # in place of importlib.util.find_spec
X = np.random.default_rng(0).normal(size=(60, 2))

# Every estimator, and a measure with a compiled loop.
EVERYTHING = """
import sys
import numpy as np
from estimators import FITS, RNG, X
from repro import BRE
from repro.measures import random_triplet_accuracy
fits = [*FITS.values(), (BRE(optimizer="conditional-scg"), X), (BRE(affinity="truncated"), X)]
for model, *data in fits:
    assert np.isfinite(model.set_params(max_iter=2).fit(*data).loss_)
assert 0 < random_triplet_accuracy(X[:, :2], X, RNG) < 1
assert sys.modules.get("numba") is None
"""
# One warning, at the first fit, and no second one.
WITHOUT_NUMBA = f"""
import sys, warnings
sys.modules["numba"] = None
issued = []
warnings.showwarning = lambda message, *where: issued.append(str(message))
{EVERYTHING}
assert [message.split(":")[0] for message in issued if "numba" in message] == ["numba is missing"]
from repro.core.environment import this_environment
assert this_environment()["processor"]
"""


@pytest.mark.parametrize(
    ("code", "variables"), [(EVERYTHING, {"NUMBA_DISABLE_JIT": "1"}), (WITHOUT_NUMBA, {})]
)
def test_everything_works_on_numpy_alone(code, variables):
    run_python("-W", "always::RuntimeWarning", "-c", code, cwd=TESTS, **variables)


def test_estimators_need_no_docstrings():
    code = "import repro; print(all(getattr(repro, name) for name in repro.__all__))"
    assert run_python("-OO", "-c", code).stdout == "True\n"


def test_loops_are_compiled_for_up_to_sixteen_dimensions():
    assert backend.choose_backend(None, backend.MOST_DIMENSIONS) == backend.backends()[0]


def test_cached_loops_older_than_any_source_are_deleted(monkeypatch, tmp_path):
    folder, elsewhere = tmp_path / "kernels", tmp_path / "cache" / "kernels_0"
    for cache in (folder / "__pycache__", elsewhere):
        cache.mkdir(parents=True)
        for name, time in (("old.nbi", 1), ("old.1.nbc", 1), ("new.nbi", 3), ("old.pyc", 1)):
            (cache / name).touch()
            os.utime(cache / name, (time, time))
    (folder / "elementary.py").touch()
    os.utime(folder / "elementary.py", (2, 2))
    monkeypatch.setattr(kernels, "__file__", str(folder / "__init__.py"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(elsewhere.parent))
    kernels._drop_stale_cache()
    for cache in (folder / "__pycache__", elsewhere):
        assert sorted(path.name for path in cache.iterdir()) == ["new.nbi", "old.pyc"]


def test_unknown_backends_are_refused(monkeypatch):
    monkeypatch.setattr(backend, "backends", lambda: ("numpy",))
    with pytest.raises(ValueError, match="must be one of 'numpy', got 'numba'"):
        SNE(backend="numba").fit(X)


def test_what_an_extra_brings_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", WITHOUT_FAISS)
    with pytest.raises(ImportError, match=r"faiss-cpu, .*\[notebooks\]'; or neighbors=.exact"):
        FastTETE(neighbors="approximate").fit(X)


def test_where_faiss_is_missing_neighbours_are_found_exactly_and_many_take_a_warning(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", WITHOUT_FAISS)
    monkeypatch.setattr(neighbors, "MOST_EXACT", 10)
    exact = FastTETE(neighbors="exact", max_iter=1, random_state=0).fit(X).embedding_
    np.testing.assert_array_equal(FastTETE(max_iter=1, random_state=0).fit(X).embedding_, exact)
    monkeypatch.setattr(neighbors, "MOST_FLAT", 50)
    with pytest.warns(RuntimeWarning, match="60 points are found exactly"):
        neighbors.k_nearest(X, 3)
