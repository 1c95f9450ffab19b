"""Surfaces whose true coordinates are known, some with holes or cuts, and a closed curve."""

import numpy as np

from repro.core.checks import check_choice, check_count

from .base import Dataset


def _s_curve(n, rng):
    t = rng.uniform(-1.5 * np.pi, 1.5 * np.pi, n)
    width = rng.uniform(0.0, 5.0, n)
    return (np.sin(t), width, np.sign(t) * (np.cos(t) - 1.0)), (t, width)


def _twin_peaks(n, rng):
    x, y = rng.uniform(-1.0, 1.0, (2, n))
    return (x, y, np.sin(np.pi * x) * np.tanh(3.0 * y)), (x, y)


def _sphere(n, rng):
    longitude = rng.uniform(-np.pi, np.pi, n)
    z = rng.uniform(-1.0, 1.0, n)  # slices of equal thickness have equal area
    radius = np.sqrt(1.0 - z**2)
    return (radius * np.cos(longitude), radius * np.sin(longitude), z), (longitude, np.arcsin(z))


def _swiss_roll(n, rng):
    t = 1.5 * np.pi * (1.0 + 2.0 * rng.uniform(0.0, 1.0, n))
    height = rng.uniform(0.0, 21.0, n)
    arc = _spiral_length(t) - _spiral_length(1.5 * np.pi)
    return (t * np.cos(t), height, t * np.sin(t)), (arc, height)


def _spiral_length(t):
    """Return the length of the spiral r = t from its centre: the integral of √(1 + t²)."""
    return 0.5 * (t * np.sqrt(1.0 + t**2) + np.arcsinh(t))


def _roll_with_hole(n, rng):
    from sklearn.datasets import make_swiss_roll

    points, t = make_swiss_roll(n, random_state=int(rng.integers(2**31)), hole=True)
    return points.T, (t, points[:, 1])


def _ball(u, v):
    """Return points of the unit sphere at longitude u and latitude v, and these."""
    return (np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)), (u, v)


def _severed_sphere(n, rng):
    return _ball(rng.uniform(0.0, 5.7, n), rng.uniform(-1.2, 1.2, n))


def _torus_patch(n, rng):
    u, v = rng.uniform(0.0, 1.5 * np.pi, (2, n))
    return ((2 + np.cos(v)) * np.cos(u), (2 + np.cos(v)) * np.sin(u), np.sin(v)), (u, v)


def _trefoil(n, rng):
    u = rng.uniform(0.0, 2 * np.pi, n)
    X = np.sin(u) + 2 * np.sin(2 * u), np.cos(u) - 2 * np.cos(2 * u), -np.sin(3 * u)
    return X, (u, u)


def _square(n, rng):
    """Draw 2n points in the square ±1, twice the number wanted, as a hole removes some."""
    return rng.uniform(-1, 1, (2, 2 * n))


def _bent_sheet(n, rng):
    u, v = _square(n, rng)[:, :n] * [[0.75 * np.pi], [2.5]]
    return (np.sin(u), v, np.cos(u)), (u, v)


def _sphere_patch(n, rng):
    u, v = _square(n, rng)[:, :n] * [[np.pi / 3], [np.pi / 4]]
    return _ball(u, v)


def _sheet_with_hole(n, rng):
    points = np.empty((2, 0))
    while points.shape[1] < n:
        drawn = _square(n, rng)
        points = np.hstack([points, drawn[:, np.abs(drawn).max(axis=0) > 1 / 3]])
    u, v = points[:, :n] * [[1.5], [1.0]]
    return (u, v, np.zeros(n)), (u, v)


def _flat_torus(n, rng):
    angles = rng.uniform(-np.pi, np.pi, (n, 2)).T
    return (*np.cos(angles), *np.sin(angles)), angles


