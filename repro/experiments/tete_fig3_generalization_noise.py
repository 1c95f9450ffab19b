"""Many fits to triplets, one after the other or on many cores, or on a Dask cluster."""

from functools import partial

import pandas as pd
from sklearn.base import clone

from repro.core.parallel import in_turn
from repro.measures.neighbourhoods import nearest_neighbor_error


def fit_and_measure(model, train, test, labels, facts):
    """Fit a copy of a model to triplets and measure it on others: one row of `fit_all`.

    Parameters
    ----------
    model : TripletEmbedding
    train, test : (T, 3) integer arrays
    labels : (n,) array
        The class of each item.
    facts : dict
        What the row is to say of the fit.

    Returns
    -------
    row : dict
        The facts and ``violated`` (share of the test triplets that are not satisfied),
        ``neighbor_error`` (leave-one-out 1-NN error), ``loss``, ``iterations``, and ``last_tenth``
        (the share of the loss that the last tenth of the iterations took off: convergence).
    """
    fitted = clone(model).fit(train, n_items=len(labels))
    history = fitted.loss_history_
    before = history[int(0.9 * (len(history) - 1))]
    return {
        **facts,
        "violated": 1 - fitted.score(test),
        "neighbor_error": nearest_neighbor_error(fitted.embedding_, labels),
        "loss": fitted.loss_,
        "iterations": fitted.n_iter_,
        "last_tenth": (before - fitted.loss_) / before if before > 0 else 0.0,
    }


def fit_all(tasks, n_jobs=-1):
    """Fit many models with joblib.

    Within ``joblib.parallel_config("dask")`` the same fits run on a Dask cluster. Each takes one
    thread, so that they do not compete; rows do not depend on where they were computed.

    Parameters
    ----------
    tasks : iterable of (model, train, test, labels, facts)
        See `fit_and_measure`.
    n_jobs : int
        Processes; -1 for one a core.

    Returns
    -------
    table : pandas.DataFrame
        One row a task, in their order.
    """
    made = in_turn((partial(fit_and_measure, *task) for task in tasks), n_jobs)
    return pd.DataFrame([row for row, _ in made])


def times_among_the_best(table, of, method, by="d"):
    """Count where a method is the best, or within one standard error of the best.

    Parameters
    ----------
    table : pandas.DataFrame
        With columns ``method``, ``by`` and ``of``, and several rows of each method, such as seeds.
    of : str
        The error to compare; the best has the smallest mean.
    method : str
    by : str
        What to compare at each value of.

    Returns
    -------
    count : int
    """
    errors = table.groupby([by, "method"])[of]
    means, standard_errors = errors.mean().unstack(), errors.sem().unstack()
    best = means.idxmin(axis=1)
    allowed = [means.loc[x, m] + standard_errors.loc[x, m] for x, m in best.items()]
    return int((means[method] <= allowed).sum())


def gained_by_noise(table, of, level):
    """Compute what a level of noise adds to an error, by seed and method.

    Parameters
    ----------
    table : pandas.DataFrame
        With columns ``seed``, ``method``, ``noise`` (0 among its values) and ``of``.
    of : str
    level : float

    Returns
    -------
    gained : pandas.DataFrame
        One row per seed, one column per method.
    """
    wide = table.pivot(index=["seed", "method"], columns="noise", values=of)
    return (wide[level] - wide[0.0]).unstack("method")
