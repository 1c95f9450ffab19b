"""Compiled loops, which need numba, and their foundations: tiles and threads.

Here a kernel is a loop; the Gaussian kernel matrix is in `repro.core.kernel_matrices`.
"""

import os
from contextlib import suppress
from pathlib import Path


def _drop_stale_cache():
    """Delete cached loops that are older than the newest source file of this folder.

    `numba` compiles a loop anew when the file of the loop changes, but not when a file changes
    whose functions are inlined into it, such as `elementary`.
    """
    folder, given = Path(__file__).parent, os.environ.get("NUMBA_CACHE_DIR")
    caches = [folder / "__pycache__", *(Path(given).glob(f"{folder.name}_*") if given else ())]
    changed = max((source.stat().st_mtime for source in folder.glob("*.py")), default=0.0)
    for cached in (path for cache in caches for path in cache.glob("*.nb[ic]")):
        with suppress(OSError):  # another process may have deleted it
            if cached.stat().st_mtime < changed:
                cached.unlink()


_drop_stale_cache()
