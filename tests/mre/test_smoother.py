import numpy as np
import pytest

from repro.mre.smoother import kernel_smoother, kernel_weights, leave_one_out_bandwidth

rng = np.random.default_rng(0)
Z = np.sort(rng.uniform(0, 6, size=(80, 1)), axis=0)
Y = np.sin(Z[:, 0]) + 0.05 * rng.normal(size=80)


def test_weights_are_the_formula():
    W = kernel_weights(Z, Z[:5] + 0.1, 0.3)
    expected = np.exp(-((Z[:5] + 0.1 - Z.T) ** 2) / 0.3)
    np.testing.assert_allclose(W, expected / expected.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(W.sum(axis=1), 1)


def test_limits_of_the_bandwidth():
    np.testing.assert_allclose(kernel_smoother(Z, Y, Z, 1e-14), Y)
    np.testing.assert_allclose(kernel_smoother(Z, Y, Z, 1e14), Y.mean())
    assert np.isfinite(kernel_smoother(Z, Y, [[1e6]], 1e-14)).all()


def test_a_curve_is_recovered():
    queries = np.linspace(0.5, 5.5, 50)[:, None]
    found = kernel_smoother(Z, Y, queries)
    assert np.abs(found - np.sin(queries[:, 0])).mean() < 0.05
    shuffled = kernel_smoother(Z, rng.permutation(Y), queries)
    assert np.abs(shuffled - np.sin(queries[:, 0])).mean() > 0.3


def test_images_keep_their_shape_and_constants_their_value():
    images = rng.random((80, 4, 3))
    assert kernel_smoother(Z, images, Z[:7]).shape == (7, 4, 3)
    np.testing.assert_allclose(kernel_smoother(Z, np.full((80, 2), 5.0), Z[:3]), 5)


def test_the_bandwidth_is_the_best_of_its_candidates():
    def error(sigma2):
        out = [
            kernel_smoother(np.delete(Z, i, 0), np.delete(Y, i), Z[[i]], sigma2)[0] - Y[i]
            for i in range(80)
        ]
        return np.mean(np.square(out))

    candidates = [1e-3, 1e-2, 0.1, 1.0, 10.0]
    errors = [error(c) for c in candidates]
    assert leave_one_out_bandwidth(Z, Y, candidates) == candidates[int(np.argmin(errors))]


def test_points_may_coincide():
    assert np.isfinite(kernel_smoother(np.repeat(Z, 2, axis=0), np.repeat(Y, 2), Z)).all()


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((Z * np.nan, Y, Z, 1.0), "Z"),
        ((Z, Y * np.inf, Z, 1.0), "Y"),
        ((Z, Y[:5], Z, 1.0), "Y"),
        ((Z, Y, Z * np.nan, 1.0), "queries"),
        ((Z, Y, np.ones((3, 2)), 1.0), "queries"),
        ((Z, Y, Z, 0.0), "sigma2"),
        ((Z[:2], Y[:2], Z), "Z"),
        ((np.ones((5, 1)), Y[:5], Z), "Z"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, name):
    with pytest.raises(ValueError, match=rf"\b{name}\b"):
        kernel_smoother(*arguments)


def test_bad_candidates_are_refused():
    with pytest.raises(ValueError, match="candidates"):
        leave_one_out_bandwidth(Z, Y, [0.0])
