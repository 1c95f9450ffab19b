"""Labelled data sets by name."""

from repro.core.checks import check_choice

from .base import Dataset
from .characters import fetch_letters, fetch_mnist, fetch_usps
from .coil20 import fetch_coil20
from .scenes import fetch_scenes

_COLLECTIONS = {
    "COIL-20": fetch_coil20,
    "Letters": fetch_letters,
    "MIT Scenes": fetch_scenes,
    "MNIST": fetch_mnist,
    "USPS": fetch_usps,
}
# Bundled with scikit-learn.
_TABLES = {
    "Breast Cancer": "load_breast_cancer",
    "Iris": "load_iris",
    "Wine": "load_wine",
    "digits": "load_digits",
}


def load_labelled(name):
    """Load a labelled data set by name.

    Parameters
    ----------
    name : str
        "COIL-20", "Letters", "MIT Scenes", "MNIST" or "USPS", as its fetcher returns it by default;
        or, from scikit-learn, "Breast Cancer", "Iris" or "Wine", each column standardised to mean 0
        and variance 1, or "digits", with 8 × 8 pixels, 0–16.

    Returns
    -------
    Dataset
        ``X`` (n, d) float64 and ``labels`` (n,).
    """
    if check_choice(name, "name", (*_COLLECTIONS, *_TABLES)) in _COLLECTIONS:
        return _COLLECTIONS[name]()
    from sklearn import datasets as bundled
    from sklearn.preprocessing import StandardScaler

    X, labels = getattr(bundled, _TABLES[name])(return_X_y=True)
    if name != "digits":
        X = StandardScaler().fit_transform(X)
    terms = "see scikit-learn"
    return Dataset(name, "scikit-learn", licence=terms, citation=terms, X=X, labels=labels)
