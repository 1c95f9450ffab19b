"""The project's folders."""

from pathlib import Path

from repro.core.errors import UserError
from repro.core.files import folder_from


def project_dir(needed=False):
    """Return the folder with ``notebooks`` and ``pyproject.toml``: the current one or a parent.

    If there is none, return the current folder, or raise a UserError if ``needed``. Also raise a
    UserError if the folder has its own code, but the running code comes from another copy.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "notebooks").is_dir() and (folder / "pyproject.toml").is_file():
            _refuse_code_of_another(folder)
            return folder
    if needed:
        raise UserError(
            "this needs a copy of the repository: run it in the project's folder, or below it"
        )
    return here


def _refuse_code_of_another(folder):
    running = Path(__file__).parents[1]
    there = folder / "repro"
    is_copy = (running.parent / "pyproject.toml").is_file()
    if is_copy and (there / "__init__.py").is_file() and not there.samefile(running):
        raise UserError(
            f"this folder is {folder}, but the code that runs is that of {running.parent}: "
            "run the command of the environment in which this folder is installed"
        )


def reproduced_folder():
    """Return the folder for notebooks and figures that runs produce; git ignores it."""
    return project_dir() / "reproduced"


def figures_folder():
    """Return the folder for figures: REPRO_FIGURES_DIR, or the project's ``reproduced/figures``.

    Runs of notebooks write the committed figures, in ``figures``, only with ``--write``.
    """
    return folder_from("REPRO_FIGURES_DIR") or reproduced_folder() / "figures"
