"""Manifolds in three dimensions whose true coordinates are known."""

import numpy as np

from .arguments import count, generator
from .base import Dataset


def make_s_curve(n=1000, rng=None):
    """Sample the S-curve: a strip bent into the letter S.

    A point is (sin t, 5u, sign(t)(cos t − 1)) with t uniform in ±3π/2 and u uniform in [0, 1].
    The map from (t, 5u) to the surface is an isometry: both derivatives are of unit length and
    orthogonal, so Euclidean distance between factors is distance along the surface.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    rng : numpy.random.Generator, int or None
        Source of randomness, or its seed; None draws a new sample at each call.

    Returns
    -------
    Dataset
        ``X`` (n, 3) float64; ``factors`` (n, 2) float64, the true coordinates (t, 5u).
        No units: lengths are relative to the radius of the bends.

    Raises
    ------
    TypeError
        If `n` is no whole number, or `rng` is neither a Generator, a whole number nor None.
    ValueError
        If `n` is less than 1 or the seed is negative.

    Notes
    -----
    Source: generated; the shape is that of L. K. Saul and S. T. Roweis, JMLR 4, 2003.
    """
    n, rng = count(n), generator(rng)
    t = rng.uniform(-1.5 * np.pi, 1.5 * np.pi, n)
    width = 5.0 * rng.uniform(0.0, 1.0, n)
    X = np.column_stack([np.sin(t), width, np.sign(t) * (np.cos(t) - 1.0)])
    citation = "L. K. Saul and S. T. Roweis, Think Globally, Fit Locally, JMLR 4, 2003."
    return _manifold("s_curve", X, (t, width), ("t", "width"), citation)


def make_twin_peaks(n=1000, rng=None):
    """Sample the twin peaks: a square sheet with two peaks and two hollows.

    A point is (x, y, sin(πx)·tanh(3y)) with x and y uniform in ±1. The map from (x, y) to the
    surface is no isometry: the slopes stretch it.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    rng : numpy.random.Generator, int or None
        Source of randomness, or its seed; None draws a new sample at each call.

    Returns
    -------
    Dataset
        ``X`` (n, 3) float64; ``factors`` (n, 2) float64, the true coordinates (x, y).
        No units: lengths are relative to half the side of the square.

    Raises
    ------
    TypeError
        If `n` is no whole number, or `rng` is neither a Generator, a whole number nor None.
    ValueError
        If `n` is less than 1 or the seed is negative.

    Notes
    -----
    Source: generated; the shape is that of the Matlab Toolbox for Dimensionality Reduction
    (L. van der Maaten).
    """
    n, rng = count(n), generator(rng)
    x, y = rng.uniform(-1.0, 1.0, (2, n))
    X = np.column_stack([x, y, np.sin(np.pi * x) * np.tanh(3.0 * y)])
    citation = "L. van der Maaten, Matlab Toolbox for Dimensionality Reduction."
    return _manifold("twin_peaks", X, (x, y), ("x", "y"), citation)


def make_sphere(n=1000, rng=None):
    """Sample the unit sphere uniformly.

    A closed surface: no map of it to the plane keeps all neighbours.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    rng : numpy.random.Generator, int or None
        Source of randomness, or its seed; None draws a new sample at each call.

    Returns
    -------
    Dataset
        ``X`` (n, 3) float64, of norm 1; ``factors`` (n, 2) float64, the longitude in ±π and the
        latitude in ±π/2, in radians.

    Raises
    ------
    TypeError
        If `n` is no whole number, or `rng` is neither a Generator, a whole number nor None.
    ValueError
        If `n` is less than 1 or the seed is negative.

    Notes
    -----
    Source: generated. The height is uniform because slices of equal thickness have equal area.
    """
    n, rng = count(n), generator(rng)
    longitude = rng.uniform(-np.pi, np.pi, n)
    z = rng.uniform(-1.0, 1.0, n)
    radius = np.sqrt(1.0 - z**2)
    X = np.column_stack([radius * np.cos(longitude), radius * np.sin(longitude), z])
    return _manifold("sphere", X, (longitude, np.arcsin(z)), ("longitude", "latitude"), "none")


def make_swiss_roll(n=1000, rng=None):
    """Sample the Swiss roll: a strip rolled into a spiral.

    A point is (t cos t, 21v, t sin t) with t = 3π/2·(1 + 2u), u and v uniform in [0, 1]. The map
    from (arc length, height) to the surface is an isometry, so Euclidean distance between
    factors is distance along the surface. As t, not the arc length, is uniform, the points are
    sparser on the outer turns.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    rng : numpy.random.Generator, int or None
        Source of randomness, or its seed; None draws a new sample at each call.

    Returns
    -------
    Dataset
        ``X`` (n, 3) float64; ``factors`` (n, 2) float64, the arc length along the spiral from its
        inner end and the height 21v. No units: the turns are 2π apart.

    Raises
    ------
    TypeError
        If `n` is no whole number, or `rng` is neither a Generator, a whole number nor None.
    ValueError
        If `n` is less than 1 or the seed is negative.

    Notes
    -----
    Source: generated; the shape is that of J. B. Tenenbaum, V. de Silva and J. C. Langford,
    Science 290, 2000.
    """
    n, rng = count(n), generator(rng)
    t = 1.5 * np.pi * (1.0 + 2.0 * rng.uniform(0.0, 1.0, n))
    height = 21.0 * rng.uniform(0.0, 1.0, n)
    X = np.column_stack([t * np.cos(t), height, t * np.sin(t)])
    arc = _spiral_length(t) - _spiral_length(1.5 * np.pi)
    citation = "J. B. Tenenbaum, V. de Silva and J. C. Langford, Science 290, 2000."
    return _manifold("swiss_roll", X, (arc, height), ("arc_length", "height"), citation)


def _spiral_length(t):
    """Length of the spiral r = t from its centre: the integral of √(1 + t²)."""
    return 0.5 * (t * np.sqrt(1.0 + t**2) + np.arcsinh(t))


def _manifold(name, X, factors, factor_names, citation):
    return Dataset(
        name=name,
        source=f"generated by repro.datasets.make_{name}",
        licence="no terms",
        citation=citation,
        X=X,
        factors=np.column_stack(factors),
        factor_names=factor_names,
    )
