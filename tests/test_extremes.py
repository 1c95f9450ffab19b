"""Data at the edges: a right answer, or an error that names the argument; no NaN, no warning."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.special import entr

from repro import (
    BRE,
    KIE,
    MRE,
    SNE,
    AffinityRelation,
    ConditionalKIE,
    FastTETE,
    JointKIE,
    MultipleBRE,
    Relation,
    TripletEmbedding,
    TwinKernelPCA,
    WeightedTETE,
    bernoulli_gaussian,
    bre,
    bre_loss,
    ckl_loss,
    conditional_kie_loss,
    contradictions,
    embedding_similarities,
    fraction_satisfied,
    gaussian_kernel,
    gaussian_rows,
    gnmds_loss,
    joint_kie_loss,
    kernel_smoother,
    kie_loss,
    likelihood_bandwidth,
    measures,
    mre_loss,
    multiple_bre_loss,
    perplexity_rows,
    reverse_triplets,
    sample_per_point,
    sne_loss,
    split_folds,
    squared_distances,
    ste_loss,
    tete_loss,
    triplet_weights,
    tste_loss,
    twin_kernel_loss,
)
from repro.core import optimize
from repro.kie import out_of_sample
from repro.measures import turntable

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 3))
P, P_SELF, K = gaussian_rows(X), gaussian_rows(X, include_self=True), gaussian_kernel(X, 2.0)
TRIPLETS = sample_per_point(X, 10, 4, rng=np.random.default_rng(0))
THIRDS = np.repeat([0, 1, 2], 4)
ONES = np.ones((1, 3))

ESTIMATORS = {
    "SNE": lambda: SNE(max_iter=5, random_state=0),
    "BRE": lambda: BRE(max_iter=5, init_scale=0.1),
    "BRE truncated": lambda: BRE(affinity="truncated", n_neighbors=3, max_iter=5, init_scale=0.1),
    "TwinKernelPCA": lambda: TwinKernelPCA(max_iter=5),
    "KIE": lambda: KIE(max_iter=5, penalty=0.1, random_state=0),
    "WeightedTETE": lambda: WeightedTETE(n_neighbors=4, max_iter=5, random_state=0),
    "FastTETE": lambda: FastTETE(n_neighbors=4, neighbors="exact", max_iter=5, random_state=0),
}
LOSSES = {
    "sne": lambda Y, backend: sne_loss(Y, P, backend=backend),
    "sne with self": lambda Y, backend: sne_loss(Y, P_SELF, True, backend=backend),
    "mre": lambda Y, backend: mre_loss(Y, ONES, [Relation(P_SELF)], backend=backend),
    "bre": lambda Y, backend: bre_loss(Y, K, backend=backend),
    "several bre": lambda Y, backend: multiple_bre_loss(
        Y, ONES, [AffinityRelation(K)], backend=backend
    ),
    "kie": lambda Y, backend: kie_loss(Y, K, 0.1, backend=backend),
    "conditional kie": lambda Y, backend: conditional_kie_loss(Y, K, K, 0.1, backend=backend),
    "joint kie": lambda Y, backend: joint_kie_loss(Y, K, K, 0.1, backend=backend),
    "tete": lambda Y, backend: tete_loss(Y, TRIPLETS, backend=backend),
    "tete, t = 1": lambda Y, backend: tete_loss(Y, TRIPLETS, 1.0, backend=backend),
    "tste": lambda Y, backend: tste_loss(Y, TRIPLETS, alpha=3.0, backend=backend),
    "ste": lambda Y, backend: ste_loss(Y, TRIPLETS, backend=backend),
    "ckl": lambda Y, backend: ckl_loss(Y, TRIPLETS, backend=backend),
    "gnmds": lambda Y, backend: gnmds_loss(Y, TRIPLETS, penalty=0.1, backend=backend),
    "twin": lambda Y, backend: twin_kernel_loss(Y, K + np.eye(12)),
}


@pytest.fixture(autouse=True)
def warnings_are_errors():
    """Nothing here may warn, whoever does: NumPy's warnings name the file that divides."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What another test left open is told when it is collected, which may be here.
        warnings.simplefilter("ignore", ResourceWarning)
        yield


