"""What no loss and no fit may depend on: place, turn and order of the points, layout of arrays."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

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
    TripletSet,
    TwinKernelPCA,
    WeightedTETE,
    bre_loss,
    ckl_loss,
    conditional_kie_loss,
    gaussian_kernel,
    gaussian_rows,
    gnmds_loss,
    joint_kie_loss,
    kie_loss,
    mre_loss,
    multiple_bre_loss,
    sne_loss,
    ste_loss,
    tete_loss,
    tste_loss,
    twin_kernel_loss,
)

N = 9
FEW = settings(max_examples=8)
SEEDS, BACKENDS = st.integers(0, 2**32 - 1), st.sampled_from(["numba", "numpy"])


class Problem:
    """Random similarities, kernels and triplets of N items."""

    def __init__(self, rng):
        data, other = rng.normal(size=(2, N, 4))
        self.P, self.P_self = gaussian_rows(data, 3.0), gaussian_rows(data, 3.0, include_self=True)
        self.K, self.K_other = gaussian_kernel(data, 3.0), gaussian_kernel(other, 3.0)
        self.triplets = np.array([rng.choice(N, 3, replace=False) for _ in range(40)])
        self.weights = rng.uniform(0.1, 2.0, 40)

    def reordered(self, order):
        """Item order[i] becomes item i."""
        new = object.__new__(Problem)
        for name in ("P", "P_self", "K", "K_other"):
            setattr(new, name, getattr(self, name)[np.ix_(order, order)])
        new.triplets, new.weights = np.argsort(order)[self.triplets], self.weights
        return new


def of_triplets(loss, **options):
    return lambda Y, p, backend: loss(Y, p.triplets, weights=p.weights, backend=backend, **options)


LOSSES = {
    "sne": lambda Y, p, backend: sne_loss(Y, p.P, backend=backend),
    "sne with self": lambda Y, p, backend: sne_loss(Y, p.P_self, True, backend=backend),
    "bre": lambda Y, p, backend: bre_loss(Y, p.K, 2.0, backend=backend),
    "kie": lambda Y, p, backend: kie_loss(Y, p.K, backend=backend),
    "conditional kie": lambda Y, p, backend: conditional_kie_loss(
        Y, p.K, p.K_other, backend=backend
    ),
    "joint kie": lambda Y, p, backend: joint_kie_loss(Y, p.K, p.K_other, backend=backend),
    "twin": lambda Y, p, backend: twin_kernel_loss(Y, p.K + 0.1 * np.eye(N), noise=0.1),
    "lawrence": lambda Y, p, backend: twin_kernel_loss(
        Y, p.K + 0.1 * np.eye(N), noise=0.1, direction="lawrence"
    ),
    "tete": of_triplets(tete_loss),
    "tete, other temperatures": of_triplets(tete_loss, t=1.3, t_prime=1.6),
    "tste": of_triplets(tste_loss, alpha=2.5),
    "ste": of_triplets(ste_loss),
    "ckl": of_triplets(ckl_loss),
    "gnmds": of_triplets(gnmds_loss),
}
# What depends on the place or the turn of the map, but not on the order of the items.
PLACED = LOSSES | {
    "kie with penalty": lambda Y, p, backend: kie_loss(Y, p.K, 0.1, 4, backend=backend),
    "gnmds with penalty": of_triplets(gnmds_loss, penalty=0.1),
    "mre": lambda Y, p, backend: mre_loss(
        Y, np.full((1, Y.shape[1]), 0.7), [Relation(p.P_self)], backend=backend
    )[:2],
    "several bre": lambda Y, p, backend: multiple_bre_loss(
        Y, np.full((1, Y.shape[1]), 0.7), [AffinityRelation(p.K)], backend=backend
    )[:2],
}


def backends_here(backend):
    if backend == "numba":
        pytest.importorskip("numba")
    return backend


@pytest.mark.parametrize("name", LOSSES)
@given(seed=SEEDS, d=st.sampled_from([2, 3]), backend=BACKENDS)
@FEW
def test_losses_do_not_depend_on_place_turn_and_mirror(name, seed, d, backend):
    rng = np.random.default_rng(seed)
    problem, Y = Problem(rng), rng.normal(size=(N, d))
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]  # or a mirror, as it comes
    loss, gradient = LOSSES[name](Y, problem, backends_here(backend))
    moved, moved_gradient = LOSSES[name](Y @ turn + rng.normal(size=d), problem, backend)
    assert moved == pytest.approx(loss, rel=1e-9, abs=1e-12)
    scale = np.abs(gradient).max()
    np.testing.assert_allclose(moved_gradient, gradient @ turn, rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(gradient.sum(axis=0), 0, atol=1e-9 * scale)  # no loss pulls all


@pytest.mark.parametrize("name", PLACED)
@given(seed=SEEDS, d=st.sampled_from([2, 3]), backend=BACKENDS)
@FEW
def test_items_in_another_order_have_their_gradients_in_that_order(name, seed, d, backend):
    rng = np.random.default_rng(seed)
    problem, Y, order = Problem(rng), rng.normal(size=(N, d)), rng.permutation(N)
    loss, gradient = PLACED[name](Y, problem, backends_here(backend))
    other, other_gradient = PLACED[name](Y[order], problem.reordered(order), backend)
    assert other == pytest.approx(loss, rel=1e-9, abs=1e-12)
    atol = 1e-9 * np.abs(gradient).max()
    np.testing.assert_allclose(other_gradient, gradient[order], rtol=1e-9, atol=atol)


def fits_in_two_orders(seed):
    """Yield the name, a fit, and the fit of the items in another order, with that order."""
    rng = np.random.default_rng(seed)
    X, start, order = rng.normal(size=(N, 4)), rng.normal(size=(N, 2)), rng.permutation(N)
    few = {"init": start, "max_iter": 5}
    again = {"init": start[order], "max_iter": 5}
    yield "BRE", BRE(**few).fit(X), BRE(**again).fit(X[order]), order
    truncated = {"affinity": "truncated", "n_neighbors": 4}
    yield (
        "BRE truncated",
        BRE(**truncated, **few).fit(X),
        BRE(**truncated, **again).fit(X[order]),
        order,
    )
    yield "TwinKernelPCA", TwinKernelPCA(**few).fit(X), TwinKernelPCA(**again).fit(X[order]), order
    problem = Problem(rng)
    other = problem.reordered(order)
    for loss in ("tete", "tste", "ste", "ckl", "gnmds"):
        one, two = TripletEmbedding(loss, **few), TripletEmbedding(loss, **again)
        one.fit(problem.triplets, weights=problem.weights)
        two.fit(other.triplets, weights=other.weights)
        yield loss, one, two, order


@given(seed=SEEDS)
@settings(max_examples=3)
def test_fits_from_a_start_follow_the_order_of_the_items(seed):
    for name, one, two, order in fits_in_two_orders(seed):
        scale = np.abs(one.embedding_).max()
        np.testing.assert_allclose(
            two.embedding_, one.embedding_[order], rtol=1e-6, atol=1e-6 * scale, err_msg=name
        )


def strided(X):
    wide = np.zeros((2 * len(X), 2 * X.shape[1]))
    wide[::2, ::2] = X
    return wide[::2, ::2]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "every other entry": strided,
    "backwards": lambda X: X[::-1].copy()[::-1],
    "read-only": read_only,
    "other bytes first": lambda X: X.astype(">f8"),
    "list": lambda X: X.tolist(),
    "frame": lambda X: pd.DataFrame(X, index=np.arange(len(X))[::-1]),
    "float32": lambda X: X.astype(np.float32),
}
DATA = np.random.default_rng(5).normal(size=(14, 3)).astype(np.float32).astype(float)
OTHER = np.random.default_rng(6).normal(size=(14, 2)).astype(np.float32).astype(float)
FITS = {
    "SNE": lambda X: SNE(max_iter=5, random_state=0).fit(X),
    "BRE": lambda X: BRE(max_iter=5).fit(X),
    "TwinKernelPCA": lambda X: TwinKernelPCA(max_iter=5).fit(X),
    "KIE": lambda X: KIE(max_iter=5, penalty=0.1, random_state=0).fit(X),
    "ConditionalKIE": lambda X: ConditionalKIE(max_iter=5, penalty=0.1, random_state=0).fit(X, X),
    "JointKIE": lambda X: JointKIE(max_iter=5, penalty=0.1, random_state=0).fit(X, OTHER),
    "WeightedTETE": lambda X: WeightedTETE(n_neighbors=4, max_iter=5, random_state=0).fit(X),
    "FastTETE": lambda X: FastTETE(
        n_neighbors=4, neighbors="exact", max_iter=5, random_state=0
    ).fit(X),
    "MRE": lambda X: MRE(max_iter=5, random_state=0).fit(
        [Relation(gaussian_rows(X, include_self=True))]
    ),
    "MultipleBRE": lambda X: MultipleBRE(max_iter=5, random_state=0).fit(
        [AffinityRelation(gaussian_kernel(X))]
    ),
}
PLAIN = {}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FITS)
def test_fits_do_not_depend_on_the_layout_and_leave_their_input_alone(name, layout):
    if name not in PLAIN:
        PLAIN[name] = FITS[name](DATA.copy()).embedding_
    X = LAYOUTS[layout](DATA)
    before = np.array(X)
    found = FITS[name](X).embedding_
    # Sums over other strides may differ in the last bit; FastTETE works on float32 as it is.
    tolerance = 1e-4 if (name, layout) == ("FastTETE", "float32") else 1e-9
    np.testing.assert_allclose(found, PLAIN[name], rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(np.array(X), before)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PLACED)
def test_losses_do_not_depend_on_the_layout_and_leave_their_input_alone(name, layout):
    problem = Problem(np.random.default_rng(0))
    for kernel in (problem.P, problem.P_self, problem.K, problem.K_other, problem.triplets):
        kernel.flags.writeable = False
    plain = DATA[:N].copy()
    Y = LAYOUTS[layout](plain)
    before = np.array(Y)
    expected = PLACED[name](plain, problem, None)
    if layout == "list":
        Y = np.array(Y)  # `PLACED` asks for the shape
    if layout == "frame":
        problem.triplets = pd.DataFrame(problem.triplets, columns=["i", "j", "k"])
    loss, gradient = PLACED[name](Y, problem, None)
    assert loss == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(np.array(Y), before)


@pytest.mark.parametrize(
    "make",
    [
        np.asfortranarray,
        lambda t: t.astype(np.uint8),
        lambda t: t.astype(np.int16),
        lambda t: t.astype(np.uint64),
        lambda t: t.astype(">i4"),
        lambda t: np.repeat(t, 2, axis=0)[::2],
        lambda t: t.tolist(),
        pd.DataFrame,
        lambda t: TripletSet(t, n_items=N),
    ],
)
def test_triplets_of_any_integer_type_and_layout(make):
    problem = Problem(np.random.default_rng(1))
    before = problem.triplets.copy()
    expected = tete_loss(DATA[:N], problem.triplets)
    found = tete_loss(DATA[:N], make(problem.triplets))
    assert found[0] == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(problem.triplets, before)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float16])
def test_integers_and_truth_values_are_numbers(dtype):
    X = (DATA > 0 if dtype is bool else 4 * np.abs(DATA)).astype(dtype)
    for name in ("SNE", "BRE", "KIE", "WeightedTETE"):
        found, expected = (FITS[name](data).embedding_ for data in (X, X.astype(float)))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
