"""Stand-ins with a planted truth: simulated answers, moved digits, textures."""

import numpy as np


def planted_points(groups, rng):
    """Place items in five dimensions: groups apart, two halves of each less so, items around them.

    Parameters
    ----------
    groups : (n,) int array
        The group of each item.
    rng : numpy.random.Generator

    Returns
    -------
    points : (n, 5) float64 array
    """
    n_groups = int(groups.max()) + 1
    halves = 2 * groups + rng.integers(0, 2, len(groups))
    centres = 3.0 * rng.standard_normal((n_groups, 5))
    within = 1.2 * rng.standard_normal((2 * n_groups, 5))
    return centres[groups] + within[halves] + 0.5 * rng.standard_normal((len(groups), 5))


def answers(points, triplets, rng, temperature=1.5):
    """Let somebody with a limited eye put j and k in order for every triplet.

    The nearer item is named with the probability 1 / (1 + e^(-Δ / temperature)), Δ the difference
    of its distance from the other's.

    Parameters
    ----------
    points : (n, d) array
    triplets : (T, 3) int array
    rng : numpy.random.Generator
    temperature : float

    Returns
    -------
    triplets : (T, 3) int array
    """
    i, j, k = triplets.T
    gap = np.linalg.norm(points[i] - points[k], axis=1) - np.linalg.norm(
        points[i] - points[j], axis=1
    )
    swap = rng.random(len(triplets)) > 1 / (1 + np.exp(-gap / temperature))
    return np.where(swap[:, None], triplets[:, [0, 2, 1]], triplets)


def music_standin(genres):
    """Simulate answers about 412 artists of planted genres; most are of the first.

    Returns
    -------
    dict of the fields of a `repro.datasets.Dataset`
    """
    rng, n = np.random.default_rng(5), 412
    shares = np.array([12, 1, 3, 1, 2, 0.5, 0.5, 0.5])
    group = rng.choice(len(genres), n, p=shares / shares.sum())
    points = planted_points(group, rng)
    tags = np.zeros((n, 58))
    tags[np.arange(n), group + len(genres) * rng.integers(0, 7, n)] = 1.0
    return {
        "triplets": answers(points, _draw(n, 9107, rng), rng),
        "labels": np.array(genres)[group],
        "factors": tags,
        "factor_names": tuple(f"tag {k}" for k in range(58)),
        "names": tuple(f"artist {k}" for k in range(n)),
    }


def _draw(n, count, rng):
    """Draw triplets of three different items."""
    i, j, k = rng.integers(0, n, count), rng.integers(1, n, count), rng.integers(1, n - 1, count)
    j = (i + j) % n
    # The third is one of those that are neither the first nor the second.
    low, high = np.minimum(i, j), np.maximum(i, j)
    k = k - 1
    k += k >= low
    k += k >= high
    return np.column_stack([i, j, k])


def food_standin(size, tastes):
    """Simulate answers about 100 dishes of three planted groups, drawn as coloured plates.

    Returns
    -------
    dict of the fields of a `repro.datasets.Dataset`
    """
    rng, n = np.random.default_rng(6), 100
    group = np.sort(rng.permutation(n) % 3)
    points = planted_points(group, rng)
    drawn = np.vstack([answers(points, _draw(n, 600_000, rng), rng), _both_orders(n, rng)])
    triplets = np.unique(drawn, axis=0)
    kept = np.sort(rng.permutation(len(triplets))[:190_376])
    words = ("vegetable", "sugar", "flour")
    return {
        "triplets": triplets[kept],
        "images": np.stack([_plate(size, g, rng) for g in group]),
        "factors": np.clip(50 + 20 * points[:, [0, 1, 2, 3, 4, 0]], 0, 100).round(),
        "factor_names": tuple(tastes),
        "names": tuple(f"dish {k}" for k in range(n)),
        "keywords": tuple((words[g], f"spice {k % 7}") for k, g in enumerate(group)),
    }


def _both_orders(n, rng):
    some = _draw(n, 5000, rng)
    return np.vstack([some, some[:, [0, 2, 1]]])


