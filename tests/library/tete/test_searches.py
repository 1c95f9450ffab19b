"""Weights of triplets go through every splitter and search of scikit-learn."""

import numpy as np
import pytest
import sklearn
from sklearn import model_selection
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, ShuffleSplit

import repro

pytestmark = pytest.mark.usefixtures("warnings_are_errors")

X = np.random.default_rng(0).normal(size=(30, 4))[:20, :2]
RIGHT = repro.sample_per_point(X, 10, 5, rng=np.random.default_rng(0))
FALSE = np.arange(len(RIGHT)) % 2 == 1
ANSWERS = np.where(FALSE[:, None], RIGHT[:, [0, 2, 1]], RIGHT)


@pytest.mark.parametrize("cv", [KFold(2), GroupKFold(2), ShuffleSplit(1), LeaveOneGroupOut()])
def test_weights_reach_fits_and_scores_through_every_splitter_and_search(cv):
    given = {"weights": np.where(FALSE, 0.0, 1.0), "n_items": 20}
    if isinstance(cv, GroupKFold | LeaveOneGroupOut):
        given["groups"] = RIGHT[:, 0] % 2
    with sklearn.config_context(enable_metadata_routing=True):
        model = repro.TripletEmbedding(max_iter=60, random_state=0)
        model.set_fit_request(weights=True, n_items=True).set_score_request(weights=True)
        searches = [model_selection.GridSearchCV(model, {"t": [1.4]}, cv=cv)]
        searches.append(model_selection.RandomizedSearchCV(model, {"t": [1.4]}, n_iter=1, cv=cv))
        scores = [search.fit(ANSWERS, **given).best_score_ for search in searches]
        scores.append(model_selection.cross_val_score(model, ANSWERS, cv=cv, params=given).mean())
    assert min(scores) > 0.75  # half of the answers are false, and weigh nothing


@pytest.mark.parametrize("cv", [2, KFold(2), ShuffleSplit(1), GroupKFold(2)])
def test_a_set_keeps_its_weights_through_every_splitter_and_search_by_default(cv):
    triplets = repro.TripletSet(ANSWERS, np.where(FALSE, 0.0, 1.0), 20)
    groups = RIGHT[:, 0] % 2 if isinstance(cv, GroupKFold) else None
    model = repro.TripletEmbedding(max_iter=60, random_state=0)
    search = model_selection.GridSearchCV(model, {"t": [1.4]}, cv=cv)
    scores = [search.fit(triplets, groups=groups).best_score_]
    scores.append(model_selection.cross_val_score(model, triplets, cv=cv, groups=groups).mean())
    train, test = model_selection.train_test_split(triplets, random_state=0)
    scores.append(model.fit(train).score(test))
    assert min(scores) > 0.75
    assert train.n_items == test.n_items == 20
    assert len(train) + len(test) == len(triplets)


def test_a_search_that_gives_weights_to_the_fit_alone_says_so():
    search = model_selection.GridSearchCV(repro.TripletEmbedding(max_iter=1), {"t": [1.4]}, cv=2)
    with pytest.warns(RuntimeWarning, match="the fit had weights, and the score has none: .*Set"):
        search.fit(ANSWERS, weights=np.where(FALSE, 0.0, 1.0), n_items=20)
