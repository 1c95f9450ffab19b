"""Memory is judged by the limit of the process."""

import pytest
from command_line import run_python

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


def test_a_limited_address_space_counts():
    pytest.importorskip("resource")
    code = (
        "import resource\n"
        "from repro.core.memory import free_memory\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "assert 0 < free_memory() < 3 << 30\n"
    )
    run_python("-c", code)
