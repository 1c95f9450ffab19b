"""t-ETE Figure 3: readings of the noise, and the comparison of errors."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd

from repro.experiments import tete_fig3_generalization_noise as fig3

SMALL = fig3.Choices(
    n_digits=50, n_triplets=30, n_neighbors=8, n_folds=3, n_fitted=2, dimensions=(2, 3),
    levels=(0.0, 0.15), descent=("l-bfgs", 40),
)  # fmt: skip


def test_readings_of_the_noise_change_neither_the_clean_fits_nor_other_methods(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 3))
    data = SimpleNamespace(X=X, labels=(X[:, 0] > 0).astype(int))
    monkeypatch.setattr(fig3, "load_set", lambda name: data)
    monkeypatch.setattr(fig3, "tuned", lambda method, name, d: {})
    run, other = fig3.run(SMALL, 0), fig3.run(replace(SMALL, t_noise=2.0), 0)
    pd.testing.assert_frame_equal(other.clean, run.clean)
    tete, other_tete, tste, other_tste = (
        r.noisy.query(f"method == {m!r}")["generalisation error"].to_numpy()
        for m in ("t-ETE", "t-STE")
        for r in (run, other)
    )
    assert (tete != other_tete).any()
    np.testing.assert_array_equal(tste, other_tste)


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
    assert fig3.times_among_the_best(table, "e", among="ABC").to_dict() == {"A": 2, "B": 1, "C": 0}
    assert fig3.times_among_the_best(table, "e", among="BC")["A"] == 2
