"""The maps to and from unseen points, KIE Eqs. (9) and (10)."""

from functools import partial

import numpy as np
import pytest
from reference import central_difference
from sklearn.exceptions import ConvergenceWarning

from repro import KIE, annealing_schedule, gaussian_kernel, squared_distances
from repro.datasets import make_s_curve
from repro.kie.out_of_sample import backward_map, forward_map, information_content, inserted_map

PENALTY, POWER = 0.05, 4


@pytest.fixture
def problem():
    """Latent points, and the kernel between seven unseen points and theirs."""
    rng = np.random.default_rng(0)
    Y, Z = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    near = Y[:7] + 0.1 * rng.normal(size=(7, 3))
    return Z, gaussian_kernel(D2=squared_distances(near, Y), bandwidth=1.0)


def content(z, K, Z, penalty=PENALTY, power=POWER):
    """Eq. (9) as printed, less the penalty, for one point."""
    k = np.array([np.exp(-np.sum((z - z_j) ** 2)) for z_j in Z])
    return np.log(np.sum(k * K)) - np.log(np.sum(k)) - penalty * np.sum(np.abs(z) ** power)


def test_the_content_is_the_printed_one(problem):
    Z, K = problem
    z = np.random.default_rng(1).normal(size=(7, 2))
    found = information_content(np.log(K), Z, z, PENALTY, POWER)[0]
    np.testing.assert_allclose(found, [content(a, k, Z) for a, k in zip(z, K, strict=True)])


def test_without_a_penalty_a_climb_may_have_no_end(problem):
    Z, K = problem
    with pytest.warns(ConvergenceWarning, match=r"of 7 points have no maximum") as told:
        backward_map(K, Z)
    assert told[0].filename == __file__


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("spread", [0.5, 1.0, 3.0])
def test_the_backward_map_finds_the_greatest_content_on_a_grid(d, spread):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n = rng.integers(10, 60)
        Z, Y = spread * rng.normal(size=(n, d)), rng.normal(size=(n, 3))
        K = gaussian_kernel(D2=squared_distances(Y[:5] + 0.5 * rng.normal(size=(5, 3)), Y))
        penalty = 10 ** rng.uniform(-3, -1)
        axis = (np.abs(Z).max() + 3) * np.linspace(-1, 1, {1: 2001, 2: 81, 3: 19}[d])
        grid = np.stack(np.meshgrid(*[axis] * d), axis=-1).reshape(-1, d)
        log_K, places = np.log(K), backward_map(K, Z, penalty)
        found = information_content(log_K, Z, places, penalty, 2)[0]
        for row, value in zip(log_K, found, strict=True):
            tried = information_content(np.tile(row, (len(grid), 1)), Z, grid, penalty, 2)[0]
            assert value >= tried.max() - 1e-9
        for row, place in zip(K, places, strict=True):
            of_place = partial(content, K=row, Z=Z, penalty=penalty, power=2)
            slope = central_difference(of_place, place, rng.normal(size=d))
            assert abs(slope) < 1e-6


def test_a_training_point_that_is_inserted_again_comes_back_to_its_place():
    X = make_s_curve(80, rng=0).X
    model = KIE(penalty=annealing_schedule(0.1, 0.6, 6), optimizer_options={"gtol": 1e-10})
    model.set_params(bandwidth=5.0, random_state=0).fit(X)
    K, Z = gaussian_kernel(X, 5.0), model.embedding_
    options = model.penalties_[-1], model.power
    for k in range(0, 80, 8):
        others = np.arange(80) != k
        row, among = K[None, k, others], K[np.ix_(others, others)]
        np.testing.assert_allclose(
            inserted_map(row, among, Z[others], *options)[0], Z[k], atol=1e-3
        )
        # Eq. (9) has the point's own content only, and does not attract it.
        assert np.linalg.norm(backward_map(row, Z[others], *options)[0] - Z[k]) > 0.01


@pytest.mark.parametrize("dimensions", [3, 200])
def test_the_forward_map_is_a_mode_of_the_conditional_density(dimensions):
    rng = np.random.default_rng(3)
    Y, Z = rng.normal(size=(40, dimensions)), rng.normal(size=(40, 2))
    h = 0.5 * dimensions
    weights = gaussian_kernel(D2=squared_distances(Z[:5] + 0.1, Z))
    found = forward_map(weights, Y, h)

    def log_density(y, w):
        return np.log(np.sum(w * np.exp(-((y - Y) ** 2).sum(axis=1) / h)))

    for y, w in zip(found, weights, strict=True):
        for _ in range(3):
            direction = rng.normal(size=dimensions) / dimensions
            assert abs(central_difference(lambda x, w=w: log_density(x, w), y, direction)) < 1e-6
        assert log_density(y, w) >= max(log_density(other, w) for other in Y)


def test_unseen_points_of_the_s_curve_find_their_place():
    data = make_s_curve(350, 0)
    model = KIE(bandwidth=10.0, power=4, random_state=0).fit(data.X[:300])
    z = model.transform(data.X[300:])
    nearest = squared_distances(z, model.embedding_).argmin(axis=1)
    errors = data.factors[nearest] - data.factors[300:]
    assert np.sqrt((errors**2).mean()) < 0.5  # coordinates have ranges 9 and 5
    back = model.inverse_transform(z)
    spread = np.linalg.norm(data.X[300:] - data.X[:300].mean(axis=0))
    assert np.linalg.norm(back - data.X[300:]) < 0.3 * spread
    # In training the data pull about twice as hard as in Eq. (9), so half the penalty is used.
    moved = [
        np.linalg.norm(model.transform(data.X[:300], c * model.penalties_[-1]) - model.embedding_)
        for c in (0.5, 1.0)
    ]
    assert moved[0] < 0.7 * moved[1]
