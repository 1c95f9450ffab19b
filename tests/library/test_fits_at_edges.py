"""Fits to extreme data: scales, outliers, duplicates, and input that changes later."""

from functools import partial

import numpy as np
import pytest
from planted import planted_classes
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from test_fits import RNG, X, triplets_of

from repro import (
    BRE,
    KIE,
    MRE,
    SNE,
    AffinityRelation,
    BernoulliRelation,
    ConditionalKIE,
    FastTETE,
    KernelMatrix,
    MultipleBRE,
    NeighborProbabilities,
    Relation,
    TripletEmbedding,
    TwinKernelPCA,
    WeightedTETE,
    bernoulli_truncated,
    bre_loss,
    class_blocks,
    gaussian_kernel,
    gaussian_rows,
    likelihood_bandwidth,
    nearest_neighbor_error,
    sne_loss,
)
from repro.bre import CovarianceMatrix


def of_weight(w):
    P = gaussian_rows(X, include_self=True)
    return [Relation(P, weight=w), Relation(class_blocks(np.arange(14) % 2), weight=3 * w)]


def of_affinity_weight(w):
    return [AffinityRelation(gaussian_kernel(X), weight=w)]


def fit_triplets(loss, w):
    weights = w * np.linspace(1, 2, 140)
    model = TripletEmbedding(loss, penalty=0.1 * w, max_iter=50, random_state=0)
    return model.fit(triplets_of(X), weights=weights)


# By name: a fit, given a scale that must not matter, and the unit of its embedding.
SCALED = {
    "MRE's weights": (lambda w: MRE(random_state=0, max_iter=20).fit(of_weight(w)), None),
    "MultipleBRE's weights": (
        lambda w: MultipleBRE(random_state=0, max_iter=20).fit(of_affinity_weight(w)),
        None,
    ),
    **{
        f"{loss}'s weights": (partial(fit_triplets, loss), None)
        for loss in ("tete", "tste", "ste", "ckl", "gnmds")
    },
    "BRE's γ": (lambda w: BRE(gamma=w, max_iter=20).fit(X), np.sqrt),
    "BRE's γ, random start": (
        lambda w: BRE(gamma=w, init="random", max_iter=10, random_state=0).fit(X),
        np.sqrt,
    ),
    "BRE's γ, point by point": (
        lambda w: BRE(gamma=w, optimizer="conditional-scg", max_iter=9).fit(X),
        np.sqrt,
    ),
    "TwinKernelPCA's γ": (lambda w: TwinKernelPCA(gamma=w, max_iter=20).fit(X), np.sqrt),
    "MultipleBRE's γ": (
        lambda w: MultipleBRE(gamma=w, random_state=0, max_iter=20).fit(of_affinity_weight(1.0)),
        np.sqrt,
    ),
    "CKL's μ": (
        lambda w: TripletEmbedding("ckl", mu=w, random_state=0, max_iter=50).fit(triplets_of(X)),
        np.sqrt,
    ),
}


@pytest.mark.parametrize("name", SCALED)
@pytest.mark.parametrize("scale", [1e-10, 1e7])
@pytest.mark.filterwarnings("ignore:the loss was still falling")
def test_a_scale_that_cannot_matter_does_not_matter(name, scale):
    fit_scaled, length = SCALED[name]
    one, other = fit_scaled(1.0), fit_scaled(scale)
    unit = length(scale) if length else 1.0
    assert one.n_iter_ == other.n_iter_ > 0
    np.testing.assert_allclose(other.embedding_ / unit, one.embedding_, rtol=1e-3, atol=1e-3)


# All distances are nearly equal.
ALIKE = np.random.default_rng(0).normal(size=(60, 3000))
ALIKE /= np.linalg.norm(ALIKE, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("model", "data", "says"),
    [
        *(
            (model, X, "ended at its start")
            for model in (
                SNE(init_scale=1e-12),
                WeightedTETE(n_neighbors=4, init_scale=1e-12),
                FastTETE(n_neighbors=4, init_scale=1e20),
                TwinKernelPCA(init_scale=1e3),
                BRE(init=np.zeros((14, 2))),
            )
        ),
        (SNE(sigma2=1e-6), X, "1e-06 is too small: sigma2"),
        (SNE(sigma2=1e9), X, "all points in one place"),
        (SNE(), np.repeat(X[:3], 40, axis=0), "120 points have more copies than the perplexity"),
        (BRE(affinity="truncated", related="radius", radius2=0.2), X, "are related to no other"),
        (TwinKernelPCA(kernel="linear"), 1e-6 * X, "lost in a noise of 0.01"),
        (KIE(), ALIKE, "all points in one place"),
        (KIE(bandwidth=1e-6), X, "1e-06 is too small: bandwidth .of X. is far below"),
        (KIE(bandwidth=1e6), X, "1e[+]06 is too large: bandwidth"),
        (BRE(beta=1e-9), X, "too small: beta"),
        (TwinKernelPCA(bandwidth=1e9), X, "too large: bandwidth"),
        (
            ConditionalKIE(penalty=0.1, condition_bandwidth=1e-9),
            X,
            "too small: condition_bandwidth",
        ),
        (KIE(), np.vstack([X, [[1e6, 0, 0]]]), "row 14 "),
        (TwinKernelPCA(), np.vstack([[[0, -1e6, 0]], X]), "row 0 "),
    ],
)
@pytest.mark.filterwarnings("ignore:a bandwidth of 1e")
def test_a_fit_that_tells_nothing_says_so(model, data, says):
    arguments = (data, data) if isinstance(model, ConditionalKIE) else (data,)
    with pytest.warns((RuntimeWarning, ConvergenceWarning), match=says):
        model.set_params(random_state=0).fit(*arguments)


