"""BRE's experiments: their measures on data with known answers."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.spatial.distance import cdist

from repro.bre import bernoulli_gaussian, bre_loss
from repro.experiments import (
    bre_fig5_manifolds as fig5,
    bre_fig6_usps as fig6,
    bre_fig7_brendan as fig7,
    bre_sec2_family as sec2,
)
from repro.experiments.claims import sources


@pytest.mark.parametrize("surfaces", sources(fig5.Choices)["surfaces"].other_data)
def test_surfaces_elsewhere_have_the_variance_of_the_s_curve(surfaces):
    (name,) = surfaces
    sample = fig5.draw(name, fig5.Choices(n_points=1200), 0)
    assert sample.points.shape == (1200, 3)
    assert sample.factors.shape == (1200, 2)
    assert sample.points.var(axis=0).sum() == pytest.approx(fig5.VARIANCE)
    first = sample.points[: len(sample.along)]
    assert (sample.along >= cdist(first, first) - 1e-9).all()  # no way is shorter than the chord
    assert np.median(sample.along) < 4 * np.median(cdist(first, first))


def test_classes_are_learned_where_they_are_not_the_widest_direction():
    errors = []
    for seed in range(5):  # the optimum of a single sample may differ between processors
        rng = np.random.default_rng(seed)
        labels = np.arange(90) % 3
        X = rng.normal(size=(90, 6)) * [0.3, 0.3, 3, 3, 3, 3]
        X[:, 0] += 1.5 * np.cos(2 * np.pi * labels / 3)
        X[:, 1] += 1.5 * np.sin(2 * np.pi * labels / 3)
        learned = fig6.learn_map(fig6.Choices(beta=20.0), X, labels)
        maps = learned, fig6.leading_directions(X, 2)
        errors.append([fig6.nearest_neighbor_error(X @ A, labels) for A in maps])
    by_bre, by_pca = np.median(errors, axis=0)
    assert by_bre < 0.1 < by_pca


def test_no_digit_is_both_taught_and_tested():
    labels, everything = np.repeat([0, 1], 30), np.arange(60.0)[:, None]
    choices = fig6.Choices(digits=(0, 1), n_taught=5, taught_components=1)
    rows = fig6.draw(labels, (0, 1), 10, 0)
    learned, taught, tested = fig6.learn_classes(choices, everything, labels, rows)
    known, new = learned["pixels"]
    assert not set(known[:, 0]) & set(new[:, 0])
    assert np.bincount(taught).tolist() == [5, 5]
    assert np.bincount(tested).tolist() == [20, 20]


def test_digits_that_differ_are_kept_apart(monkeypatch):
    labels = np.arange(90) % 2
    images = np.random.default_rng(0).uniform(100, 255, (90, 16, 16))
    images[labels == 1, :8] = 0
    monkeypatch.setattr(fig6, "load_images", lambda *_: (images, labels))
    choices = fig6.Choices(digits=(0, 1), n_each=20, n_taught=5)
    table = fig6.measure(fig6.run(choices, 0))
    assert table.loc["1-NN error", "BRE"] == table.loc["out-of-sample error", "pixels"] == 0
    assert table.loc["1-NN error", "shuffled"] > 0.2


def test_the_expression_is_what_few_have_and_light_does_not_count():
    rng = np.random.default_rng(0)
    images = 100 + rng.normal(size=(60, 28, 20))
    smiling = np.arange(60) < 12
    images[smiling, 20:22, 7:13] += 60
    light = rng.uniform(0.5, 1.0, (60, 1, 1))
    for pictures in (images, images * light):
        score = fig7.mouths(pictures)
        assert score[smiling].min() > score[~smiling].max()


def test_blocks_in_the_middle_are_searched_and_no_others():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(400, 2))
    from_middle = np.linalg.norm(points, axis=1)
    assert fig7.purest_block(points, from_middle < np.quantile(from_middle, 0.2)) == 1
    assert fig7.purest_block(points, from_middle > np.quantile(from_middle, 0.95)) < 0.2


def test_the_gradient_by_points_and_gamma_is_that_of_differences(monkeypatch):
    rng = np.random.default_rng(0)
    R, Y = bernoulli_gaussian(rng.normal(size=(8, 3)), 2.0), rng.normal(size=(8, 2))

    def compared(objective, x, *_, **__):
        assert check_grad(lambda x: objective(x)[0], lambda x: objective(x)[1], x) < 1e-6
        return SimpleNamespace(value=objective(x)[0], x=x)

    monkeypatch.setattr(sec2, "minimize", compared)
    assert sec2.estimated(sec2.Choices(), R, Y, 1.3) == pytest.approx((bre_loss(Y, R, 1.3)[0], 1.3))
