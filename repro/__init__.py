"""Four papers on low-dimensional embedding, reproduced: MRE, BRE, t-ETE and KIE.

Each paper has a room: `repro.mre`, `repro.bre`, `repro.tete`, `repro.kie`. `repro.datasets` fetches
the data, `repro.measures` and `repro.plots` say and show what an embedding is like. What is public
is here too, and is loaded when it is first used.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

__version__ = "0.1.0"
