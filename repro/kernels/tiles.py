"""Points and matrices cut into tiles, for the compiled loops over pairs."""

import math

import numpy as np

# A tile's coordinates and forces fit in the first-level cache; the size is not a power of two, so
# that their rows do not all map to the same few cache lines.
TILE = 192


def empty(shape):
    """Return an uninitialised float64 array that starts on a cache line, unlike NumPy's.

    A 64-byte vector that straddles two lines costs two reads, so sweeps take up to twice as long.
    """
    size = math.prod(shape)
    if size < TILE * TILE // 4:
        return np.empty(shape)  # in the first-level cache either way
    memory = np.empty(size + 7)
    start = -memory.ctypes.data // 8 % 8
    return memory[start : start + size].reshape(shape)


def to_tiles(X):
    """Cut coordinates (n, d) into tiles (n_tiles, d, side); pad the last tile with zeros."""
    n, d = X.shape
    if n <= TILE:
        return np.ascontiguousarray(X.T)[None]
    n_tiles = -(-n // TILE)
    padded = np.zeros((n_tiles * TILE, d))
    padded[:n] = X
    tiles = empty((n_tiles, d, TILE))
    tiles[:] = padded.reshape(n_tiles, TILE, d).transpose(0, 2, 1)
    return tiles


def from_tiles(G, n):
    """Undo `to_tiles`."""
    if len(G) == 1:
        return G[0].T.copy()
    return np.ascontiguousarray(G.transpose(0, 2, 1)).reshape(-1, G.shape[1])[:n]


def pack(A):
    """Copy the tiles on and above the diagonal of a symmetric (n, n) matrix, one after the other.

    In this order, the loops read half the matrix, and each entry once. The tiles are float64, or
    int8 if A is.
    """
    n = len(A)
    side = min(TILE, n)
    n_tiles = -(-n // side)
    shape = (n_tiles * (n_tiles + 1) // 2, side, side)
    packed = np.empty(shape, np.int8) if A.dtype == np.int8 else empty(shape)
    packed[:] = 0
    k = 0
    for i in range(0, n, side):
        for j in range(i, n, side):
            block = A[i : i + side, j : j + side]
            packed[k, : block.shape[0], : block.shape[1]] = block
            k += 1
    return packed
