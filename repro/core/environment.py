"""The environment on which the last digits of a result depend: processor, BLAS, versions."""

import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from repro.core.extras import is_there

PACKAGES = "numpy", "scipy", "numba", "scikit-learn", "faiss-cpu", "opentsne"


def this_environment():
    """Describe the environment of this process as a dict of strings.

    "processor" is the target of the compiled loops, "BLAS" lists libraries and their kernels,
    "NumPy's loops" their instruction sets. Variables such as OPENBLAS_CORETYPE change them.
    """
    import scipy.linalg  # noqa: F401 - loads its BLAS
    from threadpoolctl import threadpool_info

    blas = {
        f"{lib['internal_api']} {lib['version']} {lib.get('architecture') or ''}".strip()
        for lib in threadpool_info()
        if lib["user_api"] == "blas"
        and "faiss" not in lib["filepath"]  # it may or may not have been loaded
    }
    loops = np.show_config(mode="dicts").get("SIMD Extensions", {})
    environment = {
        "machine": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "BLAS": ", ".join(sorted(blas)),
        "NumPy's loops": ", ".join(loops.get("found", [])) or "baseline",
        "python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            environment[name] = version(name)
        except PackageNotFoundError:
            environment[name] = "none"
    return environment


def _processor():
    """Return the target of the compiled loops, or the machine if numba is missing."""
    if not is_there("numba"):
        return platform.machine()
    from llvmlite.binding import get_host_cpu_name
    from numba.core import config

    return config.CPU_NAME or get_host_cpu_name()
