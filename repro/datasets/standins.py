"""Generated data in place of a real set, so that everything runs without network."""

import os

import numpy as np

from .arguments import known_name
from .registry import ENTRIES
from .render import Solid, render


def standin_wanted(name):
    """Return whether ``REPRO_STANDIN`` asks for a stand-in of a data set.

    The variable is "1" for every set, or a list of names separated by commas.

    Parameters
    ----------
    name : str
        Short name of the set, such as ``"coil20"``.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If the variable holds a name that is unknown: a misspelt one must not pass for real data.
    """
    value = os.environ.get("REPRO_STANDIN", "").strip().lower()
    if value in ("", "0", "false", "no"):
        return False
    if value in ("1", "true", "yes", "all"):
        return True
    listed = [item.strip() for item in value.split(",") if item.strip()]
    return name in [known_name(item, ENTRIES, "REPRO_STANDIN") for item in listed]


def standin_origin(name):
    """Return the fields by which a `Dataset` says that it is a stand-in of the set `name`."""
    return {
        "source": f"generated in place of {ENTRIES[name].title} by repro.datasets.standins",
        "licence": "that of this package",
        "citation": "none: generated data",
        "is_standin": True,
    }


def coil20_standin(objects, views):
    """Render turning objects in place of COIL-20.

    The objects stand on a table that turns by 5 degrees from view to view; the camera is 22
    degrees above it. Objects 3, 6 and 19 are cars, 1 a duck, 2 a wood block, 4 a cat, 5 a box
    with a label, the others are random assemblies (the same at every call). The front of each
    differs from its back.

    Parameters
    ----------
    objects : iterable of int
        Object numbers, 1 to 20.
    views : iterable of int
        View numbers, 0 to 71; view k is the object turned by 5k degrees.

    Returns
    -------
    ndarray of shape (n, 128, 128), uint8
        Object-major, on black background.
    """
    angles = [5.0 * view for view in views]
    return np.concatenate([render(_OBJECTS.get(n, _assembly)(n), angles) for n in objects])


def _car(length, width, height, cabin, wheel, paint, glass):
    """Build a car that faces +x; `cabin` is (middle, half length, half height)."""
    middle, half_length, half_height = cabin
    top = 2 * height + wheel
    body = Solid("box", (0, 0, wheel + height), (length, width, height), paint)
    above = (half_length, 0.85 * width, half_height)
    roof = Solid("box", (middle, 0, top + half_height), above, glass)
    wheels = [
        Solid("ellipsoid", (x, y, wheel), (wheel, 0.1, wheel), 0.35)
        for x in (-0.62 * length, 0.62 * length)
        for y in (-width, width)
    ]
    lamps = [
        Solid("ellipsoid", (length, y, wheel + height), (0.06, 0.1, 0.1), 1.0)
        for y in (-0.6 * width, 0.6 * width)
    ]
    bumper = Solid("box", (-length, 0, wheel + 0.4 * height), (0.06, 0.9 * width, 0.08), 0.2)
    return [body, roof, *wheels, *lamps, bumper]


def _saloon(_number):
    return _car(1.0, 0.42, 0.15, (-0.15, 0.45, 0.15), 0.19, 0.85, 0.45)


def _van(_number):
    return _car(0.95, 0.45, 0.2, (-0.25, 0.68, 0.3), 0.2, 0.55, 0.8)


def _racer(_number):
    return _car(1.15, 0.4, 0.1, (-0.4, 0.22, 0.14), 0.24, 0.36, 0.9)


def _duck(_number):
    return [
        Solid("ellipsoid", (0, 0, 0.45), (0.75, 0.48, 0.42), 0.85),
        Solid("ellipsoid", (0.5, 0, 1.05), (0.34, 0.3, 0.32), 0.9),
        Solid("ellipsoid", (0.88, 0, 1.0), (0.2, 0.14, 0.06), 0.5),
        Solid("ellipsoid", (-0.75, 0, 0.65), (0.28, 0.2, 0.12), 0.7),
        *(Solid("ellipsoid", (0.68, y, 1.15), (0.06, 0.06, 0.06), 0.08) for y in (-0.2, 0.2)),
    ]


def _wood_block(_number):
    return [
        Solid("box", (0, 0, 0.3), (0.9, 0.5, 0.3), 0.6),
        Solid("box", (-0.45, 0, 0.85), (0.4, 0.5, 0.25), 0.75),
    ]


def _cat(_number):
    return [
        Solid("ellipsoid", (-0.15, 0, 0.5), (0.5, 0.42, 0.5), 0.7),
        Solid("ellipsoid", (0.2, 0, 1.15), (0.36, 0.38, 0.33), 0.8),
        *(Solid("box", (0.15, y, 1.48), (0.07, 0.1, 0.14), 0.55) for y in (-0.24, 0.24)),
        *(Solid("ellipsoid", (0.5, y, 1.22), (0.07, 0.07, 0.07), 0.1) for y in (-0.15, 0.15)),
        *(Solid("ellipsoid", (0.35, y, 0.15), (0.28, 0.12, 0.15), 0.85) for y in (-0.22, 0.22)),
        Solid("ellipsoid", (-0.6, 0.3, 0.15), (0.4, 0.12, 0.12), 0.5, yaw=-35),
    ]


def _labelled_box(_number):
    return [
        Solid("box", (0.1, 0.1, 0.65), (0.7, 0.4, 0.65), 0.75),
        Solid("box", (0.1, -0.3, 0.7), (0.5, 0.01, 0.3), 0.15),
        Solid("box", (0.8, 0.1, 0.65), (0.01, 0.3, 0.5), 0.3),
    ]


def _assembly(number):
    """Put together a few random parts; the number of the object is the seed."""
    rng = np.random.default_rng(number)
    parts = []
    for _ in range(rng.integers(3, 6)):
        half = rng.uniform(0.15, 0.5, 3)
        x, y = rng.uniform(-0.6, 0.6, 2)
        parts.append(
            Solid(
                rng.choice(["box", "ellipsoid"]),
                (x, y, half[2] * rng.uniform(1.0, 2.5)),
                tuple(half),
                rng.uniform(0.25, 1.0),
                rng.uniform(0.0, 90.0),
            )
        )
    return parts


_OBJECTS = {
    1: _duck,
    2: _wood_block,
    3: _saloon,
    4: _cat,
    5: _labelled_box,
    6: _van,
    19: _racer,
}
