"""The compiled loops, each beside nothing else. They need numba."""
