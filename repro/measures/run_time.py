"""How the time of a computation grows with its size."""

import time

import numpy as np

from repro.kernels.threads import using


def cost_exponent(make, sizes, repeats=7):
    """Measure how the time of a computation grows with its size, on one thread.

    It is the time of the processor that counts, so that a busy machine disturbs it little.

    Parameters
    ----------
    make : callable
        ``make(n)`` prepares the computation of size n and returns it, ready to be called.
    sizes : sequence of int
    repeats : int
        The shortest of so many times counts, after one call that is not counted.

    Returns
    -------
    exponent : float
        The slope of the logarithms.
    """
    from threadpoolctl import threadpool_limits

    seconds = []
    with threadpool_limits(limits=1), using(1):
        for n in sizes:
            compute = make(n)
            compute()
            seconds.append(min(_timed(compute) for _ in range(repeats)))
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _timed(compute):
    begun = time.process_time()
    compute()
    return time.process_time() - begun
