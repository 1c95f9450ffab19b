"""Use the library with its base dependencies only.

`.ci/library` runs this in such an environment, in an empty folder, with the wheel installed; a test
runs it with all other packages hidden.
"""

import inspect
import os
import subprocess
import sys
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

import repro
from repro import datasets
from repro.core.extras import is_there

EXTRAS = ("faiss", "h5py", "IPython", "ipywidgets", "jinja2", "jupyterlab", "matplotlib")
EXTRAS += ("nbclient", "nbformat", "openTSNE", "sphinx", "pytest")
EXTRAS += ("filelock", "rich", "typer")
LABELS = np.repeat(["a", "b", "c"], 20)
Y = np.random.default_rng(0).normal(size=(60, 5)) + 4 * (LABELS == "b")[:, None]
NEAR = repro.gaussian_rows(Y, sigma2=2.0, include_self=True)
ONE_HOT = np.eye(3)[np.repeat([0, 1, 2], 20)]
DATA = {
    "MRE": ([repro.Relation(NEAR)],),
    "MultipleBRE": ([repro.AffinityRelation(repro.bernoulli_gaussian(Y, 1.0))],),
    "ConditionalKIE": (Y, ONE_HOT),
    "JointKIE": (Y[:, :3], Y[:, 3:]),
    "TripletEmbedding": (repro.sample_triplets(Y, 4, rng=np.random.default_rng(0)),),
}


def estimators():
    """Return the public estimators, by name."""
    public = {name: getattr(repro, name) for name in repro.__all__}
    return {
        name: value
        for name, value in public.items()
        if inspect.isclass(value) and issubclass(value, BaseEstimator)
    }


def main():
    """Fit every estimator with its defaults, make every stand-in, call the command."""
    there = [name for name in EXTRAS if is_there(name)]
    assert not there, f"these are no base dependencies: {there}"
    warnings.simplefilter("ignore", ConvergenceWarning)  # convergence is not tested here
    for name, estimator in estimators().items():
        fitted = estimator().fit(*DATA.get(name, (Y,)))
        assert np.isfinite(fitted.embedding_).all(), name
        assert fitted.embedding_.std() > 0, name
        print(name, fitted.embedding_.shape)
    os.environ |= {"REPRO_STANDIN": "1", "REPRO_OFFLINE": "1"}
    for name, fetch in datasets.FETCHERS.items():
        assert fetch().is_standin
        print(name, "stand-in")
    done = subprocess.run(
        [sys.executable, "-m", "repro", "list"], capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert "filelock, rich, typer are missing: python -m pip install" in done.stderr
    workbench = [name for name in sys.modules if name.startswith("repro.workbench")]
    assert not workbench, f"the library imports {workbench}"
    print("the command says what it needs")


if __name__ == "__main__":
    main()
