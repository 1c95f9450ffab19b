"""Which code computes a loss: the compiled loops, or the same in a few lines of NumPy."""

import os
from functools import cache

from repro.core.checks import check_choice
from repro.core.warn import warn_user

# Compiled loops over more dimensions than this are not unrolled: compiling would take minutes.
MOST_DIMENSIONS = 16


@cache
def backends():
    """Return the names of the backends there are, the fastest first.

    Where NUMBA_DISABLE_JIT is set, NumPy alone.
    """
    compiled = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    return ("numba", "numpy") if compiled else ("numpy",)


def choose_backend(backend, n_dimensions):
    """Return the backend to use, "numba" or "numpy"; None asks for the fastest there is.

    An embedding of more than 16 dimensions is always left to NumPy, with a warning unless that was
    asked for.
    """
    chosen = backends()[0] if backend is None else check_choice(backend, "backend", backends())
    if chosen == "numba" and n_dimensions > MOST_DIMENSIONS:
        warn_user(
            f"{n_dimensions} dimensions are more than the {MOST_DIMENSIONS} for which loops are "
            "compiled: NumPy computes the loss, several times more slowly, and keeps matrices of "
            "all pairs of points. backend='numpy' asks for that without this warning."
        )
        return "numpy"
    return chosen
