"""A call of `repro`, and a small project to call it in."""

import nbformat
from typer.testing import CliRunner

from repro.workbench.command_line import app

ABOUT = {"paper": "X", "item": "Fig. 1", "title": "A test", "datasets": {}}


def call(*arguments, status=0):
    """Call `repro` on a terminal so wide that no line breaks; return its output."""
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code == status, result.output
    return result.output


def write_notebook(folder, *sources, stem="x_fig1", **about):
    """Write a notebook of code cells into a project, which is made if missing."""
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
