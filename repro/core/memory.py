"""Check that enough memory is free before a dense fit starts."""

import re
from contextlib import suppress
from pathlib import Path

from repro.core.warn import warn_user

CGROUPS = Path("/sys/fs/cgroup")  # version 2
OWN_GROUPS = Path("/proc/self/cgroup")
NOTICED = 2 * 2**30  # bytes above which a fit's need causes a warning
BLOCK = 2**20  # numbers in a block of rows


def check_memory(n, matrices, instead="half of the points need a quarter of it", columns=None):
    """Raise a MemoryError if a fit needs more memory than is free; warn if it needs much.

    At its peak, the fit of n points holds ``matrices`` float64 arrays, n × n (or n × columns). Much
    is 2 GiB or half of the free memory, whichever is less. ``instead`` suggests an alternative.
    """
    needed = 8 * matrices * n * (columns or n)
    if needed < NOTICED // 8:  # too little to check the free memory
        return
    free = free_memory()
    sizes = f"{needed / 2**30:.1f} GiB of memory, and {free / 2**30:.1f} GiB are free"
    message = f"{n} points need about {sizes}: {instead}"
    if needed > free:
        raise MemoryError(message)
    if needed > min(NOTICED, free / 2):
        warn_user(message)


def free_memory():
    """Return how many bytes this process may still use; a container has less than the machine."""
    import psutil

    return max(0, min([psutil.virtual_memory().available, *_left_by_groups()]))


def _left_by_groups():
    """Yield what each control group of the process, and above it, may still use (Linux)."""
    with suppress(OSError):
        for name in re.findall("^0::/(.*)$", OWN_GROUPS.read_text(), re.MULTILINE):
            for group in (CGROUPS / name / "memory.max").parents:
                yield from _left_in(group)


def _left_in(group):
    """Yield how much memory a control group, given by its folder, may still use, if limited."""
    with suppress(OSError, ValueError):  # "max", not a number, means no limit
        limit, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        yield limit - used + int(stat.get("inactive_file", 0))  # cached files can be dropped


def row_blocks(D):
    """Cut the rows of a matrix into slices of a few megabytes, for row-wise computations."""
    from sklearn.utils import gen_batches

    return list(gen_batches(len(D), max(1, BLOCK // max(1, D.shape[1]))))