def finite_or_refused(call, name):
    """Whether a call returns finite numbers; an error must name the argument."""
    try:
        found = call()
    except (ValueError, TypeError) as error:
        if name not in str(error):
            raise
        return False
    assert all(np.isfinite(part).all() for part in found)
    return True


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_the_unit_of_the_data_does_not_matter(name, scale):
    one, other = ESTIMATORS[name]().fit(X), ESTIMATORS[name]().fit(X * scale)
    # A bandwidth is searched to 1e-5 of its logarithm.
    np.testing.assert_allclose(other.embedding_, one.embedding_, atol=1e-4, rtol=1e-4)
    if hasattr(one, "transform"):
        places = one.transform(X), other.transform(X * scale)
        np.testing.assert_allclose(*places, atol=1e-3)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("scale", [1e160, 1e-170, 1e300, 1e-300, 5e-324])
def test_units_in_which_squares_are_out_of_range(name, scale):
    def fit():
        return ESTIMATORS[name]().fit(X * scale).embedding_

    assert finite_or_refused(lambda: [fit()], "X") == (name == "FastTETE")


def copies(kind):
    """Points of which some or all coincide."""
    points = X.copy()
    if kind == "pairs":
        points[6:] = points[:6]
    elif kind == "all but one":
        points[1:] = points[1]
    elif kind == "all":
        points[:] = points[0]
    elif kind == "zeros":
        points[:] = 0.0
    elif kind == "constant feature":
        points[:, 0] = 1e12
    return points


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("kind", ["pairs", "all but one", "all", "zeros", "constant feature"])
def test_copies_and_constants(name, kind):
    fitted = finite_or_refused(lambda: [ESTIMATORS[name]().fit(copies(kind)).embedding_], "X")
    assert fitted or kind in ("all", "zeros")


@pytest.mark.parametrize("n_columns", [3, 50])
def test_copies_of_a_point_are_at_distance_zero_and_hardly_move_the_bandwidth(n_columns):
    points = np.random.default_rng(1).normal(size=(40, n_columns))
    twice = np.vstack([points, points])
    D2 = squared_distances(twice)
    assert (D2[np.arange(40), np.arange(40) + 40] == 0).all()
    assert likelihood_bandwidth(twice) == pytest.approx(likelihood_bandwidth(points), rel=1e-3)


@pytest.mark.parametrize("offset", [1e4, 1e8, -1e8])
def test_distances_do_not_suffer_far_from_the_origin(offset):
    expected = ((X[:, None] - X) ** 2).sum(axis=2)
    # An offset of 1e8 costs the coordinates themselves half their digits.
    np.testing.assert_allclose(squared_distances(X + offset), expected, atol=1e-6)
    np.testing.assert_allclose(
        squared_distances(X + offset, X[:5] + offset), expected[:, :5], atol=1e-6
    )


def test_perplexity_beside_a_distant_outlier_and_in_any_unit():
    points = X.copy()
    points[0, 0] = 1e100
    for scale in (1.0, 1e-40, 1e50):
        P = perplexity_rows(points * scale, 4.0)
        np.testing.assert_allclose(np.exp(entr(P[1:]).sum(axis=1)), 4.0, rtol=1e-4)
        np.testing.assert_allclose(P[0, 1:], 1 / 11)  # all others are equally far from it
    np.testing.assert_allclose(perplexity_rows(np.ones((4, 2)), 2.0)[0], [0, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("backend", ["numba", "numpy"])
@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e10, 1e75, 1e150, 1e160, 1e300])
def test_losses_far_out_and_close_together(name, backend, scale):
    if backend == "numba":
        pytest.importorskip("numba")
    fine = finite_or_refused(
        lambda: LOSSES[name](X * scale, backend), "Y" if name in Y_LOSSES else ""
    )
    assert fine or scale > 1e100 or (scale < 1 and "bre" in name)


Y_LOSSES = ("bre", "several bre", "tete", "tete, t = 1", "tste", "ste", "ckl", "gnmds", "twin")


@pytest.mark.parametrize("loss", ["tete", "tste", "ste", "ckl", "gnmds"])
def test_triplets_that_contradict_each_other_hold_the_points_together(loss):
    both = np.vstack([TRIPLETS, TRIPLETS[:, [0, 2, 1]]])
    assert contradictions(both).all()
    model = TripletEmbedding(loss, max_iter=200, random_state=0).fit(both)
    assert np.isfinite(model.embedding_).all()
    assert model.loss_ <= model.loss_history_[0]
    # Each pair of triplets has one that is satisfied, unless there is a tie.
    assert model.score(both) == pytest.approx(0.5)


