"""Points as SIMD vectors, in all supported dimensions."""

import numpy as np
import pytest

from repro.tete.groups import TripletGroups, grouped_loss
from repro.tete.losses import TripletLoss, triplets_value_and_gradient
from repro.tete.triplets import TripletSet


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8])
def test_gathered_points_give_the_loss_and_gradient_of_numpy(d):
    rng = np.random.default_rng(d)
    Y, n = rng.normal(size=(40, d)), 40
    triplets = TripletSet(np.array([rng.permutation(n)[:3] for _ in range(3000)]), None, n)
    near = np.array([np.setdiff1d(np.arange(6), i)[:4] for i in range(n)], np.int32)
    far = np.array([np.setdiff1d(np.arange(10, 20), i)[:6] for i in range(n)], np.int32)
    groups = TripletGroups(near, far, rng.random((n, 4, 6), np.float32), 0.3)
    by_backend = [
        (
            triplets_value_and_gradient(Y, triplets, TripletLoss.tete(1.7), backend),
            grouped_loss(groups, d, backend)(Y),
        )
        for backend in ("numpy", "numba")
    ]
    for of_numpy, compiled in zip(*by_backend, strict=True):
        assert compiled[0] == pytest.approx(of_numpy[0], rel=1e-12)
        np.testing.assert_allclose(compiled[1], of_numpy[1], rtol=1e-10, atol=1e-12)
