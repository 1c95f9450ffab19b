"""How nbval runs the notebooks.

Figures and claims go to a temporary folder, never over the committed ones. A notebook whose data
cannot be had runs on stand-ins: its cells must run, its outputs are not compared.
"""

import os
import tempfile
from collections import defaultdict
from pathlib import Path
from unittest import mock

import nbformat
import pytest

from repro import datasets
from repro.workbench.lessons.execution import fetch_data, kernel_environment
from repro.workbench.lessons.exercises import solutions
from repro.workbench.lessons.files import Notebook, find_notebooks, notebook_files
from repro.workbench.lessons.timings import load_timings

HERE = Path(__file__).parent
GENERATED = pytest.StashKey()
collect_ignore = [path.name for path in notebook_files(HERE)[1]]  # copies, Untitled


def _generated(notebooks):
    """Name the data sets that have to be generated: a sorted list by notebook."""
    standins = {name for name in datasets.FETCHERS if datasets.standin_wanted(name)}
    standins |= set(fetch_data(notebooks))
    return {notebook.stem: sorted(standins & set(notebook.datasets)) for notebook in notebooks}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Give each notebook's kernel its environment, and turn comparisons off on stand-ins.

    Notebooks run first, the longest before the others, so that none runs alone at the end.
    """
    files = dict.fromkeys(item.parent for item in items if type(item).__name__ == "IPyNbCell")
    if not files:
        return
    for file in files:
        of_file = [item for item in items if item.parent is file]
        items += _folded_solutions(file, type(of_file[0]), len(of_file))
    seconds = load_timings(HERE.parent / "figures")
    # Workers must agree on the order: notebooks that take equally long go by name.
    last = {file: (-seconds.get(Path(file.path).stem, 1), Path(file.path).stem) for file in files}
    items.sort(key=lambda item: last.get(item.parent, (0, "")))
    scratch = tempfile.TemporaryDirectory(prefix="repro-figures-")
    config.add_cleanup(scratch.cleanup)
    notebooks = {file: Notebook.read(Path(file.path)) for file in files}
    config.stash[GENERATED] = _generated(notebooks.values())
    for file, notebook in notebooks.items():
        generated = config.stash[GENERATED][notebook.stem]
        _wrap_setup(file, kernel_environment(scratch.name, generated))
        if generated:
            for item in items:
                if item.parent is file:
                    item.options["check"] = False


def _folded_solutions(file, kind, n_cells):
    """Make a test of each solution that a notebook folds in Markdown; they run after its cells."""
    for k, code in solutions(file.nb.cells).items():
        cell = nbformat.v4.new_code_cell(code)
        options = defaultdict(bool, check=False)
        about = {"name": f"Solution {k}", "cell_num": n_cells + k}
        yield kind.from_parent(file, cell=cell, options=options, **about)


def _wrap_setup(file, environment):
    """Start the kernel of a file in an environment that the other tests do not see."""
    start = file.setup

    def setup():
        with mock.patch.dict(os.environ, environment, clear=True):
            start()

    file.setup = setup


def pytest_terminal_summary(terminalreporter, config):
    """Say which notebooks ran on stand-ins: they are never silent."""
    if GENERATED not in config.stash:  # where workers share the tests, it has collected none
        config.stash[GENERATED] = _generated(find_notebooks(HERE))
    for stem, generated in config.stash[GENERATED].items():
        if generated:
            terminalreporter.write_line(
                f"{stem}: stand-in data in place of {', '.join(generated)}; "
                "cells were run, outputs not compared",
                yellow=True,
            )
