"""The commit of the code that runs."""

import subprocess
from functools import cache
from pathlib import Path


@cache
def this_commit():
    """Return g and the first seven digits of the commit of this code, as `git describe` writes it.

    The g keeps programs from reading 26087e9 as a number. Outside a checkout return "unknown". A
    "+" follows if the package has changes, or new files, that are not committed.
    """
    try:
        _git("ls-files", "--error-unmatch", "__init__.py")  # another project may lie around it
        changes = _git("status", "--porcelain", "--untracked-files", ".")  # whatever is set
        return f"g{_git('rev-parse', 'HEAD')[:7]}" + ("+" if changes else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments):
    """Return what git prints about the folder of the package."""
    folder = Path(__file__).parents[1]
    options = {"capture_output": True, "check": True, "encoding": "utf-8"}
    return subprocess.run(["git", *arguments], cwd=folder, **options).stdout
