"""Unusual machines: odd folders, nothing writable, one core."""

import os
import shutil
from pathlib import Path

import nbformat
from command_line import write_notebook
from processes import run_python

from repro.kernels.elementary import SUMS

ROOT = Path(__file__).parents[2]
CELLS = """
import matplotlib.pyplot as plt
from repro import datasets, plots, squared_distances
from repro.workbench.lessons import save_figure
X = datasets.fetch_coil20(objects=[3, 6], views=range(4)).X
rows = squared_distances(X).shape[0]
plots.use_style()
fig, ax = plt.subplots()
ax.scatter(X[:, 0], X[:, 1])
save_figure(fig, "x_fig1")
print("rows:", rows)
"""
ON_ONE_CORE = """
import os
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
from repro.workbench.command_line import app
app(["run"])
"""
COMPILED = """
import numba
from repro.kernels.elementary import SUMS
twice = numba.njit(**SUMS)(lambda x: 2 * x)
print(SUMS["cache"], twice(21))
"""


def _no_home(tmp_path):
    """Return environment variables that allow no folder below home or for Numba."""
    (tmp_path / "a file").touch()
    unset = dict.fromkeys(name for name in os.environ if name.startswith(("XDG_", "REPRO_")))
    places = "HOME", "USERPROFILE", "LOCALAPPDATA", "NUMBA_CACHE_DIR"
    return unset | dict.fromkeys(places, tmp_path / "a file")


def test_numba_keeps_what_it_compiles_unless_it_can_keep_nothing(tmp_path):
    assert SUMS["cache"]
    library = tmp_path / "library"
    copied = shutil.copytree(
        ROOT / "repro", library / "repro", ignore=shutil.ignore_patterns("__py*")
    )
    (copied / "kernels" / "__pycache__").touch()  # a file, so that no folder can be made
    variables = _no_home(tmp_path) | {"PYTHONPATH": library}
    assert run_python("-c", COMPILED, cwd=library, **variables).stdout == "False 42\n"


def test_a_notebook_runs_in_an_odd_folder_without_a_home_on_one_core(tmp_path):
    path = write_notebook(tmp_path / "Größe und Maß, ‘2’", CELLS)
    variables = {"PYTHONPATH": ROOT, "REPRO_STANDIN": "1", "PYTHONUTF8": "1"}
    run_python("-c", ON_ONE_CORE, cwd=path.parent, **_no_home(tmp_path) | variables)
    made = path.parents[1] / "reproduced"
    executed = nbformat.read(made / "notebooks" / path.name, as_version=4)
    # Matplotlib reports on stderr that it has no cache folder, too.
    (printed,) = (o.text for o in executed.cells[0].outputs if o.get("name") == "stdout")
    assert printed == "rows: 8\n"
    assert (made / "figures" / "standin" / "x_fig1.png").exists()
