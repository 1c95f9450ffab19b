"""Growth of computation time with size."""

import time
import timeit

import numpy as np
from threadpoolctl import threadpool_limits

from repro.kernels.threads import using


def cost_exponent(make, sizes):
    """Measure how the time of a computation grows with its size, in CPU time on one thread.

    ``make(n)`` prepares a computation of size n and returns it as a callable. Return the slope of
    log time against log size, with the shortest of seven times after one warm-up call.
    """
    seconds = []
    with threadpool_limits(limits=1), using(1):
        for n in sizes:
            times = timeit.repeat(make(n), timer=time.process_time, repeat=8, number=1)
            seconds.append(min(times[1:]))
    return np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
