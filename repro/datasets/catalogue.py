"""Data sets by name: the real ones, fetching them in advance, and labelled ones."""

from repro.core.checks import check_choice

from . import store
from .base import Dataset, DatasetUnavailable
from .characters import fetch_letters, fetch_mnist, fetch_usps
from .images import fetch_brendan, fetch_coil20, fetch_isomap_faces, fetch_scenes, fetch_umist
from .triplets import fetch_food, fetch_music

FETCHERS = {
    "brendan": fetch_brendan,
    "coil20": fetch_coil20,
    "food": fetch_food,
    "isomap_faces": fetch_isomap_faces,
    "letters": fetch_letters,
    "mnist": fetch_mnist,
    "music": fetch_music,
    "scenes": fetch_scenes,
    "umist": fetch_umist,
    "usps": fetch_usps,
}
_LABELLED = {
    "COIL-20": fetch_coil20,
    "Letters": fetch_letters,
    "MIT Scenes": fetch_scenes,
    "MNIST": fetch_mnist,
    "USPS": fetch_usps,
}
_BUNDLED = "Breast Cancer", "Iris", "Wine", "digits"  # with scikit-learn


def prefetch(name, **arguments):
    """Fetch a data set into the cache, so that later runs need no network.

    ``name`` is one of `FETCHERS`, whose ``arguments`` are passed on. Returns None, or the exception
    that explains why the set could not be obtained (in Jupyter, where a stand-in replaces it, too).
    A set that ``REPRO_STANDIN`` replaces is not fetched and counts as obtained. Raises ValueError
    for an unknown name.
    """
    fetch = FETCHERS[check_choice(name, "name", tuple(FETCHERS))]
    try:
        if not store.standin_wanted(name) and fetch(**arguments).is_standin:
            raise DatasetUnavailable(f"{name} could not be obtained: a stand-in is in its place")
    except (DatasetUnavailable, ModuleNotFoundError) as error:
        return error
    return None


def load_labelled(name):
    """Load a labelled data set by name, a `Dataset` with ``X`` (n, d) float64 and ``labels`` (n,).

    "COIL-20", "Letters", "MIT Scenes", "MNIST" and "USPS" are as their fetchers return them by
    default. From scikit-learn are "Breast Cancer", "Iris" and "Wine", each column standardised to
    mean 0 and variance 1, and "digits", with 8 × 8 pixels, 0–16.
    """
    if check_choice(name, "name", (*_LABELLED, *_BUNDLED)) in _LABELLED:
        return _LABELLED[name]()
    from sklearn import datasets as bundled
    from sklearn.preprocessing import StandardScaler

    read = getattr(bundled, f"load_{name.lower().replace(' ', '_')}")
    X, labels = read(return_X_y=True)
    if name != "digits":
        X = StandardScaler().fit_transform(X)
    terms = "see scikit-learn"
    return Dataset(name, "scikit-learn", licence=terms, citation=terms, X=X, labels=labels)
