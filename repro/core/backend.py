"""Choice of the backend that computes a loss: compiled loops, or a few lines of NumPy."""

import os
from functools import cache

from repro.core.checks import check_choice
from repro.core.extras import is_there
from repro.core.warn import warn_user

# Most dimensions for which loops are compiled; unrolling more would take minutes.
MOST_DIMENSIONS = 16


@cache
def backends():
    """Return the names of the available backends, the fastest first.

    Only NumPy is available if NUMBA_DISABLE_JIT is set, or if numba is missing, which causes one
    warning per process.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return ("numpy",)
    if not is_there("numba"):
        warn_user(
            "numba is missing: NumPy computes all losses, some ten times more slowly; "
            "python -m pip install numba"
        )
        return ("numpy",)
    return ("numba", "numpy")


def choose_backend(backend, n_dimensions):
    """Return the backend to use, "numba" or "numpy"; None selects the fastest available one.

    An embedding in more than 16 dimensions always uses NumPy, with a warning unless the caller
    chose it.
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
