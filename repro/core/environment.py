"""What the last digits of a result depend on beside the code: processor, BLAS, versions."""

import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np

PACKAGES = "numpy", "scipy", "numba", "scikit-learn", "faiss-cpu", "opentsne"


def this_environment():
    """Describe where this process computes: a text by what it says, in JSON's types.

    "processor" is what the loops are compiled for, "BLAS" its kernels, "NumPy's loops" their widest
    instructions; the rest are versions. A variable that holds one of them back, such as
    OPENBLAS_CORETYPE, shows here.
    """
    import scipy.linalg  # noqa: F401 - loads its BLAS
    from llvmlite.binding import get_host_cpu_name
    from numba.core import config
    from threadpoolctl import threadpool_info

    blas = {
        f"{of['internal_api']} {of['version']} {of.get('architecture') or ''}".strip()
        for of in threadpool_info()
        if of["user_api"] == "blas"
        and "faiss" not in of["filepath"]  # loaded or not, as it happens
    }
    loops = np.show_config(mode="dicts").get("SIMD Extensions", {})
    found = {
        "machine": f"{platform.system()} {platform.machine()}",
        "processor": config.CPU_NAME or get_host_cpu_name(),
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
