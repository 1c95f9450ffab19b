"""t-ETE Figure 3: what settings of the noise change, and how errors are compared."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from repro.experiments import tete_fig3_generalization_noise as fig3

SMALL = fig3.Choices(
    n_digits=50, n_triplets=30, n_neighbors=8, n_folds=3, dimensions=(2, 3),
    levels=(0.0, 0.05, 0.15), descent=("gd", 40),
)  # fmt: skip


@pytest.fixture
def few_points(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 3))
    data = SimpleNamespace(X=X, labels=(X[:, 0] > 0).astype(int))
    monkeypatch.setattr(fig3, "load_set", lambda name: data)
    for kept in ("_draw", "_fit"):
        monkeypatch.setattr(fig3, kept, getattr(fig3, kept).__wrapped__)


def test_settings_of_the_noise_change_neither_the_clean_fits_nor_other_methods(few_points):
    run, other = fig3.run(SMALL, 0), fig3.run(replace(SMALL, t_noise=2.0), 0)
    pd.testing.assert_frame_equal(other.clean, run.clean)
    tete, other_tete, tste, other_tste = (
        r.noisy.query(f"method == {m!r}")["generalisation error"].to_numpy()
        for m in ("t-ETE", "t-STE")
        for r in (run, other)
    )
    assert (tete != other_tete).any()
    np.testing.assert_array_equal(tste, other_tste)


def test_methods_are_counted_where_they_are_as_good_as_the_best_rival():
    errors = {"STE": (0.1, 0.2), "t-STE": (0.2, 0.12), "t-ETE": (0.104, 0.13), "GNMDS": (0.9, 0.9)}
    rows = pd.DataFrame({"d": [2, 4], **errors}).melt("d", var_name="method", value_name="e")
    counts = fig3.times_among_the_best(rows, "e", by=0.005)
    assert counts.to_dict() == {"GNMDS": 0, "STE": 1, "t-ETE": 1, "t-STE": 1}


def test_worst_sets_are_those_least_in_the_favour_of_a_claim(few_points):
    run = fig3.run(SMALL, 1)
    table = fig3.measure(run)
    five = table.filter(like="generalisation error gained by 5 %", axis=0)["least of the rivals"]
    fifteen = table.filter(like="generalisation error gained by 15 %", axis=0)["t-ETE"]
    assert five.iloc[-1] == five.iloc[:-1].min()
    assert fifteen.iloc[-1] == fifteen.iloc[:-1].max()


def test_with_noise_a_method_is_compared_with_the_best_rival_on_the_set_where_it_leads_least(
    few_points,
):
    run = fig3.run(SMALL, 1)
    above = fig3.measure(run).loc["1-NN error at 15 % above the best rival, worst set", "t-ETE"]
    noisy = run.noisy[run.noisy["noise"] == 0.15].pivot(
        index="method", columns="set", values="1-NN error"
    )
    rivals = noisy.drop(["t-ETE", "shuffled"])
    assert above == (noisy.loc["t-ETE"] - rivals.min()).max()


def test_how_much_noise_is_a_small_amount_can_be_chosen_and_what_is_as_good(few_points):
    small = fig3.run(replace(SMALL, levels=(0.0, 0.1, 0.15)), 1)
    assert small.noisy["noise"].unique().tolist() == [0.0, 0.1, 0.15]
    assert fig3.measure(small).filter(like="gained by 5 %", axis=0).notna().any(axis=None)
    counts = [
        fig3.measure(SimpleNamespace(**vars(small) | {"choices": replace(SMALL, **how)}))
        .filter(like="dimensions, of five", axis=0)["t-ETE"]
        .sum()
        for how in ({"levels": (0.0, 0.1, 0.15), "equal_within": within} for within in (0.0, 1e3))
    ]
    assert counts[0] < counts[1] == 2 * 3 * 2  # errors, sets and the worst one, dimensions
