"""The MNIST digits."""

import gzip
import io
import zlib
from functools import partial

import numpy as np

from repro.core.checks import check_choice

from . import registry, store
from .base import Dataset
from .layouts import Layout, array_sha256, known_file, read_each
from .planted import mnist_standin
from .standins import standin_origin, standin_wanted

PARTS = {"t10k": ("t10k",), "train": ("train",), "all": ("train", "t10k")}
SIZES = {"train": 60_000, "t10k": 10_000}
_LARGEST = 2**26  # bytes; the training images take 47 MB


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

    Raises
    ------
    ValueError
        If there is no such part.
    DatasetUnavailable
        If the data can be found neither in ``REPRO_DATA_DIR``, nor in the cache, nor at the
        addresses; the message says which file to put where.

    Notes
    -----
    Source: the four gzipped IDX files of the authors, of which two copies are tried. Every file
    is compared with the known sha256 of its decoded array, so that one compressed anew is
    accepted. No preparation is done. With ``REPRO_STANDIN=1`` scikit-learn's digits are enlarged
    and moved about instead (see `repro.datasets.planted`).

    Licence: CC BY-SA 3.0; cite Y. LeCun, L. Bottou, Y. Bengio and P. Haffner (1998).
    """
    parts = PARTS[check_choice(part, "part", tuple(PARTS))]
    entry = registry.ENTRIES["mnist"]
    if standin_wanted("mnist"):
        arrays = mnist_standin(sum(SIZES[name] for name in parts))
        origin = standin_origin("mnist")
    else:
        arrays = store.load(entry, layouts(parts))
        origin = {"source": entry.source, "licence": entry.licence, "citation": entry.citation}
    return Dataset(name="mnist", **arrays, **origin)


def layouts(parts=PARTS["all"]):
    """Return the form in which the digits may lie in a folder: two gzipped files a part."""
    entry, known = registry.ENTRIES["mnist"], registry.rows("mnist")
    names = [name for part in parts for name in _files(part)]
    files = tuple(known_file(name, entry.mirrors, known, _decode) for name in names)
    return (Layout(files, partial(_read, names=names)),)


def _files(part):
    return f"{part}-images-idx3-ubyte.gz", f"{part}-labels-idx1-ubyte.gz"


def _read(folder, names):
    arrays = read_each(folder, names, _decode)
    images, labels = (np.concatenate(arrays[kind::2]) for kind in (0, 1))
    return {"images": images, "labels": labels.astype(np.int64)}


def _decode(data, name):
    """Decode a gzipped IDX file; ValueError unless its array is the one known for the name."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            data = file.read(_LARGEST)  # a small file may hold far more than the memory does
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"not a whole gzip file ({error})") from error
    dimensions = data[3] if len(data) > 3 else 0
    array = np.frombuffer(data, np.uint8)[4 + 4 * dimensions :]
    right = 3 if "idx3" in name else 1
    known = registry.rows("mnist")[name].array_sha256
    if dimensions != right or array_sha256(array) != known:
        raise ValueError("its content is not that of MNIST")
    return array.reshape(-1, 28, 28) if dimensions == 3 else array
