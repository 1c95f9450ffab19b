"""Matrix products on one thread."""

from contextlib import contextmanager
from functools import cache
from threading import Lock

_lock = Lock()
_users = 0
_before = []


@contextmanager
def one_blas_thread():
    """Compute matrix products and factorisations on one thread within the block.

    Their bits then do not depend on the number of threads. BLAS threads also spin between calls and
    take cores from the compiled loops, which would take twice as long. The limit holds for the
    whole process, whichever Python thread requests it, and is lifted when the last of several
    callers is done. A library built on OpenMP has a limit per thread: each caller sets its own.
    """
    global _users
    with _lock:
        if not _users:
            _before[:] = [library.num_threads for library in _libraries()]
        _users += 1
        _set([1] * len(_before))
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                _set(_before)


def _set(numbers):
    """Set the number of threads of each library, from any thread."""
    from threadpoolctl import OpenBLASController

    # OpenBLAS obeys only the first thread that sets the number, until that thread releases control.
    release = getattr(OpenBLASController, "clear_controlling_thread", lambda force: None)
    release(force=True)
    for library, number in zip(_libraries(), numbers, strict=True):
        library.set_num_threads(number)
    release(force=True)


@cache
def _libraries():
    """Return the BLAS libraries of NumPy and SciPy; the search takes milliseconds."""
    import scipy.linalg  # noqa: F401 - loads its BLAS, so that one search finds all
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas").lib_controllers
