"""Parallel computation on threads that sleep while they wait.

The compiled loops release the GIL, so that plain threads run them in parallel. Numba's own threads
are not used: those of GNU OpenMP spin between calls, which slows other programs, and a process that
has used them cannot be forked; those of its work queue do not allow a second caller.
"""

import os
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache

from joblib import cpu_count

# Number of pieces of a long range, and most threads; more pieces than cores balance the load.
RANGES = 32
# Fewer rows are not worth a piece of their own.
FEWEST_ROWS = 64
_number = ContextVar("number of threads", default=None)


@cache
def default_number():
    """Return the number of threads to use: NUMBA_NUM_THREADS, or the cores of this process."""
    number = os.environ.get("NUMBA_NUM_THREADS", "")
    return int(number) if number.isdigit() and int(number) else cpu_count()


@contextmanager
def using(n):
    """Use n threads for calls from this thread within the block."""
    before = _number.set(n)
    try:
        yield
    finally:
        _number.reset(before)


def in_pieces(work, n_pieces, alone=False):
    """Call work(0), work(1), …, each once, on several threads; only on this one if ``alone``.

    ``work`` calls a compiled loop that writes each piece to a separate place, so that the result
    has the same bits with any number of threads.
    """
    n = 1 if alone else min(n_pieces, _number.get() or default_number())
    if n <= 1:
        for piece in range(n_pieces):
            work(piece)
        return
    pieces = iter(range(n_pieces))  # under the GIL, each thread takes another piece

    def take_pieces():
        for piece in pieces:
            work(piece)

    helpers = []
    try:
        # During interpreter shutdown, a thread that outlives the main one cannot start others.
        with suppress(RuntimeError):
            helpers += (_pool(os.getpid()).submit(take_pieces) for _ in range(n - 1))
        take_pieces()
    finally:
        begun = [helper for helper in helpers if not helper.cancel()]
        wait(begun)  # they write to the caller's arrays
    for helper in begun:
        helper.result()


def in_ranges(work, n, *arguments, alone=False):
    """Call ``work(start, stop, *arguments)`` for ranges of 0, …, n - 1, as in `in_pieces`.

    The result for a row must not depend on its range.
    """
    count = 1 if alone else min(RANGES, n // FEWEST_ROWS)
    if count <= 1:
        work(0, n, *arguments)
        return
    in_pieces(lambda k: work(k * n // count, (k + 1) * n // count, *arguments), count)


@cache
def _pool(process):
    """Return the thread pool of a process; a fork does not inherit its parent's threads."""
    return ThreadPoolExecutor(RANGES, thread_name_prefix="repro")
