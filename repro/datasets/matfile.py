"""Arrays of numbers from MATLAB files of version 5, read without trust in what a file says.

SciPy's reader takes a type or a length in a file at its word: a changed byte can end the process,
and a small compressed file fill the memory. Here every length is held against the bytes there are.
"""

import math
import struct
import zlib
from itertools import islice

import numpy as np

# What the arrays of a file may take in memory, in bytes, once they are decompressed.
_LARGEST = 2**26

_DIMENSIONS, _MATRIX, _COMPRESSED = 5, 14, 15
_TYPES = {
    **{1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4"},
    **{7: "f4", 9: "f8", 12: "i8", 13: "u8"},
}
_NUMBERS = range(6, 16)  # classes of arrays; the others are cells, structures, text, sparse …
_COMPLEX = 0x0800


def read_arrays(data, names):
    """Return the real, dense arrays of numbers of the given names.

    Parameters
    ----------
    data : bytes
        A whole file of version 5 (as MATLAB writes without ``-v7.3``), compressed or not.
    names : collection of str

    Returns
    -------
    dict of str to ndarray
        Of the type in which they are filed, in native byte order: MATLAB files whole numbers
        small enough in fewer bytes than their class has.

    Raises
    ------
    ValueError
        If the data are no such file or are cut off, or an array is missing, is no array of
        numbers, or is too large.
    """
    order = {b"\x00\x01IM": "<", b"\x01\x00MI": ">"}.get(data[124:128])
    if order is None:
        raise ValueError("no header of version 5")
    arrays, left = {}, _LARGEST
    for kind, content in _elements(memoryview(data)[128:], order):
        if kind == _COMPRESSED:
            content = _inflated(content, left)
            left -= len(content)
            kind, content = next(_elements(memoryview(content), order))
        if kind == _MATRIX:
            arrays |= _matrix(content, order, names)
    missing = [name for name in names if name not in arrays]
    if missing:
        raise ValueError(f"no {missing[0]}")
    return arrays


def _elements(data, order, multiple=1):
    """Yield type and content of each element; each takes a multiple of so many bytes."""
    place = 0
    while place < len(data):
        if len(data) < place + 8:
            raise ValueError("cut off")
        kind, size = struct.unpack_from(order + "II", data, place)
        start, room = place + 8, len(data) - place - 8
        if kind >> 16:  # a small element: its size is in the upper half, its content in the tag
            kind, size, start, room = kind & 0xFFFF, kind >> 16, place + 4, 4
        if size > room:
            raise ValueError("cut off")
        end = start + size
        yield kind, data[start:end]
        place = max(place + 8, end + -end % multiple)


def _inflated(data, most):
    """Decompress what is whole, and not more than so many bytes."""
    inflater = zlib.decompressobj()
    try:
        whole = inflater.decompress(data, max(most, 1))
    except zlib.error as error:
        raise ValueError(f"not compressed as it says ({error})") from error
    if not inflater.eof or not whole:
        raise ValueError("cut off, empty or too large")
    return whole


def _matrix(data, order, names):
    """Return {name: array} of the content of a matrix; empty if it is of another name."""
    parts = list(islice(_elements(data, order, 8), 5))
    name = bytes(parts[2][1]).decode("latin-1") if len(parts) > 2 else ""
    if name not in names:
        return {}
    (_, flags), dimensions, _, *numbers = parts
    flags = int.from_bytes(flags[:4], {"<": "little", ">": "big"}[order])
    if flags & 0xFF not in _NUMBERS or flags & _COMPLEX or len(numbers) != 1:
        raise ValueError(f"{name} is no array of real numbers")
    return {name: _array(dimensions, numbers[0], order)}


def _array(dimensions, numbers, order):
    """Build an array from the element of its shape and that of its numbers, by columns."""
    if dimensions[0] != _DIMENSIONS or numbers[0] not in _TYPES:
        raise ValueError("of an unknown type")
    shape = np.frombuffer(dimensions[1], order + "i4").tolist()
    flat = np.frombuffer(numbers[1], order + _TYPES[numbers[0]])
    if min(shape, default=0) < 0 or math.prod(shape) != flat.size:
        raise ValueError("its shape does not fit its numbers")
    return flat.astype(flat.dtype.newbyteorder("=")).reshape(shape, order="F")
