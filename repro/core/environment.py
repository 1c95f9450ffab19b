"""The environment on which the last digits of a result depend: processor, BLAS, versions."""

import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from repro.core.extras import is_there

PACKAGES = "numpy", "scipy", "numba", "scikit-learn", "faiss-cpu", "opentsne"


def this_environment():
    """Describe the environment of this process as a dict of strings.

    "processor" is the target of the compiled loops, "BLAS" lists libraries and their kernels,
    "NumPy's loops" their instruction sets; the rest are the system and versions. The effect of a
    variable that restricts one of them, such as OPENBLAS_CORETYPE, shows here.
    """
    import scipy.linalg  # noqa: F401 - loads its BLAS
    from threadpoolctl import threadpool_info

    blas = {
        f"{of['internal_api']} {of['version']} {of.get('architecture') or ''}".strip()
        for of in threadpool_info()
        if of["user_api"] == "blas"
        and "faiss" not in of["filepath"]  # it may or may not have been loaded
    }
    loops = np.show_config(mode="dicts").get("SIMD Extensions", {})
    found = {
        "machine": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "BLAS": ", ".join(sorted(blas)),
        "NumPy's loops": ", ".join(loops.get("found", [])) or "baseline",
        "python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


def _processor():
    """Return the target of the compiled loops, or the machine if numba is missing."""
    if not is_there("numba"):
        return platform.machine()
    from llvmlite.binding import get_host_cpu_name
    from numba.core import config

    return config.CPU_NAME or get_host_cpu_name()
