"""Figures in one style: scatter plots, thumbnails, curves."""

import lazy_loader as _lazy

from repro.core.extras import needs as _needs

_needs("matplotlib", extra="notebooks")

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
