"""The stand-ins: their planted structure can be recovered."""

from functools import partial

import numpy as np
import pytest

from repro import nearest_neighbor_error
from repro.core.neighbors import nearest_neighbors
from repro.datasets import (
    fetch_coil20,
    fetch_food,
    fetch_isomap_faces,
    fetch_letters,
    fetch_mnist,
    fetch_music,
    fetch_scenes,
    fetch_umist,
)

pytestmark = pytest.mark.usefixtures("standins")


def test_a_turning_object_is_nearest_to_the_next_view():
    views = nearest_neighbors(fetch_coil20([3]).X) - np.arange(72)
    assert np.isin(np.abs(views), [1, 71]).all()
    person = nearest_neighbors(fetch_umist("a").X)
    assert (np.abs(person - np.arange(len(person))) == 1).all()


def test_faces_of_like_factors_are_alike():
    faces = fetch_isomap_faces()
    D = ((faces.X[:, None] - faces.X[None, :200]) ** 2).sum(axis=2)
    F = ((faces.factors[:, None] - faces.factors[None, :200]) ** 2).sum(axis=2)
    assert D[(F < 0.2) & (F > 0)].mean() < 0.3 * D[F > 6].mean()
    assert np.abs(np.corrcoef(faces.factors.T) - np.eye(3)).max() < 0.15


COIL = partial(fetch_coil20, views=range(0, 72, 4))


@pytest.mark.parametrize("fetch", [COIL, fetch_umist, fetch_mnist, fetch_letters, fetch_scenes])
def test_classes_can_be_told_apart(fetch, monkeypatch):
    monkeypatch.setattr("repro.datasets.images.cached_features", lambda images: images[:, 100])
    data = fetch()
    some = np.random.default_rng(0).permutation(len(data.X))[:800]
    assert nearest_neighbor_error(data.X[some], data.labels[some]) < 0.3
    assert len(np.unique(data.X[some], axis=0)) > 0.98 * len(some)


def test_answers_follow_the_planted_groups():
    for data in (fetch_food(), fetch_music()):
        group = np.sort(np.arange(100) % 3) if data.labels is None else data.labels
        i, j, k = data.triplets.T
        near, far = group[i] == group[j], group[i] == group[k]
        assert (near & ~far).sum() > 3 * (far & ~near).sum()
