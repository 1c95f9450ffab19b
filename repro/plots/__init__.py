"""Figures in one style: scatter plots, thumbnails, bars."""

import lazy_loader as _lazy

from repro.core.extras import needs as _needs
from repro.moved import moved_name as _moved_name

_needs("matplotlib", extra="notebooks")

_of_today, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)


def __getattr__(name):
    try:
        return _of_today(name)
    except AttributeError:
        return _moved_name(__name__, name)