def _plate(size, group, rng):
    """Draw a white plate with food of the group's colour on it."""
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    image = np.full((size, size, 3), 200.0)
    image[x**2 + y**2 < 0.8] = 245
    paint = np.array([(60, 150, 60), (230, 150, 190), (190, 140, 80)])[group]
    for _ in range(5):
        u, v, r = *rng.uniform(-0.4, 0.4, 2), rng.uniform(0.15, 0.3)
        image[(x - u) ** 2 + (y - v) ** 2 < r**2] = paint + rng.uniform(-30, 30, 3)
    return np.clip(image, 0, 255).astype(np.uint8)


def mnist_standin(n):
    """Enlarge scikit-learn's 8 × 8 digits to 20 × 20 and put them into 28 × 28 off centre.

    Parameters
    ----------
    n : int

    Returns
    -------
    dict with ``images`` (n, 28, 28) uint8 and ``labels`` (n,) int64
    """
    from sklearn.datasets import load_digits

    rng, digits = np.random.default_rng(7), load_digits()
    chosen = rng.integers(0, len(digits.images), n)
    images = _moved(_enlarged(digits.images, 2.5), chosen, 28, range(2, 7), rng)
    return {"images": images, "labels": digits.target[chosen].astype(np.int64)}


def usps_standin(counts):
    """Enlarge scikit-learn's 8 × 8 digits to 14 × 14 and put them into 16 × 16 off centre.

    Parameters
    ----------
    counts : sequence of ten int
        How many of each digit.

    Returns
    -------
    dict with ``images`` (n, 16, 16) uint8, digit by digit, and ``labels`` (n,) int64
    """
    from sklearn.datasets import load_digits

    rng, digits = np.random.default_rng(9), load_digits()
    chosen = [rng.choice(np.flatnonzero(digits.target == k), n) for k, n in enumerate(counts)]
    images = _moved(_enlarged(digits.images, 1.75), np.concatenate(chosen), 16, range(3), rng)
    return {"images": images, "labels": np.repeat(np.arange(10), counts)}


def _enlarged(images, factor):
    from scipy.ndimage import zoom

    return np.clip(zoom(images, (1, factor, factor), order=1) * 16, 0, 255)


def _moved(large, chosen, size, margins, rng):
    """Put the chosen images into squares, at random places and of random brightness."""
    n, side = len(chosen), large.shape[1]
    down, right = rng.integers(margins.start, margins.stop, (2, n))
    images = np.zeros((n, size, size), np.uint8)
    for k in range(n):
        light = 0.8 + 0.2 * rng.random()
        images[k, down[k] : down[k] + side, right[k] : right[k] + side] = light * large[chosen[k]]
    return images


def letters_standin(n):
    """Draw features around 26 planted centres, whole numbers from 0 to 15.

    Parameters
    ----------
    n : int

    Returns
    -------
    dict with ``features`` (n, 16) uint8 and ``labels`` (n,) array of str, "A" to "Z"
    """
    rng = np.random.default_rng(10)
    kind = rng.integers(0, 26, n)
    centres = rng.uniform(2, 13, (26, 16))
    features = np.clip(centres[kind] + 1.5 * rng.standard_normal((n, 16)), 0, 15)
    letters = np.array([chr(ord("A") + k) for k in range(26)])
    return {"features": features.round().astype(np.uint8), "labels": letters[kind]}


def scenes_standin(labels, kinds, shape):
    """Draw textures: every kind has an orientation, a coarseness and a bright part of its own.

    Parameters
    ----------
    labels : (n,) array of str
    kinds : tuple of str
    shape : (int, int)

    Returns
    -------
    images : (n, h, w) uint8 array
    """
    from scipy.fft import fft2, fftfreq, ifft2

    rng = np.random.default_rng(8)
    fy, fx = np.meshgrid(*(fftfreq(side) for side in shape), indexing="ij")
    radius, angle = np.hypot(fx, fy), np.arctan2(fy, fx)
    images = []
    for label in labels:
        kind = kinds.index(label)
        turn = np.pi * kind / len(kinds) + 0.2 * rng.standard_normal()
        scale = 0.05 * (1 + kind % 3) * np.exp(0.2 * rng.standard_normal())
        filtered = np.exp(-(((radius - scale) / 0.03) ** 2)) * np.cos(angle - turn) ** 8
        texture = ifft2(fft2(rng.standard_normal(shape)) * filtered).real
        slope = np.linspace(-1, 1, shape[0])[:, None] * (-1) ** (kind % 2)
        images.append(128 + 40 * texture / texture.std() + 30 * slope)
    return np.clip(images, 0, 255).astype(np.uint8)
