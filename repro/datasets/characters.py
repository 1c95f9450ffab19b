"""Handwritten digits (MNIST, USPS) and features of printed letters."""

import gzip
from functools import partial

import numpy as np

from repro.core.checks import check_choice

from . import standins
from .base import check_selection
from .store import load


def fetch_mnist(part="t10k"):
    """Fetch the MNIST digits: handwritten, size-normalised, centred in 28 × 28 pixels.

    Parameters
    ----------
    part : {"t10k", "train", "all"}
        The 10,000 test digits, the 60,000 training digits, or all, the training digits first.

    Returns
    -------
    Dataset
        ``images`` (n, 28, 28) uint8, 0–255, black background; ``X`` (n, 784) float64, the same
        values; ``labels`` (n,) int64, the digit.

    Notes
    -----
    Source: the authors' four gzipped IDX files. No preprocessing.
    """
    sizes = {"train": 60_000, "t10k": 10_000, "all": 70_000}
    size = sizes[check_choice(part, "part", tuple(sizes))]
    parts = ("train", "t10k") if part == "all" else (part,)
    kinds = "images-idx3", "labels-idx1"
    files = tuple(f"{name}-{kind}-ubyte.gz" for name in parts for kind in kinds)

    def read(*paths):
        content = [np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8) for path in paths]
        images = np.concatenate([pixels[16:] for pixels in content[::2]])
        labels = np.concatenate([digits[8:] for digits in content[1::2]])
        return {"images": images.reshape(-1, 28, 28), "labels": labels.astype(np.int64)}

    return load("mnist", (files, read), standin=partial(standins.mnist, size))


def fetch_usps(digits=None):
    """Fetch the USPS digits: handwritten, cut from envelopes, 1100 images of each.

    Papers of 2002 to 2005 use this set. The one of 9298 images in common use today is normalised
    differently, and neither contains the other.

    Parameters
    ----------
    digits : int or iterable of int, optional
        Which digits, 0 to 9; all by default.

    Returns
    -------
    Dataset
        ``images`` (n, 16, 16) uint8, 0–255, upright, bright ink, digit by digit in the order
        requested; ``X`` (n, 256) float64, the same values; ``labels`` (n,) int64, the digit.

    Notes
    -----
    Source: a MATLAB file with 1100 columns per digit. Preprocessing: images, stored by columns, are
    turned upright.
    """
    digits = check_selection(digits, range(10), "digits")

    def read(path):
        from scipy.io import loadmat

        # Planes of digits 1 to 9, then 0; images stored by columns.
        planes = loadmat(path)["data"].T[np.array(digits) - 1]
        return {"images": planes.reshape(-1, 16, 16).transpose(0, 2, 1)}

    form = ("usps_all.mat",), read
    standin = partial(standins.usps, digits)
    return load("usps", form, standin=standin, labels=np.repeat(digits, 1100))


def fetch_letters():
    """Fetch Letter Recognition: 20,000 distorted capital letters in twenty fonts, as features.

    Returns
    -------
    Dataset
        ``X`` (20000, 16) float64, integers from 0 to 15: box, ink, moments and edges of the
        image of the letter, scaled by the donors; ``labels`` (20000,) text, "A" to "Z".

    Notes
    -----
    Source: one text file from the UCI repository. No preprocessing.
    """

    def read(path):
        import pandas as pd

        table = pd.read_csv(path, header=None)
        return {"X": table.iloc[:, 1:].to_numpy(float), "labels": table[0].to_numpy("U1")}

    return load("letters", (("letter-recognition.data",), read), standin=standins.letters)
