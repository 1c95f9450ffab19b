"""Generated data in place of the real sets, so that everything runs without network.

Images show a body of soft spots in space: its identity sets the spots, and turn, nod, light and
place change them smoothly. Triplets are noisy answers about points in planted groups. Letters are
points around planted centres.
"""

import numpy as np

from repro.core.blas import one_blas_thread


def pictures(who, shape, turn=0.0, nod=0.0, light=0.0, place=(0.0, 0.0), spots=14):
    """Draw bodies of soft spots from the front, without perspective; (n, h, w) float32, 0–1.

    ``who``, (n,), identifies the body in each image, the same at every call; ``spots`` is its
    number of spots. ``shape`` is (height, width) in pixels; the shorter side spans -1 to 1. Angles
    are in degrees, floats or (n,): ``turn`` and ``nod`` rotate the body about the vertical and the
    horizontal axis; ``light`` is 0 behind the viewer and positive to the right. ``place`` shifts
    the body to the right and down.
    """
    kinds, who = np.unique(who, return_inverse=True)
    bodies = zip(*[_body(kind, spots) for kind in kinds], strict=True)
    centres, widths, albedo = (np.stack(part)[who] for part in bodies)
    given = *np.radians(np.broadcast_arrays(turn, nod, light)), *place
    turn, nod, light, right, down = (np.broadcast_to(part, len(who))[:, None] for part in given)
    x, y, z = np.moveaxis(centres, 2, 0)
    x, z = np.cos(turn) * x + np.sin(turn) * z, np.cos(turn) * z - np.sin(turn) * x
    y, z = np.cos(nod) * y - np.sin(nod) * z, np.cos(nod) * z + np.sin(nod) * y
    lit = np.exp(1.2 * (np.sin(light) * x + np.cos(light) * z - 0.6))
    strength = albedo * lit / (1 + np.exp(-6 * z))  # spots at the back fade
    half = np.array(shape) / min(shape)
    rows, columns = (h * (2 * np.arange(n) + 1 - n) / n for h, n in zip(half, shape, strict=True))
    down, across = _bell(rows, y + down, widths), _bell(columns, x + right, widths)
    down *= strength[..., None].astype(np.float32)
    with one_blas_thread():
        return np.minimum([d.T @ a for d, a in zip(down, across, strict=True)], 1)


def _body(who, spots):
    """Return centres, (spots, 3), widths and brightness."""
    rng = np.random.default_rng([int(who), spots])
    shine = rng.random(spots) * min(1, 20 / spots)
    return rng.uniform(-0.65, 0.65, (spots, 3)), rng.uniform(0.08, 0.25, spots), shine


def _bell(steps, centres, widths):
    apart = (steps - centres[..., None]) / widths[..., None]
    return np.exp(-(apart**2) / 2).astype(np.float32)


def _bytes(images):
    return np.rint(255 * images).astype(np.uint8)


def turning_objects(objects, views):
    """COIL-20: objects on a turntable, 5 degrees between views; (n, 128, 128) uint8."""
    who, turn = np.repeat(objects, len(views)), np.tile(5.0 * np.array(views), len(objects))
    return {"images": _bytes(pictures(who, (128, 128), turn))}


def turning_persons(names):
    """UMIST: people turn evenly from profile to front; (n, 112, 92) uint8."""
    who, number = [100 + ord(name[0]) for name in names], [int(name[1:]) for name in names]
    return {"images": _bytes(pictures(who, (112, 92), 90 - 2.6 * np.array(number)))}


def lit_head():
    """Isomap faces: light, pan and tilt of a head, drawn independently; images and factors."""
    rng = np.random.default_rng(698)
    light, pan, tilt = (rng.uniform(-reach, reach, 698) for reach in (75.0, 75.0, 20.0))
    images = pictures(np.full(698, 300), (32, 32), pan, tilt, light).astype(np.float64)
    factors = np.stack([light, pan, tilt], axis=1)
    factors = (factors - factors.mean(axis=0)) / factors.std(axis=0, ddof=1)
    return {"images": images, "factors": factors}


def film():
    """Brendan's face: it turns and nods in changing light; successive frames are similar."""
    rng, time = np.random.default_rng(1965), np.linspace(0, 2 * np.pi, 1965)
    speeds, phases = rng.uniform(4, 12, (5, 1)), rng.uniform(0, 2 * np.pi, (5, 1))
    pan, tilt, light, x, y = np.sin(speeds * time + phases)
    turned = 35 * pan, 12 * tilt, 40 * light
    images = pictures(np.full(1965, 301), (28, 20), *turned, (0.1 * x, 0.1 * y))
    return {"images": _bytes(np.clip(images + 0.01 * rng.standard_normal(images.shape), 0, 1))}


