"""Compiled loops, which need numba, and their foundations: tiles and threads.

Here a kernel is a loop; the Gaussian kernel matrix is in `repro.core.kernel_matrices`.

`numba` caches a compiled loop until the file of the loop changes. After a change of `elementary`,
`points` or `sne_pairs`, whose functions are inlined into loops in other files, delete the cache.
"""
