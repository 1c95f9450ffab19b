"""Surfaces of one size."""

import numpy as np

from repro.datasets import make_surface


def draw(surface, n, seed):
    """Draw points of a surface, as large as the S-curve, so that a bandwidth means the same."""
    drawn = make_surface(surface, n, seed)
    s_curve = make_surface("S-curve", n, seed)
    unit = np.sqrt(s_curve.X.var(axis=0).sum() / drawn.X.var(axis=0).sum())
    return drawn.X * unit, drawn.factors
