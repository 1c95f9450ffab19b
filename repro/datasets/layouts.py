"""The forms in which a data set lies in a folder, and how a form is read and judged by content."""

import hashlib
import io
import stat
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from .matfile import read_arrays

# The largest file that is read has 10 MB; what is far larger is refused before it fills the memory.
LARGEST_FILE = 2**26
_LARGEST_ARCHIVE = 2**28
_LARGEST_MEMBER = 2**26
_MOST_PIXELS = 2**24
_FORMATS = ("PNG", "PPM", "JPEG")


class DamagedData(Exception):  # noqa: N818 - the name says the state, not a fault
    """Files are there but their content is not the data set's.

    Parameters
    ----------
    reasons : mapping of Path to str
        What is wrong with each file.
    """

    def __init__(self, reasons):
        self.reasons = {Path(path): why for path, why in reasons.items()}
        super().__init__(few([f"{path.name}: {why}" for path, why in self.reasons.items()], "; "))


@dataclass(frozen=True)
class File:
    """A file of a layout: its name below the data set's folder, and how to get and judge it.

    Attributes
    ----------
    name : str
        Relative path, with forward slashes.
    urls : tuple of str
        Addresses, tried in this order.
    check : callable
        ``check(path)`` raises `DamagedData` or ValueError if the content of a file is wrong.
    sha256 : str or None
        Of the bytes at the addresses, where they are known. Only downloads are held to it:
        a file placed by hand may be another encoding of the right content.
    size : int or None
        Bytes, where known; for the progress bar.
    """

    name: str
    urls: tuple[str, ...]
    check: Callable[[Path], object]
    sha256: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Layout:
    """One of the forms in which a data set may lie in a folder.

    Attributes
    ----------
    files : tuple of File
        All that the form needs.
    read : callable
        ``read(folder)`` gives a dict of arrays; it raises FileNotFoundError if a file is missing
        and `DamagedData` if one is there but wrong (this first, if both are so).
    arrays : mapping of str to str
        The sha256 of arrays that `read` must give, where known.
    """

    files: tuple[File, ...]
    read: Callable[[Path], dict[str, np.ndarray]]
    arrays: Mapping[str, str] = field(default_factory=dict)

    def load(self, folder):
        """Read the arrays from `folder` and check their hashes; raises as `read` does."""
        arrays = self.read(folder)
        wrong = [name for name, known in self.arrays.items() if array_sha256(arrays[name]) != known]
        if wrong:
            why = f"the decoded {', '.join(wrong)} differ from the known sha256"
            raise DamagedData({folder / file.name: why for file in self.files})
        return arrays

    def missing(self, folder):
        """List the files of the layout that are not in `folder`."""
        return [file for file in self.files if not (folder / file.name).exists()]


def few(items, separator=", ", most=3):
    """Join the first few items; say how many more there are."""
    items = list(items)
    more = f" … and {len(items) - most} more" if len(items) > most else ""
    return separator.join(items[:most]) + more


def array_sha256(array):
    """Return the sha256 of an array's bytes in C order, as hexadecimal text."""
    return hashlib.sha256(np.ascontiguousarray(array)).hexdigest()


def read_bytes(path):
    """Return the bytes of a file, of at most `LARGEST_FILE`.

    Raises
    ------
    ValueError
        If it is larger, or no regular file (a pipe could be read for ever).
    OSError
        If it cannot be read; FileNotFoundError if it is not there.
    """
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("it is no regular file")
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ValueError("it is too large")
    return data


def decode_gray(data):
    """Return the pixels (h, w), uint8, of an encoded grey image; ValueError if it is none.

    The formats of the data sets alone are read: others, of the many that Pillow knows, start
    programs or have been seldom tested. An image of more than `_MOST_PIXELS` is refused unread.
    """
    from PIL import Image  # here, so that importing the package stays quick

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise ValueError("too many pixels")
            return np.asarray(image.convert("L"))
    # Pillow's plugins raise errors of many kinds on broken bytes; each means the same to us.
    except Exception as error:
        raise ValueError(f"not a readable image ({error.__class__.__name__})") from error


def decode_matlab(data, known):
    """Return arrays of a MATLAB file (before version 7.3) by name.

    Parameters
    ----------
    data : bytes
    known : dict of str to (str, tuple of (int or None))
        The arrays to read, and the type and shape they must have; None is any length. The type
        matters, as the sha256 of an array is that of its bytes, whatever they stand for.

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    ValueError
        If the data are no such file, or an array is missing or of another type or shape.
    """
    try:
        arrays = read_arrays(data, known)
    except ValueError as error:
        wanted = " and ".join(known)
        raise ValueError(f"not a readable MATLAB file with {wanted} ({error})") from error
    for name, (dtype, shape) in known.items():
        array = arrays[name]
        if not _fits(array.shape, shape):
            raise ValueError(f"its {name} has shape {array.shape}, not {shape}")
        if array.dtype != dtype:
            raise ValueError(f"its {name} has type {array.dtype}, not {dtype}")
    return arrays


