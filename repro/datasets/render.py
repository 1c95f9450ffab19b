"""A small ray caster: boxes and ellipsoids on a turntable, seen from the front and above."""

from dataclasses import dataclass

import numpy as np

ELEVATION = np.radians(22.0)  # of the camera above the table
_LIGHT = np.array([-0.45, -0.65, 0.75]) / np.linalg.norm([-0.45, -0.65, 0.75])
_AMBIENT = 0.3
_FINER = 2  # rays per pixel and direction; their mean softens the edges

# The camera looks along _FORWARD without perspective; _RIGHT and _UP span the picture.
_FORWARD = np.array([0.0, np.cos(ELEVATION), -np.sin(ELEVATION)])
_RIGHT = np.array([1.0, 0.0, 0.0])
_UP = np.array([0.0, np.sin(ELEVATION), np.cos(ELEVATION)])


@dataclass(frozen=True)
class Solid:
    """A box or an ellipsoid of an object.

    Attributes
    ----------
    kind : {"box", "ellipsoid"}
    centre : tuple of float
        (x, y, z) on the turntable; z points up, and the table turns about x = y = 0.
    half : tuple of float
        Half the size along each axis of the part, in the same unit.
    albedo : float
        Brightness in full light, 0 to 1.
    yaw : float
        How far the part is turned about its vertical axis, in degrees.
    """

    kind: str
    centre: tuple[float, float, float]
    half: tuple[float, float, float]
    albedo: float
    yaw: float = 0.0


def render(parts, angles, size=128):
    """Draw an object once for each angle of the turntable, on black, with Lambert shading.

    Parameters
    ----------
    parts : sequence of Solid
    angles : iterable of float
        In degrees. The scale is the same for all of them, so the pictures change continuously.
    size : int
        Height and width of a picture, in pixels.

    Returns
    -------
    ndarray of shape (n, size, size), uint8
    """
    scale, middle = _frame(parts)
    return np.stack([_view(parts, np.radians(angle), size, scale, middle) for angle in angles])


def _frame(parts):
    """Return half the side of a frame that holds the object at every angle, and its middle height.

    A part lies within the ball around its centre that holds its bounding box.
    """
    reach = max(np.hypot(*part.centre[:2]) + np.hypot(*part.half[:2]) for part in parts)
    low = min(part.centre[2] - part.half[2] for part in parts)
    high = max(part.centre[2] + part.half[2] for part in parts)
    tall = (high - low) / 2 * np.cos(ELEVATION) + reach * np.sin(ELEVATION)
    return 1.02 * max(reach, tall), (low + high) / 2


def _view(parts, angle, size, scale, middle):
    """Draw the object at one angle (in radians): the nearest part wins at every ray."""
    rays = size * _FINER
    steps = ((np.arange(rays, dtype=np.float32) + 0.5) / rays * 2 - 1) * np.float32(scale)
    picture = np.zeros((rays, rays), dtype=np.float32)
    depth = np.full((rays, rays), np.inf, dtype=np.float32)
    for part in parts:
        centre = _about_z(angle) @ (np.array(part.centre) - [0.0, 0.0, middle])
        axes = _about_z(angle + np.radians(part.yaw)) * part.half  # columns: half axes, world frame
        across = _span(steps, _RIGHT @ centre, np.abs(_RIGHT @ axes).sum())
        along = _span(-steps, _UP @ centre, np.abs(_UP @ axes).sum())
        shape = _box if part.kind == "box" else _ellipsoid
        distance, light = shape(steps[across], -steps[along], centre, axes)
        nearer = distance < depth[along, across]
        depth[along, across][nearer] = distance[nearer]
        shade = part.albedo * (_AMBIENT + (1 - _AMBIENT) * np.maximum(light, 0))
        picture[along, across][nearer] = np.broadcast_to(shade, nearer.shape)[nearer]
    coarse = picture.reshape(size, _FINER, size, _FINER).mean(axis=(1, 3))
    return np.rint(255 * coarse).astype(np.uint8)


def _about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _span(steps, middle, reach):
    """Return the slice of the steps that lie within reach of the middle: no other ray can hit."""
    inside = np.flatnonzero(np.abs(steps - middle) <= reach)
    return slice(inside[0], inside[-1] + 1) if len(inside) else slice(0, 0)


def _rays(x, y, centre, axes):
    """Return the rays in the part's frame, where it is a cube or ball of half size 1.

    They start at ``origin`` (3, rows, columns), float32, and all go along ``ahead`` (3,).
    """
    inverse = np.linalg.inv(axes)
    right, up, shift = (np.float32(inverse @ v)[:, None, None] for v in (_RIGHT, _UP, -centre))
    return right * x[None, None, :] + up * y[None, :, None] + shift, np.float32(inverse @ _FORWARD)


def _box(x, y, centre, axes):
    """Slab test: a ray is in the box while it is between all three pairs of faces."""
    origin, ahead = _rays(x, y, centre, axes)
    ahead = np.copysign(np.maximum(np.abs(ahead), np.float32(1e-6)), ahead)
    side = np.sign(ahead)
    speed = ahead[:, None, None]
    entry = (-side[:, None, None] - origin) / speed
    leave = (side[:, None, None] - origin) / speed
    distance, face = entry.max(axis=0), entry.argmax(axis=0)
    distance[distance > leave.min(axis=0)] = np.inf
    light = -side * (_LIGHT @ (axes / np.linalg.norm(axes, axis=0)))
    return distance, np.float32(light)[face]


def _ellipsoid(x, y, centre, axes):
    """Quadratic: the first point of a ray at distance 1 from the centre of the ball."""
    origin, ahead = _rays(x, y, centre, axes)
    a = ahead @ ahead
    b = np.tensordot(ahead, origin, 1)
    inside = b**2 - a * (np.einsum("kij,kij->ij", origin, origin) - 1)
    distance = np.where(inside > 0, (-b - np.sqrt(np.maximum(inside, 0))) / a, np.float32(np.inf))
    point = origin + ahead[:, None, None] * np.where(inside > 0, distance, 0)
    normal = np.tensordot(np.float32(np.linalg.inv(axes).T), point, 1)
    length = np.sqrt(np.einsum("kij,kij->ij", normal, normal))
    return distance, np.tensordot(np.float32(_LIGHT), normal, 1) / np.maximum(length, 1e-12)
