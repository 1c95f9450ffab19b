"""Memory is judged by the limit of the process."""

from functools import partial

import numpy as np
import pytest
from command_line import run_python
from scipy.sparse import eye_array

import repro
from repro.core import memory

V1 = {"limit_in_bytes": 1000, "usage_in_bytes": 600, "stat": "cache 1\ntotal_inactive_file 100\n"}
V2 = {"max": 1000, "current": 600, "stat": "anon 3\ninactive_file 100\n"}


@pytest.mark.parametrize(("kinds", "files"), [("memory", V1), ("", V2)])
def test_a_control_group_leaves_its_limit_less_what_cannot_be_dropped(tmp_path, kinds, files):
    assert list(memory._left_in(tmp_path, kinds)) == []  # it says nothing
    for name, content in files.items():
        (tmp_path / f"memory.{name}").write_text(str(content))
    assert list(memory._left_in(tmp_path, kinds)) == [500]
    (tmp_path / "memory.max").write_text("max\n")
    assert list(memory._left_in(tmp_path, kinds)) == ([500] if kinds else [])


def test_the_smallest_limit_counts(monkeypatch):
    monkeypatch.setattr(memory, "_left_by_groups", lambda: iter([3 * 2**20, 5 * 2**20]))
    assert memory.free_memory() == 3 * 2**20
    with pytest.raises(MemoryError, match=r"1000 points need about 0.3 GiB .* 0.0 GiB are free"):
        memory.check_memory(1000, 35)


MANY, FEW = np.zeros((10**6, 1)), np.random.default_rng(0).normal(size=(300, 2))
NUMBERS, EYE = np.arange(10**6), eye_array(10**6, k=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: repro.embedding_affinities(MANY),
        lambda: repro.embedding_similarities(MANY),
        lambda: repro.class_graph(NUMBERS),
        lambda: repro.adjacency_graph(EYE),
        lambda: repro.kernel_smoother(MANY, NUMBERS, MANY, 1.0),
        lambda: repro.kernel_smoother(MANY, NUMBERS, MANY),
        lambda: repro.measures.view_match(MANY, NUMBERS, NUMBERS),
        lambda: repro.measures.view_error(MANY, NUMBERS % 2, NUMBERS // 2),
        lambda: repro.measures.geodesic_distances(MANY),
        lambda: repro.BRE(affinity="precomputed").fit(EYE),
        lambda: repro.WeightedTETE(n_neighbors=149).fit(FEW),
        *(
            partial(model(n_components=10**9).fit, FEW)
            for model in (repro.SNE, repro.BRE, repro.WeightedTETE, repro.FastTETE)
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:1000000000 dimensions are more than the 16")
def test_what_needs_more_memory_than_is_free_is_refused_at_once(call, monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 0)
    monkeypatch.setattr(memory, "NOTICED", 2**28)
    with pytest.raises(MemoryError, match=r"points need about .* and 0.0 GiB are free"):
        call()


def test_a_limited_address_space_counts():
    pytest.importorskip("resource")
    code = (
        "import resource\n"
        "from repro.core.memory import free_memory\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "assert 0 < free_memory() < 3 << 30\n"
    )
    run_python("-c", code)
