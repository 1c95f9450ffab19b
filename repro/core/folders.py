"""The project's folders, and those that variables of the environment name."""

import os
from pathlib import Path

from repro.core.records import UserError


def folder_from(variable):
    """Return the folder that an environment variable names, as an absolute Path; None if not set.

    A UserError if it begins with "~" and the name of nobody.
    """
    value = os.environ.get(variable, "").strip()
    try:
        return Path(value).expanduser().absolute() if value else None
    except RuntimeError as error:
        raise UserError(f"{variable} is {value!r}: {error}") from None


def project_dir(needed=False):
    """Return the folder of ``notebooks`` and ``pyproject.toml``: this one or one above.

    Where there is none it is this folder, or a UserError if it is ``needed``. A UserError, too, if
    the folder has code of its own, and the code that runs is that of another copy.
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
    running, there = Path(__file__).parents[1], folder / "repro"
    is_copy = (running.parent / "pyproject.toml").is_file()
    if is_copy and (there / "__init__.py").is_file() and not there.samefile(running):
        raise UserError(
            f"this folder is {folder}, but the code that runs is that of {running.parent}: "
            "run the command of the environment in which this folder is installed"
        )


def reproduced_folder():
    """Return where runs write what they make of notebooks and figures; git ignores it."""
    return project_dir() / "reproduced"


def figures_folder():
    """Return where figures go: REPRO_FIGURES_DIR, or ``reproduced/figures`` of the project.

    Runs of notebooks write the committed ones, in ``figures``, only with ``--write``.
    """
    return folder_from("REPRO_FIGURES_DIR") or reproduced_folder() / "figures"
