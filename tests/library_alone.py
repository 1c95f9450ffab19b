"""Use the library with its base dependencies only.

`.ci/library` runs this in such an environment, in an empty folder, with the wheel installed; a test
runs it with all other packages hidden.
"""

import os
import subprocess
import sys
import warnings

import numpy as np
from estimators import FITS
from sklearn.exceptions import ConvergenceWarning

from repro import datasets
from repro.core.extras import is_there

EXTRAS = ("faiss", "h5py", "IPython", "ipywidgets", "jinja2", "jupyterlab", "matplotlib")
EXTRAS += ("nbclient", "nbformat", "openTSNE", "sphinx", "pytest")
EXTRAS += ("filelock", "rich", "typer")


def main():
    """Fit every estimator, make every stand-in, call the command."""
    there = [name for name in EXTRAS if is_there(name)]
    assert not there, f"these are no base dependencies: {there}"
    warnings.simplefilter("ignore", ConvergenceWarning)  # convergence is not tested here
    for name, (model, *data) in FITS.items():
        assert np.isfinite(model.fit(*data).embedding_).all(), name
        assert model.embedding_.std() > 0, name
        print(name, model.embedding_.shape)
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
