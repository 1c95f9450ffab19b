"""Matrix products on one thread."""

import os
import sys
import threading
from contextlib import contextmanager

_lock, _users, _limits = threading.Lock(), 0, {}
_found = 0, ()  # number of imported modules at the last search for libraries, and the libraries


@contextmanager
def one_blas_thread():
    """Compute matrix products and factorisations on one thread within the block.

    Their bits then do not depend on the number of threads. BLAS threads also spin between calls and
    take cores from the compiled loops, which would take twice as long. The limit holds for the
    whole process, whichever Python thread requests it, and is lifted when the last of several
    callers is done. A library with a limit per thread, such as an OpenBLAS built on OpenMP, is
    limited in this thread only.
    """
    shared, own = _libraries()
    before = [library.num_threads for library in own]
    _enter(shared)
    try:
        _set(own, [1] * len(own))
        yield
    finally:
        _set(own, before)
        _leave()


def _enter(libraries):
    global _users
    with _lock:
        _users += 1
        new = [library for library in libraries if library not in _limits]
        _limits.update((library, library.num_threads) for library in new)
        _set(new, [1] * len(new))


def _leave():
    global _users
    with _lock:
        _users = max(0, _users - 1)  # a fork within a block starts from 0
        if _users == 0:
            _set(_limits, list(_limits.values()))
            _limits.clear()


def _set(libraries, numbers):
    """Set the number of threads of each library, from any thread."""
    from threadpoolctl import OpenBLASController

    # OpenBLAS obeys only the first thread that sets the number, until that thread releases control.
    let_go = getattr(OpenBLASController, "clear_controlling_thread", lambda force: None)
    for library, number in zip(libraries, numbers, strict=True):
        let_go(force=True)
        library.set_num_threads(number)
        let_go(force=True)


def _libraries():
    """Return the loaded BLAS libraries: those limited per process, and those limited per thread.

    The search takes milliseconds, so it is repeated only after further modules were imported.
    """
    global _found
    if _found[0] != len(sys.modules):
        from threadpoolctl import ThreadpoolController

        libraries = ThreadpoolController().select(user_api="blas").lib_controllers
        own = [lib for lib in libraries if getattr(lib, "threading_layer", "") == "openmp"]
        known = {library.filepath: library for library in _found[1][0]} if _found[1] else {}
        shared = [known.get(lib.filepath, lib) for lib in libraries if lib not in own]
        _found = len(sys.modules), (shared, own)
    return _found[1]


def _forget_callers():
    """Forget, in a fork, the callers in other threads, so that the next caller lifts the limit."""
    global _lock, _users
    _lock, _users = threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_callers)
