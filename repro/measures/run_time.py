"""Growth of computation time with size."""

import time
import timeit

import numpy as np

from repro.core.checks import check_values
from repro.kernels.threads import using


def cost_exponent(make, sizes):
    """Measure how the time of a computation grows with its size, on one thread.

    CPU time is measured, so that a busy machine has little effect.

    Parameters
    ----------
    make : callable
        ``make(n)`` prepares a computation of size n and returns it as a callable.
    sizes : sequence of int
        Positive, and not all the same.

    Returns
    -------
    exponent : float
        The slope of log time against log size, with the shortest of seven times after one warm-up
        call.
    """
    from threadpoolctl import threadpool_limits

    sizes, seconds = list(sizes), []
    if not sizes or np.ptp(check_values(sizes, name="sizes")) == 0 or min(sizes) <= 0:
        raise ValueError(f"sizes must be positive, and not all the same, got {sizes}")
    with threadpool_limits(limits=1), using(1):
        for n in sizes:
            times = timeit.repeat(make(n), timer=time.process_time, repeat=8, number=1)
            seconds.append(min(times[1:]))
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
