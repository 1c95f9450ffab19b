"""Measures of an embedding: axes, neighbourhoods, structure, turntables, images; and run time."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
