"""Checks, before a dense fit starts, that there is memory for it."""

from repro.core.warn import warn_user

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
    """Return how many bytes can be taken without swapping."""
    import psutil

    return psutil.virtual_memory().available


def _gib(size):
    return f"{size / 2**30:.1f} GiB"


def row_blocks(D):
    """Cut the rows of a matrix into slices of some megabytes, for what is computed row by row."""
    from sklearn.utils import gen_batches

    return list(gen_batches(len(D), max(1, 2**20 // max(1, D.shape[1]))))