# By name: the function that draws n points, and the names of their coordinates.
_SURFACES = {
    "S-curve": (_s_curve, "t", "width"),
    "Swiss roll": (_swiss_roll, "arc_length", "height"),
    "Swiss roll with a hole": (_roll_with_hole, "u", "v"),
    "bent sheet": (_bent_sheet, "u", "v"),
    "flat torus": (_flat_torus, "u", "v"),
    "severed sphere": (_severed_sphere, "u", "v"),
    "sheet with a hole": (_sheet_with_hole, "u", "v"),
    "sphere": (_sphere, "longitude", "latitude"),
    "sphere patch": (_sphere_patch, "u", "v"),
    "torus patch": (_torus_patch, "u", "v"),
    "trefoil": (_trefoil, "u", "v"),
    "twin peaks": (_twin_peaks, "x", "y"),
}
SURFACES = tuple(_SURFACES)


def make_surface(name, n=1000, rng=None):
    """Sample a surface by its name.

    Parameters
    ----------
    name : str
        "S-curve": (sin t, 5w, sign(t)(cos t − 1)), t uniform in ±3π/2, w in [0, 1]. The map from
        (t, 5w) to the surface is an isometry. From Saul and Roweis (JMLR 4, 2003);
        "Swiss roll": (t cos t, h, t sin t), t uniform in 3π/2 to 9π/2, h in [0, 21]. The map from
        (arc length of the spiral, h) is an isometry; points are sparser on the outer turns. From
        Tenenbaum, de Silva and Langford (Science 290, 2000);
        "Swiss roll with a hole": that of scikit-learn;
        "bent sheet": three quarters of a cylinder of radius 1, 5 high;
        "flat torus": (cos u, cos v, sin u, sin v), in four dimensions;
        "severed sphere": the unit sphere without its poles and a slice between two meridians;
        "sheet with a hole": flat, 3 by 2, without its middle ninth;
        "sphere": the unit sphere, sampled uniformly;
        "sphere patch": longitudes within 60°, latitudes within 45°;
        "torus patch": three quarters of a torus, both ways;
        "trefoil": a closed curve with a knot;
        "twin peaks": (x, y, sin(πx) tanh(3y)), x and y uniform in ±1, two peaks and two hollows.
        From the Matlab Toolbox for Dimensionality Reduction (L. van der Maaten), a tenth as high.
    n : int
        Number of points, at least 1.
    rng : numpy.random.Generator, int or None
        Source of randomness, or its seed; None draws a new sample at each call.

    Returns
    -------
    Dataset
        ``X`` (n, 3) float64, or (n, 4) for the flat torus; ``factors`` (n, 2) float64, the true
        coordinates, angles in radians. For the roll with a hole they are the angle and the height;
        for the trefoil both are its one angle. No units.
    """
    check_choice(name, "name", SURFACES)
    draw, *factor_names = _SURFACES[name]
    X, factors = draw(check_count(n, "n"), np.random.default_rng(rng))
    return Dataset(
        name,
        "generated by repro.datasets.make_surface",
        licence="no terms",
        citation="see repro.datasets.make_surface",
        X=np.column_stack(X),
        factors=np.column_stack(factors),
        factor_names=tuple(factor_names),
    )


def make_s_curve(n=1000, rng=None):
    """Sample the S-curve, see `make_surface`."""
    return make_surface("S-curve", n, rng)


def distances_along(name, data):
    """Compute geodesic distances between points of a surface in closed form.

    ``data`` is the `Dataset` that `make_surface` returned, or has some of its rows as ``X`` and
    ``factors``. Returns (n, n) float64 in the units of ``X``, or None if it has no formula here. On
    the sphere, angles are arc cosines: those below some 1e-8 are lost.
    """
    from scipy.spatial.distance import cdist

    if name == "sphere":
        return np.arccos(np.clip(data.X @ data.X.T, -1, 1))
    if name in ("S-curve", "Swiss roll"):
        return cdist(data.factors, data.factors)
    if name == "flat torus":
        steps = np.abs(data.factors[:, None] - data.factors)
        return np.linalg.norm(np.minimum(steps, 2 * np.pi - steps), axis=2)
    return None
