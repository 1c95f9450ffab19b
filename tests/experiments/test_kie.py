"""The drawing and measuring functions in the experiments of the KIE paper."""

import numpy as np
import pytest

from repro.experiments import (
    kie_fig1_s_curve as fig1,
    kie_fig2_conditional_cars as fig2,
    kie_fig3_neighbours as fig3,
    kie_sec22_generalization as sec22,
)
from repro.experiments.claims import sources


@pytest.mark.parametrize("surface", sources(fig1.Choices)["surface"].other_data)
def test_other_surfaces_are_as_large_as_the_s_curve(surface):
    X, factors = fig1.make_sample(fig1.Choices(surface=surface, n_points=300), seed=0)
    s_curve, _ = fig1.make_sample(fig1.Choices(n_points=300), seed=0)
    assert X.shape == (300, 3)
    assert factors.shape == (300, 2)
    assert X.var(axis=0).sum() == pytest.approx(s_curve.var(axis=0).sum())


def test_an_embedding_is_turned_to_the_true_coordinates_but_for_quarter_turns():
    true = np.random.default_rng(0).normal(size=(200, 2)) * [3, 1]
    for degrees, left in ((0, 0), (30, 30), (70, 20), (90, 0)):
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        for mirror in (1, -1):
            points, found = fig1.turned(true @ [[cos, -sin], [sin, cos]] * [mirror, 1] + 5, true)
            np.testing.assert_allclose(points, true - true.mean(axis=0), atol=1e-12)
            assert found == pytest.approx(left, abs=1e-6)


def test_noise_has_the_share_of_the_variance_that_is_chosen():
    X, _ = fig1.make_sample(fig1.Choices(n_points=300), seed=0)
    noisy = fig1.with_noise(fig1.Choices(noise=2.0), X, seed=0)
    assert noisy.shape == (300, 100)
    share = noisy[:, 3:].var(axis=0).sum() / X.var(axis=0).sum()
    assert share == pytest.approx(2, rel=0.05)


def test_views_within_cars_are_found_on_a_curve_and_not_by_chance():
    car, view = np.repeat(np.arange(3), 30), np.tile(np.arange(30), 3)
    curve = np.column_stack([view, 100 * car]).astype(float)
    assert fig2.view_error_within(curve, car, view) == pytest.approx(1 / 10.33, rel=0.01)
    random = np.random.default_rng(0).normal(size=(90, 2))
    assert fig2.view_error_within(random, car, view) == pytest.approx(1, abs=0.2)


def test_the_class_that_data_space_captures_best_goes_by_the_name_of_the_wood_block(standins):
    choices = fig3.Choices(objects=(3, 6, 19, 5, 9), n_views=12)
    errors = fig3.duck_errors(*fig3.load_objects(choices.objects, choices.n_views))
    measures = fig3.measure(fig3.run(choices, 0))
    ordered = measures.loc[[f"error, {name}" for name in fig3.OTHERS], "data space"]
    assert ordered.iloc[0] == errors.min()
    assert sorted(ordered) == sorted(errors)


def test_regression_explains_what_its_places_tell_and_nothing_by_chance():
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    images = sec22.unit_variance(np.column_stack([ring, 0.1 * ring**2, np.ones(40)]))
    assert sec22.unexplained(ring, images) < 0.05
    assert sec22.unexplained(np.random.default_rng(0).permutation(ring), images) > 0.9
    assert images.var(axis=0).sum() == pytest.approx(1)
    fitted = sec22.fit_regression(images, ring, seed=0)
    assert sec22.unexplained(fitted, images) <= sec22.unexplained(ring, images)
