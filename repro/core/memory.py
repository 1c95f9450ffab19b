"""Check that enough memory is free before a dense fit starts."""

from contextlib import suppress
from pathlib import Path

from repro.core.warn import warn_user

CGROUPS = Path("/sys/fs/cgroup")
NOTICED = 2 * 2**30  # bytes above which a fit's need causes a warning


def check_memory(n, matrices, instead="half of the points need a quarter of it", columns=None):
    """Warn if a fit needs much memory; raise a MemoryError if it needs more than is free.

    At its peak, the fit of n points holds ``matrices`` float64 arrays, n × n (or n × columns).
    ``instead`` is the alternative that the message suggests. The warning comes above 2 GiB or half
    of the free memory, whichever is less.
    """
    needed = 8 * matrices * n * (columns or n)
    if needed < NOTICED // 8:  # too little to check the free memory
        return
    free = free_memory()
    says = f"{n} points need about {_gib(needed)} of memory, and {_gib(free)} are free: {instead}"
    if needed > free:
        raise MemoryError(says)
    if needed > min(NOTICED, free / 2):
        warn_user(says)


def free_memory():
    """Return how many bytes this process can allocate without swapping or being killed.

    A container or a batch system may grant it less than the machine has.
    """
    import psutil

    return max(0, min([psutil.virtual_memory().available, *_left_by_limits(), *_left_by_groups()]))


def _left_by_limits():
    """Yield how much address space the process may still use, if ulimit -v limits it."""
    import psutil

    with suppress(ImportError, OSError):  # Windows has no resource module
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            yield limit - psutil.Process().memory_info().vms


def _left_by_groups():
    """Yield how much memory each control group of the process, or above, may still use (Linux)."""
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
    """Yield how much memory a control group, given by its folder, may still use, if limited."""
    limit, used = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes")
        if kinds
        else ("memory.max", "memory.current")
    )
    with suppress(OSError, ValueError):  # "max", not a number, means no limit
        most, taken = (int((group / name).read_text()) for name in (limit, used))
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        # Cached files can be dropped from memory.
        yield most - taken + int(stat.get("total_inactive_file", stat.get("inactive_file", 0)))


def _gib(size):
    return f"{size / 2**30:.1f} GiB"


def row_blocks(D):
    """Cut the rows of a matrix into slices of a few megabytes, for row-wise computations."""
    from sklearn.utils import gen_batches

    return list(gen_batches(len(D), max(1, 2**20 // max(1, D.shape[1]))))