def read_numbers(dataset, dtype, shape):
    """Read an array of an open HDF5 file, after a look at what it says of itself.

    Parameters
    ----------
    dataset : h5py.Dataset
    dtype : str
    shape : tuple of (int or None)
        None is any length, up to `LARGEST_FILE` bytes in all.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        If it is of another type or shape, or too large: such an array is not read, as its numbers
        could fill the memory however small the file.
    """
    if dataset.dtype != dtype or not _fits(dataset.shape, shape) or dataset.nbytes > LARGEST_FILE:
        raise ValueError(f"{dataset.dtype} of shape {dataset.shape}, not {dtype} of {shape}")
    return dataset[()]


def _fits(shape, wanted):
    """Return whether a shape is the one wanted, of which None is any length."""
    return len(shape) == len(wanted) and all(
        w in (None, length) for w, length in zip(wanted, shape, strict=True)
    )


def known_image(data, name, known, shape, title):
    """Decode one image and compare its pixels with those known for its name.

    Parameters
    ----------
    data : bytes
    name : str
        Path of the file; the last part of it is its name in `known`.
    known : dict of str to Row
        See `repro.datasets.registry.rows`.
    shape : (int, int)
    title : str
        Of the data set, for the message.

    Returns
    -------
    ndarray of the shape, uint8

    Raises
    ------
    ValueError
        If the data are no image, or another one.
    """
    pixels = decode_gray(data)
    if pixels.shape != shape or array_sha256(pixels) != known[name.rpartition("/")[2]].array_sha256:
        raise ValueError(f"its pixels are not those of {title}")
    return pixels


def image_files(names, mirrors, known, image):
    """List the files of a set that has one image in each.

    Parameters
    ----------
    names : iterable of str
    mirrors : sequence of str
        Addresses to which a name is appended.
    known : dict of str to Row
    image : callable
        ``image(data, name)`` raises ValueError for wrong content.

    Returns
    -------
    tuple of File
    """
    return tuple(
        File(
            name,
            tuple(mirror + name for mirror in mirrors),
            check=lambda path, name=name: image(read_bytes(path), name),
            sha256=known[name].sha256,
            size=known[name].size,
        )
        for name in names
    )


def known_file(name, mirrors, known, decode=None):
    """Describe a file that is judged by the sha256 of its bytes, as a JPEG image has to be.

    Parameters
    ----------
    name : str
    mirrors : sequence of str
        Addresses to which the name is appended.
    known : dict of str to Row
    decode : callable, optional
        ``decode(data, name)`` raises ValueError for wrong content; by default the bytes are
        compared with their sha256. The name is the file's own: what is being downloaded is judged
        before it bears it.

    Returns
    -------
    File
    """
    row = known[name]
    urls = tuple(mirror + name for mirror in mirrors)
    decode = decode or partial(known_bytes, known=known)
    return File(
        name,
        urls,
        check=lambda path: decode(read_bytes(path), name),
        sha256=row.sha256,
        size=row.size,
    )


def known_bytes(data, name, known):
    """Return bytes that are those known for a name; ValueError if they are others."""
    if hashlib.sha256(data).hexdigest() != known[name].sha256:
        raise ValueError("its bytes are not those known for it")
    return data


def read_each(folder, names, decode):
    """Decode the named files below `folder`, in the order given.

    Parameters
    ----------
    folder : Path
    names : iterable of str
    decode : callable
        ``decode(data, name)`` returns anything, and raises ValueError for wrong content.

    Returns
    -------
    list
        What `decode` returned for each name.

    Raises
    ------
    DamagedData
        If `decode` refuses any of the files; all of them are named.
    FileNotFoundError
        If none is refused, but files are missing.
    """
    decoded, damaged, missing = [], {}, []
    for name in names:
        try:
            decoded.append(decode(read_bytes(folder / name), name))
        except FileNotFoundError:
            missing.append(name)
        except ValueError as error:
            damaged[folder / name] = str(error)
    if damaged:
        raise DamagedData(damaged)
    if missing:
        raise FileNotFoundError(f"missing: {few(missing)}")
    return decoded


def read_zip(path, members, decode):
    """Decode the named members of a zip archive in place: nothing is extracted.

    Only exactly these names are read, so a member such as ``../x`` has no effect.
    The arguments, returns and errors are those of `read_each`; a missing member is damage.
    """
    decoded = []
    with path.open("rb") as file:  # outside the try: a file that is not there is not damaged
        try:
            if path.stat().st_size > _LARGEST_ARCHIVE:
                raise ValueError("it is too large")
            with zipfile.ZipFile(file) as archive:
                for member in members:
                    decoded.append(decode(_member(archive, member), member))
        except KeyError:
            raise DamagedData({path: f"it has no member {member}"}) from None
        except ValueError as error:
            raise DamagedData({path: str(error)}) from error
        # Broken bytes show as BadZipFile, zlib.error, EOFError, OSError, RuntimeError …
        except Exception as error:
            raise DamagedData({path: f"not a sound zip archive ({error})"}) from error
    return decoded


def _member(archive, name):
    """Return the bytes of a member: at most as many as it says it has, and not too many."""
    about = archive.getinfo(name)
    if about.file_size > _LARGEST_MEMBER:
        raise ValueError(f"its member {name} is too large")
    # Other methods unpack a piece whole, however large that is.
    if about.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"its member {name} is compressed in another way than by deflation")
    with archive.open(about) as member:
        return member.read(about.file_size)  # without the size, all there is would be unpacked