def test_contradictions_among_items_of_any_number():
    far = np.array([[0, 1, 2**31 - 2], [0, 2**31 - 2, 1], [2**31 - 2, 0, 1], [2**30, 0, 1]])
    assert contradictions(far).tolist() == [True, True, False, False]
    many = np.random.default_rng(0).integers(0, 5, (300, 3))
    many = many[[len(set(row)) == 3 for row in many.tolist()]]
    np.testing.assert_array_equal(contradictions(many), contradictions(many * 2**28))


@pytest.mark.parametrize("empty", [np.empty((0, 3), int), [], np.empty((0, 2), int)])
def test_no_triplets(empty):
    for call in (
        lambda: TripletEmbedding().fit(empty),
        lambda: tete_loss(X, empty),
        lambda: fraction_satisfied(X, empty),
        lambda: contradictions(empty),
        lambda: reverse_triplets(empty, 0.5, RNG),
        lambda: split_folds(empty, 2, RNG),
        lambda: triplet_weights(X, empty),
    ):
        with pytest.raises(ValueError, match="triplets"):
            call()


def test_relations_of_no_pair_and_graphs_in_pieces():
    with pytest.raises(ValueError, match="at least one pair"):
        AffinityRelation(sparse.csr_array((4, 4)))
    with pytest.raises(ValueError, match="relations must not be empty"):
        MultipleBRE().fit([])
    apart = np.kron(np.eye(2), np.ones((6, 6)))  # two classes that nothing joins
    model = BRE(affinity="precomputed", max_iter=20).fit(apart)
    assert np.isfinite(model.embedding_).all()
    relation = Relation(apart / 6)
    assert np.isfinite(MRE(max_iter=20, random_state=0).fit([relation]).embedding_).all()
    with pytest.raises(ValueError, match="n_neighbors = 2 steps do not connect"):
        measures.geodesic_distances(np.vstack([X, X + 100]), 2)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_too_few_points(n):
    for name, make in ESTIMATORS.items():
        with pytest.raises(ValueError, match=r"sample|point"):
            make().fit(X[:n])
        assert name
    with pytest.raises(ValueError, match=r"\bX\b"):
        JointKIE().fit(X[:n], X[:n])
    with pytest.raises(ValueError, match="sample"):
        ConditionalKIE().fit(X[:n], np.arange(n))


MEASURES = {
    "axis_shares": lambda Y: measures.axis_shares(np.ones(3), Y),
    "rank_errors": lambda Y: measures.rank_errors(Y[:, 0], np.arange(12)),
    "signed_permutation_difference": lambda Y: measures.signed_permutation_difference(Y, X),
    "fitted_directions": lambda Y: measures.fitted_directions(Y, X),
    "directions of targets": lambda Y: measures.fitted_directions(X, Y),
    "distance_correlation": lambda Y: measures.distance_correlation(Y, squared_distances(X)),
    "plane_fit": lambda Y: measures.plane_fit(X, Y[:, 0]),
    "roughness": lambda Y: measures.roughness(X, Y[:, 0], np.zeros(12), 3),
    "centroid_correlation": lambda Y: measures.centroid_correlation(Y, X, THIRDS),
    "random_triplet_accuracy": lambda Y: measures.random_triplet_accuracy(Y, X, RNG),
    "view_distance_ratio": lambda Y: turntable.view_distance_ratio(Y, THIRDS, np.arange(12) % 4),
    "view_match": lambda Y: turntable.view_match(Y, THIRDS, np.arange(12) % 4),
    "kernel_smoother": lambda Y: kernel_smoother(Y, X, X),
    "values of kernel_smoother": lambda Y: kernel_smoother(X, Y, X),
    "fraction_satisfied": lambda Y: fraction_satisfied(Y, TRIPLETS),
    "discriminant": lambda Y: measures.discriminant(Y, THIRDS).eta_squared,
    "view_error": lambda Y: turntable.view_error(Y, THIRDS, np.arange(12) % 4),
    "neighbor_distance": lambda Y: measures.neighbor_distance(X, Y, 3),
    "backward_map": lambda Y: out_of_sample.backward_map(K, Y, 0.1),
    "forward_map": lambda Y: out_of_sample.forward_map(K, Y, 1.0),
    "step_weights": lambda Y: bre.step_weights(Y, K, 0.1).toarray(),
    "embedding_similarities": lambda Y: embedding_similarities(Y),
    "triplet_weights": lambda Y: triplet_weights(Y, TRIPLETS, 3),
}


