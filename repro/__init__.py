"""Four papers on low-dimensional embedding, reproduced: MRE, BRE, t-ETE and KIE.

Each paper has a subpackage: `repro.mre`, `repro.bre`, `repro.tete`, `repro.kie`. `repro.datasets`
fetches data, `repro.measures` and `repro.plots` evaluate and show embeddings. Public names are also
available here, and are loaded when they are first used.

All functions refuse arrays that are not finite or do not fit each other, and parameters of a wrong
type or out of range: a ValueError or TypeError names the argument. Matrices of all pairs of points
that need more memory than is free raise a MemoryError; large ones warn of the memory they need.
Docstrings list other errors.
"""

# Modules loaded later need these, which cannot be imported once the main thread has ended.
import concurrent.futures.process
import concurrent.futures.thread  # noqa: F401

import lazy_loader as _lazy

import repro.moved  # noqa: F401 - lets old names of modules resolve

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

__version__ = "1.0.0"
