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


def project_dir():
    """Return the folder of ``notebooks`` and ``pyproject.toml``: this one or one above."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "notebooks").is_dir() and (folder / "pyproject.toml").is_file():
            return folder
    return here


def figures_folder():
    """Return where a run writes its figures: REPRO_FIGURES_DIR, or ``figures`` of the project."""
    return folder_from("REPRO_FIGURES_DIR") or project_dir() / "figures"
