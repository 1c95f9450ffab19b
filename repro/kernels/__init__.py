"""The compiled loops, which need numba, and what they stand on: tiles, and threads.

A kernel is a loop here; the Gaussian kernel matrix is in `repro.core.kernel_matrices`.
"""
