"""How the time of a computation grows with its size."""

import time
import timeit

import numpy as np

from repro.kernels.threads import using


def cost_exponent(make, sizes):
    """Measure how the time of a computation grows with its size, on one thread.

    It is the time of the processor that counts, so that a busy machine disturbs it little.

    Parameters
    ----------
    make : callable
        ``make(n)`` prepares the computation of size n and returns it, ready to be called.
    sizes : sequence of int

    Returns
    -------
    exponent : float
        The slope of the logarithms of the shortest of seven times, after one call that is not
        counted.
    """
    from threadpoolctl import threadpool_limits

    seconds = []
    with threadpool_limits(limits=1), using(1):
        for n in sizes:
            times = timeit.repeat(make(n), timer=time.process_time, repeat=8, number=1)
            seconds.append(min(times[1:]))
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
