"""Squared distances of all pairs: ours, and scikit-learn's matrix product.

Run with: pytest tests/benchmarks/bench_distances.py
"""

import numpy as np
import pytest
from sklearn.metrics import euclidean_distances

from repro import squared_distances
from repro.core.blas import one_blas_thread

PLACES = {"centred": 0.0, "in a corner": 3.0, "far off": 1e9}


def by_products(X):
    with one_blas_thread():
        D2 = euclidean_distances(X, squared=True)
    return np.maximum(D2, D2.T)  # symmetric to the last bit, like ours


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("method", ["ours", "products"])
@pytest.mark.parametrize(("n", "d"), [(150, 10), (3000, 3), (3000, 50), (2000, 784)])
def test_all_pairs(benchmark, n, d, method, place):
    X = np.random.default_rng(0).normal(size=(n, d)) + PLACES[place]
    benchmark.group = f"{n} points, {d} columns, {place}"
    benchmark(squared_distances if method == "ours" else by_products, X)
