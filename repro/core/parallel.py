"""Many calls at once, each on a core of its own; and calls on one thread."""

import threading
import time
from contextlib import contextmanager

from repro.kernels.threads import using


def at_once(calls, size=None, n_jobs=-1):
    """Make many calls in processes of one core each.

    Within ``joblib.parallel_config("dask")`` they are made on a Dask cluster. What is returned does
    not depend on where a call was made.

    Parameters
    ----------
    calls : mapping of key to callable
        What to call without arguments, such as a `functools.partial`.
    size : callable, optional
        Of one of the calls; those of the largest size begin first, so that none is left for last.
    n_jobs : int
        Processes; -1 for one per core.

    Returns
    -------
    found : dict
        What each call returned, in the order of the calls.
    seconds : dict
        How long each took.
    """
    keys = list(calls)
    if size is not None:
        keys.sort(key=lambda key: -size(calls[key]))
    made = in_turn((calls[key] for key in keys), n_jobs)
    by_key = dict(zip(keys, made, strict=True))
    return {key: by_key[key][0] for key in calls}, {key: by_key[key][1] for key in calls}


def in_turn(calls, n_jobs=-1):
    """Make calls as `at_once` does, but take them one after the other, as processes get free.

    Parameters
    ----------
    calls : iterable of callables
        A generator makes them while others are under way, so that few are held at a time.
    n_jobs : int

    Returns
    -------
    made : list of (object, float)
        What each call returned, and how many seconds it took.
    """
    from joblib import Parallel, delayed

    return Parallel(n_jobs=n_jobs)(delayed(_on_one_core)(call) for call in calls)


def _on_one_core(call):
    begun = time.perf_counter()
    with using(1):
        found = call()
    return found, time.perf_counter() - begun


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
