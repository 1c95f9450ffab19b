"""The Wine data, which scikit-learn brings along."""

import numpy as np

from .base import Dataset

CULTIVARS = ("cultivar 1", "cultivar 2", "cultivar 3")


def load_wine():
    """Load Wine: thirteen measurements of 178 Italian wines of three cultivars.

    Returns
    -------
    Dataset
        ``X`` (178, 13) float64, each measurement in its own unit: standardise before use;
        ``labels`` (178,) text, the cultivar.

    Notes
    -----
    Source: the copy that comes with scikit-learn, so that nothing is fetched and no stand-in is
    needed. No preparation is done.

    Licence: CC BY 4.0; cite S. Aeberhard and M. Forina (1992).
    """
    from sklearn.datasets import load_wine as load  # here, so that importing the package is quick

    data = load()
    return Dataset(
        name="wine",
        source="scikit-learn; https://archive.ics.uci.edu/dataset/109/wine",
        licence="CC BY 4.0",
        citation="S. Aeberhard and M. Forina, Wine, UCI Machine Learning Repository, 1992.",
        X=data.data,
        labels=np.array(CULTIVARS)[data.target],
    )
