"""Products of matrices on one thread."""

import threading
from contextlib import contextmanager

_lock, _users, _limits = threading.Lock(), 0, None


@contextmanager
def one_blas_thread():
    """Compute products and factors of matrices on one thread for a while.

    Then their bits do not depend on the number of threads, and threads of BLAS, spinning between
    two calls, do not take the cores from the compiled loops, which would take twice as long. The
    limit is that of the whole process: it is lifted when the last of several callers is done.
    """
    from threadpoolctl import threadpool_limits

    global _users, _limits
    with _lock:
        if _users == 0:
            _limits = threadpool_limits(limits=1, user_api="blas")
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _limits.restore_original_limits()
