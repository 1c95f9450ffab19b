"""Turning objects: half circles of views, one per class."""

import numpy as np

LABELS = np.repeat([0, 1, 2], 20)
VIEWS = np.tile(np.arange(20), 3)


def curves(gap, noise=0.0):
    """Draw one half circle per class, the classes ``gap`` apart on a third axis."""
    angle = VIEWS / 19 * np.pi
    X = np.stack([np.cos(angle), np.sin(angle), gap * LABELS], axis=1)
    return X + noise * np.random.default_rng(0).normal(size=X.shape)
