"""A rendered head with pan, tilt and light: the stand-in of the face sets."""

import numpy as np

_AMBIENT = 0.15
# Ellipsoids: centre, half axes, albedo. x points to the viewer's right, y up, z to the viewer.
_MOUTH = ((0.0, -0.48, 0.60), (0.22, 0.06, 0.08), 0.35)
_FEATURES = (
    ((0.0, 0.05, -0.1), (0.72, 0.92, 0.82), 0.80),  # skull
    ((0.0, -0.50, 0.10), (0.48, 0.48, 0.55), 0.80),  # jaw
    ((0.0, -0.08, 0.78), (0.11, 0.26, 0.20), 0.90),  # nose
    ((-0.27, 0.16, 0.62), (0.14, 0.08, 0.12), 0.15),  # eyes
    ((0.27, 0.16, 0.62), (0.14, 0.08, 0.12), 0.15),
    _MOUTH,
    ((0.0, 0.42, -0.22), (0.78, 0.66, 0.84), 0.25),  # hair
    ((-0.72, 0.0, -0.1), (0.08, 0.20, 0.14), 0.70),  # ears
    ((0.72, 0.0, -0.1), (0.08, 0.20, 0.14), 0.70),
)


def render_head(pan, tilt, light, shape, features=_FEATURES, background=0.0):
    """Draw a head, seen from the front without perspective, with Lambert shading.

    Parameters
    ----------
    pan, tilt : float
        In degrees; positive turns the face to the viewer's right, and up.
    light : float
        Direction of the light, in degrees: 0 is behind the viewer, positive to the right.
    shape : (int, int)
        Height and width of the picture in pixels.
    features : sequence of (centre, half axes, albedo)
    background : float

    Returns
    -------
    ndarray of the shape asked, float64 in [0, 1]
    """
    h, w = shape
    y, x = 1.15 * (1 - 2 * (np.arange(h) + 0.5) / h), 1.15 * (2 * (np.arange(w) + 0.5) - w) / h
    turn = _about_x(np.radians(-tilt)) @ _about_y(np.radians(pan))
    lamp = _about_y(np.radians(light)) @ np.array([0.0, 0.35, 1.0])
    lamp /= np.linalg.norm(lamp)
    picture, depth = np.full(shape, float(background)), np.full(shape, -np.inf)
    for centre, half, albedo in features:
        # The surface is (p - c)ᵀ M (p - c) = 1; for each pixel the root of z nearest the viewer.
        c, M = turn @ centre, turn @ np.diag(1 / np.square(half)) @ turn.T
        u, v = x[None, :] - c[0], y[:, None] - c[1]
        b = M[0, 2] * u + M[1, 2] * v
        rest = M[0, 0] * u**2 + 2 * M[0, 1] * u * v + M[1, 1] * v**2 - 1
        inside = b**2 - M[2, 2] * rest
        z = (-b + np.sqrt(np.maximum(inside, 0))) / M[2, 2]
        nearer = (inside > 0) & (z + c[2] > depth)
        normal = [M[k, 0] * u + M[k, 1] * v + M[k, 2] * z for k in range(3)]
        length = np.sqrt(sum(part**2 for part in normal))
        facing = np.maximum(sum(n * part for n, part in zip(lamp, normal, strict=True)) / length, 0)
        picture[nearer] = (albedo * (_AMBIENT + (1 - _AMBIENT) * facing))[nearer]
        depth[nearer] = (z + c[2])[nearer]
    return picture


def _about_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def _about_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def isomap_faces_standin():
    """Render a head in place of the Isomap faces: 698 poses and lights, drawn independently.

    Returns
    -------
    dict
        ``images`` (698, 32, 32) float64 in [0, 1] and ``factors`` (698, 3), light, pan and tilt
        with mean 0 and variance 1, as the real ones.
    """
    rng = np.random.default_rng(698)
    light, pan, tilt = (rng.uniform(-reach, reach, 698) for reach in (75.0, 75.0, 20.0))
    images = np.stack(
        [render_head(p, t, a, (32, 32)) for a, p, t in zip(light, pan, tilt, strict=True)]
    )
    factors = np.stack([light, pan, tilt], axis=1)
    factors = (factors - factors.mean(axis=0)) / factors.std(axis=0, ddof=1)
    return {"images": images, "factors": factors}


def brendan_standin(n_frames, shape):
    """Render a head in place of Brendan's: it turns, nods and pulls faces in a changing light.

    Parameters
    ----------
    n_frames : int
    shape : (int, int)

    Returns
    -------
    ndarray of shape (n_frames, *shape), uint8
        Frames that follow one another are alike.
    """
    rng = np.random.default_rng(1965)
    time = np.linspace(0, 2 * np.pi, n_frames)
    speeds, phases = rng.uniform(4, 12, 5), rng.uniform(0, 2 * np.pi, 5)
    pan, tilt, light, mouth, shade = np.sin(speeds[:, None] * time + phases[:, None])
    noise = 0.01 * rng.standard_normal((n_frames, *shape))
    frames = [
        (0.75 + 0.25 * s) * render_head(35 * p, 12 * t, 40 * a, shape, _mimic(m), 0.5)
        for p, t, a, m, s in zip(pan, tilt, light, mouth, shade, strict=True)
    ]
    return np.rint(255 * np.clip(np.stack(frames) + noise, 0, 1)).astype(np.uint8)


def _mimic(mood):
    """Widen the mouth for a smile (mood above 0), or open it for the tongue (below)."""
    wide, high = (0.22 + 0.12 * mood, 0.06) if mood > 0 else (0.2, 0.06 - 0.12 * mood)
    albedo = 0.35 if mood > -0.3 else 0.7
    others = [feature for feature in _FEATURES if feature is not _MOUTH]
    return [*others, (_MOUTH[0], (wide, high, _MOUTH[1][2]), albedo)]


def umist_standin(names):
    """Render heads in place of UMIST: each person turns evenly from profile to front.

    Parameters
    ----------
    names : sequence of str
        A letter and a number, such as "a8"; the letter decides the looks, the number the pose.

    Returns
    -------
    ndarray of shape (n, 112, 92), uint8
    """
    images = [
        render_head(90 - 2.6 * int(name[1:]), 0.0, 30.0, (112, 92), _person(name[0]), 0.6)
        for name in names
    ]
    return np.rint(255 * np.stack(images)).astype(np.uint8)


def _person(letter):
    """Vary the proportions and the colours of the features."""
    rng = np.random.default_rng(ord(letter))
    stretch = rng.uniform(0.88, 1.1, size=3)
    return [
        (np.multiply(centre, stretch), np.multiply(half, stretch), albedo * rng.uniform(0.6, 1.1))
        for centre, half, albedo in _FEATURES
    ]
