"""Relations of the BRE paper: neighbours, radius, classes, given graphs; and its affinities."""

import numpy as np
import pytest
from scipy import sparse

import repro

X = np.random.default_rng(0).normal(size=(30, 4))
D2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)


def test_neighbors_are_one_sided_as_printed():
    related = repro.neighbor_graph(X, 5)
    np.testing.assert_array_equal(related.sum(axis=0), 5)
    assert (related != related.T).any()
    for j in (0, 17):
        nearest = np.argsort(D2[j])[1:6]
        np.testing.assert_array_equal(np.flatnonzero(related[:, j]), np.sort(nearest))
    either, both = (repro.neighbor_graph(X, 5, symmetric=s) for s in ("or", "and"))
    np.testing.assert_array_equal(either, related | related.T)
    np.testing.assert_array_equal(both, related & related.T)
    given = repro.squared_distances(X)
    np.testing.assert_array_equal(related, repro.neighbor_graph(D2=given, n_neighbors=5))
    np.testing.assert_array_equal(given, repro.squared_distances(X))


def test_ties_go_to_the_smaller_index():
    related = repro.neighbor_graph(np.zeros((4, 1)), 2)
    np.testing.assert_array_equal(np.flatnonzero(related[:, 3]), [0, 1])
    np.testing.assert_array_equal(np.flatnonzero(related[:, 0]), [1, 2])


def test_radius_classes_and_graphs():
    related = repro.radius_graph(X, 3.0)
    off = ~np.eye(30, dtype=bool)
    np.testing.assert_array_equal(related, (D2 <= 3.0) & off)
    labels = np.arange(30) % 3
    np.testing.assert_array_equal(repro.class_graph(labels), (labels[:, None] == labels) & off)
    for A in (related * 2.5, sparse.csr_array(related)):
        np.testing.assert_array_equal(repro.adjacency_graph(A), related)
    assert not repro.adjacency_graph(np.eye(3)).any()


def test_the_affinities_are_eqs_3_and_5_to_7():
    related, E = repro.radius_graph(X, 6.0), np.exp(-D2 / 2.5)
    np.testing.assert_allclose(repro.bernoulli_gaussian(X, 2.5), E, rtol=1e-12)
    np.testing.assert_allclose(repro.bernoulli_gaussian(D2=D2[:3], beta=2.5), E[:3], rtol=1e-12)
    contrast = repro.bernoulli_contrast(X, 2.5, related)
    np.testing.assert_allclose(contrast[related], 0.5 + 0.5 * E[related], rtol=1e-12)
    others = ~related & ~np.eye(30, dtype=bool)
    np.testing.assert_allclose(contrast[others], 0.5 - 0.5 * E[others], rtol=1e-12)
    np.testing.assert_array_equal(contrast.diagonal(), 1)
    truncated = repro.bernoulli_truncated(X, 2.5, related)
    np.testing.assert_allclose(truncated.toarray(), np.where(related, E, 0), rtol=1e-12)
    assert truncated.nnz == related.sum()
    for given in (related, sparse.csr_array(related)):
        S = repro.embedding_affinities(X, 2.5, given)  # Eq. (7)
        np.testing.assert_allclose(S, np.where(related | np.eye(30, dtype=bool), E, 0), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:a bandwidth of")
def test_entries_that_underflow_stay_in_the_relation():
    related = repro.radius_graph(X, 6.0)
    truncated = repro.bernoulli_truncated(X, 1e-5, related)
    assert truncated.nnz == related.sum()
    assert truncated.data.min() == 0
