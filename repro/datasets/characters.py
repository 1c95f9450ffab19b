"""Handwritten digits (MNIST, USPS) and features of printed letters."""

import gzip

import numpy as np

from repro.core.checks import check_choice
from repro.core.extras import needs

from . import standins
from .base import Dataset, check_selection
from .store import Form, load

MNIST_SIZES = {"train": 60_000, "t10k": 10_000}


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
    parts = {"train": ("train",), "t10k": ("t10k",), "all": ("train", "t10k")}
    parts = parts[check_choice(part, "part", tuple(parts))]
    kinds = "images-idx3", "labels-idx1"
    files = tuple(f"{name}-{kind}-ubyte.gz" for name in parts for kind in kinds)

    def read(*paths):
        content = [np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8) for path in paths]
        images = [pixels[16:].reshape(-1, 28, 28) for pixels in content[::2]]
        labels = [digits[8:] for digits in content[1::2]]
        return {"images": np.concatenate(images), "labels": np.concatenate(labels)}

    size = sum(MNIST_SIZES[name] for name in parts)
    arrays, origin = load("mnist", Form(files, read), standin=lambda: standins.mnist(size))
    return Dataset(images=arrays["images"], labels=arrays["labels"].astype(np.int64), **origin)


def fetch_usps(digits=None, variant="11000"):
    """Fetch the USPS digits: handwritten, cut from envelopes, in 16 × 16 pixels.

    Parameters
    ----------
    digits : int or iterable of int, optional
        Which digits, 0 to 9; all by default.
    variant : {"11000", "9298"}
        The set of 1100 images per digit that the papers of 2002 to 2005 use, or the set of
        9298 images (7291 for training, then 2007 for testing) in common use today. They are
        normalised differently, and neither contains the other.

    Returns
    -------
    Dataset
        ``images`` (n, 16, 16), upright, bright ink: uint8, 0–255, digit by digit in the order
        requested; for "9298" float32 in [0, 1], in file order. ``X`` (n, 256) float64, the same
        values; ``labels`` (n,) int64, the digit.

    Notes
    -----
    Source: a MATLAB file with 1100 columns per digit, or an HDF5 file. Preprocessing: images of the
    MATLAB file, stored by columns, are turned upright; digit 0, stored after 9, is moved first.
    """
    digits = check_selection(digits, range(10), "digits")
    forms = {
        "11000": Form(("usps_all.mat",), _read_11000),
        "9298": Form(("usps.h5",), _read_9298),
    }
    form = forms[check_choice(variant, "variant", tuple(forms))]
    arrays, origin = load("usps", form, standin=lambda: standins.usps(variant))
    wanted = [np.flatnonzero(arrays["labels"] == digit) for digit in digits]
    wanted = np.concatenate(wanted) if variant == "11000" else np.sort(np.concatenate(wanted))
    return Dataset(**{name: array[wanted] for name, array in arrays.items()}, **origin)


def _read_11000(path):
    from scipy.io import loadmat

    # Planes of digits 1 to 9, then 0; images stored by columns.
    planes = np.roll(loadmat(path)["data"].transpose(2, 1, 0), 1, axis=0)
    images = planes.reshape(-1, 16, 16).transpose(0, 2, 1).copy()
    return {"images": images, "labels": np.repeat(np.arange(10), 1100)}


def _read_9298(path):
    needs("h5py", extra="notebooks")
    import h5py

    with h5py.File(path) as file:
        images, labels = (
            np.concatenate([file[part][kind][()] for part in ("train", "test")])
            for kind in ("data", "target")
        )
    return {"images": images.reshape(-1, 16, 16), "labels": labels.astype(np.int64)}


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
        return {"features": table.iloc[:, 1:].to_numpy(np.uint8), "labels": table[0].to_numpy("U1")}

    arrays, origin = load(
        "letters", Form(("letter-recognition.data",), read), standin=standins.letters
    )
    return Dataset(X=arrays["features"].astype(np.float64), labels=arrays["labels"], **origin)
