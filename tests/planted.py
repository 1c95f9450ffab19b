"""Points in planted classes."""

import numpy as np


def planted_classes(n=75, k=3, apart=9.0):
    """Draw k round classes of points in six dimensions; every k-th point has the same class."""
    labels = np.arange(n) % k
    return np.random.default_rng(0).normal(size=(n, 6)) + apart * np.eye(k, 6)[labels], labels
