"""What all estimators share: signatures, docstrings, precomputed distances, short call stacks."""

import inspect
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from estimators import FITS
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

import repro
from repro import BRE, KIE, MRE, SNE, ConditionalKIE
from repro.core.distances import principal_coordinates
from repro.core.docstrings import entries_of, sections_of
from repro.core.estimator import OF_DESCENT, options_of, principal_scores

X = np.random.default_rng(0).normal(size=(60, 5))
D = squareform(pdist(X))
FOLDER = str(Path(repro.__file__).parent)


def test_every_estimator_is_tried():
    public = {name: getattr(repro, name) for name in repro.__all__}
    kinds = {name: kind for name, kind in public.items() if inspect.isclass(kind)}
    assert FITS.keys() == {name for name in kinds if issubclass(kinds[name], BaseEstimator)}


@pytest.mark.parametrize("name", FITS)
def test_signature_and_docstring_name_every_parameter_in_full_its_own_first(name):
    kind = type(FITS[name][0])
    parameters = list(inspect.signature(kind).parameters)
    entries = entries_of(sections_of(kind.__doc__)["Parameters"])
    assert list(entries) == parameters
    assert list(clone(FITS[name][0]).get_params()) == sorted(parameters)
    texts = [" ".join(entry.split("\n    ")[1:]) for entry in entries.values()]
    assert all(texts)
    assert not [text for text in texts if text.startswith("See ") or "see `KIE`" in text]
    assert "DescentEstimator" not in kind.__doc__
    own = [parameter not in OF_DESCENT for parameter in parameters]
    assert own == sorted(own, reverse=True)
    assert parameters[-1] == "random_state"


@pytest.mark.parametrize("name", FITS)
def test_the_docstring_names_every_fitted_attribute(name):
    model, *data = FITS[name]
    fitted = vars(clone(model).fit(*data))
    learned = {attribute for attribute in fitted if attribute.endswith("_")}
    named = set(entries_of(sections_of(model.__doc__)["Attributes"]))
    assert learned - {"n_features_in_"} == named & set(fitted)


def calls_of(work):
    """Run work(); return the most nested Python frames of the library, and the number of calls."""
    depths = []

    def profile(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(FOLDER):
            depth = 0
            while frame:  # compiled loops, which report a call, are on no stack
                depth += frame.f_code.co_filename.startswith(FOLDER)
                frame = frame.f_back
            depths.append(depth)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return max(depths), len(depths)


@pytest.mark.parametrize("name", FITS)
def test_a_small_fit_is_at_most_twelve_calls_deep(name):
    model, *data = FITS[name]
    model = clone(model).set_params(max_iter=5)
    model.fit(*data)  # what is imported or compiled at the first fit does not count
    depth, n_calls = calls_of(lambda: model.fit(*data))
    assert depth <= 12
    assert n_calls <= (1200 if name == "FastTETE" else 800)


def test_choices_that_are_no_parameters_are_refused():
    @dataclass(frozen=True)
    class Choices:
        n_components: int = 3
        n_views: int = 30

    assert options_of(MRE, Choices()) == {"n_components": 3}

    @dataclass(frozen=True)
    class Renamed:
        components: int = 3

    with pytest.raises(TypeError, match="no choice of Renamed is a parameter of"):
        options_of(MRE, Renamed())


QUICK = {"max_iter": 10, "random_state": 0}
OF_DISTANCES = {
    "SNE": SNE(**QUICK),
    "SNE, fixed bandwidth": SNE(**QUICK, sigma2=3.0),
    "KIE": KIE(**QUICK, penalty=0.1),
    "BRE": BRE(**QUICK),
    "BRE truncated": BRE(**QUICK, affinity="truncated", n_neighbors=10),
}


@pytest.mark.parametrize("name", OF_DISTANCES)
def test_distances_give_the_fit_of_the_points(name):
    model = OF_DISTANCES[name]
    of_points = clone(model).fit(X)
    of_distances = clone(model).set_params(metric="precomputed").fit(D)
    np.testing.assert_allclose(of_distances.embedding_, of_points.embedding_, atol=1e-4)
    assert of_distances.loss_ == pytest.approx(of_points.loss_, rel=1e-6)
    assert get_tags(of_distances).input_tags.pairwise
    assert not get_tags(of_points).input_tags.pairwise


def test_kie_places_points_by_their_distances():
    options = {"penalty": 0.1, "max_iter": 10, "random_state": 0}
    of_points = KIE(**options).fit(X[:50])
    of_distances = KIE(metric="precomputed", **options).fit(D[:50, :50])
    np.testing.assert_allclose(
        of_distances.transform(D[50:, :50]), of_points.transform(X[50:]), atol=1e-4
    )
    with pytest.raises(ValueError, match="inverse_transform needs data"):
        of_distances.inverse_transform(np.zeros((1, 2)))
    y = X[:, 0]
    given = ConditionalKIE(metric="precomputed", **options).fit(D, y)
    assert given.loss_ == pytest.approx(ConditionalKIE(**options).fit(X, y).loss_, rel=1e-6)


def test_principal_coordinates_are_principal_scores_of_the_points():
    np.testing.assert_allclose(principal_coordinates(D**2, 4), principal_scores(X, 4), atol=1e-10)
    line = np.arange(6.0)[:, None]
    flat = principal_coordinates(squareform(pdist(line, "sqeuclidean")), 8)
    np.testing.assert_allclose(flat[:, 0], principal_scores(line, 1)[:, 0], atol=1e-10)
    np.testing.assert_allclose(flat[:, 1:], 0, atol=1e-6)


def test_correlation_distances_are_distances_though_rounded():
    rounded = np.sqrt(np.maximum(2 - 2 * np.corrcoef(X), 0))
    assert rounded.diagonal().any()
    exact = rounded - np.diag(rounded.diagonal())
    fits = [SNE(metric="precomputed", **QUICK).fit(given) for given in (rounded, exact)]
    np.testing.assert_array_equal(fits[0].embedding_, fits[1].embedding_)


@pytest.mark.parametrize(
    ("distances", "message"),
    [
        (X, "X must be square"),
        (-D, "must not be negative"),
        (D + 0.5 * np.eye(60), "must be zero on its diagonal"),
        (D + np.triu(np.ones((60, 60)), 1), "must be symmetric"),
        (np.where(D.min(where=D > 0, initial=1) == D, -0.01, D), "must not be negative"),
        (D + 0.05 * np.eye(60)[::-1] * np.tri(60), "must be symmetric"),
        (np.where(D > 4, np.inf, D), "infinity|finite"),
    ],
    ids=[
        "points",
        "negative",
        "diagonal",
        "asymmetric",
        "a code",
        "one way",
        "not connected",
    ],
)
@pytest.mark.parametrize("kind", [SNE, KIE, BRE])
def test_what_are_no_distances_is_refused(kind, distances, message):
    with pytest.raises(ValueError, match=message):
        kind(metric="precomputed", **QUICK).fit(distances)


def test_a_metric_that_is_unknown_or_without_effect_is_refused():
    with pytest.raises(ValueError, match="metric must be one of 'euclidean', 'precomputed'"):
        SNE(metric="cosine").fit(X)
    with pytest.raises(ValueError, match="metric has no effect"):
        BRE(metric="precomputed", affinity="precomputed").fit(np.exp(-D))
