import numpy as np
import pytest
from scipy.spatial.distance import pdist

from repro.mre.smoother import kernel_smoother, leave_one_out_bandwidth

rng = np.random.default_rng(0)
Z = np.sort(rng.uniform(0, 6, size=(80, 1)), axis=0)
Y = np.sin(Z[:, 0]) + 0.05 * rng.normal(size=80)


def test_weights_are_the_formula():
    W = np.exp(-((Z[:5] + 0.1 - Z.T) ** 2) / 0.3)
    expected = (W @ Y) / W.sum(axis=1)
    np.testing.assert_allclose(kernel_smoother(Z, Y, Z[:5] + 0.1, 0.3), expected)


@pytest.mark.filterwarnings("ignore:a bandwidth of")
def test_limits_of_the_bandwidth():
    np.testing.assert_allclose(kernel_smoother(Z, Y, Z, 1e-14), Y)
    np.testing.assert_allclose(kernel_smoother(Z, Y, Z, 1e14), Y.mean())
    assert np.isfinite(kernel_smoother(Z, Y, [[1e6]], 1e-14)).all()


def test_a_curve_is_recovered_from_images_and_copies():
    queries = np.linspace(0.5, 5.5, 50)[:, None]
    images = np.repeat(Y, 24).reshape(-1, 4, 3)  # each twice: copies are at distance zero
    estimates = kernel_smoother(np.repeat(Z, 2, axis=0), images, queries)
    assert estimates.shape == (50, 4, 3)
    assert np.abs(estimates[:, 0, 0] - np.sin(queries[:, 0])).mean() < 0.05


def test_the_bandwidth_is_the_best_of_its_candidates():
    def error(sigma2):
        others = [(np.delete(Z, i, 0), np.delete(Y, i), Z[[i]]) for i in range(80)]
        found = [kernel_smoother(*known, sigma2)[0] for known in others]
        return np.mean(np.square(found - Y))

    D2 = pdist(Z, "sqeuclidean")
    candidates = np.geomspace(D2.min() / 100, D2.max(), 60)
    errors = [error(c) for c in candidates]
    assert leave_one_out_bandwidth(Z, Y) == pytest.approx(candidates[int(np.argmin(errors))])
