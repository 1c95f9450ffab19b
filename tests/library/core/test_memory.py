"""Memory is judged by the limit of the process."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import eye_array

import repro
from repro.core import memory


def test_control_groups_leave_their_limits_less_what_cannot_be_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(memory, "OWN_GROUPS", tmp_path / "own")
    assert list(memory._left_by_groups()) == []  # the system has none
    (tmp_path / "own").write_text("4:memory:/x\n0::/a/b\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert list(memory._left_by_groups()) == []  # they say nothing
    for group, limit in (("a/b", "max"), ("a", "1000"), ("", "2000")):
        files = {"max": limit, "current": "600", "stat": "anon 3\ninactive_file 100"}
        for name, content in files.items():
            (tmp_path / group / f"memory.{name}").write_text(f"{content}\n")
    assert list(memory._left_by_groups()) == [500, 1500]


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
