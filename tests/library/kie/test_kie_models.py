"""The estimators of Kernel Information Embedding."""

import numpy as np
import pytest

import repro
from repro import KIE, ConditionalKIE, JointKIE, gaussian_kernel, kie_loss, likelihood_bandwidth
from repro.datasets import make_s_curve
from repro.measures.axes import abs_spearman, discriminant

QUICK = {"penalty": [1.0, 0.3, 0.1], "max_iter": 50, "random_state": 0}


def test_an_s_curve_is_unrolled_along_its_axes():
    data = make_s_curve(400, 0)
    model = KIE(bandwidth=10.0, power=4, random_state=1).fit(data.X)
    start = 0.01 * np.random.default_rng(1).standard_normal((400, 2))
    assert abs_spearman(start, data.factors).max() < 0.5
    assert np.sort(abs_spearman(model.embedding_, data.factors).max(axis=0))[0] > 0.95
    expected = kie_loss(model.embedding_, gaussian_kernel(data.X, 10.0), model.penalties_[-1], 4)
    assert model.loss_ == pytest.approx(expected[0], rel=1e-12)
    assert len(model.penalties_) == 21
    assert len(model.loss_history_) == model.n_iter_ + 21


def turning_classes(n=20):
    """Make three classes that share one circle, apart from each other in other dimensions."""
    angle = np.tile(np.linspace(0, 2 * np.pi, n, endpoint=False), 3)
    label = np.repeat([0, 1, 2], n)
    X = np.column_stack([np.cos(angle), np.sin(angle), 3 * np.eye(3)[label]])
    return X, label


def test_what_is_known_is_factored_out():
    X, label = turning_classes()
    options = {"bandwidth": 4.0, "penalty": 0.1, "random_state": 0}
    code = 10 * np.eye(3)[label]
    known = ConditionalKIE(2, **options).fit(X, code)
    assert discriminant(known.embedding_, label).eta_squared < 0.1
    assert discriminant(KIE(2, **options).fit_transform(X), label).eta_squared > 0.9
    kernels = gaussian_kernel(X, 4.0), gaussian_kernel(code, 1.0)
    expected = repro.conditional_kie_loss(known.embedding_, *kernels, penalty=0.1)[0]
    assert known.loss_ == pytest.approx(expected, rel=1e-12)
    column, table = (known.fit_transform(X, given) for given in (label, label[:, None]))
    np.testing.assert_array_equal(column, table)


def paired_circles(n=24):
    """Make two views of one circle."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    mix = np.random.default_rng(0).normal(size=(2, 2, 6))
    return circle @ mix[0], circle @ mix[1]


def test_pairs_share_a_latent_point():
    X, Y = paired_circles()
    model = JointKIE(2, bandwidth=(2.0, 3.0), **QUICK).fit(X, Y)
    kernels = gaussian_kernel(X, 2.0), gaussian_kernel(Y, 3.0)
    expected = repro.joint_kie_loss(model.embedding_, *kernels, penalty=0.1)[0]
    assert model.loss_ == pytest.approx(expected, rel=1e-12)
    assert model.bandwidths_ == (2.0, 3.0)
    D = np.linalg.norm(model.embedding_[:, None] - model.embedding_[None], axis=2)
    np.fill_diagonal(D, np.inf)
    gap = np.abs(D.argmin(axis=1) - np.arange(24))
    assert np.minimum(gap, 24 - gap).max() == 1


def test_points_without_a_partner_are_placed_among_the_pairs():
    X, Y = paired_circles()
    pairs, rest = np.arange(0, 24, 3), np.setdiff1d(np.arange(24), np.arange(0, 24, 3))
    options = {"bandwidth": 2.0, **QUICK}
    model = JointKIE(2, **options).fit(X[pairs], Y[pairs], x_only=X[rest], y_only=Y[rest])
    Z, of_x, of_y = model.embedding_, model.x_embedding_, model.y_embedding_
    assert Z.shape == (8, 2)
    assert of_x.shape == of_y.shape == (16, 2)
    order = np.concatenate([pairs, rest])
    kernels = gaussian_kernel(X[pairs], 2.0), gaussian_kernel(Y[pairs], 2.0)
    expected = repro.joint_kie_loss(Z, *kernels, penalty=0.1)[0]
    for data, points in ((X, of_x), (Y, of_y)):
        together = np.vstack([Z, points])
        expected += kie_loss(together, gaussian_kernel(data[order], 2.0), penalty=0.1)[0]
    assert model.loss_ == pytest.approx(expected, rel=1e-12)
    only_x = JointKIE(2, **options).fit(X[pairs], Y[pairs], x_only=X[rest])
    assert only_x.x_embedding_.shape == (16, 2)
    assert only_x.y_embedding_.shape == (0, 2)
    # The nearest neighbour is one or two steps away on the circle, of up to twelve.
    D = np.linalg.norm(of_x[:, None] - Z[None], axis=2)
    gap = np.abs(pairs[D.argmin(axis=1)] - rest)
    assert np.minimum(gap, 24 - gap).max() <= 2


def test_the_default_bandwidth_is_that_of_the_likelihood():
    X = make_s_curve(80, 0).X
    model = KIE(**QUICK).fit(X)
    assert model.bandwidth_ == likelihood_bandwidth(X, 2)
    joint = JointKIE(**QUICK).fit(X, X[:, :2])
    assert joint.bandwidths_ == (likelihood_bandwidth(X, 2), likelihood_bandwidth(X[:, :2], 2))


def test_the_likelihood_is_greatest_at_its_bandwidth():
    X = np.random.default_rng(0).normal(size=(50, 3))
    h = likelihood_bandwidth(X)
    D2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D2, np.inf)

    def likelihood(h):
        return np.log((h**-1.5 * np.exp(-D2 / h)).sum(axis=1)).mean()

    assert likelihood(h) >= max(likelihood(c * h) for c in np.geomspace(0.01, 100, 201)) - 1e-9
    assert likelihood_bandwidth(10 * X) == pytest.approx(100 * h, rel=1e-4)