def _digits(labels, shape, rng):
    """Draw a body per digit, slightly turned and shifted."""
    turn, nod, x, y = rng.normal(size=(4, len(labels)))
    return pictures(labels + 400, shape, 20 * turn, 15 * nod, 0.0, (0.08 * x, 0.08 * y), spots=8)


def mnist(n):
    """MNIST: images (n, 28, 28) uint8 and labels."""
    rng = np.random.default_rng(n)
    labels = rng.integers(0, 10, n)
    return {"images": _bytes(_digits(labels, (28, 28), rng)), "labels": labels}


def usps(digits):
    """USPS: images (n, 16, 16) uint8, 1100 of each digit."""
    images = _digits(np.repeat(np.arange(10), 1100), (16, 16), np.random.default_rng(9))
    chosen = images.reshape(10, 1100, 16, 16)[np.array(digits)]
    return {"images": _bytes(chosen.reshape(-1, 16, 16))}


def scenes(labels):
    """MIT Scenes: images of many spots, a body per category, (n, 200, 200) uint8."""
    rng, kinds = np.random.default_rng(8), np.unique(labels, return_inverse=True)[1]
    turn, x, y = rng.normal(size=(3, len(kinds)))
    images = pictures(kinds + 500, (200, 200), 15 * turn, 0.0, 0.0, (0.1 * x, 0.1 * y), spots=60)
    return {"images": _bytes(images)}


def letters():
    """Letter Recognition: features around 26 planted centres, integers from 0 to 15."""
    rng = np.random.default_rng(10)
    kind = rng.integers(0, 26, 20_000)
    features = rng.uniform(2, 13, (26, 16))[kind] + 1.5 * rng.standard_normal((20_000, 16))
    return {
        "X": np.clip(features, 0, 15).round(),
        "labels": np.array([chr(ord("A") + k) for k in range(26)])[kind],
    }


def planted_points(groups, rng):
    """Place items in five dimensions by group, (n,) int; halves of a group are less far apart."""
    n_groups = int(groups.max()) + 1
    halves = 2 * groups + rng.integers(0, 2, len(groups))
    centres, within = (rng.standard_normal((n, 5)) for n in (n_groups, 2 * n_groups))
    return 3 * centres[groups] + 1.2 * within[halves] + 0.5 * rng.standard_normal((len(groups), 5))


def answers(points, n, rng, temperature=1.5):
    """Simulate answers about n triplets of different items, (n, 3), mostly for the nearer item.

    Its probability is 1 / (1 + e^(-Δ / temperature)), where Δ is the difference of the distances.
    """
    i, j, k = triplets = rng.integers(0, len(points), (3, 2 * n))
    i, j, k = triplets = triplets[:, (i != j) & (j != k) & (k != i)][:, :n]
    near, far = (np.linalg.norm(points[i] - points[other], axis=1) for other in (j, k))
    swap = rng.random(n) > 1 / (1 + np.exp((near - far) / temperature))
    return np.where(swap, [i, k, j], triplets).T


def music(genres):
    """Music: 9107 answers about 412 artists of planted genres, mostly the first; tags, names."""
    rng, n = np.random.default_rng(5), 412
    shares = np.array([12, 1, 3, 1, 2, 0.5, 0.5, 0.5])
    group = rng.choice(len(genres), n, p=shares / shares.sum())
    tags = np.zeros((n, 58))
    tags[np.arange(n), group + len(genres) * rng.integers(0, 7, n)] = 1
    return {
        "triplets": answers(planted_points(group, rng), 9107, rng),
        "factors": tags,
        "factor_names": tuple(f"tag {k}" for k in range(58)),
        "names": tuple(f"artist {k}" for k in range(n)),
        "labels": np.array(genres)[group],
    }


def food(size):
    """Food-100: 190,376 answers about 100 dishes in three planted groups, and their images."""
    rng, n = np.random.default_rng(6), 100
    group = np.sort(rng.permutation(n) % 3)
    points = planted_points(group, rng)
    drawn = np.unique(answers(points, 600_000, rng), axis=0)
    chosen = np.sort(rng.permutation(len(drawn))[:190_376])
    colours = [pictures(3 * group + 600 + k, (size, size), 20 * points[:, 0]) for k in range(3)]
    return {
        "triplets": drawn[chosen],
        "images": _bytes(np.stack(colours, axis=3)),
        "names": tuple(f"dish {k}" for k in range(n)),
    }
