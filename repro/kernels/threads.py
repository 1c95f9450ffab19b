"""Pieces of one computation, side by side on threads that sleep while they wait.

The compiled loops let go of Python's lock, so that plain threads run them at once. Numba's own
threads are not used: those of GNU OpenMP spin between two calls, which takes the processor from
other programs, and a process that has used them cannot be forked; those of its work queue refuse a
second caller. These do neither, whatever else the process has imported.
"""

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache

# Pieces of a long range, and the most threads: more pieces than cores, so that none waits long.
RANGES = 32
_number = ContextVar("number of threads", default=None)


@cache
def default_number():
    """Return the number of threads to use: NUMBA_NUM_THREADS, or the cores of this process."""
    asked = os.environ.get("NUMBA_NUM_THREADS", "")
    if asked.isdigit() and int(asked):
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def using(n):
    """Use n threads for what is called from this thread within the block."""
    before = _number.set(n)
    try:
        yield
    finally:
        _number.reset(before)


def in_pieces(work, n_pieces, alone=False):
    """Call work(0), work(1), …, each once, on several threads; on this one if ``alone``.

    ``work`` calls a compiled loop that writes to a place of its own for each piece: the result then
    has the same bits whatever the number of threads.
    """
    pieces = deque(range(n_pieces))

    def take_pieces():
        while pieces:
            try:
                piece = pieces.popleft()
            except IndexError:  # another thread took the last one
                return
            work(piece)

    n = 1 if alone else min(n_pieces, _number.get() or default_number())
    helpers = []
    try:
        # When the interpreter ends, in a thread that outlives the main one, no others may begin.
        with suppress(RuntimeError):
            helpers += (_pool(os.getpid()).submit(take_pieces) for _ in range(n - 1))
        take_pieces()
    finally:
        begun = [helper for helper in helpers if not helper.cancel()]
        wait(begun)  # they write to arrays of the caller
    for helper in begun:
        helper.result()


def in_ranges(work, n, alone=False):
    """Call work(start, stop) for ranges that together are 0, …, n - 1, as `in_pieces` does.

    What it computes of a row must not depend on the range the row is in.
    """
    count = 1 if alone else RANGES
    in_pieces(lambda k: work(k * n // count, (k + 1) * n // count), count, alone)


@cache
def _pool(process):
    """Return the threads of a process: a fork has none of its parent's."""
    return ThreadPoolExecutor(RANGES, thread_name_prefix="repro")
