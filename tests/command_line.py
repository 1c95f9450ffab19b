"""A small project to call `repro` in."""

import nbformat
from typer.testing import CliRunner

from repro.__main__ import app

ABOUT = {"paper": "X", "item": "Fig. 1", "title": "A test", "datasets": {}}


def call(*arguments):
    """Call `repro`, on a terminal so wide that no line breaks."""
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})


def write_notebook(folder, *sources, stem="x_fig1", **about):
    """Write a notebook of code cells into a project, which is made if it is not there."""
    for name in ("notebooks", "figures"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").touch()
    notebook = nbformat.v4.new_notebook()
    for k, source in enumerate(sources):
        cell = nbformat.v4.new_code_cell(source.strip())
        cell["id"] = f"cell-{k}"
        notebook.cells.append(cell)
    notebook.metadata["repro"] = ABOUT | about
    path = folder / "notebooks" / f"{stem}.ipynb"
    nbformat.write(notebook, path)
    return path
