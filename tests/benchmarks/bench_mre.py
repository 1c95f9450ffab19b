"""Value and gradients of MRE on the problem of its Figure 3 against NumPy.

698 points in four dimensions; one relation over all, four over 100 points each.
Run with: pytest tests/benchmarks/bench_mre.py
"""

import numpy as np
import pytest
from peers import minus_squared_distances

from repro import MRE, Relation, gaussian_rows, mre_loss

N, LABELLED, D = 698, 100, 4


def problem():
    rng = np.random.default_rng(0)
    factors = rng.normal(size=(N, D))
    relations = []
    for k in range(D):
        index = rng.permutation(N)[:LABELLED]
        P = gaussian_rows(factors[index][:, [k]], include_self=True)
        relations.append(Relation(P, index=index))
    relations.append(Relation(gaussian_rows(factors, 2.0, include_self=True)))
    return rng.normal(size=(N, D)), rng.normal(size=(D + 1, D)), relations


class CarefulNumpy:
    """Gram matrices, everything in place, and what does not change computed once."""

    def __init__(self, relations):
        self.parts = [
            (
                slice(None) if relation.index is None else relation.index,
                relation.P + relation.P.T,
                relation.probabilities.negative_entropy,
                np.empty_like(relation.P),
                np.empty_like(relation.P),
            )
            for relation in relations
        ]

    def __call__(self, X, R):
        E, dX, dR = 0.0, np.zeros_like(X), np.zeros_like(R)
        for c, (index, A, negative_entropy, K, W) in enumerate(self.parts):
            points, n = X[index], len(A)
            Z = points * R[c]
            minus_squared_distances(Z, K)
            attraction = -np.einsum("ij,ij->", A, K) / 2
            np.exp(K, out=K)
            sums = K.sum(axis=1)
            np.multiply(K, 1 / sums[:, None] + 1 / sums, out=W)
            np.subtract(A, W, out=W)
            dZ = 2 / n * (W.sum(axis=1)[:, None] * Z - W @ Z)
            E += (negative_entropy + attraction + np.log(sums).sum()) / n
            dX[index] += dZ * R[c]
            dR[c] = (dZ * points).sum(axis=0)
        return E, dX, dR


@pytest.mark.parametrize("method", ["compiled", "careful NumPy"])
def test_loss_of_figure_3(benchmark, method):
    X, R, relations = problem()
    careful = CarefulNumpy(relations)
    benchmark.group = "MRE, 698 points, five relations, d = 4"
    f = (lambda X, R: mre_loss(X, R, relations)) if method == "compiled" else careful
    found = benchmark(f, X, R)
    for a, b in zip(found, mre_loss(X, R, relations, backend="numpy"), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-10)


def test_fit_of_figure_3(benchmark):
    _, _, relations = problem()
    benchmark.group = "MRE, 698 points, five relations, d = 4: a fit of 1000 iterations"
    model = MRE(D, max_iter=1000, random_state=0)
    benchmark.pedantic(lambda: model.fit(relations), rounds=3, warmup_rounds=1)
    assert model.n_iter_ > 100