REFUSES_BY = {
    "axis_shares": "r must not be zero",
    "signed_permutation_difference": "A must have a variance",
    "fitted_directions": "targets must vary along",
    "directions of targets": "targets must vary along",
    "plane_fit": "values must not be one",
    "roughness": "differ in their values",
    "view_distance_ratio": "X must not have all",
    "view_match": "X must not have all",
    "kernel_smoother": "Z ",
    "values of kernel_smoother": "Y ",
    "triplet_weights": "X ",
    "discriminant": "X must not be one",
}
# One place is no direction or scale, but neighbours, order and similarities remain.
FINITE_AT_ZERO = (
    "rank_errors",
    "distance_correlation",
    "centroid_correlation",
    "random_triplet_accuracy",
    "values of kernel_smoother",
    "view_error",
    "neighbor_distance",
    "backward_map",
    "forward_map",
    "step_weights",
    "fraction_satisfied",
    "embedding_similarities",
)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("scale", [0.0, 1e150, 1e-150, 1e300])
def test_measures_of_constants_and_of_huge_and_tiny_maps(name, scale):
    if finite_or_refused(lambda: [MEASURES[name](X * scale)], REFUSES_BY.get(name, "is too")):
        assert scale or name in FINITE_AT_ZERO
    else:
        assert scale in (0.0, 1e300)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_masked_data_are_refused_as_the_mask_would_be_lost(name):
    hidden = np.ma.masked_less(X, 0)
    with pytest.raises(ValueError, match="X must not be masked"):
        ESTIMATORS[name]().fit(hidden)
    fitted = ESTIMATORS[name]().fit(np.ma.array(X))  # none of its entries is hidden
    if hasattr(fitted, "transform"):
        with pytest.raises(ValueError, match="X must not be masked"):
            fitted.transform(hidden)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: measures.distance_correlation(X, np.full((12, 12), np.nan)), "D"),
        (lambda: measures.neighbor_distance(X, X[:5], 3), "data"),
        (lambda: measures.centroid_correlation(X, X[:5], THIRDS), "data"),
        (lambda: measures.centroid_correlation(X, X, THIRDS > 0), "three classes"),
        (lambda: measures.random_triplet_accuracy(X[:2], X[:2], RNG), "X"),
        (lambda: measures.roughness(X, np.arange(12.0), THIRDS, 4), "n_neighbors"),
        (lambda: measures.roughness(X, np.arange(12.0), THIRDS, 1), "n_neighbors"),
        (lambda: measures.axis_shares([1.0, np.nan, 1.0], X), r"\br\b"),
        (lambda: squared_distances(np.ma.masked_less(X, 0)), "Y must not be masked"),
        (lambda: squared_distances(np.full((3, 1), 1e4000, np.longdouble)), "Y must be finite"),
        (lambda: squared_distances([[1, 2], [3]]), "Y must have rows of one length"),
        (lambda: likelihood_bandwidth(3.0), "Y must have one row per point"),
        (lambda: TwinKernelPCA(kernel="linear").fit(X * 1e200), "X is too large"),
        (lambda: BRE().fit(X * 1e100), "init_scale"),
        (lambda: optimize.minimize(lambda x: (0.0, np.full(2, 1e80)), np.zeros(2)), "x0"),
        (lambda: kernel_smoother(X, X, X, []), "sigma2"),
        (lambda: measures.signed_permutation_difference(X * 1e-160, X), "A must have a variance"),
    ],
)
def test_what_is_refused_is_named(call, name):
    with pytest.raises((ValueError, TypeError), match=name):
        call()


def test_affinities_of_points_beyond_each_others_reach():
    apart = np.array([[0.0], [1e100], [-1e100]])
    np.testing.assert_array_equal(bernoulli_gaussian(apart), np.eye(3))
    np.testing.assert_array_equal(gaussian_rows(apart, include_self=True), np.eye(3))
