"""Check that enough memory is free before a dense fit starts."""

from contextlib import suppress
from pathlib import Path

from repro.core.warn import warn_user

CGROUPS = Path("/sys/fs/cgroup")  # version 2
OWN_GROUPS = Path("/proc/self/cgroup")
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

    return max(0, min([psutil.virtual_memory().available, *_left_by_groups()]))


def _left_by_groups():
    """Yield how much memory each control group of the process, or above, may still use (Linux)."""
    with suppress(OSError, ValueError):
        lines = OWN_GROUPS.read_text().splitlines()
        (name,) = (line[4:] for line in lines if line.startswith("0::/"))
        own = CGROUPS / name
        for folder in (own, *own.parents):
            if folder.is_relative_to(CGROUPS):
                yield from _left_in(folder)


def _left_in(group):
    """Yield how much memory a control group, given by its folder, may still use, if limited."""
    with suppress(OSError, ValueError):  # "max", not a number, means no limit
        limit, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        yield limit - used + int(stat.get("inactive_file", 0))  # cached files can be dropped


def _gib(size):
    return f"{size / 2**30:.1f} GiB"


def row_blocks(D):
    """Cut the rows of a matrix into slices of a few megabytes, for row-wise computations."""
    from sklearn.utils import gen_batches

    return list(gen_batches(len(D), max(1, 2**20 // max(1, D.shape[1]))))
