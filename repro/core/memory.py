"""Checks, before a dense fit starts, that there is memory for it."""

from contextlib import suppress
from pathlib import Path

from repro.core.warn import warn_user

CGROUPS = Path("/sys/fs/cgroup")
NOTICED = 2 * 2**30  # bytes that a fit may take without a word, if half of what is free is more


def check_memory(n, matrices, instead="FastTETE embeds as many points in far less", columns=None):
    """Warn of a fit that needs much memory; a MemoryError if it needs more than is free.

    At its peak the fit of n points holds ``matrices`` arrays of float64, n × n (or n × columns).
    ``instead`` says in the message what needs less. The warning comes above 2 GiB, or half of the
    free memory.
    """
    needed = 8 * matrices * n * (columns or n)
    if needed < NOTICED // 8:  # not worth asking how much is free
        return
    free = free_memory()
    says = f"{n} points need about {_gib(needed)} of memory, and {_gib(free)} are free: {instead}"
    if needed > free:
        raise MemoryError(says)
    if needed > min(NOTICED, free / 2):
        warn_user(says)


def free_memory():
    """Return how many bytes this process can take without swapping, and without being stopped.

    A container or a batch system may grant it less than the machine has.
    """
    import psutil

    return max(0, min([psutil.virtual_memory().available, *_left_by_limits(), *_left_by_groups()]))


def _left_by_limits():
    """Yield what the process may still take of its address space, if ulimit -v limits that."""
    import psutil

    with suppress(ImportError, OSError):  # there is no resource on Windows
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            yield limit - psutil.Process().memory_info().vms


def _left_by_groups():
    """Yield what each control group of the process, and those above it, may still take (Linux)."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, name = line.split(":", 2)
            if kinds not in ("", "memory"):
                continue
            root = CGROUPS / kinds
            own = root / name.lstrip("/")
            for folder in (own, *own.parents):
                if folder.is_relative_to(root):
                    yield from _left_in(folder, kinds)


def _left_in(group, kinds):
    """Yield what a control group, by its folder, may still take; nothing if it has no limit."""
    limit, used = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes")
        if kinds
        else ("memory.max", "memory.current")
    )
    with suppress(OSError, ValueError):  # "max" is no number: no limit
        most, taken = (int((group / name).read_text()) for name in (limit, used))
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        # Files that were read can be dropped from memory.
        yield most - taken + int(stat.get("total_inactive_file", stat.get("inactive_file", 0)))


def _gib(size):
    return f"{size / 2**30:.1f} GiB"


def row_blocks(D):
    """Cut the rows of a matrix into slices of some megabytes, for what is computed row by row."""
    from sklearn.utils import gen_batches

    return list(gen_batches(len(D), max(1, 2**20 // max(1, D.shape[1]))))
