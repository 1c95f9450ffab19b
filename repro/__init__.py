"""Four papers on low-dimensional embedding, reproduced: MRE, BRE, t-ETE and KIE.

Each paper has a subpackage: `repro.mre`, `repro.bre`, `repro.tete`, `repro.kie`. `repro.datasets`
fetches the data, `repro.measures` and `repro.plots` say and show what an embedding is like. What is
public is here too, and is loaded when it is first used.

Arrays that are not finite or do not fit each other, and parameters of a wrong type or out of
range, are refused everywhere: a ValueError or TypeError names the argument. Matrices of all pairs
of points that need more memory than is free raise a MemoryError; large ones warn of what they need.
Docstrings say what else is raised.
"""

# What is loaded later needs these, which cannot be loaded any more once the main thread has ended.
import concurrent.futures.process
import concurrent.futures.thread  # noqa: F401

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

__version__ = "0.1.0"
