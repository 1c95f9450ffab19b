"""A fit_all gives the same numbers wherever it runs: here, in processes, on a Dask cluster."""

import joblib
import numpy as np
import pandas as pd
import pytest

from repro import TripletEmbedding, reverse_triplets, sample_per_point, split_folds
from repro.experiments.tete_fig3_generalization_noise import (
    fit_all,
    gained_by_noise,
    times_among_the_best,
)


@pytest.fixture(scope="module")
def tasks():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    labels = (X[:, 0] > 0).astype(int)
    triplets = sample_per_point(X, 40, 10, rng=rng)
    found = []
    for fold, (train, test) in enumerate(split_folds(triplets, 3, rng)):
        for loss in ("tete", "tste", "gnmds"):
            for noise in (0.0, 0.2):
                model = TripletEmbedding(loss, optimizer="l-bfgs", max_iter=40, random_state=fold)
                noisy = reverse_triplets(train, noise, np.random.default_rng(fold))
                facts = {"loss_name": loss, "fold": fold, "noise": noise}
                found.append((model, noisy, test, labels, facts))
    return found


@pytest.fixture(scope="module")
def here(tasks):
    return fit_all(tasks, n_jobs=1)


def test_rows_say_what_was_fitted_and_how_well(here, tasks):
    assert len(here) == len(tasks) == 18
    assert list(here["fold"]) == [task[-1]["fold"] for task in tasks]
    clean = here[here["noise"] == 0]
    assert clean["violated"].max() < 0.2
    assert clean["violated"].mean() < here[here["noise"] > 0]["violated"].mean()
    assert here["neighbor_error"].between(0, 1).all()
    assert (here["iterations"] <= 40).all()
    assert here["last_tenth"].between(0, 1).all()


def test_processes_give_the_same_numbers(here, tasks):
    pd.testing.assert_frame_equal(fit_all(tasks, n_jobs=2), here, check_exact=True)


def test_a_dask_cluster_of_two_workers_gives_the_same_numbers(here, tasks):
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        found = fit_all(tasks)
    pd.testing.assert_frame_equal(found, here, check_exact=True)


def test_the_best_and_those_within_an_error_of_it_are_counted():
    rows = [("A", 0.10), ("A", 0.14), ("B", 0.13), ("B", 0.14), ("C", 0.2), ("C", 0.3)]
    table = pd.DataFrame(
        [
            {"d": d, "method": m, "e": e + 0.1 * (m == "B") * (d == 4)}
            for d in (2, 4)
            for m, e in rows
        ]
    )
    # The mean of A is 0.12 with a standard error of 0.02, that of B 0.135, and in four more.
    counts = [times_among_the_best(table, "e", method) for method in "ABC"]
    assert counts == [2, 1, 0]


def test_what_noise_adds():
    table = pd.DataFrame(
        [
            {"seed": seed, "method": m, "noise": noise, "e": noise * factor + 0.01 * seed}
            for seed in (0, 1)
            for m, factor in (("A", 1.0), ("B", 2.0))
            for noise in (0.0, 0.15, 0.3)
        ]
    )
    gained = gained_by_noise(table, "e", 0.15)
    np.testing.assert_allclose(gained[["A", "B"]], [[0.15, 0.3]] * 2)
