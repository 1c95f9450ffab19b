"""The evidence for the claims: sweeps over seeds and settings, verdicts, pictures, reports."""

import lazy_loader as _lazy

from repro.core.extras import needs as _needs

_needs("nbformat", "matplotlib", extra="notebooks")

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
