"""Notebooks: display, running and recording, and the template for new ones."""

import lazy_loader as _lazy

from repro.core.extras import needs as _needs

_needs("nbclient", "nbformat", extra="notebooks")

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