@pytest.mark.parametrize("model", [WeightedTETE(n_neighbors=4), FastTETE(n_neighbors=4)])
def test_new_points_far_from_all_are_named(model):
    model.set_params(max_iter=5, random_state=0).fit(X)
    with pytest.warns(RuntimeWarning, match="2 new points lie far from all points of the fit"):
        model.transform(np.vstack([X[:3], X[:2] + 1e9]))


@pytest.mark.parametrize("scale", [1e20, 1e38])
def test_large_numbers_in_float32_are_taken(scale):
    one = FastTETE(n_neighbors=4, max_iter=5, random_state=0)
    with np.errstate(all="raise"):
        large = clone(one).fit((X * scale / 4).astype(np.float32)).embedding_
    np.testing.assert_allclose(large, one.fit(X).embedding_, rtol=1e-3, atol=1e-3)


def test_an_outlier_leaves_the_rest_to_fast_tete():
    points, labels = planted_classes(200, 4)
    points[0] = 1e6
    model = FastTETE(random_state=0).fit(points)
    assert nearest_neighbor_error(model.embedding_[1:], labels[1:]) < 0.05


def test_an_outlier_or_many_copies_do_not_set_the_width():
    plain = KIE(random_state=0, max_iter=1).fit(X).bandwidth_
    with pytest.warns(RuntimeWarning, match="row 14 "):
        beside = KIE(random_state=0, max_iter=1).fit(np.vstack([X, [[1e6, 0, 0]]])).bandwidth_
    assert beside == pytest.approx(plain, rel=1e-6)
    of_places = BRE(max_iter=1).fit(np.vstack([X, np.zeros((1, 3))])).beta_
    for blur in (0, 1e-9):
        copies = np.vstack([X, blur * RNG.normal(size=(60, 3))])  # most distances are no larger
        assert 0.3 * of_places < BRE(max_iter=1).fit(copies).beta_ < 3 * of_places
        twice = likelihood_bandwidth(np.vstack([X, X + blur * RNG.normal(size=X.shape)]))
        assert twice == pytest.approx(likelihood_bandwidth(X), rel=0.01)


KEEPS = {
    "KIE": (KIE(penalty=0.1), "X_fit_"),
    "WeightedTETE": (WeightedTETE(n_neighbors=4), "X_fit_"),
    "FastTETE": (FastTETE(n_neighbors=4), "points_"),
}


@pytest.mark.parametrize("name", KEEPS)
def test_later_changes_of_the_data_change_no_model(name):
    data, new = X.copy(), X[:3] + 0.1
    model = KEEPS[name][0].set_params(max_iter=5, random_state=0)
    embedding = model.fit_transform(data)
    places = model.transform(new)
    data[:], embedding[:] = 7.0, 7.0
    np.testing.assert_array_equal(model.transform(new), places)


@pytest.mark.parametrize(
    ("kind", "matrix"),
    [
        (Relation, gaussian_rows(X)),
        (NeighborProbabilities, gaussian_rows(X)),
        (BernoulliRelation, gaussian_kernel(X)),
        (AffinityRelation, gaussian_kernel(X)),
        (KernelMatrix, gaussian_kernel(X)),
        (CovarianceMatrix, gaussian_kernel(X)),
    ],
)
def test_later_changes_of_a_matrix_change_no_relation(kind, matrix):
    given = matrix.copy()
    kept = kind(given)
    given[:] = 0.5
    kept = getattr(kept, "similarities", kept)
    found = next(getattr(kept, name) for name in ("P", "R", "K") if hasattr(kept, name))
    np.testing.assert_array_equal(found, matrix)


@pytest.mark.parametrize(
    "relate",
    [
        lambda: Relation(np.eye(5)),
        lambda: AffinityRelation(csr_array((5, 5))),
        lambda: BRE(affinity="precomputed").fit(csr_array((10, 10))),
        lambda: BRE(affinity="truncated", related=np.zeros((14, 14))).fit(X),
        lambda: BRE(affinity="contrast", related="radius", radius2=1e-9).fit(X),
        lambda: bernoulli_truncated(X, 1.0, np.zeros((14, 14), bool)),
        lambda: bre_loss(X, csr_array((14, 14))),
        lambda: sne_loss(X, np.eye(14), include_self=True),
    ],
)
@pytest.mark.filterwarnings("ignore:a radius2 of")
def test_a_relation_without_pairs_is_refused(relate):
    with pytest.raises(ValueError, match=r"must relate at least one pair|must join some points"):
        relate()
