"""The MIT Scenes: outdoor scenes of eight categories, and their GIST features."""

from hashlib import sha256

import numpy as np

from repro.core.environment import this_environment

from . import standins
from .base import Dataset
from .gist import gist_features
from .registry import ENTRIES
from .store import Form, cache_dir, gray_images, load


def fetch_scenes():
    """Fetch 800 grey images of outdoor scenes, 100 per category, with GIST features.

    Returns
    -------
    Dataset
        ``images`` (800, 200, 200) uint8, 0–255; ``X`` (800, 512) float64, their GIST features
        (`repro.datasets.gist.gist_features`: 8 orientations, 4 scales, 4 × 4 blocks), computed at
        the first call, in a few seconds, and cached; ``labels`` (800,) text, one of eight
        categories; ``names``, such as "Coast/image_0006".

    Notes
    -----
    Source: grey JPEG copies, 200 × 200 pixels, of a part of the colour images of Oliva and
    Torralba, which have 256 × 256 pixels.

    Licence: none stated; cite A. Oliva and A. Torralba (2001).
    """
    files = tuple(ENTRIES["scenes"].hashes)
    labels = np.array([file.partition("/")[0] for file in files])
    arrays, origin = load(
        "scenes", Form(files, gray_images), standin=lambda: standins.scenes(labels)
    )
    return Dataset(
        **arrays,
        X=features(arrays["images"]),
        labels=labels,
        names=tuple(file.removesuffix(".jpg") for file in files),
        **origin,
    )


def features(images):
    """Return GIST features, from the cache if they were computed in an environment like this one.

    Another processor, sharing the folder, has other last digits.
    """
    from joblib import Memory

    here = this_environment()
    place = [here[what] for what in ("machine", "processor", "NumPy's loops", "numpy", "scipy")]
    folder = sha256("\n".join(place).encode()).hexdigest()[:8]
    return Memory(cache_dir() / "computed" / folder, verbose=0).cache(gist_features)(images)
