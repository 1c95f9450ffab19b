"""Choices, claims and verdicts: pure functions of the runs of an experiment; no files."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
