"""Widths, relations and settings that tell nothing of the points are named."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from models import warned

import repro
from repro import BRE, KIE, SNE, Relation, gaussian_rows

pytestmark = pytest.mark.usefixtures("warnings_are_errors")

X = np.random.default_rng(0).normal(size=(30, 4))
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))
# A function of points and a width; the name of the width; whether small ones tell nothing, too.
WIDTHS = {
    "gaussian_rows": (gaussian_rows, "sigma2", True),
    "with self": (lambda X, h: gaussian_rows(X, h, include_self=True), "sigma2", True),
    "of each row": (lambda X, h: gaussian_rows(X, np.full(len(X), h)), "sigma2", True),
    "gaussian_kernel": (repro.gaussian_kernel, "bandwidth", True),
    "bernoulli_gaussian": (repro.bernoulli_gaussian, "beta", True),
    "embedding_affinities": (repro.embedding_affinities, "gamma", True),
    "radius_graph": (lambda X, h: repro.radius_graph(X, h**2), "radius2", True),
    "a table": (lambda X, h: repro.relations_from_table(pd.DataFrame(X), h), "sigma2", True),
    "kernel_smoother": (lambda X, h: repro.kernel_smoother(X, X, X[:5], h), "sigma2", False),
}


def of_gaussian(R):
    return BRE(affinity="precomputed", max_iter=1).fit(R)


# Calls with what tells nothing of the points, and the words that say so.
TELLING_NOTHING = {
    "one class": (lambda: repro.relations_from_table(pd.DataFrame({"a": ["b"] * 30})), "one class"),
    "one condition": (lambda: repro.ConditionalKIE(max_iter=1).fit(X, np.zeros(30)), "condition_b"),
    "all neighbours": (lambda: BRE(affinity="contrast").fit(X[:20]), "related joins all"),
    "no affinities": (lambda: of_gaussian(np.eye(30)), "all pairs of points alike"),
    "one affinity": (lambda: of_gaussian(np.ones((30, 30))), "all pairs of points alike"),
    "no kernel": (
        lambda: repro.TwinKernelPCA(kernel="precomputed", max_iter=1).fit(np.eye(30)),
        "all pairs of points alike",
    ),
    "a perplexity": (lambda: SNE(perplexity=0.1).fit(X), "perplexity must lie between 1"),
    "noise": (lambda: repro.TwinKernelPCA(noise=1e6).fit(X), "noise may be too large"),
    "a penalty": (lambda: KIE(penalty=1e6, max_iter=30).fit(X), "penalty may be too large"),
    "another penalty": (
        lambda: repro.TripletEmbedding("gnmds", penalty=1e9, max_iter=5).fit(TRIPLETS),
        "penalty may be too large",
    ),
    "a point beyond": (
        lambda: KIE(max_iter=2, random_state=0).fit(X).transform(X + 1e4),
        "point 0 lies too far .* its kernel with each of them, is zero",
    ),
}


@pytest.mark.parametrize("name", TELLING_NOTHING)
def test_what_tells_nothing_is_said_by_its_name(name):
    call, words = TELLING_NOTHING[name]
    with warnings.catch_warnings(record=True, action="always") as record:
        try:
            call()
        except ValueError as error:
            warnings.warn(str(error), stacklevel=1)
    assert any(re.search(words, str(warning.message)) for warning in record), record


@pytest.mark.parametrize("name", WIDTHS)
def test_a_width_that_tells_nothing_of_the_points_says_so(name):
    f, width, both_sides = WIDTHS[name]
    f(X, 2.0)
    assert any(width in text for text in warned(lambda: f(X, 1e6)))
    if both_sides:
        assert any(width in text for text in warned(lambda: f(X, 1e-6)))


def test_rows_of_points_related_to_themselves_alone_are_no_relation_in_silence():
    alone = (1 - 1e-8) * np.eye(30) + 1e-8 * repro.perplexity_rows(X, 5.0)
    assert "itself alone" in warned(lambda: Relation(alone, name="looks"))[0]


def test_an_exact_start_is_no_fault_and_a_width_is_not_the_fault_of_the_start():
    assert BRE().fit(X[:, :2]).loss_ == pytest.approx(0, abs=1e-12)
    texts = warned(lambda: BRE(beta=1e9).fit(X)) + warned(lambda: BRE(beta=1e-9).fit(X))
    assert not any("init_scale" in text for text in texts)
