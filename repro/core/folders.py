"""The project's folders, and those that variables of the environment name."""

import os
from pathlib import Path

from repro.core.records import UserError


def folder_from(variable):
    """Return the folder that an environment variable names, as an absolute Path; None if not set.

    A UserError if it begins with "~" and the name of nobody.
    """
    value = os.environ.get(variable)
    try:
        return Path(value).expanduser().absolute() if value else None
    except RuntimeError as error:
        raise UserError(f"{variable} is {value!r}: {error}") from None


def project_dir(needed=False):
    """Return the folder of ``notebooks`` and ``pyproject.toml``: this one or one above.

    Where there is none it is this folder, or a UserError if it is ``needed``.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "notebooks").is_dir() and (folder / "pyproject.toml").is_file():
            return folder
    if needed:
        raise UserError(
            "this needs a copy of the repository: run it in the project's folder, or below it"
        )
    return here


def reproduced_folder():
    """Return where runs write what they make of notebooks and figures; git ignores it."""
    return project_dir() / "reproduced"


def figures_folder():
    """Return where figures go: REPRO_FIGURES_DIR, or ``reproduced/figures`` of the project.

    Runs of notebooks write the committed ones, in ``figures``, only with ``--write``.
    """
    return folder_from("REPRO_FIGURES_DIR") or reproduced_folder() / "figures"
