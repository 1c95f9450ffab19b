"""Properties of every loss: its gradient, two backends, invariances and range."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from models import LAYOUTS
from reference import check_gradients
from scipy import sparse
from threadpoolctl import threadpool_limits

import repro
from repro.core.backend import backends
from repro.kernels.threads import using
from repro.kie import entropies
from repro.mre import sne

FEW = settings(max_examples=8)
SEEDS, BACKENDS = st.integers(0, 2**32 - 1), st.sampled_from(backends())


class Problem:
    """Random similarities, kernels, relations and triplets of n items."""

    def __init__(self, rng, n=9):
        data, other = rng.normal(size=(2, n, 4))
        self.P = repro.gaussian_rows(data, 3.0)
        self.P_self = repro.gaussian_rows(data, 3.0, include_self=True)
        self.K, self.K_other = repro.gaussian_kernel(data, 3.0), repro.gaussian_kernel(other, 3.0)
        self.C = self.K + 0.1 * np.eye(n)
        self.R = np.clip(rng.uniform(-0.1, 1.1, (n, n)), 0, 1)  # asymmetric, some zeros and ones
        related = rng.random((n, n)) < 0.15
        related[0, 1] = True  # at least one pair
        self.R_sparse = sparse.csr_array(np.where(related, np.maximum(self.R, 0.01), 0))
        self.triplets = np.argsort(rng.random((300, n)), axis=1)[:, :3]  # several batches
        self.weights = rng.uniform(0.1, 2.0, 300)

    def reordered(self, order):
        """Return the problem with item order[i] as item i."""
        new = object.__new__(Problem)
        for name in ("P", "P_self", "K", "K_other", "C", "R", "R_sparse"):
            setattr(new, name, getattr(self, name)[order][:, order])
        new.triplets, new.weights = np.argsort(order)[self.triplets], self.weights
        return new


def of(loss, *names, **options):
    """Return a loss of points, a problem, of which it takes the named matrices, and a backend."""
    return lambda Y, p, backend: loss(
        Y, *(getattr(p, name) for name in names), backend=backend, **options
    )


def of_triplets(loss, **options):
    return lambda Y, p, backend: loss(Y, p.triplets, weights=p.weights, backend=backend, **options)


def of_relation(loss, kind, name):
    """Return a loss of one relation, made of a matrix, in a metric that is not the identity."""
    return lambda Y, p, backend: loss(
        Y, np.full((1, Y.shape[1]), 0.7), [kind(getattr(p, name))], backend=backend
    )[:2]


def of_covariances(**options):
    return lambda Y, p, backend: repro.twin_kernel_loss(Y, p.C, noise=0.1, **options)


LOSSES = {
    "sne": of(repro.sne_loss, "P"),
    "sne with self": of(repro.sne_loss, "P_self", include_self=True),
    "bre": of(repro.bre_loss, "R", gamma=2.0),
    "bre, sparse": of(repro.bre_loss, "R_sparse", gamma=2.0),
    "kie": of(repro.kie_loss, "K"),
    "conditional kie": of(repro.conditional_kie_loss, "K", "K_other"),
    "joint kie": of(repro.joint_kie_loss, "K", "K_other"),
    "twin": of_covariances(),
    "lawrence": of_covariances(direction="lawrence"),
    "tete": of_triplets(repro.tete_loss),
    "tste": of_triplets(repro.tste_loss, alpha=2.5),
    "ste": of_triplets(repro.ste_loss),
    "ckl": of_triplets(repro.ckl_loss),
    "gnmds": of_triplets(repro.gnmds_loss),
}
# Losses that depend on the position or rotation of the map, but not on the order of items.
PLACED = LOSSES | {
    "kie with penalty": of(repro.kie_loss, "K", penalty=0.1, power=4),
    "conditional kie with penalty": of(repro.conditional_kie_loss, "K", "K_other", penalty=0.6),
    "joint kie with penalty": of(repro.joint_kie_loss, "K", "K_other", penalty=2.0, power=6),
    "gnmds with penalty": of_triplets(repro.gnmds_loss, penalty=0.3),
    "mre": of_relation(repro.mre_loss, repro.Relation, "P_self"),
    "several bre": of_relation(repro.multiple_bre_loss, repro.AffinityRelation, "R"),
}
# Both temperatures at and near the values where the formula changes.
TEMPERATURES = {
    f"tete {t}, {u}": of_triplets(repro.tete_loss, t=t, t_prime=u)
    for t in (1, 1 + 1e-9, 1.001, 1.7, 2)
    for u in (None, 1, 1 + 1e-9, 1.3, 2)
}
ALL = PLACED | TEMPERATURES


# Slopes of BRE at the smallest scale change within a step of the differences: it takes a larger.
@pytest.mark.parametrize(
    ("name", "scale"),
    [(name, scale) for name in ALL for scale in (1.0 if "bre" in name else 1e-3, 5.0)],
)
@pytest.mark.parametrize("backend", backends())
def test_the_gradient_is_the_slope(name, backend, scale):
    for d in (1, 3):
        rng = np.random.default_rng(d)
        problem, Y = Problem(rng), scale * rng.normal(size=(9, d))
        check_gradients(lambda y, p=problem: ALL[name](y, p, backend), Y)


# Tiles of the compiled loops are 192 points wide. All kernels of a distant point underflow.
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("n", "d", "far"), [(3, 1, 0), (90, 5, 50), (192, 3, 0), (193, 1, 50), (1100, 2, 0)]
)
@pytest.mark.skipif("numba" not in backends(), reason="NumPy is all there is")
def test_compiled_loops_and_numpy_agree(name, n, d, far):
    if name in TEMPERATURES and n > 192:
        pytest.skip("triplets know no tiles")
    rng = np.random.default_rng(n)
    problem, Y = Problem(rng, n), rng.normal(size=(n, d))
    Y[1] += far
    (value, gradient), (expected, slope) = (ALL[name](Y, problem, b) for b in backends())
    assert value == pytest.approx(expected, rel=1e-11, abs=1e-13)
    atol = 1e-10 * np.abs(slope).max() + 1e-14
    np.testing.assert_allclose(gradient, slope, rtol=0, atol=atol)


@pytest.mark.parametrize("name", PLACED)
def test_any_number_of_threads_gives_the_same_bits(name):
    rng = np.random.default_rng(0)
    problem, Y, found = Problem(rng, 1100), rng.normal(size=(1100, 2)), []
    for threads in (1, 3):
        with using(threads), threadpool_limits(threads):
            found.append(PLACED[name](Y, problem, None))
    assert found[0][0] == found[1][0]
    np.testing.assert_array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("name", ["sne", "bre", "kie", "joint kie", "tete", "mre", "several bre"])
@pytest.mark.skipif("numba" not in backends(), reason="NumPy is all there is")
def test_many_dimensions_are_left_to_numpy(name):
    rng = np.random.default_rng(0)
    problem, Y = Problem(rng), rng.normal(size=(9, 17))
    expected = PLACED[name](Y, problem, "numpy")
    with pytest.warns(RuntimeWarning, match="17 dimensions are more than the 16") as warned:
        found = PLACED[name](Y, problem, None)
    assert warned[0].filename == __file__
    np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("name", LOSSES)
@given(seed=SEEDS, d=st.sampled_from([2, 3]), backend=BACKENDS)
@FEW
def test_losses_do_not_depend_on_place_turn_and_mirror(name, seed, d, backend):
    rng = np.random.default_rng(seed)
    problem, Y = Problem(rng), rng.normal(size=(9, d))
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]  # or a reflection
    loss, gradient = LOSSES[name](Y, problem, backend)
    moved, moved_gradient = LOSSES[name](Y @ turn + rng.normal(size=d), problem, backend)
    assert moved == pytest.approx(loss, rel=1e-9, abs=1e-12)
    scale = np.abs(gradient).max()
    np.testing.assert_allclose(moved_gradient, gradient @ turn, rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(gradient.sum(axis=0), 0, atol=1e-9 * scale)  # no loss pulls all
    assert loss > 0 or "kie" in name


@pytest.mark.parametrize("name", PLACED)
@given(seed=SEEDS, d=st.sampled_from([2, 3]), backend=BACKENDS)
@FEW
def test_items_in_another_order_have_their_gradients_in_that_order(name, seed, d, backend):
    rng = np.random.default_rng(seed)
    problem, Y, order = Problem(rng), rng.normal(size=(9, d)), rng.permutation(9)
    loss, gradient = PLACED[name](Y, problem, backend)
    other, other_gradient = PLACED[name](Y[order], problem.reordered(order), backend)
    assert other == pytest.approx(loss, rel=1e-9, abs=1e-12)
    atol = 1e-9 * np.abs(gradient).max()
    np.testing.assert_allclose(other_gradient, gradient[order], rtol=1e-9, atol=atol)


@pytest.mark.parametrize(
    ("loss", "made_of", "matrix"),
    [
        (repro.sne_loss, repro.NeighborProbabilities, "P"),
        (repro.bre_loss, repro.BernoulliRelation, "R"),
        (repro.bre_loss, repro.BernoulliRelation, "R_sparse"),
        (repro.kie_loss, repro.KernelMatrix, "K"),
        (repro.twin_kernel_loss, repro.CovarianceMatrix, "C"),
        (repro.tete_loss, repro.TripletSet, "triplets"),
        (repro.sne_loss, lambda P: repro.Relation(P).similarities, "P"),
        (repro.bre_loss, lambda R: repro.AffinityRelation(R).similarities, "R"),
    ],
)
def test_what_is_prepared_once_gives_the_same_whatever_becomes_of_the_matrix(loss, made_of, matrix):
    rng = np.random.default_rng(0)
    given, Y = getattr(Problem(rng), matrix), rng.normal(size=(9, 2))
    expected, prepared = loss(Y, given), made_of(given)
    entries = given.data if sparse.issparse(given) else given
    entries[:] = entries[::-1].copy()
    for found, right in zip(loss(Y, prepared), expected, strict=True):
        np.testing.assert_array_equal(found, right)


@pytest.mark.usefixtures("warnings_are_errors")
@pytest.mark.parametrize("name", PLACED)
@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("scale", [0.0, 1e-9, 1e10, 1e160])
def test_far_out_and_close_together_it_is_finite_or_refused_by_name(name, backend, scale):
    rng = np.random.default_rng(0)
    problem, Y = Problem(rng), rng.normal(size=(9, 3))
    argument = {"kie": "Z", "sne": "X", "mre": "X"}.get(name.split(" with")[0].split()[-1], "Y")
    try:
        value, gradient = PLACED[name](Y * scale, problem, backend)
    except ValueError as error:
        refused = str(error)
    else:
        assert np.isfinite(value)
        assert np.isfinite(gradient).all()
        assert scale or not gradient.any()
        return
    assert re.match(rf"{argument}\b.* is too large", refused)
    assert scale > 1e50


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PLACED)
def test_losses_do_not_depend_on_the_layout_and_leave_their_input_alone(name, layout):
    rng = np.random.default_rng(0)
    problem, plain = Problem(rng), rng.normal(size=(9, 2)).astype(np.float32).astype(float)
    for kernel in (problem.P, problem.P_self, problem.K, problem.K_other, problem.triplets):
        kernel.flags.writeable = False
    Y = LAYOUTS[layout](plain)
    before = np.array(Y)
    expected = PLACED[name](plain, problem, None)
    if layout == "list":
        Y = np.array(Y)  # `PLACED` needs the shape
    if layout == "frame":
        problem.triplets = pd.DataFrame(problem.triplets, columns=["i", "j", "k"])
    loss, gradient = PLACED[name](Y, problem, None)
    assert loss == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(np.array(Y), before)


@pytest.mark.parametrize("dtype", ["u1", "i2", "u8", ">i4", list])
def test_triplets_of_any_integer_type_and_layout(dtype):
    rng = np.random.default_rng(1)
    triplets, Y = Problem(rng).triplets, rng.normal(size=(9, 2))
    made = triplets.tolist() if dtype is list else triplets.astype(dtype, order="F")[::-1]
    for found, expected in zip(repro.tete_loss(Y, made), repro.tete_loss(Y, triplets), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


# The functions that compute losses in NumPy, or tables of them by backend.
IN_NUMPY = {
    "sne": sne.SNE_LOSSES,
    "bre": "repro.bre.loss.rows_numpy",
    "bre, sparse": "repro.bre.loss.rows_numpy",
    "kie": entropies.ENTROPY_SUMS,
    "tete": "repro.tete.losses.triplets_numpy",
}


@pytest.mark.parametrize("name", IN_NUMPY)
@pytest.mark.skipif("numba" not in backends(), reason="NumPy is all there is")
def test_the_backend_that_was_asked_for_computes(name, monkeypatch):
    rng = np.random.default_rng(0)
    problem, Y = Problem(rng), rng.normal(size=(9, 2))
    if isinstance(IN_NUMPY[name], dict):
        monkeypatch.setitem(IN_NUMPY[name], "numpy", None)
    else:
        monkeypatch.setattr(IN_NUMPY[name], None)
    LOSSES[name](Y, problem, "numba")
    with pytest.raises(TypeError, match="not callable"):
        LOSSES[name](Y, problem, "numpy")


@pytest.mark.parametrize("name", ["sne", "bre", "kie", "joint kie", "twin", "mre"])
def test_two_points_are_enough(name):
    rng = np.random.default_rng(0)
    problem, Y = Problem(rng, 2), rng.normal(size=(2, 2))
    values = [PLACED[name](Y, problem, backend)[0] for backend in backends()]
    assert values[0] == pytest.approx(values[-1], rel=1e-12, abs=1e-15)
    check_gradients(lambda y: PLACED[name](y, problem, None), Y)
