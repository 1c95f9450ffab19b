"""The compiled loops, which need numba, and what they stand on: tiles, and threads.

A kernel is a loop here; the Gaussian kernel matrix is in `repro.core.kernel_matrices`.

`numba` keeps what it compiled until the file of the loop changes. Whoever changes `elementary`,
`points` or `sne_pairs`, whose functions become part of loops in other files, must delete what is
cached.
"""
